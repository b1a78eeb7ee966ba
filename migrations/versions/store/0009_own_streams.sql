ALTER TABLE arreio.writers ADD COLUMN sessions text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN arreio.writers.sessions IS 'The only sessions that the role may append to; empty: any.';

DROP FUNCTION arreio.refuse_append(text, text[], text, text, jsonb);
CREATE FUNCTION arreio.refuse_append(
    p_caller text, p_session_id text, p_types text[], p_inbox_consumer text, p_lease_kind text, p_task jsonb
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v_may arreio.writers;
    v_types text[];
BEGIN
    SELECT * INTO v_may FROM arreio.writers w WHERE w.role = p_caller;
    v_types := ARRAY(SELECT t FROM unnest(p_types) AS t WHERE t <> ALL (coalesce(v_may.types, '{}')));
    RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = format('%s may not %s', p_caller, CASE
        WHEN cardinality(v_types) > 0 THEN 'append ' || array_to_string(v_types, ', ')
        WHEN p_inbox_consumer IS NOT NULL AND p_inbox_consumer <> ALL (v_may.consumers) THEN 'accept messages as ' || p_inbox_consumer
        WHEN p_lease_kind IS NOT NULL AND p_lease_kind <> ALL (v_may.lease_kinds) THEN
            'append under a lease of kind ' || p_lease_kind
        WHEN v_may.sessions <> '{}' AND p_session_id <> ALL (v_may.sessions) THEN 'append to session ' || p_session_id
        ELSE format('write %s to a task', p_task)
    END);
END $$;

-- As before, but for the sessions of a role that has only some.
CREATE OR REPLACE FUNCTION arreio.append(
    p_session_id text, p_expected_seq bigint,
    p_event_ids text[], p_types text[], p_versions integer[], p_task_ids text[], p_data text[], p_metadata text[],
    p_route_events integer[], p_route_ns smallint[], p_route_subjects text[],
    p_lease_kind text, p_lease_id text, p_lease_owner text, p_lease_epoch bigint,
    p_inbox_consumer text, p_inbox_id text,
    p_task jsonb
) RETURNS TABLE (first_seq bigint, last_seq bigint, head_hash bytea, at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
DECLARE
    v_count CONSTANT integer := cardinality(p_event_ids);
    v_base bigint;
    v_prev bytea;
    v_hashes bytea[];
    v_now timestamptz;
BEGIN
    IF v_count = 0 THEN
        RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE = 'an append needs at least one event';
    END IF;
    -- Written out, since this is the hot path: a call of a function costs as much as the check.
    PERFORM FROM arreio.writers w
    WHERE w.role = CASE current_setting('role') WHEN 'none' THEN session_user::text ELSE current_setting('role') END
      AND w.types @> p_types
      AND (p_inbox_consumer IS NULL OR p_inbox_consumer = ANY (w.consumers))
      AND (p_lease_kind IS NULL OR p_lease_kind = ANY (w.lease_kinds))
      AND (w.sessions = '{}' OR p_session_id = ANY (w.sessions))
      AND (p_task IS NULL
           OR p_task - w.task_columns = '{}' AND (NOT p_task ? 'state' OR p_task->>'state' = ANY (w.task_states)));
    IF NOT FOUND THEN
        PERFORM arreio.refuse_append(arreio.caller(), p_session_id, p_types, p_inbox_consumer, p_lease_kind, p_task);
    END IF;
    IF p_inbox_consumer IS NOT NULL THEN
        INSERT INTO arreio.inbox (consumer, message_id, session_id, event_id, task_id)
        VALUES (p_inbox_consumer, p_inbox_id, p_session_id, p_event_ids[v_count], p_task_ids[v_count])
        ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
            RETURN;
        END IF;
    END IF;
    IF p_lease_kind IS NOT NULL THEN
        -- The share lock makes a takeover wait for this commit, so that the new holder reads a log that is complete.
        PERFORM FROM arreio.leases l
        WHERE l.kind = p_lease_kind AND l.id = p_lease_id AND l.owner = p_lease_owner AND l.epoch = p_lease_epoch
        FOR SHARE;
        IF NOT FOUND THEN
            RAISE EXCEPTION USING ERRCODE = 'AR002', MESSAGE = 'the lease is no longer held at this epoch';
        END IF;
    END IF;

    SELECT h.seq, h.hash INTO v_base, v_prev FROM arreio.session_heads h WHERE h.session_id = p_session_id FOR UPDATE;
    IF NOT FOUND THEN
        INSERT INTO arreio.session_heads (session_id, seq, hash)
        VALUES (p_session_id, 0, decode(repeat('00', 32), 'hex')) ON CONFLICT DO NOTHING;
        SELECT h.seq, h.hash INTO v_base, v_prev FROM arreio.session_heads h WHERE h.session_id = p_session_id FOR UPDATE;
    END IF;
    IF p_expected_seq IS NOT NULL AND p_expected_seq <> v_base THEN
        RAISE EXCEPTION USING ERRCODE = 'AR001', MESSAGE = format('the head is at seq %s', v_base);
    END IF;

    v_now := clock_timestamp();
    v_hashes := ARRAY[v_prev];
    FOR i IN 1..v_count LOOP
        v_hashes := v_hashes || arreio.event_hash(v_hashes[i], p_data[i], p_session_id, v_base + i, p_event_ids[i], p_types[i],
            p_versions[i], p_task_ids[i], p_metadata[i], v_now);
    END LOOP;
    INSERT INTO arreio.session_events (session_id, seq, event_id, type, schema_version, task_id, data, metadata, recorded_at,
        prev, hash)
    SELECT p_session_id, v_base + e.i, e.event_id, e.type, e.version, e.task_id, e.data, e.metadata, v_now,
        v_hashes[e.i], v_hashes[e.i + 1]
    FROM unnest(p_event_ids, p_types, p_versions, p_task_ids, p_data, p_metadata) WITH ORDINALITY
        AS e (event_id, type, version, task_id, data, metadata, i);
    UPDATE arreio.session_heads h SET seq = v_base + v_count, hash = v_hashes[v_count + 1], updated_at = v_now
    WHERE h.session_id = p_session_id;
    IF cardinality(p_route_events) > 0 THEN
        INSERT INTO arreio.outbox (session_id, seq, event_id, n, subject)
        SELECT p_session_id, v_base + r.event, p_event_ids[r.event], r.n, r.subject
        FROM unnest(p_route_events, p_route_ns, p_route_subjects) AS r (event, n, subject);
    END IF;
    IF p_task IS NOT NULL THEN
        PERFORM arreio.project_task(p_session_id, v_base + 1, v_base + v_count, v_now, p_task);
    END IF;
    RETURN QUERY SELECT v_base + 1, v_base + v_count, v_hashes[v_count + 1], v_now;
END $$;
