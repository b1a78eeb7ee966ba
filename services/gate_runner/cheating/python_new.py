"""What a Python file that is new beside the tests does to those that were there."""

import ast
import re
from collections.abc import Iterator
from typing import Final

from .finding import Finding
from .python_tests import imported, shown, taken

_LOOKED_IN: Final = re.compile(r"sys\.path\.(?:insert|append)\(.*")
"""Where modules are looked for: what a project without installation needs, and a second judging does without."""


def at_import(path: str, text: str) -> Iterator[Finding]:
    """What a new file of tests replaces in modules that it did not make, as soon as it is read."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return
    modules = {name.partition(".")[0] for name in imported(body)}
    for statement in body:
        targets = statement.targets if isinstance(statement, ast.Assign | ast.Delete) else []
        targets = [one for one in targets if not _sets_a_variable(one)]
        if any(isinstance(one, ast.Attribute | ast.Subscript) and _root(one) in modules for one in targets):
            yield Finding(path, "steered", shown(statement))


def new_conftest(path: str, text: str) -> Iterator[Finding]:
    """What a new conftest does to tests that do not ask for it, as fixtures under names of their own never do."""
    found = taken(path, "", text)
    yield from (one for one in found if not _LOOKED_IN.fullmatch(one.what))


def _sets_a_variable(node: ast.expr) -> bool:
    """`os.environ["NAME"]`, which honest tests set too."""
    return isinstance(node, ast.Subscript) and ast.unparse(node.value) in ("os.environ", "environ")


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
