"""The console as `arreio serve console` and `arreio up` run it."""

from services.console.app import serve
from shared.settings import Settings

from .workings import HouseWorkings


async def run(settings: Settings) -> None:
    """Serve until told to stop."""
    await serve(settings, lambda broker, pool: HouseWorkings(settings, broker, pool))
