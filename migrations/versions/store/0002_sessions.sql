-- Whole sessions (fork, import, prune), the rights of each role, dead letters sent again by the relay, and cursors.

-- Who may write what --------------------------------------------------------------------------------------------------

CREATE TABLE arreio.writers (
    role         text COLLATE "C" PRIMARY KEY,
    types        text[] NOT NULL,
    consumers    text[] NOT NULL,
    lease_kinds  text[] NOT NULL,
    task_columns text[] NOT NULL,
    task_states  text[] NOT NULL
);
COMMENT ON TABLE arreio.writers IS
    'What each role may append and change; provisioning fills it from shared.store.writers.';

CREATE FUNCTION arreio.caller() RETURNS text LANGUAGE sql STABLE AS $$
    -- Inside a SECURITY DEFINER function current_user is the owner; these two still say who called.
    SELECT CASE current_setting('role') WHEN 'none' THEN session_user::text ELSE current_setting('role') END
$$;

CREATE FUNCTION arreio.refuse_append(
    p_caller text, p_types text[], p_inbox_consumer text, p_lease_kind text, p_task jsonb
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
        ELSE format('write %s to a task', p_task)
    END);
END $$;

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
      AND (p_task IS NULL
           OR p_task - w.task_columns = '{}' AND (NOT p_task ? 'state' OR p_task->>'state' = ANY (w.task_states)));
    IF NOT FOUND THEN
        PERFORM arreio.refuse_append(arreio.caller(), p_types, p_inbox_consumer, p_lease_kind, p_task);
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
        PERFORM pg_notify('arreio_outbox', '');
    END IF;
    IF p_task IS NOT NULL THEN
        PERFORM arreio.project_task(p_session_id, v_base + 1, v_base + v_count, v_now, p_task);
    END IF;
    RETURN QUERY SELECT v_base + 1, v_base + v_count, v_hashes[v_count + 1], v_now;
END $$;

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
          AND NOT EXISTS (SELECT FROM arreio.tasks earlier
                          WHERE earlier.session_id = t.session_id AND earlier.created_seq < t.created_seq
                            AND earlier.state IN ('PENDING', 'IN_PROGRESS', 'NEEDS_INPUT'));
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

-- Pruned sessions -----------------------------------------------------------------------------------------------------

ALTER TABLE arreio.session_heads
    ADD COLUMN pruned_seq bigint NOT NULL DEFAULT 0,
    ADD COLUMN pruned_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex') CHECK (octet_length(pruned_hash) = 32);
COMMENT ON COLUMN arreio.session_heads.pruned_seq IS
    'The last event that was exported and dropped (0: none); pruned_hash is its hash, on which the chain goes on.';

