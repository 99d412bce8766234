-- The rules of linking/choose.py for whole sets: of the items that carry a mention's name and fit
-- its scope, the first is its link and the others are its rivals; where the first two are equals,
-- `equal` says so. Mentions that nothing fits are left out.
-- asked(id, language, scope, bit, turkic, key): a mention's keys, one per letter-i rule; `bit` is
--     the scope's in names.fits.
-- chain(language, lang, place, turkic): the name languages of a mention's language, best first.
CREATE TEMP TABLE fitting AS
    SELECT a.id, a.scope, c.place AS rank, n.qid, n.name, n.lang, n.kind, n.sitelinks
    FROM asked a
    JOIN names n ON n.key = a.key
    JOIN chain c ON c.language = a.language AND c.lang = n.lang AND c.turkic = a.turkic
    WHERE n.fits & a.bit <> 0;

CREATE TEMP TABLE explained AS
    SELECT f.*, w.place, w.topic, w.root, w.class, w.evidence
    FROM fitting f JOIN fit w ON w.scope = f.scope AND w.qid = f.qid;
DROP TABLE fitting;

CREATE TEMP TABLE found AS
    WITH counted AS (SELECT id, count(*) AS rows FROM explained GROUP BY id),
    several AS (
        SELECT e.*,
               list_position(['label', 'name', 'alias'], kind) AS kind_place,
               coalesce(sitelinks, -1) AS links,
               CAST(substr(qid, 2) AS BIGINT) AS number
        FROM explained e JOIN counted USING (id) WHERE rows > 1
    ),
    -- Each item once, by its best row; its name settles which that is.
    items AS (
        FROM several QUALIFY row_number() OVER (
            PARTITION BY id, qid ORDER BY rank, kind_place, place, links DESC, name, lang
        ) = 1
    ),
    ordered AS (
        SELECT *,
               row_number() OVER best - 1 AS position,
               lead((rank, kind_place, place, links)) OVER best = (rank, kind_place, place, links)
                   AS equal
        FROM items
        WINDOW best AS (PARTITION BY id ORDER BY rank, kind_place, place, links DESC, number)
    )
    SELECT e.*, 0 AS position, false AS equal
    FROM explained e JOIN counted USING (id) WHERE rows = 1
    UNION ALL
    SELECT * EXCLUDE (kind_place, links, number, position, equal), position, coalesce(equal, false)
    FROM ordered;
DROP TABLE explained;
