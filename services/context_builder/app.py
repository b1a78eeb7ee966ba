"""The context-builder as a service: it answers requests for prompts."""

from arreio_contracts import subjects
from arreio_contracts.messages import AssembleContext

from shared.bus.broker import Broker
from shared.bus.rpc import serve
from shared.service import Wiring, run_service
from shared.settings import Settings
from shared.store.blobs import BlobStore
from shared.store.connection import Pool
from shared.store.events import EventStore

from .database import PostgresRows
from .handlers import ContextBuilder


async def run(settings: Settings) -> None:
    """Serve until told to stop."""

    def wire(broker: Broker, pool: Pool) -> Wiring:
        builder = ContextBuilder(EventStore(pool), BlobStore(pool), PostgresRows(pool), settings.data_dir)
        serve(broker, subjects.RPC_ASSEMBLE, AssembleContext, builder.assemble)
        return Wiring()

    await run_service(settings, "context_builder", wire)
