-- The parts of a dump as views, and what is derived from them. Ids are numbers here.
-- Given: redirected(source, target), root(topic, class, creator), page(class) and left_out(class):
-- classes whose instances are dropped.
CREATE TABLE redirected (source BIGINT PRIMARY KEY, target BIGINT NOT NULL);
CREATE TABLE root (topic VARCHAR NOT NULL, class BIGINT NOT NULL, creator BOOLEAN NOT NULL);
CREATE TABLE page (class BIGINT NOT NULL);
CREATE TABLE left_out (class BIGINT NOT NULL);
CREATE TABLE country (qid BIGINT NOT NULL);
CREATE TABLE own (property VARCHAR NOT NULL);
CREATE TABLE of_creators (property VARCHAR NOT NULL);
