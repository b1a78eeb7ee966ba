"""With what a task runs: the contract's wishes resolved against settings, capability profile and workspace."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import structlog
from arreio_contracts.events import ModelEscalated, OfferedTool, ProbedMode, TaskCreated, TaskProfiled
from arreio_contracts.task import (
    AnswerCriterion,
    BlockedCode,
    Budgets,
    CommandCriterion,
    ContractCriterion,
    Criterion,
    DiffCriterion,
    Reason,
    TaskContract,
    TestsCriterion,
)
from pathspec import GitIgnoreSpec

from shared.admission import Means, unsatisfiable
from shared.environments import PREFIX, environments
from shared.run_files import named_tests, programs_called, scripts_run
from shared.sandbox import sandbox_works
from shared.schemas.files import contract_files
from shared.schemas.usable import why_unusable
from shared.secret_references import NoSecret, resolve_all
from shared.settings import Settings
from shared.subjects import subjects
from shared.verifiers import names_model, snapshot
from shared.workspace import overlaps
from shared.workspace.inventory import take_inventory
from shared.workspace.snapshots import SnapshotError, Snapshots, snapshots_work, tree_now
from shared.workspace.worktrees import WorktreeError, make_worktree

from .inferring import infer
from .laying import Laying
from .models.capability import CapabilityProfile, is_known, resolve
from .models.errors import CapabilityError
from .models.local_models import is_local
from .probing import ORDER, ORDER_HERE
from .rules.language import language_of
from .rules.opened_by_goal import may_only_grow, opened_by_goal
from .rules.opened_doctests import opened_doctests
from .rules.opened_files import asks_to_change
from .rules.renames import renames

DEFAULT_AGENT = "developer"

logger = structlog.get_logger()


async def admit(
    created: TaskCreated, settings: Settings, tools: Sequence[OfferedTool], lay: Laying | None = None
) -> TaskProfiled:
    """Resolve a task's contract. What stands in its way is `problem`, never an exception.

    `lay` puts its attachments into the workspace, before it is looked at for the first time.
    """
    contract = created.contract
    model = contract.model or settings.model
    problem: Reason | None = None
    if model is None:
        problem = _problem("unknown_model", "no model was named", "set ARREIO_MODEL for the services, or name one")
    try:
        capability = resolve(model or "", contract.capability or settings.capability, settings.capabilities)
    except CapabilityError as error:
        problem = _problem("unknown_model", error.message, error.hint)
        capability = resolve(model or "")
    workspace, unusable = await asyncio.to_thread(_workspace, contract, settings)
    problem = problem or unusable or _without_secrets(contract)
    criteria = contract.criteria
    laid = await lay(workspace) if lay is not None and problem is None else ()
    if problem is None:
        means = await asyncio.to_thread(_means, contract, workspace, tools, created.goal)
        criteria = criteria or await asyncio.to_thread(_inferred, workspace, means)
        lines = unsatisfiable(criteria, means)
        if lines:
            problem = _problem("unsatisfiable_gate", "; ".join(lines), "change the criteria")
    criteria = criteria or (AnswerCriterion(),)
    verifiers: dict[str, str] = {}
    began = inventory = ""
    if workspace is not None and problem is None:
        try:
            verifiers = await asyncio.to_thread(snapshot, workspace, _checkers(workspace, criteria, created.goal))
            commands = [one.run for one in criteria if isinstance(one, CommandCriterion | TestsCriterion)]
            called = await asyncio.to_thread(programs_called, workspace, commands)
            verifiers |= await asyncio.to_thread(environments, workspace, called)
            began = await asyncio.to_thread(tree_now, settings.data_dir, workspace)
            if began and any(isinstance(one, DiffCriterion) for one in criteria):
                inventory = await asyncio.to_thread(_inventory, settings.data_dir, workspace, began)
        except OSError as error:
            problem = _problem(
                "workspace_unavailable", f"{workspace} cannot be read: {error}", "change its permissions"
            )
    return TaskProfiled(
        model=model or "",
        api_base=contract.api_base or settings.api_base,
        api_key=contract.api_key,
        capability={**capability.model_dump(mode="json"), **_tokenizer(settings), **_summaries(contract)},
        budgets=_budgets(contract.budgets, capability),
        agent=contract.agent or DEFAULT_AGENT,
        workspace=str(workspace) if workspace else None,
        criteria=criteria,
        inferred=not contract.criteria,
        tools=tuple(tools),
        language=await asyncio.to_thread(language_of, created.goal),
        verifiers=verifiers,
        renamed=await asyncio.to_thread(renames, created.goal),
        opened=await asyncio.to_thread(_opened, workspace, criteria, verifiers, created.goal) if workspace else (),
        snapshot=began,
        inventory=inventory,
        attachments=laid,
        probe=_probe(contract, settings, model or ""),
        problem=problem,
    )


def _inventory(data_dir: Path, workspace: Path, tree: str) -> str:
    """What a snapshot leaves out, kept beside it; empty where that cannot be."""
    try:
        held = Snapshots(data_dir, workspace)
        return held.keep(take_inventory(workspace, held.files(tree)).dump())
    except SnapshotError as error:
        logger.warning("workspace.not_kept", workspace=str(workspace), error=str(error))
        return ""


def _probe(contract: TaskContract, settings: Settings, model: str) -> tuple[ProbedMode, ...]:
    """The call modes to try: none where it was said how the model is asked, or a family takes it."""
    if contract.capability or settings.capability:
        return ()
    try:
        known = is_known(model, settings.capabilities)
    except CapabilityError:
        return ()
    if known:
        return ()
    return ORDER_HERE if is_local(model) else ORDER


def escalate(created: TaskCreated, profile: TaskProfiled, settings: Settings) -> ModelEscalated:
    """How the stronger model of a task's capability profile is asked: in its own mode, with its own budgets.

    The contract's budgets still bind. A server that was named for one provider's models is kept for these alone.
    """
    model = str(profile.capability["escalates_to"])
    try:
        capability = resolve(model, overrides=settings.capabilities)
    except CapabilityError as error:
        return ModelEscalated(model=model, problem=f"{error.message} ({error.hint})" if error.hint else error.message)
    same_provider = model.partition("/")[0] == profile.model.partition("/")[0]
    return ModelEscalated(
        model=model,
        api_base=profile.api_base if same_provider else None,
        api_key=profile.api_key if same_provider else None,
        capability={**capability.model_dump(mode="json"), **_tokenizer(settings), **_summaries(created.contract)},
        budgets=_budgets(created.contract.budgets, capability),
    )


def _means(contract: TaskContract, workspace: Path | None, tools: Sequence[OfferedTool], goal: str) -> Means:
    named = {path for one in contract.criteria if isinstance(path := getattr(one, "path", None), str)}
    named |= {one.schema_path.partition("#")[0] for one in contract.criteria if isinstance(one, ContractCriterion)}
    return Means(
        tools=[tool.name for tool in tools],
        workspace=workspace is not None,
        commands=contract.sandbox == "none" or sandbox_works() is None,
        snapshots=snapshots_work() is None,
        empty=workspace is not None and next(workspace.iterdir(), None) is None,
        there={path for path in named if workspace is not None and os.path.exists(workspace / path)},  # noqa: PTH110 - Path.exists raises for a name that is too long,
        unusable={} if workspace is None else _unusable(contract, workspace, goal),
    )


def _unusable(contract: TaskContract, workspace: Path, goal: str) -> dict[str, str]:
    """What is wrong with the contracts that a task is held to and that it is not about."""
    editable = GitIgnoreSpec.from_lines(contract.editable)
    found: dict[str, str] = {}
    for one in contract.criteria:
        if isinstance(one, ContractCriterion) and not _changes_its_model(one, goal):
            files = contract_files(workspace, one.schema_path)
            if not any(editable.match_file(path) or asks_to_change(goal, path) for path in files):
                why = why_unusable(workspace, one.schema_path)
                found |= {one.schema_path: why} if why is not None else {}
    return found


def _inferred(workspace: Path | None, means: Means) -> tuple[Criterion, ...]:
    """The criteria that the workspace suggests, where the task could change it and they can be judged."""
    if workspace is None or not means.writes:
        return ()
    return tuple(one for one in infer(workspace) if not unsatisfiable([one], means))


def _checkers(workspace: Path, criteria: Sequence[Criterion], goal: str) -> list[str]:
    """What criteria judge by and the goal does not ask to change: scripts, contracts and tests."""
    return [
        path
        for one in criteria
        for path in _judging_files(workspace, one, goal)
        if (not asks_to_change(goal, path) or may_only_grow(path, goal)) and not _changes_its_model(one, goal)
    ]


def _opened(workspace: Path, criteria: Sequence[Criterion], verifiers: Mapping[str, str], goal: str) -> tuple[str, ...]:
    """The tests, and what else judges, that the goal asks to change."""
    run = [one.run for one in criteria if isinstance(one, CommandCriterion | TestsCriterion)]
    scripts = {path for command in run for path in scripts_run(workspace, command)}
    named = {path for command in run for path in named_tests(command)}
    opened = opened_by_goal(goal, {*verifiers, *scripts, *named}, scripts, lambda path: _text_of(workspace / path))
    files = {path.partition("#")[0] for path in (*scripts, *verifiers) if not path.startswith(PREFIX)}
    told = (text.lower() for text in (*run, *(_text_of(workspace / path) for path in sorted(files))))
    return (*opened, *sorted(opened_doctests(goal))) if any("doctest" in text for text in told) else opened


def _text_of(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""


def _changes_its_model(criterion: Criterion, goal: str) -> bool:
    """Whether the goal asks to change the pydantic model of a criterion: then its module is what the task is about."""
    if not isinstance(criterion, ContractCriterion) or not names_model(criterion.schema_path):
        return False
    return asks_to_change(goal, criterion.schema_path.rpartition(":")[2])


def _judging_files(workspace: Path, criterion: Criterion, goal: str) -> list[str]:
    match criterion:
        case CommandCriterion():
            shown = subjects(criterion.run, goal, lambda path: _text_of(workspace / path))
            scripts = [path for path in scripts_run(workspace, criterion.run) if path not in shown]
            return [*scripts, *named_tests(criterion.run)]
        case TestsCriterion():
            return [*scripts_run(workspace, criterion.run), *named_tests(criterion.run)]
        case ContractCriterion():
            return contract_files(workspace, criterion.schema_path)
        case _:
            return []


def _tokenizer(settings: Settings) -> dict[str, str]:
    """The operator's word on what counts tokens, where it was given."""
    return {} if settings.tokenizer is None else {"tokenizer": settings.tokenizer}


