-- The event store: the log, its anchors, and what is written in the same transaction with an event.
-- Texts that are keys sort by their bytes (COLLATE "C"), so that every server orders them alike.

CREATE TABLE arreio.session_events (
    session_id     text COLLATE "C" NOT NULL,
    seq            bigint NOT NULL CHECK (seq > 0),
    event_id       text COLLATE "C" NOT NULL CHECK (event_id ~ '^[A-Za-z0-9_-]+$' AND length(event_id) <= 128),
    type           text COLLATE "C" NOT NULL CHECK (type ~ '^[a-z][a-z_]*\.[a-z][a-z_]*$'),
    schema_version integer NOT NULL CHECK (schema_version > 0),
    task_id        text COLLATE "C" CHECK (task_id ~ '^[A-Za-z0-9_-]+$' AND length(task_id) <= 128),
    data           text COLLATE "C" NOT NULL CHECK (data IS JSON OBJECT AND strpos(data, E'\n') = 0),
    metadata       text COLLATE "C" NOT NULL CHECK (metadata IS JSON OBJECT AND strpos(metadata, E'\n') = 0),
    recorded_at    timestamptz NOT NULL,
    prev           bytea NOT NULL CHECK (octet_length(prev) = 32),
    hash           bytea NOT NULL CHECK (octet_length(hash) = 32),
    CONSTRAINT session_events_pkey PRIMARY KEY (session_id, seq),
    CONSTRAINT session_events_event_id_key UNIQUE (event_id)
);
COMMENT ON TABLE arreio.session_events IS
    'The log. data and metadata are canonical JSON text; hash is SHA-256 over prev, data and the envelope.';

CREATE TABLE arreio.session_heads (
    session_id text COLLATE "C" PRIMARY KEY CHECK (session_id ~ '^[A-Za-z0-9_-]+$' AND length(session_id) <= 128),
    seq        bigint NOT NULL,
    hash       bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);
COMMENT ON TABLE arreio.session_heads IS 'The anchor of each session: its last seq and hash, so that a cut tail shows.';

CREATE TABLE arreio.outbox (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session_id   text COLLATE "C" NOT NULL,
    seq          bigint NOT NULL,
    event_id     text COLLATE "C" NOT NULL,
    n            smallint NOT NULL,
    subject      text COLLATE "C" NOT NULL,
    sending      smallint NOT NULL DEFAULT 1,
    published_at timestamptz
);
COMMENT ON TABLE arreio.outbox IS
    'What is to be published; it points to its event. Nats-Msg-Id = event_id/n, and event_id/n#sending when sent again.';
CREATE INDEX outbox_waiting ON arreio.outbox (id) WHERE published_at IS NULL;

CREATE TABLE arreio.inbox (
    consumer    text COLLATE "C" NOT NULL,
    message_id  text COLLATE "C" NOT NULL,
    session_id  text COLLATE "C" NOT NULL,
    event_id    text COLLATE "C" NOT NULL,
    task_id     text COLLATE "C",
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (consumer, message_id)
);
COMMENT ON TABLE arreio.inbox IS 'Which messages were accepted, by the event that accepted them.';

