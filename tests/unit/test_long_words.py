"""A message that is one single word, however long, costs every rule that reads it no more than another.

A pattern that looks at the word again from each of its characters takes an hour for one of these, in which its process
hears nobody else; one pass takes a moment. So the limit below tells the one from the other on any machine.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from arreio_contracts.messages import InboundMessage
from arreio_contracts.task import TaskContract

from services.gateway import lexemes
from services.gateway.adapters.slack import events
from services.gateway.adapters.slack.mrkdwn import mrkdwn
from services.gateway.adapters.splitting import split, utf16_units
from services.gateway.control_words import control
from services.gateway.relevance import told_for
from services.gateway.rights import refusal, without_secrets
from services.gateway.routing import route
from services.gateway.ui_tasks import why_ui
from services.learning import merging, quoting, wishes
from shared.named_files import LONGEST, named_files
from shared.telemetry import mask_passwords
from shared.ui_files import named_ui_file

pytestmark = pytest.mark.timeout(60)

LENGTH = 100_000
REPEATED = (*"aé0_-./@[`*~<\\\t\n", "a.", "a-", "**a ", "~~a ")
WORDS = [*((part * LENGTH)[:LENGTH] for part in REPEATED), f"# a{' ' * LENGTH}b"]
RULES: dict[str, Callable[[str], object]] = {
    "words of control": lambda text: [control(f"{begin}{text}") for begin in ("", "/cancel", "/cancel ", "/cancel@")],
    "what it becomes": lambda text: route(message(text), None),
    "what is refused": lambda text: refusal("shop", message(text)),
    "without secrets": lambda text: without_secrets(message(text)),
    "a task that people see": lambda text: why_ui(TaskContract(), text),
    "as it is cut into stems": lexemes._as_written,
    "a skill's description": told_for,
    "what is a person's own": lambda text: quoting.own_words(text[:16_000]),
    "without wishes for later": wishes.asked,
    "alike": lambda text: merging.ratio(text, text),
    "files that are named": lambda text: list(named_files(text, ".py")),
    "in a log": mask_passwords,
    "from Slack": lambda text: events.spoken(text, "UBOT"),
    "for Slack": lambda text: split(mrkdwn(text), 3900),
    "for Telegram": lambda text: split(text, 4096, utf16_units),
}


def message(text: str) -> InboundMessage:
    return InboundMessage(conversation="c", message_id="m", sender="ana", text=text)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_the_longest_word_is_read_once(rule: Callable[[str], object]) -> None:
    for word in WORDS:
        rule(word)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Please make index.html and style.css", ["index.html", "style.css"]),
        ("see src/app/main.test.tsx.", ["src/app/main.test.tsx"]),
        ("e.g. version 1.2, or ./a-b.py:12", ["e.g", "./a-b.py"]),
        ("no .hidden, no ..html, no x.html_", []),
        ("a" * LONGEST + ".html", []),
    ],
)
def test_the_files_that_a_text_names(text: str, found: list[str]) -> None:
    assert list(named_files(text)) == found


def test_of_several_suffixes_the_wanted_one_ends_the_name() -> None:
    assert list(named_files("main.py.old and b.txt", ".py")) == ["main.py"]
    assert named_ui_file("index.html.md or Page.HTML") == "Page.HTML"
