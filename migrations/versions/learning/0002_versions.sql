-- All tables of learning are a fold of its stream; `progress` says how far it has come.

ALTER TABLE learning.proposals
    DROP CONSTRAINT proposals_state_check,
    ADD CONSTRAINT proposals_state_check CHECK (
        state IN ('proposed', 'approved', 'rejected', 'superseded', 'demoted', 'expired', 'rolled_back')),
    ADD COLUMN name text NOT NULL DEFAULT '',
    ADD COLUMN tasks text[] NOT NULL DEFAULT '{}',
    ADD COLUMN version integer,
    ADD COLUMN decided_by text,
    ADD COLUMN why text NOT NULL DEFAULT '';
COMMENT ON COLUMN learning.proposals.body IS 'The data of proposal.created, with what supported it since.';
COMMENT ON COLUMN learning.proposals.tasks IS 'The tasks that taught it, each once.';
CREATE INDEX proposals_open ON learning.proposals (kind, created_at DESC);

ALTER TABLE learning.rules
    ADD COLUMN preconditions jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN standing text NOT NULL DEFAULT 'trial',
    ADD COLUMN expires_at timestamptz,
    ADD COLUMN approved_by text;
ALTER TABLE learning.skills
    ADD COLUMN preconditions jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN standing text NOT NULL DEFAULT 'trial',
    ADD COLUMN expires_at timestamptz,
    ADD COLUMN approved_by text;
ALTER TABLE learning.rules ADD CONSTRAINT rules_standing_check CHECK (
    standing IN ('trial', 'established', 'superseded', 'demoted', 'expired', 'rolled_back'));
ALTER TABLE learning.skills ADD CONSTRAINT skills_standing_check CHECK (
    standing IN ('trial', 'established', 'superseded', 'demoted', 'expired', 'rolled_back'));
CREATE UNIQUE INDEX rules_in_force ON learning.rules (name) WHERE active;
CREATE UNIQUE INDEX skills_in_force ON learning.skills (name) WHERE active;

CREATE TABLE learning.outcomes (
    task_id    text PRIMARY KEY,
    session_id text NOT NULL,
    outcome    text NOT NULL CHECK (outcome IN ('success', 'failure', 'neutral')),
    code       text NOT NULL,
    agent      text NOT NULL,
    workspace  text,
    criteria   text[] NOT NULL,
    ended_at   timestamptz NOT NULL
);
COMMENT ON TABLE learning.outcomes IS 'How each task ended.';
CREATE INDEX outcomes_latest ON learning.outcomes (ended_at DESC);

CREATE TABLE learning.uses (
    kind    text NOT NULL CHECK (kind IN ('skill', 'rule')),
    name    text NOT NULL,
    version integer NOT NULL,
    task_id text NOT NULL REFERENCES learning.outcomes (task_id),
    PRIMARY KEY (kind, name, version, task_id)
);
COMMENT ON TABLE learning.uses IS 'Which versions a task had before it.';
CREATE INDEX uses_of_task ON learning.uses (task_id, kind, name);

CREATE TABLE learning.progress (single boolean PRIMARY KEY DEFAULT true CHECK (single), seq bigint NOT NULL);
COMMENT ON TABLE learning.progress IS 'The last event of learning''s stream that the tables hold.';
INSERT INTO learning.progress (seq) VALUES (0);
