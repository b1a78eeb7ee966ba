"""Answers what a page asks for out of the workspace: nothing else is there for it."""

import mimetypes
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from shared.workspace import PathRefused, confine, read_regular

ORIGIN: Final = "http://localhost"
_MOST_BYTES: Final = 16 << 20
_KINDS: Final = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}


class Served(NamedTuple):
    """A file as it is served."""

    content: bytes
    media_type: str


def is_ours(url: str) -> bool:
    """Whether an address lies in the workspace."""
    return url.startswith(f"{ORIGIN}/")


def path_of(url: str) -> str:
    """The path in the workspace that an address means."""
    return unquote(urlsplit(url).path).lstrip("/")


def served(workspace: Path, page: str, url: str) -> Served | None:
    """What stands at an address; None where nothing does.

    An address from the root is looked for in the workspace, then in the page's folder and in those around it: built
    pages, as in `dist/`, are served from there.
    """
    asked = path_of(url)
    for folder in [PurePosixPath("."), *PurePosixPath(page).parents]:
        found = _file(workspace, str(folder / asked))
        if found is not None:
            return found
    return None


def _file(workspace: Path, path: str) -> Served | None:
    try:
        real = confine(workspace, path).real
        content = read_regular(real / "index.html" if real.is_dir() else real, most_bytes=_MOST_BYTES)
    except (OSError, PathRefused, ValueError):
        return None
    if content is None:
        return None
    kind = PurePosixPath(path).suffix.lower()
    known = _KINDS.get(kind) or mimetypes.guess_type(path)[0] or ("text/html" if not kind else "text/plain")
    return Served(content, f"{known}; charset=utf-8" if known.startswith("text/") else known)