def _summaries(contract: TaskContract) -> dict[str, bool]:
    """The contract's word on summaries, where it was given."""
    return {} if contract.summaries is None else {"summaries": contract.summaries}


def _workspace(contract: TaskContract, settings: Settings) -> tuple[Path | None, Reason | None]:
    """The folder to work in. One below the data directory is the harness's own to make."""
    if contract.workspace is None:
        return None, None
    path = Path(contract.workspace)
    own = settings.data_dir / "workspaces"
    if contract.worktree is not None:
        try:
            make_worktree(contract.worktree.repository, path, base=contract.worktree.base)
        except WorktreeError as error:
            return path, _problem("workspace_unavailable", error.message, error.hint or "")
    elif path.is_relative_to(own):
        path.mkdir(parents=True, exist_ok=True)
    elif overlaps(path, settings.data_dir):
        text = f"{path} and the data directory {settings.data_dir} lie one in the other"
        return path, _problem("workspace_unavailable", text, "work in another folder, or set ARREIO_HOME to another")
    if not path.is_dir():
        return path, _problem("workspace_unavailable", f"there is no folder {path}", "name an existing folder")
    if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        return path, _problem("workspace_unavailable", f"{path} is not readable and writable", "change its permissions")
    return path, None


def _without_secrets(contract: TaskContract) -> Reason | None:
    """What is missing of the secrets that the contract names."""
    try:
        resolve_all(contract.secrets | ({} if contract.api_key is None else {"": contract.api_key}))
    except NoSecret as error:
        return _problem("provider_auth", error.message, error.hint or "")
    return None


def _budgets(wanted: Budgets, capability: CapabilityProfile) -> Budgets:
    named = {key: value for key, value in wanted.model_dump().items() if value is not None}
    return capability.budgets.model_copy(update=named)


def _problem(code: BlockedCode, text: str, unblock: str) -> Reason:
    return Reason(code=code, text=text, unblock=unblock)
