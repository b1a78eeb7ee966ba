"""What a profile gives to a task's contract, and how far it limits a contract that comes by a channel. Pure."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arreio_contracts.task import Budgets, TaskContract, Worktree

from .profile import NamedProfile, Profile

_DEFAULTS: Final = TaskContract()
_AS_THEY_ARE: Final = (
    *("agent", "model", "api_base", "api_key", "capability", "editable", "allow_test_changes", "taste", "ui"),
    *("instructions", "tools", "network", "sandbox", "hooks", "mcp", "secrets"),
)
"""Fields that a contract has under the same name."""


@dataclass(frozen=True)
class NotGiven(Exception):
    """A field of a channel's contract that its profile does not allow, and why."""

    field: str
    reason: str


def fields_of(profile: Profile, folder: str) -> dict[str, Any]:
    """The contract's fields that a profile gives. `folder`: where a session's worktree lies."""
    given = {name: value for name in _AS_THEY_ARE if (value := getattr(profile, name)) != getattr(_DEFAULTS, name)}
    if profile.criteria:
        given["criteria"] = profile.criteria
    if profile.skills.forced:
        given["skills"] = profile.skills.forced
    if profile.skills.folders:
        given["skill_folders"] = profile.skills.folders
    if profile.budgets != Budgets():
        given["budgets"] = profile.budgets
    match profile.workspace:
        case None:
            pass
        case choice if choice.mode == "worktree":
            given["worktree"] = Worktree(repository=choice.path, base=choice.base)
            given["workspace"] = folder
        case choice:
            given["workspace"] = choice.path
    return given


def give(
    contract: TaskContract, named: NamedProfile, *, folder: Path, local: bool
) -> tuple[TaskContract, dict[str, Any]]:
    """The contract with what the profile gives, and the fields that are the profile's own, as JSON values.

    The operator's word goes before the profile's, field by field. A channel's contract adds criteria and skills, and
    can lower budgets and leave tools out; it cannot take another agent or open more than the profile does.

    Raises:
        NotGiven: a field of a channel's contract says otherwise than the profile.
    """
    given = fields_of(named.profile, str(folder))
    said = {name for name in TaskContract.model_fields if getattr(contract, name) != getattr(_DEFAULTS, name)}
    if local:
        if "workspace" in said:
            given.pop("worktree", None)
        profile = named.profile
        other_model = profile.model is not None and contract.model not in (None, profile.model)
        if other_model or contract.api_base not in (None, profile.api_base):
            # A key and an address are those of the profile's model; no other endpoint is sent them.
            for name in ("api_base", "api_key", "capability"):
                given.pop(name, None)
        merged = {name: value for name, value in given.items() if name not in said}
    else:
        merged = _limited(contract, given, said, named)
    if "budgets" in given:
        merged["budgets"] = _budgets(contract.budgets, given["budgets"], local=local)
    merged["profile"] = named.name
    result = contract.model_copy(update=merged)
    own = {name: value for name, value in result.model_dump(mode="json").items() if name in merged}
    return result, {name: value for name, value in own.items() if name != "profile"}


def _limited(contract: TaskContract, given: dict[str, Any], said: set[str], named: NamedProfile) -> dict[str, Any]:
    profile = named.profile
    if profile.agent is not None and contract.agent not in (None, profile.agent):
        raise NotGiven("agent", f"the profile {named.name} has the agent {profile.agent}")
    if contract.allow_test_changes and not profile.allow_test_changes:
        raise NotGiven("allow_test_changes", f"the profile {named.name} does not let tests be changed")
    if set(contract.editable) - set(profile.editable):
        raise NotGiven("editable", f"the profile {named.name} does not open these files")
    merged = dict(given)
    for name in ("criteria", "skills"):
        if name in given and name in said:
            merged[name] = tuple(dict.fromkeys((*given[name], *getattr(contract, name))))
    if "tools" in given and contract.tools is not None:
        merged["tools"] = tuple(name for name in given["tools"] if name in contract.tools)
    if "ui" in said:
        merged.pop("ui", None)
    return merged


def _budgets(said: Budgets, given: Budgets, *, local: bool) -> Budgets:
    """The operator's budgets go before the profile's; a channel's may only be tighter."""
    found: dict[str, Any] = {}
    for name in Budgets.model_fields:
        mine, theirs = getattr(said, name), getattr(given, name)
        if mine is None or theirs is None:
            found[name] = theirs if mine is None else mine
        else:
            found[name] = mine if local else min(mine, theirs)
    return Budgets(**found)
