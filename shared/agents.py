"""The agents that there are, by slug. Who each is stands in the context builder's roster."""

from typing import Final

DEFAULT_AGENT: Final = "developer"
AGENTS: Final = (DEFAULT_AGENT, "reviewer", "writer", "support", "creative")


def no_agent(slug: str) -> str:
    """What is said of a slug that no agent has."""
    return f"{slug!r} is no agent; the roster holds {', '.join(AGENTS)}"
