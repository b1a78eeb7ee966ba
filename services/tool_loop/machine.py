"""The versions of the state machine, which every step records with its events.

Replay makes each decision again as the version that made it would. So a change of `fold.evolve` or `decider.decide`
after which recorded histories come out otherwise is a new version: raise MACHINE, and ask `state.machine` where the two
differ. `docs/event-store.md` tells how, and how an old version is given up.
"""

from typing import Final

MACHINE: Final = 3
"""The version by which decisions are made now."""
OLDEST: Final = 1
"""The oldest version that replay still knows."""
