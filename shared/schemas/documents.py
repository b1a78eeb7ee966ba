"""Reads JSON and YAML as JSON means them: string keys, no dates, no NaN, bounded in size and in what aliases repeat."""

import codecs
import itertools
import json
import math
from collections.abc import Hashable, Iterator
from pathlib import Path, PurePath
from typing import Any, Final, NoReturn

import yaml

from shared.workspace import PathRefused, read_regular
from shared.yaml_text import PlainLoader, loaded

MOST_BYTES: Final = 8 << 20
MOST_ALIASES: Final = 1_000
MOST_VALUES: Final = 1_000_000
_ANOTHER: Final = "but found another document"
_YAML: Final = frozenset({".yaml", ".yml"})


class Unreadable(Exception):
    """A document that is not there, or is not what its name says; the text says which, in one line."""


def read_document(path: Path, *, produced: bool = False) -> Any:
    """The content of a JSON file, or of a YAML file by its name.

    A byte order mark is read over, but in JSON that a task produced: most readers of JSON refuse it.

    Raises:
        Unreadable: it cannot be had.
    """
    is_yaml = PurePath(path.name).suffix.lower() in _YAML
    try:
        content = read_regular(path, most_bytes=MOST_BYTES)
    except (OSError, PathRefused) as error:
        raise Unreadable(
            str(error) if isinstance(error, PathRefused) else "it is not a file that can be read"
        ) from error
    if content is None:
        raise Unreadable("it does not exist")
    if produced and not is_yaml and content.startswith(codecs.BOM_UTF8):
        raise Unreadable("it begins with a byte order mark, which JSON does not allow; write it without one")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"it is not UTF-8: byte {error.start}") from error
    if not text.strip():
        raise Unreadable("it is empty")
    return parsed(text, is_yaml=is_yaml)


def parsed(text: str, *, is_yaml: bool) -> Any:
    """The value that a text denotes.

    Raises:
        Unreadable: it denotes none.
    """
    try:
        if is_yaml:
            return _as_json(loaded(text, _JsonLoader), itertools.count())
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_without_doubles)
    except json.JSONDecodeError as error:
        raise Unreadable(f"it is not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = "it holds more than one document" if error.problem == _ANOTHER else error.problem
        raise Unreadable(f"it is not YAML: {problem}{where}") from error
    except (ValueError, yaml.YAMLError) as error:
        raise Unreadable(f"it is not {'YAML' if is_yaml else 'JSON'}: {str(error).splitlines()[0]}") from error
    except RecursionError as error:
        raise Unreadable("it is nested too deep") from error


class _JsonLoader(PlainLoader):
    """YAML without what JSON lacks; a text with very many aliases may stand for one without end and is refused."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._aliases = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            self._aliases += 1
            if self._aliases > MOST_ALIASES:
                raise ValueError(f"it has more than {MOST_ALIASES} aliases")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        keys = [key.value for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        twice = next((key for key in keys if keys.count(key) > 1), None) if len(keys) < 1_000 else None
        if twice is not None:
            raise ValueError(f"the key {twice!r} is there twice")
        return super().construct_mapping(node, deep=deep)


# Dates stay the text that they are.
_JsonLoader.yaml_implicit_resolvers = {
    first: [(tag, expression) for tag, expression in found if tag != "tag:yaml.org,2002:timestamp"]
    for first, found in PlainLoader.yaml_implicit_resolvers.items()
}


def _as_json(value: Any, numbers: Iterator[int]) -> Any:
    """The value with text for keys, what aliases repeat written out; `numbers` counts what is written."""
    if next(numbers) > MOST_VALUES:
        raise ValueError(f"it stands for more than {MOST_VALUES} values")
    if isinstance(value, dict):
        return {_key(key): _as_json(one, numbers) for key, one in value.items()}
    if isinstance(value, list):
        return [_as_json(one, numbers) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is no number of JSON's")
    if value is None or isinstance(value, str | int | float):
        return value
    raise ValueError(f"a value of type {type(value).__name__} is none of JSON's")


def _key(key: object) -> str:
    if isinstance(key, bool):
        return "true" if key else "false"
    return "null" if key is None else str(key)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON's")


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} is there twice")
    return found
