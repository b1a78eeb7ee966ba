-- What the gateway owns: who may write, on whose behalf, and with which defaults.

CREATE TABLE gateway.projects (
    slug       text PRIMARY KEY CHECK (slug ~ '^[A-Za-z0-9_-]{1,128}$'),
    workspace  text,
    defaults   jsonb NOT NULL DEFAULT '{}',
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE gateway.projects IS 'A workspace and the defaults of the task contracts that run in it.';

CREATE TABLE gateway.profiles (
    name       text PRIMARY KEY CHECK (name ~ '^[A-Za-z0-9_-]{1,128}$'),
    project    text REFERENCES gateway.projects (slug),
    agent      text NOT NULL,
    defaults   jsonb NOT NULL DEFAULT '{}',
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE gateway.profiles IS 'Who asks: the agent, the project, and the defaults of the task contract.';

CREATE TABLE gateway.agent_instructions (
    scope      text NOT NULL,
    name       text NOT NULL,
    text       text NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (scope, name)
);
COMMENT ON TABLE gateway.agent_instructions IS 'Instructions kept in the database: scope is an agent, a profile or a project.';

CREATE TABLE gateway.channels (
    name       text PRIMARY KEY CHECK (name ~ '^[A-Za-z0-9_-]{1,128}$'),
    profile    text REFERENCES gateway.profiles (name),
    token_hash text,
    senders    jsonb NOT NULL DEFAULT '[]',
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE gateway.channels IS 'The adapters that may publish, and the senders they may speak for.';
