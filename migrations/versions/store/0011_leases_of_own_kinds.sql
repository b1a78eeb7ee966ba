CREATE FUNCTION arreio.own_lease_kinds() RETURNS text[] LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT w.lease_kinds FROM arreio.writers w WHERE w.role = arreio.caller()), '{}')
$$;
COMMENT ON FUNCTION arreio.own_lease_kinds IS 'The kinds of leases that whoever called may hold.';

-- As before, but for leases of other kinds, which are refused as `arreio.claim_lease` refuses them.
CREATE OR REPLACE FUNCTION arreio.heartbeat_leases(
    p_owner text, p_kinds text[], p_ids text[], p_epochs bigint[], p_ttl double precision
) RETURNS TABLE (kind text, id text, epoch bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
#variable_conflict use_column
BEGIN
    IF NOT p_kinds <@ arreio.own_lease_kinds() THEN
        RAISE EXCEPTION USING ERRCODE = '42501',
            MESSAGE = format('%s may not hold a lease of kind %s', arreio.caller(), array_to_string(p_kinds, ', '));
    END IF;
    PERFORM set_config('synchronous_commit', 'off', true);
    RETURN QUERY
        UPDATE arreio.leases l SET expires_at = clock_timestamp() + make_interval(secs => p_ttl)
        FROM unnest(p_kinds, p_ids, p_epochs) AS held (kind, id, epoch)
        WHERE l.kind = held.kind AND l.id = held.id AND l.epoch = held.epoch AND l.owner = p_owner
        RETURNING l.kind, l.id, l.epoch;
END $$;

CREATE OR REPLACE FUNCTION arreio.release_lease(p_kind text, p_id text, p_owner text, p_epoch bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
BEGIN
    IF p_kind <> ALL (arreio.own_lease_kinds()) THEN
        RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = format('%s may not hold a lease of kind %s', arreio.caller(), p_kind);
    END IF;
    PERFORM set_config('synchronous_commit', 'off', true);
    UPDATE arreio.leases l SET owner = NULL, expires_at = clock_timestamp()
    WHERE l.kind = p_kind AND l.id = p_id AND l.owner = p_owner AND l.epoch = p_epoch;
    RETURN FOUND;
END $$;

-- Older code names dead owners of any kind, so what is not the caller's is passed by: its own service looks for it too.
CREATE OR REPLACE FUNCTION arreio.expire_owners(p_owners text[]) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
DECLARE
    v_count integer;
BEGIN
    UPDATE arreio.leases l SET expires_at = clock_timestamp()
    WHERE l.owner = ANY (p_owners) AND l.expires_at > clock_timestamp() AND l.kind = ANY (arreio.own_lease_kinds());
    GET DIAGNOSTICS v_count = ROW_COUNT;
    RETURN v_count;
END $$;