CREATE FUNCTION arreio.prune_session(p_session_id text, p_seq bigint, p_hash bytea) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    -- Not SECURITY DEFINER: the log's trigger lets nobody but arreio_maintenance delete. The head and the leases stay, so
    -- that a session (and a task's fencing) that comes back goes on where it was and nothing old is taken for new.
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

-- Whole sessions written at once --------------------------------------------------------------------------------------

CREATE FUNCTION arreio.add_session(
    p_session_id text, p_first_seq bigint, p_prev bytea,
    p_event_ids text[], p_types text[], p_versions integer[], p_task_ids text[], p_data text[], p_metadata text[],
    p_recorded_at timestamptz[], p_hashes bytea[],
    p_route_events integer[], p_route_ns smallint[], p_route_subjects text[],
    p_tasks jsonb
) RETURNS TABLE (last_seq bigint, head_hash bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
DECLARE
    v_count CONSTANT integer := cardinality(p_event_ids);
    v_last CONSTANT bigint := p_first_seq + cardinality(p_event_ids) - 1;
    v_base CONSTANT bigint := p_first_seq - 1;
    v_prev bytea := p_prev;
    v_hash bytea;
    v_hashes bytea[] := ARRAY[p_prev];
    v_at timestamptz[] := p_recorded_at;
    v_head arreio.session_heads;
    v_task jsonb;
BEGIN
    IF v_count = 0 OR p_first_seq < 1 OR (p_first_seq = 1 AND p_prev <> decode(repeat('00', 32), 'hex')) THEN
        RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE = 'a session begins at seq 1, on a hash of zeros';
    END IF;
    FOR i IN 1..v_count LOOP
        v_at[i] := coalesce(v_at[i], clock_timestamp());
        v_hash := arreio.event_hash(v_prev, p_data[i], p_session_id, v_base + i, p_event_ids[i], p_types[i], p_versions[i],
            p_task_ids[i], p_metadata[i], v_at[i]);
        IF p_hashes[i] IS NOT NULL AND p_hashes[i] <> v_hash THEN
            RAISE EXCEPTION USING ERRCODE = 'AR006', MESSAGE = format('event %s does not fit its hash', v_base + i);
        END IF;
        v_prev := v_hash;
        v_hashes := v_hashes || v_hash;
    END LOOP;

    INSERT INTO arreio.session_heads (session_id, seq, hash, pruned_seq, pruned_hash)
    VALUES (p_session_id, v_last, v_hash, v_base, p_prev) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        -- Only what was pruned may come back, and only as it was.
        SELECT * INTO v_head FROM arreio.session_heads h WHERE h.session_id = p_session_id FOR UPDATE;
        IF v_head.pruned_seq = 0 OR v_head.pruned_seq <> v_last THEN
            RAISE EXCEPTION USING ERRCODE = 'AR005', MESSAGE = format('session %s exists', p_session_id);
        ELSIF v_head.pruned_hash <> v_hash THEN
            RAISE EXCEPTION USING ERRCODE = 'AR006',
                MESSAGE = format('event %s has another hash than the one that was pruned', v_last);
        END IF;
        UPDATE arreio.session_heads h SET pruned_seq = v_base, pruned_hash = p_prev WHERE h.session_id = p_session_id;
    END IF;

    INSERT INTO arreio.session_events (session_id, seq, event_id, type, schema_version, task_id, data, metadata, recorded_at,
        prev, hash)
    SELECT p_session_id, v_base + e.i, e.event_id, e.type, e.version, e.task_id, e.data, e.metadata, e.at,
        v_hashes[e.i], v_hashes[e.i + 1]
    FROM unnest(p_event_ids, p_types, p_versions, p_task_ids, p_data, p_metadata, v_at) WITH ORDINALITY
        AS e (event_id, type, version, task_id, data, metadata, at, i);
    FOR v_task IN SELECT * FROM jsonb_array_elements(p_tasks) LOOP
        PERFORM arreio.project_task(p_session_id, p_first_seq, v_last, clock_timestamp(), v_task);
    END LOOP;
    UPDATE arreio.tasks t SET created_seq = e.first, last_seq = e.last, created_at = e.created_at, updated_at = e.updated_at
    FROM (SELECT task_id, min(seq) AS first, max(seq) AS last, min(recorded_at) AS created_at, max(recorded_at) AS updated_at
          FROM arreio.session_events WHERE session_id = p_session_id AND task_id IS NOT NULL GROUP BY task_id) AS e
    WHERE t.task_id = e.task_id AND t.task_id IN (SELECT task->>'task_id' FROM jsonb_array_elements(p_tasks) AS task);
    IF cardinality(p_route_events) > 0 THEN
        INSERT INTO arreio.outbox (session_id, seq, event_id, n, subject)
        SELECT p_session_id, v_base + r.event, p_event_ids[r.event], r.n, r.subject
        FROM unnest(p_route_events, p_route_ns, p_route_subjects) AS r (event, n, subject);
        PERFORM pg_notify('arreio_outbox', '');
    END IF;
    RETURN QUERY SELECT v_last, v_hash;
END $$;

-- Dead letters, sent again by the relay -------------------------------------------------------------------------------

ALTER TABLE arreio.outbox ADD COLUMN dead_letter bigint;
COMMENT ON COLUMN arreio.outbox.dead_letter IS
    'The dead letter whose message is published as it was, instead of an event; its session_id and event_id are made up.';

DROP FUNCTION arreio.outbox_waiting(bigint[], integer);
CREATE FUNCTION arreio.outbox_waiting(p_except bigint[], p_limit integer) RETURNS TABLE (
    id bigint, session_id text, seq bigint, event_id text, n smallint, subject text, sending smallint,
    type text, schema_version integer, task_id text, data text, metadata text, recorded_at timestamptz,
    headers jsonb, body bytea
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
    SELECT o.id, o.session_id, o.seq, o.event_id, o.n, o.subject, o.sending,
           e.type, e.schema_version, e.task_id, e.data, e.metadata, e.recorded_at, m.headers, m.body
    FROM arreio.outbox o
    LEFT JOIN arreio.session_events e ON o.dead_letter IS NULL AND e.session_id = o.session_id AND e.seq = o.seq
    LEFT JOIN arreio.dead_letters m ON m.id = o.dead_letter
    WHERE o.published_at IS NULL AND o.id <> ALL (p_except) AND (e.seq IS NOT NULL OR m.id IS NOT NULL)
      AND NOT EXISTS (SELECT FROM arreio.dead_letters d
                      WHERE d.session_id = o.session_id AND d.source = 'outbox' AND d.resolved_at IS NULL)
    ORDER BY o.id LIMIT p_limit
$$;

CREATE OR REPLACE FUNCTION arreio.resolve_dead_letter(p_id bigint, p_resolution text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
DECLARE
    v_letter arreio.dead_letters;
BEGIN
    UPDATE arreio.dead_letters d SET resolved_at = clock_timestamp(), resolution = p_resolution
    WHERE d.id = p_id AND d.resolved_at IS NULL RETURNING d.* INTO v_letter;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF v_letter.source = 'consumer' AND p_resolution = 'resent' THEN
        INSERT INTO arreio.outbox (session_id, seq, event_id, n, subject, dead_letter)
        VALUES ('dead_' || p_id, 0, 'dead_' || p_id, 0, v_letter.subject, p_id);
    ELSIF v_letter.outbox_id IS NOT NULL THEN
        -- The row keeps its place, so that the session's order holds; only its message id changes.
        UPDATE arreio.outbox o SET sending = o.sending + 1,
            published_at = CASE WHEN p_resolution = 'skipped' THEN clock_timestamp() END
        WHERE o.id = v_letter.outbox_id;
    END IF;
    PERFORM pg_notify('arreio_outbox', '');
    RETURN true;
END $$;

-- Cursors of those who follow the log ---------------------------------------------------------------------------------

CREATE TABLE arreio.cursors (
    name       text COLLATE "C" NOT NULL CHECK (name ~ '^[A-Za-z0-9_-]{1,128}$'),
    session_id text COLLATE "C" NOT NULL,
    seq        bigint NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (name, session_id)
) WITH (fillfactor = 70);
COMMENT ON TABLE arreio.cursors IS 'How far a named reader of the log has come in each session.';

CREATE FUNCTION arreio.advance_cursor(p_name text, p_sessions text[], p_seqs bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
BEGIN
    -- A lost advance shows events again, so the disk is not waited for.
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO arreio.cursors AS c (name, session_id, seq)
    SELECT p_name, s.session_id, s.seq FROM unnest(p_sessions, p_seqs) AS s (session_id, seq) ORDER BY 2
    ON CONFLICT (name, session_id) DO UPDATE SET seq = greatest(c.seq, excluded.seq), updated_at = clock_timestamp();
END $$;

CREATE FUNCTION arreio.forget_cursor(p_name text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
DECLARE
    v_count integer;
BEGIN
    DELETE FROM arreio.cursors c WHERE c.name = p_name;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    RETURN v_count;
END $$;
