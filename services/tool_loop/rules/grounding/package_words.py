"""The package of a registry that a word of an install command stands for."""

import re
from typing import Final

from .distributions import required_name

_VERSION = re.compile(r"[=<>!~;\[ ]")
"""What stands behind a name: a star there is a version's."""
_NPM_NAME = re.compile(r"(@[a-z0-9~][\w.~-]*/)?[a-z0-9~_][\w.~-]*", re.IGNORECASE)
_ARCHIVES: Final = (".whl", ".tar.gz", ".zip", ".tgz", ".txt", ".toml", ".conda")


def is_untold(word: str) -> bool:
    """Whether a word is a name that the shell has yet to fill in; what has a slash is a path."""
    return "$" in word and "/" not in word and not word.endswith(_ARCHIVES)


def creator(word: str) -> str:
    """The package that `npm create WORD` runs."""
    scope, slash, name = word.partition("/") if word.startswith("@") else ("", "", word)
    if word.startswith("@") and not slash:
        return f"{scope}/create"
    if not name or name.startswith((".", "~", "/")) or "/" in name or "$" in name:
        return word
    return f"{scope}{slash}create-{name}"


def _is_elsewhere(word: str) -> bool:
    """A path, a URL, an archive, or something that the shell has yet to fill in."""
    return (
        not word
        or word.startswith((".", "/", "~", "$"))
        or "://" in word
        or any(character in _VERSION.split(word, maxsplit=1)[0] for character in "$*?`{}")
        or word.endswith(_ARCHIVES)
    )


def pypi_name(word: str) -> str | None:
    """The distribution, by its normalised name, that a word stands for; None: it is a path, a URL or an archive."""
    word = word.rpartition("::")[2]
    name = word.partition("@")[0] if "@" in word else word
    if _is_elsewhere(word) or "/" in name or word.startswith(("git+", "hg+", "svn+", "file:")):
        return None
    if "@" in word and re.search(r"@\s*(\w+\+)?(https?|file|git|ssh):", word):
        return None
    return required_name(name)


def npm_name(word: str) -> str | None:
    """The package of npm's registry that a word stands for; None: it is a path, a URL or a repository."""
    if "@npm:" in word:
        word = word.partition("@npm:")[2]
    if _is_elsewhere(word) or re.match(r"(git|github|gitlab|bitbucket|gist|file|link|workspace|portal|jsr)[:+]", word):
        return None
    name = word[:1] + word[1:].partition("@")[0]
    if "/" in name and not name.startswith("@"):
        return None
    return name.lower() if _NPM_NAME.fullmatch(name) else None
