"""What the rules ask of the place where a Python source's imports are looked for."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from .python_module import ModuleNames

Origin = Literal["stdlib", "local", "environment", "stubs", "metadata"]

_CONSTANT = re.compile(r"_|[A-Z][A-Z0-9]+(_\w*)?$")
_OTHERS = """
lchmod lchflags chflags startfile plock listdrives listmounts listvolumes getresuid setresuid getresgid setresgid
devpoll kqueue kevent epoll devnull pipe2 fork_exec spawnvp get_handle_inheritable set_handle_inheritable
dup_socket fromshare share sigwaitinfo sigtimedwait pthread_getcpuclockid forkpty openpty posix_openpt
getwindowsversion winver dllhandle getandroidapilevel setdlopenflags getdlopenflags tzset clock_settime_ns
"""
_OF_OTHER_PLATFORMS = frozenset(_OTHERS.split())
"""Names of the standard library that one system lacks, and that are like others which it has."""
_PLATFORMS = """
os posix nt socket signal select errno resource fcntl mmap termios asyncio ssl multiprocessing subprocess locale curses
ctypes shutil threading selectors msvcrt winreg syslog stat posixpath ntpath faulthandler
"""
_BY_PLATFORM = frozenset(_PLATFORMS.split())
"""Modules of the standard library with other names on other systems."""


def may_be_elsewhere(module: str, name: str, *, alike: bool) -> bool:
    """Whether a name that a listed module lacks here may be one that it has on another system. `alike`: it is like one
    that the module has.
    """
    if name in _OF_OTHER_PLATFORMS:
        return True
    by_platform = module.partition(".")[0].lstrip("_") in _BY_PLATFORM
    return by_platform and (not alike or _CONSTANT.match(name) is not None)


@dataclass(frozen=True, slots=True)
class Module:
    """A module that was found. `names` None: what it binds cannot be read. `compiled`: its names are listed, not read,
    and others on other platforms. `package`: it may hold modules.
    """

    origin: Origin
    names: ModuleNames | None
    namespace: bool = False
    compiled: bool = False
    package: bool = False


class PythonWorld(Protocol):
    """Where a source's imports are looked for, in the order in which Python would. Nothing is imported."""

    def find(self, dotted: str) -> Module | None:
        """The module of this absolute name, or one that only stubs or metadata tell of."""
        ...

    def top_level(self) -> Iterable[str]:
        """Every name that can be imported, for candidates."""
        ...

    def imported_as(self, distribution: str) -> frozenset[str]:
        """The top-level names that an installed distribution, by its normalised name, lets one import; empty where it
        is not installed or its metadata does not tell.
        """
        ...

    @property
    def declared(self) -> frozenset[str]:
        """Distributions that manifests or locks name, installed or not."""
        ...

    @property
    def unnamed(self) -> bool:
        """Whether a manifest asks for something whose name cannot be told."""
        ...

    def is_local(self, name: str) -> bool:
        """Whether a top-level name is the project's own, wherever in the workspace, written or announced."""
        ...

    def shadowed(self, name: str) -> bool:
        """Whether several modules have this top-level name: how the code is started tells which one it is."""
        ...

    def set_up(self) -> Iterable[str]:
        """The sources that run before a source of the project is imported, as far as files tell."""
        ...

    def elsewhere(self, name: str) -> bool:
        """Whether a top-level name is known of another version or platform of the standard library."""
        ...
