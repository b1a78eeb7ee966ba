CREATE TABLE arreio.nats_rights (
    login text NOT NULL,
    verb text NOT NULL CHECK (verb IN ('publish', 'subscribe')),
    rule text NOT NULL CHECK (rule IN ('allow', 'deny')),
    subject text NOT NULL,
    PRIMARY KEY (login, verb, rule, subject)
);
COMMENT ON TABLE arreio.nats_rights IS 'What each NATS user of ours may do, as last provisioned: a right that is gone shows.';

CREATE TABLE arreio.relay (one boolean PRIMARY KEY DEFAULT true CHECK (one));
COMMENT ON TABLE arreio.relay IS 'A row by which those who would relay take turns in asking whether anybody does.';
INSERT INTO arreio.relay DEFAULT VALUES;

-- Anybody may take any advisory lock, so one counts only in the hands of a session that may call this function.
CREATE FUNCTION arreio.relays_elsewhere() RETURNS boolean
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
        WHERE l.locktype = 'advisory' AND l.granted AND l.pid <> pg_backend_pid()
          AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
          AND (l.classid, l.objid, l.objsubid) IN ((0, 1330992194, 1), (1330992194, l.objid, 2))
          AND has_function_privilege(a.usesysid, 'arreio.take_relay()', 'EXECUTE')
    )
$$;

CREATE FUNCTION arreio.take_relay() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
BEGIN
    IF arreio.relays_elsewhere() THEN
        RETURN false;
    END IF;
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM FROM arreio.relay FOR UPDATE;
    IF arreio.relays_elsewhere() THEN
        RETURN false;
    END IF;
    -- The lock that all relays know; where a session that is none has it, one of the relays' own.
    IF NOT pg_try_advisory_lock(1330992194) THEN
        WHILE NOT pg_try_advisory_lock(1330992194, (random() * 2147483647)::integer) LOOP
        END LOOP;
    END IF;
    RETURN true;
END $$;
COMMENT ON FUNCTION arreio.take_relay IS 'Makes this session the active relay, until it ends; false while another one is.';
