-- The rows that the context-builder puts last among the instruction files. A version is never used twice, so a reader
-- that knows a version knows the text, also when a row was removed and written again.

CREATE SEQUENCE gateway.instructions_version;

ALTER TABLE gateway.agent_instructions RENAME TO agent_instructions_before;
ALTER TABLE gateway.agent_instructions_before RENAME CONSTRAINT agent_instructions_pkey TO agent_instructions_before_pkey;

CREATE TABLE gateway.agent_instructions (
    agent      text NOT NULL CHECK (agent ~ '^[A-Za-z0-9_-]{1,128}$'),
    project    text REFERENCES gateway.projects (slug) ON DELETE CASCADE,
    text       text NOT NULL CHECK (text ~ '\S'),
    version    bigint NOT NULL DEFAULT nextval('gateway.instructions_version'),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT agent_instructions_key UNIQUE NULLS NOT DISTINCT (agent, project)
);
COMMENT ON TABLE gateway.agent_instructions IS
    'What the operator says to an agent, in one project or (NULL) in every one. The gateway writes, others read.';

INSERT INTO gateway.agent_instructions (agent, text, updated_at)
SELECT name, text, updated_at FROM gateway.agent_instructions_before
WHERE scope = 'agent' AND name ~ '^[A-Za-z0-9_-]{1,128}$' AND text ~ '\S';

DROP TABLE gateway.agent_instructions_before;
