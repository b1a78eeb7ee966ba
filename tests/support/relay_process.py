"""A relay in a process of its own, which says `active` when it is: `… -m tests.support.relay_process HOME SERVICE`."""

import asyncio
import sys
from pathlib import Path

from shared.outbox.relay import run_relay
from shared.settings import load_settings


def main() -> None:
    """Relay until the process is ended."""
    home, service = sys.argv[1:]
    settings = load_settings(Path(home))
    asyncio.run(run_relay(settings, service=service, active=lambda: print("active", flush=True)))  # noqa: T201


if __name__ == "__main__":
    main()
