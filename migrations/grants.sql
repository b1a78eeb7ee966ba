-- Who may do what. Run at each provisioning, after the migrations; every statement may be repeated.
-- Nobody but the owner's functions writes the store: services read its tables and call its functions.

REVOKE ALL ON SCHEMA arreio, gateway, learning, console FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA arreio FROM PUBLIC;

GRANT USAGE ON SCHEMA arreio TO
    arreio_gateway, arreio_context_builder, arreio_tool_loop, arreio_gate_runner, arreio_learning, arreio_console,
    arreio_operator, arreio_maintenance;
GRANT SELECT ON ALL TABLES IN SCHEMA arreio TO
    arreio_gateway, arreio_context_builder, arreio_tool_loop, arreio_gate_runner, arreio_learning, arreio_console,
    arreio_operator, arreio_maintenance;

GRANT EXECUTE ON FUNCTION arreio.append TO
    arreio_gateway, arreio_tool_loop, arreio_gate_runner, arreio_learning, arreio_console;
GRANT EXECUTE ON FUNCTION arreio.put_blobs TO
    arreio_gateway, arreio_context_builder, arreio_tool_loop, arreio_gate_runner, arreio_learning, arreio_operator;
GRANT EXECUTE ON FUNCTION
    arreio.claim_lease, arreio.heartbeat_leases, arreio.release_lease, arreio.expire_owners
    TO arreio_tool_loop, arreio_gate_runner;
GRANT EXECUTE ON FUNCTION arreio.workspace_turn TO arreio_tool_loop;
GRANT EXECUTE ON FUNCTION
    arreio.take_relay, arreio.outbox_waiting, arreio.outbox_published, arreio.outbox_park, arreio.purge_published
    TO arreio_gateway, arreio_learning;
GRANT EXECUTE ON FUNCTION arreio.dead_letter TO
    arreio_gateway, arreio_tool_loop, arreio_gate_runner, arreio_learning;
GRANT EXECUTE ON FUNCTION arreio.resolve_dead_letter TO arreio_operator;
-- The operator writes whole new sessions (a fork, an import) and never to one that is there.
GRANT EXECUTE ON FUNCTION arreio.add_session, arreio.advance_cursor, arreio.forget_cursor TO arreio_operator;

GRANT USAGE ON SCHEMA gateway TO arreio_gateway, arreio_operator, arreio_context_builder;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA gateway TO arreio_gateway, arreio_operator;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA gateway TO arreio_gateway;
-- Instructions have one writer; the operator asks it.
REVOKE INSERT, UPDATE, DELETE ON gateway.agent_instructions FROM arreio_operator;
-- The context-builder reads what it puts into prompts, and nothing else of other owners.
REVOKE ALL ON ALL TABLES IN SCHEMA gateway, learning FROM arreio_context_builder;
GRANT SELECT ON gateway.agent_instructions, gateway.projects TO arreio_context_builder;

GRANT USAGE ON SCHEMA learning TO arreio_learning, arreio_operator, arreio_context_builder;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA learning TO arreio_learning;
GRANT SELECT ON ALL TABLES IN SCHEMA learning TO arreio_operator;
GRANT SELECT ON learning.rules TO arreio_context_builder;
-- The router lists the skills in force, and the tool-loop loads them.
GRANT USAGE ON SCHEMA learning TO arreio_gateway, arreio_tool_loop;
GRANT SELECT ON learning.skills TO arreio_gateway, arreio_tool_loop;

-- The console reads what its pages show, and carries out what the operator may by functions and requests alone.
GRANT EXECUTE ON FUNCTION arreio.resolve_dead_letter, arreio.add_session TO arreio_console;
GRANT USAGE ON SCHEMA gateway, learning, console TO arreio_console;
GRANT SELECT ON gateway.agent_instructions TO arreio_console;
GRANT SELECT ON ALL TABLES IN SCHEMA learning TO arreio_console;
-- Users are made by the operator; the console only ends their sessions.
GRANT USAGE ON SCHEMA console TO arreio_operator;
GRANT SELECT, INSERT, UPDATE, DELETE ON console.users TO arreio_operator;
GRANT SELECT ON console.users, console.signing TO arreio_console;
GRANT UPDATE (epoch) ON console.users TO arreio_console;

-- Maintenance drops whole finished sessions that were exported, by this function alone.
GRANT EXECUTE ON FUNCTION arreio.prune_session TO arreio_maintenance;
REVOKE DELETE ON ALL TABLES IN SCHEMA arreio FROM arreio_maintenance;
REVOKE UPDATE (pruned_seq, pruned_hash) ON arreio.session_heads FROM arreio_maintenance;
