"""Decides what a sandboxed command sees: the mounts and the environment. Reads the file system, changes nothing."""

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from platformdirs import user_data_dir

from shared.workspace.worktrees import repository_of

# Tools that people install below their home; each is made visible read-only where it exists. None holds credentials.
_HOME_TOOLS = (
    ".pyenv",
    ".local/bin",
    ".local/lib",
    ".local/share/uv/python",
    ".local/share/uv/tools",
    ".local/share/pipx/venvs",
    ".local/pipx/venvs",
    ".local/share/mise",
    ".asdf",
    ".cargo/bin",
    ".rustup",
    ".nvm",
    ".volta",
    ".rbenv",
    ".bun/bin",
    ".deno/bin",
    "go/bin",
    "go/pkg/mod",
    "miniconda3",
    "anaconda3",
)
# Hidden where the workspace is, or holds, the home directory itself.
_HOME_SECRETS = (
    *(".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config"),
    *(".netrc", ".pypirc", ".npmrc", ".git-credentials", ".bash_history"),
)
_SYSTEM_SECRETS = ("/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/sudoers.d", "/etc/ssh", "/etc/krb5.keytab")
# What root may set for the whole machine without any capability; bubblewrap covers other parts of /proc by itself.
_KERNEL = ("acpi", "asound", "dynamic_debug", "fs", "latency_stats", "mtrr", "scsi", "sys", "sysrq-trigger")
_PRIVATE = ("/tmp", "/var/tmp", "/run", "/home", "/root")

_PASSED = re.compile(
    "LC_.*|USER|LOGNAME|LANG|LANGUAGE|TZ|SOURCE_DATE_EPOCH|VIRTUAL_ENV|PYENV_ROOT|PYENV_VERSION|CONDA_PREFIX"
    "|CONDA_DEFAULT_ENV|JAVA_HOME|GOROOT|GOPATH|CARGO_HOME|RUSTUP_HOME|NVM_DIR|VOLTA_HOME"
)
_PASSED_WITH_NETWORK = re.compile(
    "(?i:https?_proxy|no_proxy|npm_config_registry)|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE"
    "|PIP_INDEX_URL|PIP_EXTRA_INDEX_URL|UV_INDEX_URL|UV_DEFAULT_INDEX|GOPROXY"
)
_SYSTEM_PATH = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin")


