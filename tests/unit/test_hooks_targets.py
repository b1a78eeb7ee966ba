"""Whether a hook's command can start is known before it is run, the script of an interpreter included."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.hooks.operands import files_read
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
        f"true && {sys.executable} /missing/hook.py",
        f"set -e; {sys.executable} /missing/hook.py",
        f"set -e\n{sys.executable} /missing/hook.py",
        f"cat | {sys.executable} /missing/hook.py",
        f"if true; then {sys.executable} /missing/hook.py; fi",
        f"if [ -n x ]; then exit 0; else {sys.executable} /missing/hook.py; fi",
        f"while read -r x; do {sys.executable} /missing/hook.py; done",
        f"! {sys.executable} /missing/hook.py",
        f"( {sys.executable} /missing/hook.py )",
        f"{{ {sys.executable} /missing/hook.py; }}",
        f"{sys.executable} /missing/hook.py 2>/dev/null",
        f"{sys.executable} /missing/hook.py || exit 2",
        f"payload=$(cat); printf '%s' \"$payload\" | {sys.executable} /missing/hook.py",
        f"awk -F '|' '{{print $1}}' | {sys.executable} /missing/hook.py",
        f"# a comment with an apostrophe: don't\n{sys.executable} /missing/hook.py",
        f"command -v {sys.executable} >/dev/null && {sys.executable} /missing/hook.py",
        "true; no-such-program",
        "cat < /missing/list",
        "grep -q rm /missing/list",
        "grep -q -f /missing/list",
        "cat | grep -e rm /missing/list && exit 2",
        f"{sys.executable} -m no_such_module_x",
        f"{sys.executable} -I -m no_such_module_x.sub",
        f"{sys.executable} -B -I -u /missing/hook.py",
        f"{sys.executable} .",
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
        f"[ -f /missing/hook.py ] && {sys.executable} /missing/hook.py",
        f"if [ -f /missing/hook.py ]; then {sys.executable} /missing/hook.py; fi",
        f"test ! -e /missing/hook.py || {sys.executable} /missing/hook.py",
        "command -v no-such-program >/dev/null && no-such-program",
        "if command -v no-such-program; then no-such-program; fi",
        f"{sys.executable} /missing/new.py || {sys.executable} hook.py",
        f"{sys.executable} /missing/new.py || true",
        f"{sys.executable} hook.py 2>/dev/null",
        f"{sys.executable} hook.py 2>&1 | cat",
        "grep '|' && exit 2",
        "grep -c ';' | awk -F '|' '{print $1}'",
        "sed -e '/x/d' | tr '\\n' ' '",
        "grep -q '/etc/passwd' && exit 2",
        "grep -E '^/(etc|usr)/' && exit 2",
        "check() { no-such-program; }; check",
        "case x in y) no-such-program ;; esac",
        "for x in /missing/a /missing/b; do echo $x; done",
        f"{sys.executable} $(dirname /missing/x)/hook.py",
        "x=$(grep -c '(' | cut -d ')' -f 1); exit 0",
        "cat <<END\nno-such-program don't\nEND",
        f"{sys.executable} <<END\nimport x\nEND",
        "eval no-such-program",
        f"PYTHONPATH=. {sys.executable} -m hook",
        f"export PYTHONPATH=.; {sys.executable} -m hook",
        f"env PYTHONPATH=. {sys.executable} -m hook",
        "bash -c '[[ -n x && -f /missing ]] && exit 2'",
        "cd $UNKNOWN && ./missing",
        "(cd . && ./runs)",
        "echo $((1+2)) && exit 0",
    ],
)
def test_a_target_that_may_be_there_is_let_be(place: Path, command: str) -> None:
    assert missing_target(command, place, ENVIRONMENT) is None


@pytest.mark.parametrize(
    ("words", "files"),
    [
        (["jq", "-r", ".x", "/ops/rules.json"], ["/ops/rules.json"]),
        (["jq", "--arg", "a", "/no/file", "-e", ".x"], []),
        (["jq", "-f", "/ops/rule.jq", "/ops/a.json"], ["/ops/rule.jq", "/ops/a.json"]),
        (["jq", "--slurpfile", "r", "/ops/r.json", ".x"], ["/ops/r.json"]),
        (["jq", ".x", "--args", "/no/file"], []),
        (["jq", ".tool_input.path", "relative.json"], []),
        (["grep", "-q", "/no/file"], []),
        (["grep", "-e", "/no/file", "/ops/list"], ["/ops/list"]),
        (["cat", "/ops/list"], []),
    ],
)
def test_the_files_that_a_program_must_read_are_its_operands(words: list[str], files: list[str]) -> None:
    assert list(files_read(words[0], words[1:])) == files


@pytest.mark.parametrize("text", ["node /", "python3 /", "sh /", ". /"])
def test_the_root_is_read_as_any_other_folder(text: str) -> None:
    assert missing_target(text, Path("/"), ENVIRONMENT) in (None, "/ is a folder without __main__.py")


@given(st.text(alphabet="ab'\"`$(){};&|<>\\\n# -=/~", max_size=40))
def test_any_text_is_read_without_an_error_and_at_once(text: str) -> None:
    assert missing_target(text, Path("/"), ENVIRONMENT) is None or text.strip()
