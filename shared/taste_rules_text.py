"""A file of taste rules with a rule more or less; all else in it, comments too, stays as it stands. Pure."""

import re
from collections.abc import Sequence
from typing import Any, Final

import yaml

_KEY: Final = re.compile(r"^rules:", re.MULTILINE)


class CannotEdit(ValueError):
    """The file's form does not let a rule be put in or taken out; the text says why."""


def with_rule(text: str, rule: str) -> str:
    """The file's text with a rule, which is YAML of a mapping, behind its last one.

    Raises:
        CannotEdit: its rules stand in brackets, or it is not YAML.
    """
    rules = _rules(text)
    if rules is None or not rules.value:
        kept = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("rules:"))
        head = kept if not kept or kept.endswith("\n") else f"{kept}\n"
        return f"{head}rules:\n{_item(rule, 0)}"
    lines = text.splitlines(keepends=True)
    last = _last_line(rules.value[-1])
    lines[last] = lines[last].rstrip("\n") + "\n"
    return "".join((*lines[: last + 1], _item(rule, rules.start_mark.column), *lines[last + 1 :]))


def without_rule(text: str, name: str) -> str:
    """The file's text without the rule of a name; as it is where there is none.

    Raises:
        CannotEdit: its rules stand in brackets, or it is not YAML.
    """
    rules = _rules(text)
    for item in rules.value if rules is not None else ():
        found = {key.value: value.value for key, value in item.value} if isinstance(item, yaml.MappingNode) else {}
        if found.get("name") == name:
            lines = text.splitlines(keepends=True)
            kept = "".join((*lines[: item.start_mark.line], *lines[_last_line(item) + 1 :]))
            left = _rules(kept)
            return kept if left is not None else _KEY.sub("rules: []", kept, count=1)
    return text


def _rules(text: str) -> Any:
    """The node of the list `rules`; None where there is no such list."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise CannotEdit(f"it is not YAML: {' '.join(str(error).split())[:200]}") from error
    if root is None:
        return None
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        raise CannotEdit("it holds no keys, each on a line of its own")
    found = next((value for key, value in root.value if key.value == "rules"), None)
    if isinstance(found, yaml.SequenceNode):
        if found.flow_style and found.value:
            raise CannotEdit("its rules stand in brackets; write each on lines of its own, behind a hyphen")
        return found
    return None


def _last_line(node: Any) -> int:
    """The last line that a node's text is on, without the blank lines and comments behind it."""
    if isinstance(node, yaml.ScalarNode) or node.flow_style or not node.value:
        end = node.end_mark
        return int(end.line - 1 if end.column == 0 and end.line > node.start_mark.line else end.line)
    last: Any = node.value[-1]
    return _last_line(last[1] if isinstance(last, Sequence) else last)


def _item(rule: str, column: int) -> str:
    lines = [line for line in rule.strip().splitlines() if line.strip()]
    margin = " " * column
    return "".join(f"{margin}{'- ' if not number else '  '}{line}\n" for number, line in enumerate(lines))
