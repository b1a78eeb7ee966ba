"""The names of a source file judged: its language's rules over the workspace, and registries where they may be."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from arreio_contracts.grounding import NameVerdict, Package, PackageVerdict

from ..rules.grounding.javascript_verdicts import javascript_questions, javascript_verdicts
from ..rules.grounding.python_verdicts import python_verdicts, registry_questions
from .node_world import SUFFIXES, NodeWorld
from .package_index import PackageIndex, package_verdicts
from .python_world import Workspace

_PYTHON = (".py", ".pyi", ".pyw")


class NameChecker:
    """Judges the sources of one workspace. `commands`: how it is tested, which tells of its interpreter."""

    def __init__(
        self, workspace: Path, index: PackageIndex, commands: Sequence[str] = (), expected: Iterable[str] = ()
    ) -> None:
        self._python = Workspace(workspace, commands, expected)
        self._node = NodeWorld(workspace)
        self._index = index

    async def check(self, path: str, code: str) -> list[NameVerdict]:
        """A verdict on each name that a source uses; none for a language that is not known."""
        if not checked(path):
            return []
        asked = await asyncio.to_thread(self._questions, path, code)
        registry = await package_verdicts(self._index, asked)
        return await asyncio.to_thread(self._verdicts, path, code, registry)

    def _questions(self, path: str, code: str) -> Sequence[Package]:
        if path.endswith(SUFFIXES):
            return javascript_questions(code, path, self._node)
        return registry_questions(code, path, self._python.at(path))

    def _verdicts(self, path: str, code: str, registry: Mapping[Package, PackageVerdict]) -> list[NameVerdict]:
        if path.endswith(SUFFIXES):
            return javascript_verdicts(code, path, self._node, registry)
        return python_verdicts(code, path, self._python.at(path), registry)


def checked(path: str) -> bool:
    """Whether the names of a file of this path can be judged."""
    return path.endswith((*_PYTHON, *SUFFIXES))
