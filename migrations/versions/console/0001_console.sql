CREATE TABLE console.users (
    name          text COLLATE "C" PRIMARY KEY CHECK (name ~ '^[A-Za-z0-9._@-]{1,64}$'),
    role          text NOT NULL CHECK (role IN ('viewer', 'operator')),
    password_hash text NOT NULL,
    epoch         bigint NOT NULL DEFAULT 1,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE console.users IS 'Who may sign in to the console. Cookies hold the epoch: a new one ends every session.';

CREATE TABLE console.signing (single boolean PRIMARY KEY DEFAULT true CHECK (single), key bytea NOT NULL);
COMMENT ON TABLE console.signing IS 'The key that signs cookies and forms, 244 random bits, the same for every replica.';
INSERT INTO console.signing (key)
VALUES (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));
