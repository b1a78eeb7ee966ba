"""A relay in a process of its own that says `active` when it is: `… HOME SERVICE [IDLE]`.

IDLE are the seconds of silence after which the server takes the lock from it.
"""

import asyncio
import sys
from pathlib import Path

from shared.outbox.relay import OWNER_IDLE, run_relay
from shared.settings import load_settings


def main() -> None:
    """Relay until the process is ended."""
    home, service, *idle = sys.argv[1:]
    settings = load_settings(Path(home))
    seconds = float(idle[0]) if idle else OWNER_IDLE

    def say() -> None:
        print("active", flush=True)  # noqa: T201

    asyncio.run(run_relay(settings, service=service, poll=seconds / 3, standby=0.1, owner_idle=seconds, active=say))


if __name__ == "__main__":
    main()
