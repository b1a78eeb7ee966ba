"""The profiles' files as the command line reads them, beside the gateway that uses them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from arreio_contracts.messages import InboundMessage

from arreio.launcher import ensure_up
from arreio.reading import reading
from arreio.terminal import visible_line
from shared.errors import ArreioError
from shared.settings import Settings

if TYPE_CHECKING:
    from services.gateway.profiles.folder import Looked
    from services.gateway.profiles.profile import NamedProfile


def looked_at(settings: Settings) -> Looked:
    """What lies in the folder of profiles."""
    from services.gateway.profiles.folder import look

    try:
        return look(settings.profile_folder)
    except OSError as error:
        raise ArreioError(
            f"{settings.profile_folder} cannot be read: {error.strerror}", "correct its rights"
        ) from error


def given_to(settings: Settings, channel: str, message: InboundMessage, name: str | None, keep: bool) -> frozenset[str]:
    """The fields of a task's contract that the operator's profile gives: the one of a name, or whose match fits.

    The gateway chooses by the same rule when the message comes. Where a file cannot be used, its last good version is
    asked of the database, as the gateway does, and an engine is started for it. `keep`: leave that engine running.

    Raises:
        ArreioError: there is no profile of that name.
    """
    from services.gateway.profiles.giving import fields_of
    from services.gateway.profiles.matching import DEFAULT, choose

    profiles = _in_force(settings, keep)
    if name is None:
        chosen = choose(profiles, channel, message, local=True)
        return frozenset(fields_of(chosen.named.profile, "/")) if chosen is not None else frozenset()
    if name in profiles:
        return frozenset(fields_of(profiles[name].profile, "/"))
    if name == DEFAULT:
        return frozenset()
    known = ", ".join(sorted(profiles)) or "none"
    raise ArreioError(f"there is no profile {name!r}; there is {known}", f"they lie in {settings.profile_folder}")


def _in_force(settings: Settings, keep: bool) -> Mapping[str, NamedProfile]:
    found = looked_at(settings)
    lost = [one for one in found.bad if one.name is not None and one.name not in found.good]
    if not lost:
        return found.good
    ensure_up(settings, keep)
    kept = asyncio.run(_last_good(settings, [one.name for one in lost if one.name is not None]))
    for one in lost:
        then = "the last good version is used" if one.name in kept else "it does not count"
        sys.stderr.write(f"arreio: {visible_line(f'{one.file}: {one.why}')}; {then}\n")
    return {**kept, **found.good}


async def _last_good(settings: Settings, names: list[str]) -> dict[str, NamedProfile]:
    from services.gateway.profiles.folder import last_good

    async with reading(settings) as pool:
        return await last_good(pool, names)


def skill_folders(settings: Settings, name: str) -> tuple[str, ...]:
    """The further folders of skills that a profile's file names; none where it is not there or cannot be used."""
    found = looked_at(settings).good.get(name)
    return found.profile.skills.folders if found is not None else ()
