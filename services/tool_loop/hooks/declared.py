"""The hooks that the operator declares for every task: a YAML file, in our own form or in the one of Claude Code."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from arreio_contracts.task import Hook
from pydantic import ValidationError

from shared.errors import ArreioError
from shared.yaml_text import load_yaml


class HooksError(ArreioError):
    """A file of hooks that cannot be read, or that declares what is no hook. No task may then go without them."""


def load_hooks(path: Path) -> tuple[Hook, ...]:
    """The hooks in a file, in the order in which they stand.

    `hooks` is a list of hooks, or a mapping of phases to lists of `{matcher, hooks: [{type: command, command, …}]}`.

    Raises:
        HooksError: the file cannot be read, or something in it is no hook.
    """
    try:
        found = load_yaml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise HooksError(
            f"the file of hooks {path} cannot be read: {error}", "correct or unset ARREIO_HOOKS"
        ) from error
    except yaml.YAMLError as error:
        raise HooksError(f"{path} is not YAML: {' '.join(str(error).split())}", "correct it") from error
    if not isinstance(found, dict) or "hooks" not in found:
        raise HooksError(f"{path} has no list `hooks`", "declare hooks: [], or unset ARREIO_HOOKS")
    try:
        return tuple(Hook.model_validate(entry) for entry in _entries(found["hooks"]))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise HooksError(f"{path}: {where}: {first['msg']}", "see docs/hooks.md") from error
    except (TypeError, AttributeError) as error:
        raise HooksError(f"{path}: what stands in hooks is no list of hooks", "see docs/hooks.md") from error


def _entries(found: Any) -> Iterator[Any]:
    if isinstance(found, list):
        yield from found
        return
    for phase, groups in found.items():
        for group in groups:
            for hook in group.get("hooks", [group]):
                entry = {key: value for key, value in hook.items() if key != "type"}
                yield {"phase": phase, "matcher": group.get("matcher", "*"), **entry}
