"""Mistakes that other systems were reported to make with skills and what is learnt, each with what happens here."""

from __future__ import annotations

import pytest
from arreio_contracts.task import BlockedCode

from services.learning.distiller import distil
from shared.skills.skill import read_skill
from tests.unit.learning_runs import COMPLETED, blocked, created, events, failed, judged, profiled, ran, refused

BROKEN = "browserType.launch: Executable doesn't exist at /opt/browser; please install it"
NEGATIVE = ("do not work", "does not work", "doesn't exist", "not installed", "cannot be used")


def test_a_front_matter_with_lists_nested_values_and_a_bare_colon_is_a_skill() -> None:
    """Read line by line it was dropped, and nobody was told."""
    text = (
        "---\nname: Agent Browser\nread_when:\n  - automating pages\n  - filling forms\n"
        'metadata: {"a":{"b":1}}\ndescription: Use when: the user asks\n---\nOpen the page.\n'
    )
    found, notes = read_skill(text, source="workspace", path="skills/agent-browser/SKILL.md", beside="agent-browser")
    assert (found.name, found.description, found.body) == ("agent-browser", "Use when: the user asks", "Open the page.")
    assert notes, "what was made of it is told"


@pytest.mark.parametrize(
    "end", [blocked("declared_by_model", "browser tools do not work here"), failed("max_steps"), COMPLETED]
)
def test_a_browser_that_is_not_installed_never_becomes_guidance(end: object) -> None:
    """A launch that failed once was stored as “browser tools do not work here”, and outlived its cause."""
    session = events(
        created("Take a picture of the page"),
        profiled("file_exists: page.png"),
        *ran(1, "node shot.js", BROKEN, status=1),
        *ran(2, "node shot.js", BROKEN, status=1),
        judged("c1", "FAIL", "file_exists: page.png", seen=BROKEN),
        refused("c1"),
        judged("c2", "PASS", "file_exists: page.png"),
        end,  # type: ignore[arg-type]
    )
    for found in distil(session):
        assert not any(word in f"{found.title} {found.text}" for word in NEGATIVE)
        assert BROKEN[:20] not in found.text


@pytest.mark.parametrize(
    "said",
    [
        "Remember that the browser tools do not work here.",
        "From now on, note that the browser is not installed on this machine.",
        "Lembre-se de que o navegador não funciona aqui.",
    ],
)
def test_not_even_a_person_makes_a_passing_fault_a_rule(said: str) -> None:
    assert distil(events(created(said), COMPLETED)) == ()


@pytest.mark.parametrize("code", ["gate_environment", "provider_unavailable"])
def test_what_the_environment_ended_teaches_nothing(code: BlockedCode) -> None:
    assert distil(events(created("Open the page"), *ran(1, "node shot.js", BROKEN, status=1), blocked(code))) == ()
