"""What the options among the words of a package manager's subcommand give: values, and the registry."""

import re
from collections.abc import Collection, Iterator, Sequence

from arreio_contracts.grounding import SOME_INDEX

from .install_forms import Form

_CLUSTER = re.compile(r"-[A-Za-z]{2,}")
_PLAIN_URL = re.compile(r"https?://[\w.-]+(:\d+)?(/[\w.~-]+)*/?")


def given(words: Sequence[str], options: Collection[str]) -> Iterator[str]:
    """The values of options, as separate words, behind `=`, or right behind an option of one letter."""
    for place, word in enumerate(words):
        option, equals, value = word.partition("=")
        if option in options:
            yield value if equals else words[place + 1] if place + 1 < len(words) else ""
        elif word[:2] in options and len(word) > 2 and not word.startswith("--"):
            yield word[2:]
        elif _CLUSTER.fullmatch(word) and f"-{word[-1]}" in options:
            yield words[place + 1] if place + 1 < len(words) else ""


def index_of(form: Form, words: Sequence[str]) -> str:
    """The registry that a subcommand's options name; empty: the user's own."""
    named = list(given(words, form.index))
    if form.unasked or any(word.partition("=")[0] in form.elsewhere for word in words if word.startswith("-")):
        return SOME_INDEX
    if not named:
        return ""
    return named[-1] if _PLAIN_URL.fullmatch(named[-1]) else SOME_INDEX


def ends_valued(form: Form, word: str) -> bool:
    """Whether the last of several letters (`-qr`) takes a value."""
    cluster = _CLUSTER.fullmatch(word) is not None and form.ecosystem == "pypi"
    return cluster and word[:2] not in form.valued and f"-{word[-1]}" in form.valued