CREATE TABLE arreio.blobs (
    sha256     bytea PRIMARY KEY CHECK (octet_length(sha256) = 32),
    content    bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE arreio.blobs IS 'Large values by their SHA-256.';

CREATE TABLE arreio.leases (
    kind       text COLLATE "C" NOT NULL CHECK (kind IN ('task', 'gate')),
    id         text COLLATE "C" NOT NULL,
    owner      text COLLATE "C",
    epoch      bigint NOT NULL,
    claimed_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (kind, id)
) WITH (fillfactor = 50);
COMMENT ON TABLE arreio.leases IS 'Who works on what. A released lease has no owner; the epoch only grows.';

CREATE TABLE arreio.tasks (
    task_id          text COLLATE "C" PRIMARY KEY,
    session_id       text COLLATE "C" NOT NULL,
    state            text COLLATE "C" NOT NULL
        CHECK (state IN ('PENDING', 'IN_PROGRESS', 'NEEDS_INPUT', 'COMPLETE', 'BLOCKED', 'FAILED')),
    goal             text NOT NULL,
    agent            text,
    workspace        text,
    model            text,
    reason_code      text,
    reason_text      text,
    question         text,
    reply            text,
    steps            bigint NOT NULL,
    tool_calls       bigint NOT NULL,
    tokens           bigint NOT NULL,
    cost             double precision NOT NULL,
    awaiting         text CHECK (awaiting IN ('gate', 'input', 'timer')),
    awaiting_id      text COLLATE "C",
    wake_at          timestamptz,
    cancel_requested boolean NOT NULL,
    created_seq      bigint NOT NULL,
    last_seq         bigint NOT NULL,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE arreio.tasks IS 'A projection of the log, written with each append.';
CREATE INDEX tasks_open ON arreio.tasks (session_id, created_seq)
    WHERE state IN ('PENDING', 'IN_PROGRESS', 'NEEDS_INPUT');
CREATE INDEX tasks_session ON arreio.tasks (session_id, created_seq);
CREATE INDEX tasks_created ON arreio.tasks (created_at);

CREATE TABLE arreio.dead_letters (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source      text COLLATE "C" NOT NULL CHECK (source IN ('outbox', 'consumer')),
    consumer    text COLLATE "C" NOT NULL,
    subject     text COLLATE "C" NOT NULL,
    session_id  text COLLATE "C",
    outbox_id   bigint,
    message_id  text,
    code        text NOT NULL,
    field       text,
    problem     text NOT NULL,
    headers     jsonb NOT NULL DEFAULT '{}',
    body        bytea NOT NULL DEFAULT '',
    deliveries  integer NOT NULL DEFAULT 1,
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    resolved_at timestamptz,
    resolution  text CHECK (resolution IN ('resent', 'skipped'))
);
COMMENT ON TABLE arreio.dead_letters IS
    'Messages that were given up. An open one of source outbox parks its session: nothing of it is published.';
CREATE UNIQUE INDEX dead_letters_parked ON arreio.dead_letters (session_id)
    WHERE source = 'outbox' AND resolved_at IS NULL;
CREATE UNIQUE INDEX dead_letters_message ON arreio.dead_letters (consumer, message_id)
    WHERE source = 'consumer' AND resolved_at IS NULL;

CREATE TABLE arreio.provisioned (
    what   text PRIMARY KEY,
    digest text NOT NULL,
    at     timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE arreio.provisioned IS 'Digests of what was last provisioned, so that a start can tell that nothing is due.';

-- Append-only ---------------------------------------------------------------------------------------------------------

CREATE FUNCTION arreio.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Only maintenance may delete, and session_events_whole then sees to it that whole finished sessions go.
    IF TG_OP = 'DELETE' AND current_user = 'arreio_maintenance' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION USING ERRCODE = 'AR003',
        MESSAGE = format('%s on arreio.session_events is refused: the log is append-only', TG_OP);
END $$;

CREATE FUNCTION arreio.refuse_partial_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM gone g JOIN arreio.session_events e ON e.session_id = g.session_id)
       OR EXISTS (SELECT FROM gone g JOIN arreio.tasks t ON t.session_id = g.session_id
                  WHERE t.state IN ('PENDING', 'IN_PROGRESS', 'NEEDS_INPUT')) THEN
        RAISE EXCEPTION USING ERRCODE = 'AR003',
            MESSAGE = 'only whole sessions whose tasks have all ended may be removed from the log';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER session_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON arreio.session_events
    FOR EACH STATEMENT EXECUTE FUNCTION arreio.refuse_change();
CREATE TRIGGER session_events_whole AFTER DELETE ON arreio.session_events
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION arreio.refuse_partial_delete();
ALTER TABLE arreio.session_events ENABLE ALWAYS TRIGGER session_events_append_only;
ALTER TABLE arreio.session_events ENABLE ALWAYS TRIGGER session_events_whole;

-- Writing -------------------------------------------------------------------------------------------------------------

CREATE FUNCTION arreio.event_hash(
    p_prev bytea, p_data text, p_session_id text, p_seq bigint, p_event_id text, p_type text, p_version integer,
    p_task_id text, p_metadata text, p_recorded_at timestamptz
) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT sha256(p_prev || convert_to(p_data || E'\n' || p_session_id || E'\n' || p_seq || E'\n' || p_event_id || E'\n'
        || p_type || E'\n' || p_version || E'\n' || coalesce(p_task_id, '') || E'\n' || p_metadata || E'\n'
        || (extract(epoch FROM p_recorded_at) * 1000000)::bigint, 'UTF8'))
$$;

CREATE FUNCTION arreio.project_task(p_session_id text, p_first bigint, p_last bigint, p_now timestamptz, p_patch jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v_task arreio.tasks;
    v_new boolean;
BEGIN
    SELECT * INTO v_task FROM arreio.tasks t WHERE t.task_id = p_patch->>'task_id' FOR UPDATE;
    v_new := NOT FOUND;
    IF v_new THEN
        v_task := jsonb_populate_record(v_task, '{"state": "PENDING", "goal": "", "steps": 0, "tool_calls": 0, "tokens": 0,
            "cost": 0, "cancel_requested": false}');
        v_task.session_id := p_session_id;
        v_task.created_seq := p_first;
        v_task.created_at := p_now;
    ELSIF v_task.session_id <> p_session_id THEN
        RAISE EXCEPTION USING ERRCODE = 'AR004',
            MESSAGE = format('task %s belongs to session %s, not to %s', v_task.task_id, v_task.session_id, p_session_id);
    END IF;
    v_task := jsonb_populate_record(v_task, p_patch - '{session_id,created_seq,created_at,last_seq,updated_at}'::text[]);
    v_task.last_seq := p_last;
    v_task.updated_at := p_now;
    IF p_patch ? 'wake_in' THEN
        v_task.wake_at := p_now + make_interval(secs => (p_patch->>'wake_in')::double precision);
    END IF;
    IF v_new THEN
        INSERT INTO arreio.tasks SELECT v_task.*;
    ELSE
        UPDATE arreio.tasks t SET
            state = v_task.state, goal = v_task.goal, agent = v_task.agent, workspace = v_task.workspace,
            model = v_task.model, reason_code = v_task.reason_code, reason_text = v_task.reason_text,
            question = v_task.question, reply = v_task.reply, steps = v_task.steps, tool_calls = v_task.tool_calls,
            tokens = v_task.tokens, cost = v_task.cost, awaiting = v_task.awaiting, awaiting_id = v_task.awaiting_id,
            wake_at = v_task.wake_at, cancel_requested = v_task.cancel_requested, last_seq = v_task.last_seq,
            updated_at = v_task.updated_at
        WHERE t.task_id = v_task.task_id;
    END IF;
END $$;

CREATE FUNCTION arreio.append(
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

CREATE FUNCTION arreio.put_blobs(p_contents bytea[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
BEGIN
    INSERT INTO arreio.blobs (sha256, content) SELECT sha256(c), c FROM unnest(p_contents) AS c
    ORDER BY 1 ON CONFLICT DO NOTHING;
END $$;

-- Leases --------------------------------------------------------------------------------------------------------------

CREATE FUNCTION arreio.claim_lease(p_kind text, p_id text, p_owner text, p_ttl double precision)
RETURNS TABLE (epoch bigint, previous_owner text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
#variable_conflict use_column
DECLARE
    v_epoch bigint;
    v_previous text;
BEGIN
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

CREATE FUNCTION arreio.heartbeat_leases(
    p_owner text, p_kinds text[], p_ids text[], p_epochs bigint[], p_ttl double precision
) RETURNS TABLE (kind text, id text, epoch bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    RETURN QUERY
        UPDATE arreio.leases l SET expires_at = clock_timestamp() + make_interval(secs => p_ttl)
        FROM unnest(p_kinds, p_ids, p_epochs) AS held (kind, id, epoch)
        WHERE l.kind = held.kind AND l.id = held.id AND l.epoch = held.epoch AND l.owner = p_owner
        RETURNING l.kind, l.id, l.epoch;
END $$;

CREATE FUNCTION arreio.release_lease(p_kind text, p_id text, p_owner text, p_epoch bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    UPDATE arreio.leases l SET owner = NULL, expires_at = clock_timestamp()
    WHERE l.kind = p_kind AND l.id = p_id AND l.owner = p_owner AND l.epoch = p_epoch;
    RETURN FOUND;
END $$;

CREATE FUNCTION arreio.expire_owners(p_owners text[]) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
DECLARE
    v_count integer;
BEGIN
    UPDATE arreio.leases l SET expires_at = clock_timestamp()
    WHERE l.owner = ANY (p_owners) AND l.expires_at > clock_timestamp();
    GET DIAGNOSTICS v_count = ROW_COUNT;
    RETURN v_count;
END $$;

-- The relay -----------------------------------------------------------------------------------------------------------

CREATE FUNCTION arreio.outbox_waiting(p_except bigint[], p_limit integer) RETURNS TABLE (
    id bigint, session_id text, seq bigint, event_id text, n smallint, subject text, sending smallint,
    type text, schema_version integer, task_id text, data text, metadata text, recorded_at timestamptz
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
    SELECT o.id, o.session_id, o.seq, o.event_id, o.n, o.subject, o.sending,
           e.type, e.schema_version, e.task_id, e.data, e.metadata, e.recorded_at
    FROM arreio.outbox o JOIN arreio.session_events e ON e.session_id = o.session_id AND e.seq = o.seq
    WHERE o.published_at IS NULL AND o.id <> ALL (p_except)
      AND NOT EXISTS (SELECT FROM arreio.dead_letters d
                      WHERE d.session_id = o.session_id AND d.source = 'outbox' AND d.resolved_at IS NULL)
    ORDER BY o.id LIMIT p_limit
$$;

CREATE FUNCTION arreio.outbox_published(p_ids bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
BEGIN
    -- A mark that a crash loses is published again under the same Nats-Msg-Id, which the broker and consumers recognise.
    PERFORM set_config('synchronous_commit', 'off', true);
    UPDATE arreio.outbox o SET published_at = clock_timestamp() WHERE o.id = ANY (p_ids) AND o.published_at IS NULL;
END $$;

CREATE FUNCTION arreio.outbox_park(p_id bigint, p_code text, p_problem text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
    INSERT INTO arreio.dead_letters (source, consumer, subject, session_id, outbox_id, message_id, code, problem, deliveries)
    SELECT 'outbox', 'relay', o.subject, o.session_id, o.id, o.event_id || '/' || o.n, p_code, p_problem, o.sending
    FROM arreio.outbox o WHERE o.id = p_id
    ON CONFLICT DO NOTHING
$$;

CREATE FUNCTION arreio.purge_published(p_older_than interval, p_limit integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
DECLARE
    v_count integer;
BEGIN
    DELETE FROM arreio.outbox o WHERE o.id IN (
        SELECT p.id FROM arreio.outbox p WHERE p.published_at < clock_timestamp() - p_older_than ORDER BY p.id LIMIT p_limit);
    GET DIAGNOSTICS v_count = ROW_COUNT;
    RETURN v_count;
END $$;

-- Dead letters --------------------------------------------------------------------------------------------------------

CREATE FUNCTION arreio.dead_letter(
    p_consumer text, p_subject text, p_message_id text, p_code text, p_field text, p_problem text, p_headers jsonb,
    p_body bytea, p_deliveries integer
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
DECLARE
    v_id bigint;
BEGIN
    INSERT INTO arreio.dead_letters AS d (source, consumer, subject, message_id, code, field, problem, headers, body, deliveries)
    VALUES ('consumer', p_consumer, p_subject, p_message_id, p_code, p_field, p_problem, p_headers, p_body, p_deliveries)
    ON CONFLICT (consumer, message_id) WHERE source = 'consumer' AND resolved_at IS NULL
    DO UPDATE SET problem = excluded.problem, code = excluded.code, field = excluded.field, deliveries = excluded.deliveries
    RETURNING d.id INTO v_id;
    RETURN v_id;
END $$;

CREATE FUNCTION arreio.resolve_dead_letter(p_id bigint, p_resolution text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
DECLARE
    v_outbox bigint;
BEGIN
    UPDATE arreio.dead_letters d SET resolved_at = clock_timestamp(), resolution = p_resolution
    WHERE d.id = p_id AND d.resolved_at IS NULL RETURNING d.outbox_id INTO v_outbox;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF v_outbox IS NOT NULL THEN
        -- The row keeps its place, so that the session's order holds; only its message id changes.
        UPDATE arreio.outbox o SET sending = o.sending + 1,
            published_at = CASE WHEN p_resolution = 'skipped' THEN clock_timestamp() END
        WHERE o.id = v_outbox;
        PERFORM pg_notify('arreio_outbox', '');
    END IF;
    RETURN true;
END $$;
