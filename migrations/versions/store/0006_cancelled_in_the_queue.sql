-- A task that was cancelled while it waited behind another of its session can be claimed, and so ends at once.

CREATE OR REPLACE FUNCTION arreio.claim_lease(p_kind text, p_id text, p_owner text, p_ttl double precision)
RETURNS TABLE (epoch bigint, previous_owner text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
#variable_conflict use_column
DECLARE
    v_epoch bigint;
    v_previous text;
BEGIN
    PERFORM FROM arreio.writers w WHERE w.role = arreio.caller() AND p_kind = ANY (w.lease_kinds);
    IF NOT FOUND THEN
        RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = format('%s may not hold a lease of kind %s', arreio.caller(), p_kind);
    END IF;
    -- A lost claim does no harm (an append checks owner and epoch), so the disk is not waited for.
    PERFORM set_config('synchronous_commit', 'off', true);
    IF p_kind = 'task' THEN
        PERFORM FROM arreio.tasks t
        WHERE t.task_id = p_id AND t.state IN ('PENDING', 'IN_PROGRESS', 'NEEDS_INPUT')
          -- What is cancelled before it began waits for nobody: it is only told so.
          AND (t.state = 'PENDING' AND t.cancel_requested OR NOT EXISTS (
                          SELECT FROM arreio.tasks earlier
                          WHERE earlier.session_id = t.session_id AND earlier.created_seq < t.created_seq
                            AND earlier.state IN ('PENDING', 'IN_PROGRESS', 'NEEDS_INPUT')));
    ELSE
        PERFORM FROM arreio.tasks t
        WHERE t.awaiting = 'gate' AND t.awaiting_id = p_id AND t.state IN ('PENDING', 'IN_PROGRESS', 'NEEDS_INPUT');
    END IF;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    INSERT INTO arreio.leases (kind, id, owner, epoch, claimed_at, expires_at)
    VALUES (p_kind, p_id, p_owner, 1, clock_timestamp(), clock_timestamp() + make_interval(secs => p_ttl))
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
        RETURN QUERY SELECT 1::bigint, NULL::text;
        RETURN;
    END IF;
    SELECT l.owner INTO v_previous FROM arreio.leases l
    WHERE l.kind = p_kind AND l.id = p_id AND (l.owner IS NULL OR l.expires_at <= clock_timestamp()) FOR UPDATE;
    IF FOUND THEN
        UPDATE arreio.leases l SET owner = p_owner, epoch = l.epoch + 1, claimed_at = clock_timestamp(),
            expires_at = clock_timestamp() + make_interval(secs => p_ttl)
        WHERE l.kind = p_kind AND l.id = p_id RETURNING l.epoch INTO v_epoch;
        RETURN QUERY SELECT v_epoch, v_previous;
    END IF;
END $$;
