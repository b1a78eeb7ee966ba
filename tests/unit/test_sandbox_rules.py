"""The parts of the sandbox that need none: what is kept of an output, what a command may see."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.sandbox.output import HeadTail, decode
from shared.sandbox.view import environment, mount_arguments


@given(st.lists(st.binary(max_size=40), max_size=30), st.integers(min_value=2, max_value=200))
def test_output_is_always_within_its_bound_and_the_dropped_are_counted(pieces: list[bytes], limit: int) -> None:
    kept = HeadTail(limit)
    for piece in pieces:
        kept.feed(piece)
    whole = b"".join(pieces)
    assert kept.total == len(whole)
    assert kept.dropped == max(0, len(whole) - limit)
    if not kept.dropped:
        assert kept.text() == decode(whole)


@given(st.text(alphabet="aé漢🙂", min_size=1), st.integers(min_value=8, max_value=60))
def test_a_cut_never_leaves_half_a_character(text: str, limit: int) -> None:
    kept = HeadTail(limit)
    kept.feed(text.encode())
    assert "\ufffd" not in kept.text()


@given(st.binary())
def test_any_bytes_become_text_that_can_be_stored(data: bytes) -> None:
    text = decode(data)
    assert "\0" not in text
    text.encode("utf-8")


def test_the_environment_is_an_allow_list(tmp_path: Path) -> None:
    base = {
        "PATH": "/opt/bin:relative:/usr/bin",
        "LC_ALL": "pt_BR.UTF-8",
        "OPENAI_API_KEY": "x",
        "ARREIO_HOME": "x",
        "PYTHONPATH": "x",
        "HTTPS_PROXY": "http://proxy:3128",
        "HTTP_PROXY": "http://user:secret@proxy:3128",
    }
    closed = environment(tmp_path, network=False, base=base)
    assert closed["LC_ALL"] == "pt_BR.UTF-8"
    assert closed["PATH"].startswith("/opt/bin:/usr/bin") and "relative" not in closed["PATH"]
    assert not {"OPENAI_API_KEY", "ARREIO_HOME", "PYTHONPATH", "HTTPS_PROXY"} & closed.keys()
    opened = environment(tmp_path, network=True, base=base)
    assert opened["HTTPS_PROXY"] == "http://proxy:3128" and "HTTP_PROXY" not in opened


def test_the_workspaces_own_environment_comes_first(tmp_path: Path) -> None:
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    assert environment(tmp_path, network=False, base={})["PATH"].split(":")[0] == str(tmp_path / ".venv" / "bin")


@pytest.mark.parametrize("overlay", [False, True])
def test_the_workspace_is_the_only_writable_mount(tmp_path: Path, overlay: bool) -> None:
    arguments = mount_arguments(tmp_path.resolve(), network=False, overlay=overlay, temporary_bytes=1 << 20)
    writable = [arguments[at + 1] for at, word in enumerate(arguments) if word in ("--bind", "--overlay-src")]
    assert writable == [str(tmp_path.resolve())]
    assert ("--bind" in arguments) is not overlay