def environment(
    workspace: Path, *, network: bool, extra: Mapping[str, str] | None = None, base: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The command's whole environment: a short allow list, never a key, a token or an ARREIO_ variable."""
    base = os.environ if base is None else base
    env = {name: value for name, value in base.items() if _PASSED.fullmatch(name)}
    if network:
        # An address that carries a user's name or password is not passed: the command would see it.
        env |= {
            name: value for name, value in base.items() if _PASSED_WITH_NETWORK.fullmatch(name) and "@" not in value
        }
    env |= {
        "HOME": str(home_directory()),
        "TMPDIR": "/tmp",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "PATH": os.pathsep.join(_search_path(workspace, base.get("PATH", ""))),
    }
    env.setdefault("LANG", "C.UTF-8")
    return env | dict(extra or {})


def home_directory() -> Path:
    return Path(os.path.realpath(os.environ.get("HOME") or Path("~").expanduser()))


def mount_arguments(
    workspace: Path, *, network: bool, overlay: bool, temporary_bytes: int, hide: Iterable[Path] = ()
) -> list[str]:
    """bubblewrap's mount arguments, in order; `workspace` is a real path that exists, `hide` is never shown."""
    size = str(temporary_bytes)
    home = home_directory()
    hidden = _outermost(path for path in (*map(Path, _PRIVATE), home) if _is_real_directory(path))
    secret = _outermost(path for path in map(_real, hide) if _is_real_directory(path))
    args = ["--ro-bind", "/", "/", "--dev", "/dev", "--size", size, "--tmpfs", "/dev/shm", "--proc", "/proc"]
    if os.geteuid() == 0:
        for name in _KERNEL:
            args += ["--ro-bind-try", f"/proc/{name}", f"/proc/{name}"]
    for path in hidden:
        if not _contains(workspace, path) or workspace == home:
            args += ["--size", size, "--tmpfs", str(path)]
    # A data directory that holds the workspace is hidden before the workspace is mounted in it, any other after.
    for path in secret:
        if _contains(path, workspace):
            args += ["--size", size, "--tmpfs", str(path)]
    covered = [*hidden, *(path for path in secret if _contains(path, workspace))]
    shown = [path for path in _visible_tools(workspace, home) if any(_contains(cover, path) for cover in covered)]
    for path in shown:
        args += ["--ro-bind", str(path), str(path)]
    if network:
        args += _resolver()
    if any(_contains(cover, home) for cover in covered):
        args += ["--dir", str(home)]
    if overlay:
        args += ["--overlay-src", str(workspace), "--tmp-overlay", str(workspace)]
    else:
        args += ["--bind", str(workspace), str(workspace)]
    repository = repository_of(workspace)
    if repository is not None:
        # A worktree's history lies elsewhere: it can be read, and a task that could write it could write hooks.
        args += ["--ro-bind", str(repository), str(repository)]
    for path in secret:
        if not _contains(path, workspace):
            args += _cover(path, covered_by=covered, shown=[workspace, *shown])
    for name in _SYSTEM_SECRETS:
        args += _cover(Path(name), covered_by=covered, shown=[workspace])
    if _contains(workspace, home):
        for name in _HOME_SECRETS:
            args += _cover(home / name, covered_by=(), shown=[workspace])
    return args


def default_hidden() -> list[Path]:
    """The harness's own data directory, where credentials lie: hidden whatever the caller says."""
    return [Path(os.environ.get("ARREIO_HOME") or user_data_dir("arreio"))]


def _cover(path: Path, *, covered_by: Sequence[Path], shown: Sequence[Path]) -> list[str]:
    """Arguments that hide one existing path, unless it is hidden already and not shown again by a later mount."""
    if not _exists(path):
        return []
    if any(_contains(cover, path) for cover in covered_by) and not any(_contains(place, path) for place in shown):
        return []
    return ["--tmpfs", str(path)] if path.is_dir() else ["--ro-bind", "/dev/null", str(path)]


def _visible_tools(workspace: Path, home: Path) -> list[Path]:
    """Directories below hidden ones that hold the interpreters and programs which the user's own shell would find."""
    wanted = [Path(sys.prefix), Path(sys.base_prefix), Path(sys.exec_prefix), *(home / name for name in _HOME_TOOLS)]
    wanted += [Path(entry) for entry in os.environ.get("PATH", "").split(os.pathsep) if entry.startswith("/")]
    wanted += [Path(os.environ[name]) for name in ("PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX") if os.environ.get(name)]
    for name in (".venv", "venv"):
        python = workspace / name / "bin" / "python"
        if python.exists():
            wanted.append(_real(python).parent.parent)
    found: list[Path] = []
    for path in wanted:
        for place in (path, _real(path)):
            too_wide = _contains(place, home) or _contains(place, workspace) or str(place) in _PRIVATE
            if _is_real_directory(place) and not too_wide and place not in found:
                found.append(place)
    return [path for path in found if not any(other != path and _contains(other, path) for other in found)]


def _search_path(workspace: Path, inherited: str) -> list[str]:
    own = [str(workspace / name / "bin") for name in (".venv", "venv") if (workspace / name / "bin").is_dir()]
    theirs = [entry for entry in inherited.split(os.pathsep) if entry.startswith("/")]
    # The harness's own interpreter comes last: its pytest is used only where nothing else offers one.
    return list(dict.fromkeys([*own, *theirs, *_SYSTEM_PATH, str(Path(sys.prefix) / "bin")]))


def _resolver() -> list[str]:
    """The file that /etc/resolv.conf points to, where it lies below the hidden /run."""
    target = _real(Path("/etc/resolv.conf"))
    return ["--ro-bind", str(target), str(target)] if _contains(Path("/run"), target) and target.exists() else []


def _outermost(paths: Iterable[Path]) -> list[Path]:
    unique = list(dict.fromkeys(paths))
    return [path for path in unique if not any(other != path and _contains(other, path) for other in unique)]


def _contains(outer: Path, inner: Path) -> bool:
    return outer == inner or outer in inner.parents


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _is_real_directory(path: Path) -> bool:
    """True for a directory that is no symlink and that this user may enter."""
    try:
        return path.is_dir() and not path.is_symlink() and path != Path("/") and os.access(path, os.X_OK)
    except OSError:
        return False


def _exists(path: Path) -> bool:
    try:
        return path.exists() and not path.is_symlink()
    except OSError:
        return False
