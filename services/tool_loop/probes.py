"""What earlier tasks found out of models that no family knows: the newest `model.probed` of a model at an address."""

from arreio_contracts.events import ModelProbed, TaskProfiled

from shared.canonical import parse_json
from shared.store.connection import Pool, connected, retrying


async def known_from_before(pool: Pool, profiled: TaskProfiled) -> TaskProfiled:
    """A task's profile; a model that was probed before is not probed again."""
    if not profiled.probe:
        return profiled
    probed = await retrying(lambda: _newest(pool, profiled.model, profiled.api_base))
    if probed is None:
        return profiled
    capability = {**profiled.capability, "tool_call_mode": probed.mode}
    return profiled.model_copy(update={"capability": capability, "probe": ()})


async def _newest(pool: Pool, model: str, api_base: str | None) -> ModelProbed | None:
    async with connected(pool) as connection:
        cursor = await connection.execute(
            "SELECT data FROM arreio.session_events WHERE type = 'model.probed' AND data::jsonb ->> 'model' = %s "
            "AND data::jsonb ->> 'api_base' IS NOT DISTINCT FROM %s ORDER BY recorded_at DESC LIMIT 1",
            (model, api_base),
        )
        row = await cursor.fetchone()
    return None if row is None else ModelProbed.known_of(parse_json(row[0]))
