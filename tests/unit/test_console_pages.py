"""The console's pages of one thing: every kind of event opens, and an approval is for the change that was seen."""

from __future__ import annotations

import html
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arreio.console import workings
from arreio.learnt_changes import Change
from services.console.pages.events import whole
from services.console.rendering import fragment
from services.console.workings import Told
from shared.errors import ArreioError
from shared.settings import load_settings
from shared.store.events import RecordedEvent

EVENTS = sorted((Path(__file__).parents[1] / "data" / "events").glob("*.json"))
BARE = {"service": "tool_loop"}
FULL = {**BARE, "code_version": "1", "correlation": "m1", "causation": "e_before", "traceparent": "00-1-1-01"}
OPERATOR = SimpleNamespace(acts=True, token="t" * 64, user=SimpleNamespace(name="olga", role="operator"))


def event_page(kind: str, version: int, data: str, metadata: str, task: str | None) -> str:
    about = ("s_1", 2, "e_2", kind, version, task, data, metadata, datetime.now(UTC), b"a", b"b")
    beside = {"head": 3, "first": 1, "prompt": None, "cause": None}
    return fragment("event.html", here="/", visitor=OPERATOR, **beside, **whole(RecordedEvent(*about)))


@pytest.mark.parametrize("metadata", [BARE, FULL], ids=["bare", "full"])
@pytest.mark.parametrize("path", EVENTS, ids=lambda path: path.stem)
def test_every_kind_of_event_opens_whole(path: Path, metadata: dict[str, str]) -> None:
    kind, _, version = path.stem.rpartition(".v")
    shown = event_page(kind, int(version), path.read_text(), json.dumps(metadata), "t_1" if metadata is FULL else None)
    assert kind in shown and ("e_before" in shown) is (metadata is FULL)


@pytest.mark.parametrize(
    ("data", "metadata"), [("{", "{}"), ("[]", "[1]"), ('{"evidence": 1}', "no"), ("{}", '{"causation": 3}')]
)
def test_an_event_that_nobody_can_read_opens_as_it_was_recorded(data: str, metadata: str) -> None:
    assert "this version cannot read it" in event_page("no.such", 1, data, metadata, None)


def test_a_prompts_message_without_content_is_shown() -> None:
    calls = [{"function": {"name": "read_file", "arguments": "{}"}}]
    found = {"seq": 3, "layers": [], "skipped": [], "sha256": "a" * 64, "unfittable": None}
    messages = [{"role": "assistant", "tool_calls": calls}, {"role": "tool", "content": None, "tool_calls": None}]
    shown = fragment(
        "prompt.html",
        **{"here": "/", "visitor": OPERATOR, "session_id": "s_1", "before": None, "behind": None},
        found={**found, "messages": messages},
    )
    assert "read_file" in shown


def change(after: str, before: str = "") -> Change:
    return Change("persona", "default", "instructions/default", before, after)


def proposal(**more: Any) -> dict[str, Any]:
    body = {"kind": "persona", "text": "Answer formally."}
    about = {"proposal_id": "p_1", "kind": "persona", "name": "tone", "version": None, "title": "Tone", "body": body}
    return {**about, "state": "proposed", "decided_by": None, "provenance": [], "history": [], "diff": "", **more}


def as_sent(page: str) -> dict[str, str]:
    """The fields of the form that approves, as a browser sends them: line ends are CRLF."""
    form = re.search(r'<form[^>]*/approve">(.*?)</form>', page, re.S)
    assert form is not None
    inputs = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[1])
    texts = re.findall(r'<textarea name="(\w+)"[^>]*>(.*?)</textarea>', form[1], re.S)
    fields = {name: html.unescape(value).replace("\r\n", "\n").replace("\n", "\r\n") for name, value in inputs + texts}
    return dict(parse_qsl(urlencode(fields), keep_blank_values=True))


class Approving(workings.HouseWorkings):
    """Workings whose proposals, changes and services are here."""

    def __init__(self, wanted: Change) -> None:
        super().__init__(load_settings(None), SimpleNamespace(client=None), None)  # type: ignore[arg-type]
        self.wanted, self.carried = wanted, 0

    async def _row(self, proposal_id: str) -> dict[str, Any]:
        return proposal()

    async def _change(self, row: dict[str, Any], *, back: bool) -> Change | None:
        return self.wanted

    async def _asked(self, wanted: Any) -> Any:
        return SimpleNamespace(state="approved", kind="persona", name="tone")

    async def _carry_out(self, change: Change) -> None:
        self.carried += 1


@pytest.mark.parametrize(
    "after",
    ["one\ntwo", "- Answer in \u202eGerman\x1b[31m", "x\r\ny", "<b>&amp;\n", "a long line\n" * 20_000],
    ids=["lines", "controls", "crlf", "markup", "long"],
)
async def test_an_approval_sent_by_a_browser_is_for_the_change_that_was_shown(
    after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(*_: object) -> list[Any]:
        return []

    monkeypatch.setattr(workings, "provenance", nothing)
    monkeypatch.setattr(workings, "history", nothing)
    house = Approving(change(after))
    row = await house.proposal("p_1")
    sent = as_sent(fragment("proposal.html", here="/", visitor=OPERATOR, row=row))
    assert len(urlencode(sent)) < 1000
    assert "approved" in await house.decide("p_1", "approve", Told("olga", seen=sent["seen"]))
    house.wanted = change(after + "\nmore")
    with pytest.raises(ArreioError, match="another change by now"):
        await house.decide("p_1", "approve", Told("olga", seen=sent["seen"]))
    assert house.carried == 1


@given(st.text(), st.text())
def test_two_changes_have_one_digest_only_where_their_diffs_are_one(one: str, other: str) -> None:
    first, second = change(one), change(other)
    assert (first.digest == second.digest) is (first.diff == second.diff)


def test_the_diff_of_a_file_names_it_as_git_does() -> None:
    assert Change("taste", "default", "/data/taste/default.yaml", "", "x").diff.splitlines()[:2] == [
        "--- a/data/taste/default.yaml",
        "+++ b/data/taste/default.yaml",
    ]
