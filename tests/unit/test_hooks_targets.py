"""Whether a hook's command can start is known before it is run, the script of an interpreter included."""

import sys
from pathlib import Path

import pytest

from services.tool_loop.hooks.targets import missing_target

ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent-home"}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "hook.py").write_text("print()")
    (tmp_path / "plain").write_text("x")
    runs = tmp_path / "runs"
    runs.write_text("#!/bin/sh\n")
    lost = tmp_path / "lost"
    lost.write_text("#!/missing/python\n")
    astray = tmp_path / "astray"
    astray.write_text("#!/usr/bin/env no-such-interpreter\n")
    for file in (runs, lost, astray):
        file.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        f"{sys.executable} /missing/hook.py",
        f"{sys.executable} -u -W ignore /missing/hook.py --flag",
        "no-such-program --x",
        "/missing/program",
        "./plain",
        "./lost",
        "./astray",
        "sh /missing/hook.sh",
        "bash -e /missing/hook.sh",
        "sh -c 'exec no-such-program'",
        f"sh -ec '{sys.executable} /missing/hook.py'",
        f"env -u HOME A=b {sys.executable} /missing/hook.py",
        "/usr/bin/env no-such-program",
        f"A=b C=d exec {sys.executable} /missing/hook.py",
        f"timeout -k 1 5 {sys.executable} /missing/hook.py",
        f"nohup {sys.executable} ~/hook.py",
        f"cd /tmp && {sys.executable} missing-hook.py",
        "cd /missing && ./runs",
        ". /missing/hook.sh",
        f"{sys.executable} $HOME/hook.py | cat",
        f"{sys.executable} 'unclosed",
    ],
)
def test_a_target_that_is_not_there_is_found(place: Path, command: str) -> None:
    assert missing_target(command, place, ENVIRONMENT) is not None


@pytest.mark.parametrize(
    "command",
    [
        f"{sys.executable} hook.py",
        f"{sys.executable} -c 'print()' /missing/argument",
        f"{sys.executable} -m json.tool",
        f"{sys.executable} - < hook.py",
        f"{sys.executable} -u -W ignore hook.py /missing/argument",
        "./runs /missing/argument",
        "sh runs",
        "sh -c './runs /missing'",
        "cat > /dev/null; exit 2",
        "true",
        "[ -e /missing ] && exit 2",
        "test -e /missing || exit 0",
        f"env A=b {sys.executable} hook.py",
        f"timeout 5 {sys.executable} hook.py",
        f"cd . && {sys.executable} hook.py",
        f"{sys.executable} $UNKNOWN/hook.py",
        "$UNKNOWN",
        "echo 'no' >&2; exit 2",
        "jq -e . || true" if Path("/usr/bin/jq").exists() else "grep x || true",
        "if true; then exit 2; fi",
        "grep -q '\"rm' && exit 2",
    ],
)
def test_a_target_that_may_be_there_is_let_be(place: Path, command: str) -> None:
    assert missing_target(command, place, ENVIRONMENT) is None
