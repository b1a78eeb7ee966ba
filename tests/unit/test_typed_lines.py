"""What a person types becomes messages of one line or of several."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arreio.typed_lines import asking, next_message, remembered


def messages(text: str) -> list[str]:
    lines = iter(text.split("\n"))

    def ask(_: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    found = []
    while (message := next_message(ask, "» ")) is not None:
        found.append(message)
    return found


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("hello\nand you?", ["hello", "and you?"]),
        ("\n   \nhello\n", ["hello"]),
        ("one\\\ntwo\\\nthree\nfour", ["one\ntwo\nthree", "four"]),
        ('"""\na\n\n  b\\\n"""\nc', ["a\n\n  b\\", "c"]),
        ('"""\na\nb', ["a\nb"]),
        ('"""\n"""\nc', ["c"]),
        ("one\\", ["one\n"]),
    ],
)
def test_a_message_has_one_line_unless_it_is_said_to_have_more(typed: str, expected: list[str]) -> None:
    assert messages(typed) == expected


@given(st.lists(st.text(st.characters(exclude_characters="\n"), min_size=1)))
def test_no_line_is_lost_whatever_is_typed(lines: list[str]) -> None:
    told = "\n".join(messages("\n".join(lines)))
    for line in lines:
        if line.strip() and line.strip() != '"""':
            assert line.removesuffix("\\") in told


def test_a_pipe_shows_no_prompt_and_may_hold_what_is_no_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"ol\xc3\xa1 \xff\r\nlast"), encoding="utf-8"))
    with remembered(tmp_path / "history"):
        ask = asking()
        assert [next_message(ask, "» ") for _ in range(3)] == ["olá \ufffd", "last", None]
    assert capsys.readouterr().out == ""
    assert not (tmp_path / "history").exists()
