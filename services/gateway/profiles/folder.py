"""The folder of profiles as it is now: looked at for every message, so that an edited file holds from the next one on.

A file that cannot be used is told once; the last version of it that could be stays, also over a restart: it is kept in
the database.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from shared.store.connection import Pool, connected
from shared.telemetry import get_logger

from .profile import MOST_BYTES, NAME, BadProfile, NamedProfile, read_profile

log = get_logger(__name__)

MOST_FILES: Final = 1_000
_ENDINGS: Final = (".yaml", ".yml")
_KEEP: Final = """
INSERT INTO gateway.profiles AS known (name, version, text) VALUES (%s, %s, %s)
ON CONFLICT (name) DO UPDATE SET version = excluded.version, text = excluded.text, updated_at = clock_timestamp()
WHERE known.version <> excluded.version
"""
Stamp = tuple[str, int, int, int]


@dataclass(frozen=True)
class Bad:
    """A file that cannot be used. `name` is None where it could be no profile's name."""

    file: Path
    name: str | None
    why: str


@dataclass(frozen=True)
class Looked:
    """What lies in the folder: profiles by name with the text of each, and files that cannot be used."""

    good: Mapping[str, NamedProfile] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    bad: tuple[Bad, ...] = ()


def look(folder: Path) -> Looked:
    """Read every profile of a folder; no folder is no profiles. Raises OSError where it cannot be read."""
    good: dict[str, NamedProfile] = {}
    texts: dict[str, str] = {}
    bad: list[Bad] = []
    for file in _files(folder):
        name = file.stem
        try:
            if not NAME.fullmatch(name):
                name = ""
                raise BadProfile("its name is no profile's: 1 to 64 of A-Z a-z 0-9 _ -")
            if name in good:
                raise BadProfile(f"there is another file for the profile {name!r}")
            text = _text(file)
            good[name] = read_profile(name, text)
            texts[name] = text
        except BadProfile as error:
            bad.append(Bad(file, name or None, str(error)))
    return Looked(good, texts, tuple(bad))


class ProfileFolder:
    """The profiles of one gateway process."""

    def __init__(self, folder: Path, pool: Pool) -> None:
        self._folder = folder
        self._pool = pool
        self._stamps: tuple[Stamp, ...] | None = None
        self._now: Mapping[str, NamedProfile] = {}
        self._told: frozenset[tuple[Path, str]] = frozenset()
        self._unreadable = False
        self._turn = asyncio.Lock()

    async def now(self) -> Mapping[str, NamedProfile]:
        """The profiles by name.

        Raises:
            StoreUnavailable: PostgreSQL cannot be reached, and something has changed.
        """
        async with self._turn:
            try:
                stamps = await asyncio.to_thread(_stamps, self._folder)
                if stamps != self._stamps:
                    self._now = await self._read()
                    self._stamps = stamps
                self._unreadable = False
            except OSError as error:
                await self._stay(error)
            return self._now

    async def _stay(self, error: OSError) -> None:
        """Go on with what was known: who loses his profile might get more than it gave him."""
        if not self._unreadable:
            log.warning(
                "the profiles cannot be read; those known before stay", folder=str(self._folder), why=str(error)
            )
        self._unreadable = True
        if self._stamps is None:
            self._now = await last_good(self._pool)

    async def _read(self) -> Mapping[str, NamedProfile]:
        found = await asyncio.to_thread(look, self._folder)
        await self._keep(found)
        lost = [one.name for one in found.bad if one.name is not None and one.name not in found.good]
        kept = await last_good(self._pool, lost)
        for one in found.bad:
            if (one.file, one.why) in self._told:
                continue
            before = kept.get(one.name or "")
            holds = f"version {before.version[:12]} of it stays" if before else "it does not count"
            log.warning("a profile cannot be used", file=str(one.file), why=one.why, then=holds)
        self._told = frozenset((one.file, one.why) for one in found.bad)
        return {**kept, **found.good}

    async def _keep(self, found: Looked) -> None:
        for name, one in found.good.items():
            if self._now.get(name) != one:
                async with connected(self._pool) as connection:
                    await connection.execute(_KEEP, (name, one.version, found.texts[name]))
        if await asyncio.to_thread(self._folder.is_dir):
            # What was taken away shall not come back when a file of that name breaks.
            there = [*found.good, *(one.name for one in found.bad if one.name is not None)]
            async with connected(self._pool) as connection:
                await connection.execute("DELETE FROM gateway.profiles WHERE name <> ALL (%s)", (there,))


async def last_good(pool: Pool, names: list[str] | None = None) -> dict[str, NamedProfile]:
    """The versions of profiles that could be used last; of all of them without `names`."""
    if names == []:
        return {}
    query = "SELECT name, text FROM gateway.profiles WHERE %(names)s::text[] IS NULL OR name = ANY (%(names)s)"
    async with connected(pool) as connection:
        rows = await connection.execute(query, {"names": names})
        kept = await rows.fetchall()
    found: dict[str, NamedProfile] = {}
    for name, text in kept:
        try:
            found[name] = read_profile(name, text)
        except BadProfile:
            log.warning("the last version of a profile cannot be used any more", profile=name)
    return found


def _files(folder: Path) -> list[Path]:
    try:
        found = sorted(one for one in folder.iterdir() if one.suffix in _ENDINGS and not one.name.startswith("."))
    except (FileNotFoundError, NotADirectoryError):
        return []
    return found[:MOST_FILES]


def _text(file: Path) -> str:
    try:
        if not file.is_file():
            raise BadProfile("it is no file")
        if file.stat().st_size > MOST_BYTES:
            raise BadProfile(f"it is larger than {MOST_BYTES} bytes")
        return file.read_text("utf-8")
    except OSError as error:
        raise BadProfile(f"it cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadProfile(f"it is not UTF-8 (byte {error.start})") from error


def _stamps(folder: Path) -> tuple[Stamp, ...]:
    found: list[Stamp] = []
    for file in _files(folder):
        try:
            status = file.stat()
        except OSError:
            found.append((file.name, 0, 0, 0))
            continue
        found.append((file.name, status.st_ino, status.st_mtime_ns, status.st_size))
    return tuple(found)
