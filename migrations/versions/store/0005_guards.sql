-- What may go from the log is judged by tasks, outbox and heads. Whoever may delete those by hand can make any session look
-- finished; so nobody may, and the one function that checks all of it does it in its owner's name.

CREATE OR REPLACE FUNCTION arreio.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- The owner deletes only where maintenance called prune_session; by hand, neither of the two may.
    IF TG_OP = 'DELETE' AND current_user <> 'arreio_maintenance' AND arreio.caller() = 'arreio_maintenance' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION USING ERRCODE = 'AR003',
        MESSAGE = format('%s on arreio.session_events is refused: the log is append-only', TG_OP);
END $$;

CREATE OR REPLACE FUNCTION arreio.prune_session(p_session_id text, p_seq bigint, p_hash bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
BEGIN
    -- The head and the leases stay, so that a session (and a task's fencing) that comes back goes on where it was and
    -- nothing old is taken for new.
    PERFORM FROM arreio.session_heads h
    WHERE h.session_id = p_session_id AND h.seq = p_seq AND h.hash = p_hash AND h.pruned_seq < h.seq FOR UPDATE;
    IF NOT FOUND
       OR NOT EXISTS (SELECT FROM arreio.tasks t WHERE t.session_id = p_session_id)
       OR EXISTS (SELECT FROM arreio.tasks t
                  WHERE t.session_id = p_session_id AND t.state IN ('PENDING', 'IN_PROGRESS', 'NEEDS_INPUT'))
       OR EXISTS (SELECT FROM arreio.outbox o WHERE o.session_id = p_session_id AND o.published_at IS NULL) THEN
        RETURN false;
    END IF;
    DELETE FROM arreio.session_events e WHERE e.session_id = p_session_id;
    DELETE FROM arreio.outbox o WHERE o.session_id = p_session_id;
    DELETE FROM arreio.inbox i WHERE i.session_id = p_session_id;
    DELETE FROM arreio.tasks t WHERE t.session_id = p_session_id;
    DELETE FROM arreio.dead_letters d WHERE d.session_id = p_session_id;
    UPDATE arreio.session_heads h SET pruned_seq = h.seq, pruned_hash = h.hash WHERE h.session_id = p_session_id;
    RETURN true;
END $$;

-- What no client can read as a time would stop whoever reads its session, and the relay for all of them.
ALTER TABLE arreio.session_events ADD CONSTRAINT session_events_recorded_at
    CHECK (recorded_at BETWEEN '0001-01-02 00:00Z' AND '9999-12-30 00:00Z') NOT VALID;
