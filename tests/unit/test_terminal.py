"""What others wrote reaches a person's terminal as text, and nothing that steers it."""

import io
import json
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from arreio_contracts.events import EventData, TaskCreated, TaskFailed, TaskNeedsInput, Totals
from arreio_contracts.task import Reason, TaskContract
from hypothesis import given
from hypothesis import strategies as st

from arreio.__main__ import main
from arreio.context_view import print_view
from arreio.live import Narrator
from arreio.terminal import visible, visible_line

EVIL = "a\x1b[31mred\x1b]0;title\x07\r\x9b2J\x7f\u202egnp.\n[/bold] :smile: é 漢"


@given(st.text(st.characters(categories=["Cf"])))
def test_no_invisible_character_is_left_but_the_signs_of_scripts_that_are_drawn(text: str) -> None:
    for one in visible(text):
        assert (
            unicodedata.category(one) != "Cf"
            or "ARABIC" in unicodedata.name(one)
            or unicodedata.name(one).startswith(("SYRIAC ABBREVIATION", "KAITHI NUMBER"))
        )


@given(st.text(st.characters(exclude_categories=())))
def test_no_control_character_is_left(text: str) -> None:
    assert {one for one in visible(text) if unicodedata.category(one) in ("Cc", "Cs")} <= {"\n", "\t"}
    line = visible_line(text)
    assert len(line.splitlines()) <= 1 and not any(unicodedata.category(one) in ("Cc", "Cs") for one in line)
    if text.isprintable():
        assert visible(text) == text


def layers(tmp_path: Path, text: str, name: str = "1") -> str:
    file = tmp_path / "layers.json"
    file.write_text(json.dumps({"business_rules": {"units": [{"id": name, "text": text, "order": 0}]}}))
    return str(file)


def test_a_prompt_is_shown_with_its_controls_visible_and_json_has_it_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["context", "show", "-w", str(tmp_path), "--data-dir", str(tmp_path), "--layers", layers(tmp_path, EVIL)]
    assert main(command) == 0
    shown = capsys.readouterr().out
    assert r"a\x1b[31mred\x1b]0;title\x07\r\x9b2J\x7f\u202egnp." in shown and "[/bold] :smile: é 漢" in shown
    assert not set("\x1b\x07\r\x9b\x7f\u202e") & set(shown)
    assert main([*command, "--json"]) == 0
    assert EVIL in json.loads(capsys.readouterr().out)["prompt"]


def test_an_id_with_a_line_end_stays_on_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = layers(tmp_path, "x" * 900, "a\nskipped b: \x1b[0m")
    main(
        [
            "context",
            "show",
            "-w",
            str(tmp_path),
            "--data-dir",
            str(tmp_path),
            "--layers",
            file,
            "--budget",
            "business_rules=1",
        ]
    )
    shown = capsys.readouterr().out
    assert r"dropped business_rules/a\nskipped b: \x1b[0m (" in shown


def test_a_recorded_prompt_is_shown_with_its_controls_visible(capsys: pytest.CaptureFixture[str]) -> None:
    call = {"function": {"name": "run\n", "arguments": EVIL}}
    found: dict[str, Any] = {
        "layers": [],
        "skipped": [{"path": "a\nb", "why": EVIL}],
        "changed": [{"path": EVIL, "old": None, "new": "x"}],
        "sha256": "0",
        "prompt": "",
        "messages": [{"role": "tool", "content": EVIL, "tool_calls": [call]}],
    }
    print_view(found)
    shown = capsys.readouterr().out
    assert not set("\x1b\x07\r\x9b\x7f\u202e") & set(shown) and r"skipped a\nb: a\x1b" in shown


def test_the_live_view_shows_an_event_on_one_line() -> None:
    narrator = Narrator()
    totals = Totals(steps=1, tool_calls=0, prompt_tokens=1, completion_tokens=1, cost_usd=0.0, seconds=1.0)
    told: list[EventData] = [
        TaskCreated(goal=EVIL, contract=TaskContract(), channel="cli", message_id="m", at_ms=1),
        TaskNeedsInput(question=EVIL, expires_ms=1),
        TaskFailed(reason=Reason(code="max_steps", text=EVIL), totals=totals),
    ]
    for data in told:
        for line in narrator.lines(data):
            assert not any(unicodedata.category(one) == "Cc" for one in line.plain)


@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_a_terminal_that_holds_ascii_only_gets_escapes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, json_too: list[str]
) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    file = layers(tmp_path, "olá 漢")
    assert main(["context", "show", "-w", str(tmp_path), "--data-dir", str(tmp_path), "--layers", file, *json_too]) == 0
    sys.stdout.flush()
    shown = written.getvalue().decode("ascii")
    if json_too:
        assert "olá 漢" in json.loads(shown)["prompt"]
    else:
        assert r"ol\xe1 \u6f22" in shown
