-- A snapshot of Wikidata: one file, read-only once built. QIDs are text ('Q42').
CREATE TABLE items (
    qid VARCHAR PRIMARY KEY,
    sitelinks INTEGER               -- NULL: not known
);
-- Sorted by key, so that a lookup reads few row groups.
CREATE TABLE names (
    key VARCHAR NOT NULL,           -- linking/normalise.py, by the language of the name
    lang VARCHAR NOT NULL,          -- a Wikidata language code, 'mul' included
    kind VARCHAR NOT NULL,          -- label, alias, or name (the source does not tell which)
    name VARCHAR NOT NULL,
    qid VARCHAR NOT NULL,
    sitelinks INTEGER,              -- the item's
    fits UBIGINT NOT NULL           -- a bit for each scope that the item fits (manifest: scopes)
);
CREATE TABLE statements (
    qid VARCHAR NOT NULL,
    property VARCHAR NOT NULL,
    value VARCHAR NOT NULL,
    rank VARCHAR NOT NULL           -- normal, preferred, deprecated
);
CREATE TABLE descriptions (
    qid VARCHAR NOT NULL,
    lang VARCHAR NOT NULL,
    text VARCHAR NOT NULL
);
-- Direct evidence for a topic, where no class statement is known.
CREATE TABLE topics (
    qid VARCHAR NOT NULL,
    topic VARCHAR NOT NULL,
    evidence VARCHAR NOT NULL
);
-- Merged items; names and statements already stand under their targets.
CREATE TABLE redirects (
    "from" VARCHAR PRIMARY KEY,
    "to" VARCHAR NOT NULL
);
-- P279* per topic: a class, a root above it, its distance, the next class on a shortest path and
-- all of that path, from the class to the root.
CREATE TABLE closure (
    topic VARCHAR NOT NULL,
    class VARCHAR NOT NULL,
    root VARCHAR NOT NULL,
    depth INTEGER NOT NULL,
    parent VARCHAR,                 -- NULL: the root itself
    path VARCHAR[] NOT NULL
);
-- Which items lie under a root of a topic, how far (an instance is one step from its class), and
-- through which class: the nearest, then the lowest QID. Direct evidence for a topic stands under
-- the root ''. Items of barred classes are left out.
CREATE TABLE member (
    qid VARCHAR NOT NULL,
    topic VARCHAR NOT NULL,
    root VARCHAR NOT NULL,
    depth INTEGER,
    class VARCHAR,
    evidence VARCHAR
);
-- Classes whose instances never win: disambiguation pages, lists, name items.
CREATE TABLE barred (
    class VARCHAR PRIMARY KEY
);
-- For approximate search, empty where the snapshot was built without: distinct keys, numbered in
-- order, and under what their deletions hash to (see deletions.sql), in the order of the hashes.
CREATE TABLE keys (
    id UINTEGER NOT NULL,
    lang VARCHAR NOT NULL,
    key VARCHAR NOT NULL
);
CREATE TABLE deletions (
    hash UBIGINT NOT NULL,
    id UINTEGER NOT NULL
);
-- 40 bits: sorted, they take two bytes a row on disk, and few enough collide for a check by eye.
CREATE MACRO deletion_hash(lang, part) AS hash(lang, part) >> 24;
-- For each scope of the catalog (manifest: scopes) the items that fit it, and why: as candidates.sql
-- finds out for any scope. `place` is the root's among those of the scope.
CREATE TABLE fit (
    scope INTEGER NOT NULL,
    qid VARCHAR NOT NULL,
    place INTEGER NOT NULL,
    topic VARCHAR NOT NULL,
    root VARCHAR NOT NULL,
    class VARCHAR,
    evidence VARCHAR
);
CREATE TABLE manifest (
    key VARCHAR PRIMARY KEY,
    value VARCHAR NOT NULL          -- JSON
);
