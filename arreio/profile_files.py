"""The profiles' files as the command line reads them, beside the gateway that uses them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from arreio.terminal import visible_line
from shared.errors import ArreioError
from shared.settings import Settings

if TYPE_CHECKING:
    from services.gateway.profiles.folder import Looked


def looked_at(settings: Settings) -> Looked:
    """What lies in the folder of profiles."""
    from services.gateway.profiles.folder import look

    try:
        return look(settings.profile_folder)
    except OSError as error:
        raise ArreioError(
            f"{settings.profile_folder} cannot be read: {error.strerror}", "correct its rights"
        ) from error


def given_by(settings: Settings, name: str | None) -> frozenset[str]:
    """The fields of a task's contract that a profile gives; nothing without a profile.

    Of a file that cannot be used only the gateway knows the last good version; that is told, and it may give anything.

    Raises:
        ArreioError: there is no profile of that name.
    """
    from arreio_contracts.task import TaskContract

    from services.gateway.profiles.giving import fields_of
    from services.gateway.profiles.matching import DEFAULT

    if name is None:
        return frozenset()
    found = looked_at(settings)
    if name in found.good:
        return frozenset(fields_of(found.good[name].profile, "/"))
    bad = next((one for one in found.bad if one.name == name), None)
    if bad is not None:
        sys.stderr.write(f"arreio: {visible_line(f'{bad.file}: {bad.why}')}; the last good version is used\n")
        return frozenset(TaskContract.model_fields)
    if name == DEFAULT:
        return frozenset()
    known = ", ".join(sorted(found.good)) or "none"
    raise ArreioError(f"there is no profile {name!r}; there is {known}", f"they lie in {settings.profile_folder}")


def skill_folders(settings: Settings, name: str) -> tuple[str, ...]:
    """The further folders of skills that a profile's file names; none where it is not there or cannot be used."""
    found = looked_at(settings).good.get(name)
    return found.profile.skills.folders if found is not None else ()
