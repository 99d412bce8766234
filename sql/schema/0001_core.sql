-- The tables of a store. Every stage of a study adds rows to its own; nothing here is updated in
-- place but the plan, which follows the study file. Keys are content-addressed (makieval/fingerprint.py).

CREATE TABLE studies (
    study       VARCHAR PRIMARY KEY,   -- the study's name
    fingerprint VARCHAR NOT NULL,      -- of its definition
    definition  VARCHAR NOT NULL,      -- the study file as JSON
    plan        VARCHAR NOT NULL,      -- fingerprint of the requests below, prompts included
    checker     VARCHAR,               -- fingerprint of the checks last made
    extractor   VARCHAR,               -- fingerprint of the extractor last used
    linker      VARCHAR,               -- fingerprint of the linker last used, snapshot included
    snapshot    VARCHAR,               -- id of the snapshot that knowledge comes from
    facts       VARCHAR                -- fingerprint of the facts last used: snapshot and origin rules
);
COMMENT ON TABLE studies IS 'One row per study: its definition and the versions its results rest on.';

CREATE TABLE study_countries (
    study    VARCHAR NOT NULL,
    country  VARCHAR NOT NULL,         -- id in the catalog
    qid      VARCHAR NOT NULL,
    position INTEGER NOT NULL
);
COMMENT ON TABLE study_countries IS 'The countries a study asks about, with their Wikidata items.';

CREATE TABLE study_models (
    study    VARCHAR NOT NULL,
    model    VARCHAR NOT NULL,         -- the name used in tables and charts
    position INTEGER NOT NULL,
    identity VARCHAR NOT NULL,         -- JSON: all of it that can change an answer
    embedded BOOLEAN NOT NULL
);
COMMENT ON TABLE study_models IS 'The models a study asks.';

CREATE TABLE prompts (
    prompt_id VARCHAR PRIMARY KEY,
    text      VARCHAR NOT NULL
);
COMMENT ON TABLE prompts IS 'The prompt texts; a model''s system text and language instruction are in its identity.';

CREATE TABLE requests (
    study       VARCHAR NOT NULL,
    model       VARCHAR NOT NULL,
    topic       VARCHAR NOT NULL,
    language    VARCHAR NOT NULL,
    framing     VARCHAR NOT NULL,
    country     VARCHAR,               -- NULL where the prompt names none
    sample      INTEGER NOT NULL,
    prompt_id   VARCHAR NOT NULL,
    response_id VARCHAR NOT NULL       -- = answers.answer_id once the model has answered
);
COMMENT ON TABLE requests IS 'The grid of a study, one row per text that is wanted.';

CREATE TABLE answers (
    answer_id         VARCHAR PRIMARY KEY,
    status            VARCHAR NOT NULL,
    text              VARCHAR,
    finish_reason     VARCHAR,
    prompt_tokens     INTEGER,
    completion_tokens INTEGER,
    served_model      VARCHAR,
    latency_ms        INTEGER,
    received_at       VARCHAR,         -- ISO 8601, UTC, as journalled
    error             VARCHAR,
    fields            VARCHAR          -- JSON: what the key is the fingerprint of
);
COMMENT ON TABLE answers IS 'Every final answer of a model, as journalled; never overwritten.';

CREATE TABLE attempts (
    answer_id   VARCHAR NOT NULL,
    status      VARCHAR NOT NULL,
    error       VARCHAR,
    received_at VARCHAR
);
COMMENT ON TABLE attempts IS 'Requests that failed for a passing reason and will be asked again.';

CREATE TABLE journal_segments (
    segment  VARCHAR PRIMARY KEY,
    ingested UBIGINT NOT NULL          -- bytes of the segment that are in the tables
);
COMMENT ON TABLE journal_segments IS 'How far each segment of the journal has been read.';

CREATE TABLE response_checks (
    response_id VARCHAR NOT NULL,
    asked       VARCHAR NOT NULL,      -- the language that was asked for
    checker     VARCHAR NOT NULL,      -- fingerprint of the check
    detected    VARCHAR,               -- NULL: too short to tell
    in_language BOOLEAN,
    PRIMARY KEY (response_id, asked, checker)
);
COMMENT ON TABLE response_checks IS 'Quality of each text, judged without a model.';

