-- What learning owns: proposals, and what became of the approved ones.

CREATE TABLE learning.proposals (
    proposal_id text PRIMARY KEY CHECK (proposal_id ~ '^[A-Za-z0-9_-]{1,128}$'),
    kind        text NOT NULL CHECK (kind IN ('skill', 'rule', 'persona', 'taste')),
    state       text NOT NULL DEFAULT 'proposed' CHECK (state IN ('proposed', 'approved', 'rejected', 'rolled_back')),
    title       text NOT NULL,
    body        jsonb NOT NULL,
    session_id  text NOT NULL,
    task_id     text,
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    decided_at  timestamptz
);
COMMENT ON TABLE learning.proposals IS 'What may be worth learning, until a person decides; a projection of proposal.* events.';

CREATE TABLE learning.skills (
    name        text NOT NULL CHECK (name ~ '^[A-Za-z0-9_-]{1,128}$'),
    version     integer NOT NULL CHECK (version > 0),
    proposal_id text REFERENCES learning.proposals (proposal_id),
    body        text NOT NULL,
    active      boolean NOT NULL DEFAULT false,
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (name, version)
);

CREATE TABLE learning.rules (
    name        text NOT NULL CHECK (name ~ '^[A-Za-z0-9_-]{1,128}$'),
    version     integer NOT NULL CHECK (version > 0),
    proposal_id text REFERENCES learning.proposals (proposal_id),
    body        text NOT NULL,
    active      boolean NOT NULL DEFAULT false,
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (name, version)
);
