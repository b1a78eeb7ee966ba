"""`arreio profiles check` names everything that a profile names and is not to be had."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def checked(home: Path, text: str) -> subprocess.CompletedProcess[str]:
    (home / "profiles").mkdir(parents=True)
    (home / "profiles" / "shop.yaml").write_text(f"model: openai/x\ncapability: strong\n{text}")
    command = [sys.executable, "-m", "arreio", "profiles", "check", "--data-dir", str(home)]
    env = {name: value for name, value in os.environ.items() if not name.startswith("ARREIO_")}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, env=env)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    skill = place / ".agents" / "skills" / "packing"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: packing\ndescription: Packs things.\n---\nPack.\n")
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for arguments in (("init", "-q"), (*who, "commit", "-q", "--allow-empty", "-m", "x")):
        subprocess.run(["git", "-C", str(place), *arguments], check=True)
    return place


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("skills: [nope]\nworkspace: REPOSITORY", "there is no skill 'nope'"),
        ("match: {sender: '[a'}", "match.0.sender: a [ is not closed"),
        ("api_base: ftp://x", "no http or https address"),
        ("api_base: http://me:hunter2hunter2@host/v1", "api_key, as env:NAME"),
        ("workspace: {path: REPOSITORY, mode: worktree, base: nope}", "has no branch, tag or commit 'nope'"),
    ],
)
def test_what_a_profile_names_and_is_not_there_is_said_in_a_line(
    repository: Path, tmp_path: Path, text: str, said: str
) -> None:
    done = checked(tmp_path / "home", text.replace("REPOSITORY", str(repository)))
    assert done.returncode == 1 and said in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert "hunter2" not in done.stderr


def test_a_profile_that_names_what_there_is_has_nothing_wrong(repository: Path, tmp_path: Path) -> None:
    text = f"skills: [packing]\nmatch: {{sender: '[ab]*'}}\napi_base: https://x/v1\nworkspace: {repository}\n"
    done = checked(tmp_path / "home", text)
    assert done.returncode == 0, done.stderr