CREATE TABLE response_extractions (
    response_id   VARCHAR NOT NULL,
    topic         VARCHAR NOT NULL,
    language      VARCHAR NOT NULL,
    extractor     VARCHAR NOT NULL,
    extraction_id VARCHAR NOT NULL,    -- the same for identical texts
    answer_id     VARCHAR,             -- the extractor model's answer, where a model extracts
    PRIMARY KEY (response_id, topic, language, extractor)
);
COMMENT ON TABLE response_extractions IS 'Which extraction belongs to which response.';

CREATE TABLE extractions (
    extraction_id VARCHAR PRIMARY KEY,
    status        VARCHAR NOT NULL
);
COMMENT ON TABLE extractions IS 'One row per distinct text, topic and extractor.';

CREATE TABLE extracted_mentions (
    extraction_id VARCHAR NOT NULL,
    ordinal       INTEGER NOT NULL,
    surface       VARCHAR NOT NULL,
    entity_type   VARCHAR NOT NULL,
    status        VARCHAR NOT NULL,    -- grounded, ungrounded or unknown_type
    start         INTEGER,             -- code points into the NFC text
    "end"         INTEGER
);
COMMENT ON TABLE extracted_mentions IS 'What the extractor found in a text.';

CREATE TABLE entity_types (
    study       VARCHAR NOT NULL,
    topic       VARCHAR NOT NULL,
    entity_type VARCHAR NOT NULL,
    granularity VARCHAR NOT NULL       -- specific (1), category (0) or excluded
);
COMMENT ON TABLE entity_types IS 'The entity types of a study''s topics, as the catalog has them at its last run.';

CREATE TABLE links (
    link_id       VARCHAR PRIMARY KEY,
    linker        VARCHAR NOT NULL,
    surface       VARCHAR NOT NULL,
    language      VARCHAR NOT NULL,
    topic         VARCHAR NOT NULL,
    entity_type   VARCHAR NOT NULL,
    status        VARCHAR NOT NULL,
    qid           VARCHAR,
    method        VARCHAR,
    score         DOUBLE,
    name          VARCHAR,             -- the name that matched
    name_language VARCHAR,             -- and its language, mul and en included
    name_kind     VARCHAR,
    path          VARCHAR[]            -- from the item through its classes to the root
);
COMMENT ON TABLE links IS 'One decision per surface form, language, topic, type and linker.';

CREATE TABLE link_rivals (
    link_id       VARCHAR NOT NULL,
    position      INTEGER NOT NULL,
    qid           VARCHAR NOT NULL,
    name          VARCHAR NOT NULL,
    name_language VARCHAR NOT NULL,
    name_kind     VARCHAR NOT NULL,
    sitelinks     INTEGER,
    fits          BOOLEAN NOT NULL     -- whether its class lies under the type's roots
);
COMMENT ON TABLE link_rivals IS 'The other candidates of each link, best first.';

CREATE TABLE entities (
    facts       VARCHAR NOT NULL,
    qid         VARCHAR NOT NULL,
    topic       VARCHAR NOT NULL,
    entity_type VARCHAR NOT NULL,
    label       VARCHAR,
    description VARCHAR,
    PRIMARY KEY (facts, qid, topic, entity_type)
);
COMMENT ON TABLE entities IS 'What the snapshot says about each linked item.';

CREATE TABLE entity_origins (
    facts       VARCHAR NOT NULL,
    qid         VARCHAR NOT NULL,
    topic       VARCHAR NOT NULL,
    entity_type VARCHAR NOT NULL,
    country     VARCHAR NOT NULL,      -- QID
    path        VARCHAR NOT NULL,      -- the properties that gave it, e.g. P50/P27
    via         VARCHAR                -- the creator in between
);
COMMENT ON TABLE entity_origins IS 'Countries of origin, by the rule of the item''s type.';
