-- Profiles are files; the database keeps the last version of each that could be used.

ALTER TABLE gateway.channels DROP COLUMN profile;
DROP TABLE gateway.profiles;
CREATE TABLE gateway.profiles (
    name       text PRIMARY KEY CHECK (name ~ '^[A-Za-z0-9_-]{1,64}$'),
    version    text NOT NULL CHECK (version ~ '^[0-9a-f]{64}$'),
    text       text NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE gateway.profiles IS
    'The last version of each profile''s file that could be used: it stays while the file cannot be.';

-- What a channel does beside taking messages.
ALTER TABLE gateway.channels
    ADD COLUMN pairing       boolean NOT NULL DEFAULT false,
    ADD COLUMN progress      double precision CHECK (progress >= 1),
    ADD COLUMN reply_url     text,
    ADD COLUMN reply_private boolean NOT NULL DEFAULT false,
    ADD CHECK (reply_url IS NULL OR signing_secret IS NOT NULL);
COMMENT ON COLUMN gateway.channels.pairing IS 'Unknown senders get a code, by which the operator can let them in.';
COMMENT ON COLUMN gateway.channels.progress IS 'Seconds between two words of progress on one task; none where unset.';
COMMENT ON COLUMN gateway.channels.reply_url IS 'Where replies are posted, signed with the signing secret.';
COMMENT ON COLUMN gateway.channels.reply_private IS 'That may be on this machine or in a private network.';

CREATE TABLE gateway.pairing_codes (
    channel    text NOT NULL REFERENCES gateway.channels (name) ON DELETE CASCADE,
    sender     text NOT NULL,
    code       text NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (channel, sender),
    UNIQUE (channel, code)
);
COMMENT ON TABLE gateway.pairing_codes IS 'Codes of unknown senders. A code lets nobody in: the operator does, by naming it.';

CREATE TABLE gateway.reply_posts (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    channel     text NOT NULL REFERENCES gateway.channels (name) ON DELETE CASCADE,
    session_id  text NOT NULL,
    message_id  text NOT NULL,
    body        bytea NOT NULL,
    headers     jsonb NOT NULL,
    attempts    integer NOT NULL DEFAULT 0,
    next_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    taken_until timestamptz,
    UNIQUE (channel, message_id)
);
CREATE INDEX reply_posts_order ON gateway.reply_posts (channel, session_id, id);
COMMENT ON TABLE gateway.reply_posts IS
    'Replies that wait to be posted; of each conversation the first one only, so that their order holds.';

-- Who waits for a workspace is asked at each claim.
CREATE INDEX tasks_workspace ON arreio.tasks (workspace) WHERE state IN ('PENDING', 'IN_PROGRESS', 'NEEDS_INPUT');
