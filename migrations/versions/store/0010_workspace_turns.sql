CREATE TABLE arreio.workspace_turns (slot integer PRIMARY KEY);
COMMENT ON TABLE arreio.workspace_turns IS
    'Rows by which those who would take a workspace take turns; workspaces that share one wait for each other a moment.';
INSERT INTO arreio.workspace_turns SELECT generate_series(0, 255);

-- Anybody may take any advisory lock, so what keeps two from a workspace is a row that nobody can lock but by this function.
-- Older code takes the advisory lock alone, so it is taken too; where only roles hold it that may not call this, it is passed by.
CREATE FUNCTION arreio.workspace_turn(p_task_id text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
DECLARE
    v_key bigint;
BEGIN
    SELECT hashtextextended('workspace:' || t.workspace, 0) INTO v_key FROM arreio.tasks t
    WHERE t.task_id = p_task_id AND t.workspace IS NOT NULL;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    PERFORM FROM arreio.workspace_turns w WHERE w.slot = v_key & 255 FOR UPDATE;
    WHILE NOT pg_try_advisory_xact_lock(v_key) LOOP
        EXIT WHEN NOT EXISTS (
            SELECT FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
            WHERE l.locktype = 'advisory' AND l.granted AND l.pid <> pg_backend_pid()
              AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
              AND (l.classid::bigint << 32 | l.objid::bigint) = v_key AND l.objsubid = 1
              AND has_function_privilege(a.usesysid, 'arreio.workspace_turn(text)', 'EXECUTE'));
        PERFORM pg_sleep(0.01);
    END LOOP;
END $$;
COMMENT ON FUNCTION arreio.workspace_turn IS
    'Until the transaction ends nobody else takes the workspace of this task. Waits for whoever does.';
