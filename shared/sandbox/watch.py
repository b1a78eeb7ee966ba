"""Reads from /proc what a namespace uses: processes, threads, resident memory, bytes written."""

import os
from dataclasses import dataclass
from pathlib import Path

from shared.sandbox.limits import KilledBy, Limits
from shared.sandbox.tasks_bound import most_tasks

_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Usage:
    processes: int
    threads: int
    resident_bytes: int
    """Sum of resident sets; pages shared between processes are counted once for each."""
    written_bytes: int
    pids: tuple[int, ...]


def usage(root_pid: int) -> Usage:
    """What `root_pid` and everything that descends from it uses now; nothing where it is gone.

    Orphans inside a pid namespace become children of its first process, so descent finds them, nested ones included.
    """
    parents: dict[int, tuple[int, int, int]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - names suffice
        if name.isdigit() and (row := _stat(int(name))):
            parents[int(name)] = row
    members = _descendants(root_pid, {pid: row[0] for pid, row in parents.items()})
    return Usage(
        processes=len(members),
        threads=sum(parents[pid][1] for pid in members),
        resident_bytes=sum(parents[pid][2] for pid in members) * _PAGE,
        written_bytes=sum(_written(pid) for pid in members),
        pids=tuple(members),
    )


def exceeded(root_pid: int, limits: Limits, overlay_root: str | None) -> KilledBy | None:
    """The first limit passed by the namespace of `root_pid`, or None; `overlay_root` is the overlaid path."""
    used = usage(root_pid)
    if used.processes > limits.processes or used.threads >= most_tasks(limits):
        return "processes"
    if used.resident_bytes > limits.memory_bytes and _proportional_bytes(used.pids) > limits.memory_bytes:
        return "memory"
    written = used.written_bytes + (_overlay_bytes(root_pid, overlay_root) if overlay_root else 0)
    return "disk" if written > limits.written_bytes else None


def _stat(pid: int) -> tuple[int, int, int] | None:
    """(parent, threads, resident pages) of a process, or None where it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - called for every process of the host
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return int(fields[1]), int(fields[17]), int(fields[21])


def _descendants(root: int, parents: dict[int, int]) -> list[int]:
    children: dict[int, list[int]] = {}
    for pid, parent in parents.items():
        children.setdefault(parent, []).append(pid)
    found, waiting = [], [root] if root in parents else []
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        waiting += children.get(pid, ())
    return found


def _written(pid: int) -> int:
    """Bytes that a process and its reaped children had written to block devices; memory is bounded otherwise."""
    try:
        text = Path(f"/proc/{pid}/io").read_text()
        return int(text.partition("write_bytes: ")[2].partition("\n")[0])
    except (OSError, ValueError):
        return 0


def _proportional_bytes(pids: tuple[int, ...]) -> int:
    total = 0
    for pid in pids:
        try:
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
            total += int(text.partition("\nPss:")[2].split(maxsplit=1)[0]) * 1024
        except (OSError, ValueError, IndexError):
            continue
    return total


def _overlay_bytes(root_pid: int, workspace: str) -> int:
    """Bytes used on the file system in memory that takes an overlay's writes; 0 until the overlay is mounted."""
    place = f"/proc/{root_pid}/root{workspace}"
    try:
        if Path(place).stat().st_dev == Path(workspace).stat().st_dev:
            return 0  # what is still seen there is the workspace's own disk
        state = os.statvfs(place)
    except OSError:
        return 0
    return (state.f_blocks - state.f_bfree) * state.f_frsize
