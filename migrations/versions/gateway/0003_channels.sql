-- A channel that stands here has an adapter of its own: it needs a token, and its senders are unknown until allowed.
-- Tokens are 256 random bits, so one SHA-256 hides them; the one before stays valid for a grace period.

CREATE TABLE gateway.channel_senders (
    channel    text NOT NULL REFERENCES gateway.channels (name) ON DELETE CASCADE,
    sender     text NOT NULL,
    allowed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (channel, sender)
);
COMMENT ON TABLE gateway.channel_senders IS 'Who may speak on a channel; nobody else may, unless it is open.';

INSERT INTO gateway.channel_senders (channel, sender)
SELECT name, sender FROM gateway.channels, jsonb_array_elements_text(senders) AS sender;

ALTER TABLE gateway.channels
    DROP COLUMN senders,
    DROP COLUMN token_hash,
    ADD COLUMN token_hash         bytea UNIQUE CHECK (octet_length(token_hash) = 32),
    ADD COLUMN former_hash        bytea UNIQUE CHECK (octet_length(former_hash) = 32),
    ADD COLUMN former_until       timestamptz,
    ADD COLUMN signing_secret     bytea,
    ADD COLUMN open               boolean NOT NULL DEFAULT false,
    ADD COLUMN created_at         timestamptz NOT NULL DEFAULT clock_timestamp();
COMMENT ON COLUMN gateway.channels.signing_secret IS
    'What a signed webhook is checked with. A signature cannot be checked by a hash, so only webhook channels have one.';
COMMENT ON COLUMN gateway.channels.open IS 'Everybody may speak.';

CREATE TABLE gateway.channel_blobs (
    channel     text NOT NULL REFERENCES gateway.channels (name) ON DELETE CASCADE,
    sha256      bytea NOT NULL CHECK (octet_length(sha256) = 32),
    uploaded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (channel, sha256)
);
COMMENT ON TABLE gateway.channel_blobs IS
    'What a channel''s adapter uploaded: only that may it attach, since a hash alone must not open another''s blob.';
