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
