"""What a message that becomes a task is made into: its profile's part, its workspace, and what the router found."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

from arreio_contracts.events import GivenProfile
from arreio_contracts.messages import InboundMessage
from arreio_contracts.task import TaskContract

from shared.store.connection import Pool

from .profiles.folder import ProfileFolder
from .profiles.giving import NotGiven, give
from .profiles.matching import DEFAULT, Chosen, choose, named
from .rights import OPERATOR_CHANNELS, Unacceptable, goal_of
from .router import NoSuchSkill, Routed, Router


@dataclass(frozen=True)
class MadeTask:
    """A task as it is recorded."""

    goal: str
    contract: TaskContract
    routed: Routed
    profile: GivenProfile | None


class TaskMaker:
    """Makes tasks of messages, by the profiles and skills that there are at that moment."""

    def __init__(self, pool: Pool, data_dir: Path, profiles: Path) -> None:
        self._profiles = ProfileFolder(profiles, pool)
        self._router = Router(pool, data_dir)
        self._workspaces = data_dir / "workspaces"

    async def make(self, channel: str, message: InboundMessage, session_id: str) -> MadeTask:
        """Make a task of a message.

        Raises:
            Unacceptable: its profile, or what it asks beyond it, or a skill cannot be had.
            StoreUnavailable: PostgreSQL cannot be reached; trying again is right.
        """
        contract, goal = message.contract or TaskContract(), goal_of(message)
        chosen = await self._chosen(channel, message)
        profile = None
        folder = self._workspaces / session_id
        if chosen is not None:
            contract, profile = _given(contract, chosen, folder, local=channel in OPERATOR_CHANNELS)
        if contract.workspace is None:
            contract = contract.model_copy(update={"workspace": str(folder)})
        try:
            routed = await self._router.route(contract, goal)
        except NoSuchSkill as error:
            raise Unacceptable("data.contract.skills", str(error)) from error
        return MadeTask(goal, contract, routed, profile)

    async def _chosen(self, channel: str, message: InboundMessage) -> Chosen | None:
        profiles = await self._profiles.now()
        wanted = message.contract.profile if message.contract is not None else None
        local = channel in OPERATOR_CHANNELS
        if wanted is None:
            return choose(profiles, channel, message, local=local)
        if wanted not in profiles:
            if wanted == DEFAULT:
                return None
            known = ", ".join(sorted({*profiles, DEFAULT}))
            raise Unacceptable("data.contract.profile", f"there is no profile {wanted!r}; there is {known}")
        if local:
            return Chosen(profiles[wanted], "named by the operator")
        found = named(profiles, wanted, channel, message)
        if found is None:
            raise Unacceptable("data.contract.profile", f"the profile {wanted!r} is not for this sender here")
        return found


def _given(contract: TaskContract, chosen: Chosen, folder: Path, *, local: bool) -> tuple[TaskContract, GivenProfile]:
    # Of one folder by two names, sessions would not see that it is one.
    workspace = chosen.named.profile.workspace
    if workspace is not None:
        real = workspace.model_copy(update={"path": os.path.realpath(workspace.path)})
        profile = chosen.named.profile.model_copy(update={"workspace": real})
        chosen = Chosen(replace(chosen.named, profile=profile), chosen.why)
    try:
        made, gave = give(contract, chosen.named, folder=folder, local=local)
    except NotGiven as error:
        raise Unacceptable(f"data.contract.{error.field}", error.reason) from error
    return made, GivenProfile(name=chosen.named.name, version=chosen.named.version, why=chosen.why, gave=gave)
