"""A git worktree for each session, on a branch of its own; the checkout of the repository is never touched.

No hook and no program that the repository's configuration names is run. What a task wrote into its worktree is not
trusted: git runs in it only as long as its `.git` file is the one that was made.
"""

import contextlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from shared.errors import ArreioError

BRANCHES: Final = "arreio/"
"""How the branch of a session's worktree begins; the session's id follows."""
_SECONDS: Final = 600
_QUIET: Final = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "gc.auto=0")


class WorktreeError(ArreioError):
    """A worktree that cannot be made or taken away."""


@dataclass(frozen=True)
class Worktree:
    """A worktree of ours as it is on the disk. `changed`: paths that are not committed."""

    path: Path
    repository: Path
    branch: str
    changed: int


def branch_of(path: Path) -> str:
    """The branch of the worktree at a path."""
    return f"{BRANCHES}{path.name}"


def make_worktree(repository: str, path: Path, *, base: str | None = None) -> None:
    """Make the worktree at `path`; one that is there already is kept as it is. Safe to repeat after a crash.

    Its branch is that of an earlier worktree at the same path, where there was one, else a new one from `base` (HEAD).

    Raises:
        WorktreeError: there is no such repository or base, or something else lies at the path.
    """
    git_dir = _git_dir(repository)
    if _admin(path) is not None and _is_of(path, git_dir):
        return
    if path.exists() and any(path.iterdir()):
        raise WorktreeError(f"{path} is no worktree of {repository}", "move what lies there away")
    path.parent.mkdir(parents=True, exist_ok=True)
    branch = branch_of(path)
    _forget(git_dir, path)
    known = _git(git_dir, "rev-parse", "--verify", "--quiet", f"refs/heads/{branch}", check=False).returncode == 0
    made = ("--", str(path), branch) if known else ("-b", branch, "--", str(path), base or "HEAD")
    _git(git_dir, "worktree", "add", "--quiet", *made)


def check_repository(repository: str, base: str | None = None) -> None:
    """Raises WorktreeError where no worktree could be made: no repository, or no such base in it."""
    wanted = f"{base or 'HEAD'}^{{commit}}"
    found = _git(_git_dir(repository), "rev-parse", "--verify", "--quiet", "--end-of-options", wanted, check=False)
    if found.returncode and base is None:
        raise WorktreeError(f"{repository} has no commit yet", "commit something, or use the folder in_place")
    if found.returncode:
        raise WorktreeError(f"{repository} has no branch, tag or commit {base!r}", "name one that is there as its base")


def worktrees(folder: Path) -> list[Worktree]:
    """The worktrees directly in a folder."""
    found = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        admin = _admin(path)
        if admin is not None:
            repository = admin.parent.parent
            found.append(Worktree(path, repository, branch_of(path), _changed(path)))
    return found


def repository_of(path: Path) -> Path | None:
    """The directory in which the history of a worktree lies; None for what is no worktree, or whose link was bent."""
    admin = _admin(path)
    return None if admin is None else admin.parent.parent


def home_of(workspace: str) -> str:
    """The folder for which people say things: of a worktree the repository that it is one of, else the real folder."""
    git_dir = repository_of(Path(workspace))
    if git_dir is None:
        return os.path.realpath(workspace)
    return os.path.realpath(git_dir.parent if git_dir.name == ".git" else git_dir)


def remove_worktree(path: Path, *, force: bool = False) -> None:
    """Take a worktree away; its branch stays in the repository. `force`: also what is not committed in it.

    Raises:
        WorktreeError: it is no worktree of ours any more, or holds what is not committed.
    """
    admin = _admin(path)
    if admin is None:
        raise WorktreeError(f"{path} is no worktree", "see 'arreio worktrees list'")
    changed = _changed(path)
    if changed and not force:
        raise WorktreeError(f"{changed} paths in {path} are not committed", "commit them, or add --force to lose them")
    shutil.rmtree(path)
    shutil.rmtree(admin)


def _git_dir(repository: str) -> Path:
    if not Path(repository).is_dir():
        raise WorktreeError(f"there is no repository {repository}", "name an existing one in the profile")
    try:
        found = _git(Path(repository), "rev-parse", "--path-format=absolute", "--git-common-dir", inside=True)
    except WorktreeError as error:
        raise WorktreeError(f"{repository} is no git repository", "name one, or use the folder in_place") from error
    return Path(found.stdout.decode("utf-8", "surrogateescape").rstrip("\n"))


def _admin(path: Path) -> Path | None:
    """What a worktree's `.git` file names, if that names the worktree too; None where it is none, or was bent."""
    try:
        if path.is_symlink() or (path / ".git").is_symlink():
            return None
        kind, _, named = (path / ".git").read_text("utf-8", "surrogateescape").rstrip("\n").partition(": ")
        admin = Path(named)
        back = (admin / "gitdir").read_text("utf-8", "surrogateescape").rstrip("\n")
    except OSError:
        return None
    straight = kind == "gitdir" and admin.parent.name == "worktrees" and not admin.is_relative_to(path)
    return admin if straight and os.path.realpath(back) == os.path.realpath(path / ".git") else None


def _forget(git_dir: Path, path: Path) -> None:
    """Let the repository forget a worktree that was at this path and is gone; of others it knows what it knew."""
    for known in (git_dir / "worktrees").glob("*/gitdir"):
        with contextlib.suppress(OSError):
            if known.read_text("utf-8", "surrogateescape").rstrip("\n") == str(path / ".git"):
                shutil.rmtree(known.parent)


def _is_of(path: Path, git_dir: Path) -> bool:
    admin = _admin(path)
    return admin is not None and os.path.realpath(admin.parent.parent) == os.path.realpath(git_dir)


def _changed(path: Path) -> int:
    done = _git(path, "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", inside=True)
    return done.stdout.count(b"\0")


def _git(where: Path, *arguments: str, inside: bool = False, check: bool = True) -> subprocess.CompletedProcess[bytes]:
    """Run git in a folder (`inside`) or on a repository's own directory."""
    place = ("-C", str(where)) if inside else (f"--git-dir={where}",)
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["git", *_QUIET, *place, *arguments],
            env={**env, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError as error:
        raise WorktreeError("git is not installed", "install it, or use the folder in_place") from error
    except subprocess.TimeoutExpired as error:
        raise WorktreeError(f"git {arguments[0]} took more than {_SECONDS} seconds") from error
    if check and done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise WorktreeError(f"git {' '.join(arguments[:2])} failed for {where}: {said}", "look at the repository")
    return done
