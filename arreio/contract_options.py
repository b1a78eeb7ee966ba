"""Reads what a person typed into a task contract, and says in one line what is wrong with it."""

from pathlib import Path
from typing import Any

import yaml
from arreio_contracts.errors import ContractError
from arreio_contracts.task import TaskContract, criterion_fields, parse_criterion
from pydantic import ValidationError

from arreio.options import here
from shared.errors import ArreioError
from shared.mcp_credentials import credential_problem
from shared.yaml_text import load_yaml


class BadContract(ArreioError):
    """An option or a contract file that cannot be used."""


def read_contract(path: Path) -> dict[str, Any]:
    """The fields of a contract file (YAML; JSON is YAML too). Criteria may be written as `KIND: SPEC` strings.

    Raises:
        BadContract: it cannot be read, or is not a mapping.
    """
    try:
        found = load_yaml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadContract(f"{path} cannot be read: {error.strerror}", "name a readable file") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadContract(f"{path} is not YAML: {error}", "correct the file") from error
    if not isinstance(found, dict):
        raise BadContract(f"{path} holds no task contract", "write a mapping with a goal and criteria")
    criteria = found.get("criteria")
    if isinstance(criteria, list):
        found["criteria"] = [_criterion(item) for item in criteria]
    return found


def _criterion(item: Any) -> Any:
    try:
        return criterion_fields(item)
    except ContractError as error:
        raise BadContract(error.problem, "correct the criterion") from error


def _parsed(text: str) -> dict[str, Any]:
    try:
        return parse_criterion(text).model_dump()
    except ContractError as error:
        raise BadContract(error.problem, "correct the criterion") from error


def build_contract(
    fields: dict[str, Any],
    *,
    criteria: list[str],
    workspace: Path | None,
    budgets: dict[str, Any],
    at_home: bool = True,
    **overrides: Any,
) -> TaskContract:
    """The contract of a file's fields with the options over them; options that are None leave the file's word.

    `at_home`: where no workspace is named, it is the current folder.

    Raises:
        BadContract: the workspace is no folder, or a field does not fit.
    """
    merged = {**fields, **{key: value for key, value in overrides.items() if value is not None}}
    if criteria:
        merged["criteria"] = [_parsed(text) for text in criteria]
    merged["budgets"] = {**(fields.get("budgets") or {}), **{key: v for key, v in budgets.items() if v is not None}}
    chosen = workspace or (Path(merged["workspace"]) if merged.get("workspace") else here() if at_home else None)
    merged["workspace"] = None if chosen is None else str(_folder(chosen))
    try:
        contract = TaskContract.model_validate(merged)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "contract"
        raise BadContract(f"{place}: {first['msg'].removeprefix('Value error, ')}", "correct the contract") from error
    if problem := next(filter(None, map(credential_problem, contract.mcp)), None):
        raise BadContract(f"mcp: {problem}", "correct the contract")
    return contract


def _folder(path: Path) -> Path:
    found = path.expanduser().resolve()
    if not found.exists():
        raise BadContract(f"there is no workspace {path}", "name an existing folder with -w")
    if not found.is_dir():
        raise BadContract(f"the workspace {path} is not a folder", "name an existing folder with -w")
    try:
        str(found).encode()
    except UnicodeEncodeError as error:
        raise BadContract("the workspace's name is not UTF-8", "rename it, or name another folder with -w") from error
    return found
