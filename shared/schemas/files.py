"""Which files of a workspace make a contract: a schema and what it refers to, a model's module and what it uses."""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from shared.verifiers import names_model, schema_files
from shared.workspace import PathRefused, confine, read_regular

from .model_files import model_files

MOST_FILES: Final = 200
_MOST_BYTES: Final = 8 << 20
_REFERENCE: Final = re.compile(
    r"""["']?\$(?:ref|dynamicRef|recursiveRef)["']?\s*:\s*(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"',}#][^\s,}]*))"""
)
_NAME: Final = re.compile(r"""["']?\$?\bid["']?\s*:\s*["']?(https?://[^\s"',}]+)""")


def contract_files(workspace: Path, schema: str) -> list[str]:
    """The paths, relative to the workspace, of what a `contract` criterion's schema is made of; itself first.

    Paths at which nothing lies are among them: a file that is put there would be read instead.
    """
    if names_model(schema):
        return model_files(workspace, schema)[:MOST_FILES]
    root = workspace.resolve()
    named = schema_files(schema)[0]
    first = posixpath.relpath(named, root) if Path(named).is_relative_to(root) else posixpath.normpath(named)
    found = {first: None}
    for path in _growing(found):
        found.update(dict.fromkeys(_referred(root, path)))
    return [*found]


def beside(uri: str, name: str) -> str | None:
    """Where an address lies beside a file that calls itself `name` (its `$id`): the path from there, else None.

    So schemas that name each other by the addresses they are to be published under are found on the disk.
    """
    folder = name.rpartition("/")[0]
    return unquote(urlsplit(uri).path)[len(urlsplit(folder).path) + 1 :] if uri.startswith(f"{folder}/") else None


def id_of(text: str) -> str:
    """The address that a schema's text calls itself by; empty where it has none."""
    found = _NAME.search(text)
    return found[1] if found else ""


def _growing(found: dict[str, None]) -> Iterator[str]:
    """The paths, those that come to be known meanwhile too."""
    looked = 0
    while looked < len(found) and len(found) <= MOST_FILES:
        yield [*found][looked]
        looked += 1


def _referred(root: Path, path: str) -> Iterator[str]:
    text = _text(root, path)
    own = id_of(text)
    for match in _REFERENCE.finditer(text):
        file = (match[1] or match[2] or match[3]).partition("#")[0]
        if ":" in file:
            file = (beside(file, own) if own else None) or ""
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(file)))
        if file and not target.startswith(("..", "/")):
            yield target


def _text(root: Path, path: str) -> str:
    try:
        content = read_regular(confine(root, path).real, most_bytes=_MOST_BYTES)
    except (OSError, PathRefused):
        return ""
    return (content or b"").decode("utf-8", "replace")
