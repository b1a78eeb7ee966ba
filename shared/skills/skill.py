"""One skill as its SKILL.md tells it. Pure. Source: agentskills.io, read with the leniency that it recommends."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from shared.canonical import clean, sha256_hex
from shared.skills.frontmatter import Unreadable, fields_of

FILE_NAME: Final = "SKILL.md"
MAX_NAME: Final = 64
MAX_DESCRIPTION: Final = 1024
"""Characters. A longer name or description is cut, and said to be."""

Source = Literal["workspace", "profile", "learned"]
"""Where a skill comes from: the workspace's folders, the profile's folder, or what a person approved of learning."""

_NO_NAME: Final = re.compile(r"[^a-z0-9]+")


class Broken(ValueError):
    """A SKILL.md that is no skill; the text is the cause."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What a person should know of a file: why it is no skill, or (`loaded`) what was made of it all the same."""

    path: str
    why: str
    loaded: bool = False


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill. `path` is its file as the source names it; `folder` where its other files lie ("": it has none)."""

    name: str
    description: str
    body: str
    source: Source
    path: str
    folder: str = ""
    version: int | None = None
    text: str = ""
    """The whole file."""

    @property
    def sha256(self) -> str:
        """The hash of the whole file."""
        return sha256_hex(self.text)


def called(name: str) -> str:
    """A name in the standard's form, by which skills are known: lower-case letters, digits and single hyphens."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(one for one in plain if not unicodedata.combining(one))
    return _NO_NAME.sub("-", letters).strip("-")[:MAX_NAME].rstrip("-")


@lru_cache(maxsize=512)
def read_skill(
    text: str, *, source: Source, path: str, beside: str, folder: str = "", version: int | None = None
) -> tuple[Skill, tuple[str, ...]]:
    """The skill of a SKILL.md, and what it does otherwise than the standard says; remembered, since few change.

    `beside` is the name of its folder, which the standard wants it to have.

    Raises:
        Broken: it has no front matter that can be read, no description, or no name of any form.
    """
    text = clean(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    try:
        fields, body, notes = fields_of(text)
    except Unreadable as error:
        raise Broken(str(error)) from None
    description = " ".join(fields.get("description", "").split())
    if not description:
        raise Broken("it has no description, by which a skill is chosen")
    given = " ".join(fields.get("name", "").split())
    name = called(given or beside)
    if not name:
        raise Broken("its name holds no letter or digit of the Latin alphabet")
    said = [*notes, *_otherwise(given, name, beside, description)]
    if not body:
        said.append("it holds nothing below its front matter")
    skill = Skill(name, description[:MAX_DESCRIPTION], body, source, path, folder, version, text)
    return skill, tuple(said)


def _otherwise(given: str, name: str, beside: str, description: str) -> list[str]:
    said = []
    if not given:
        said.append(f"it has no name and is called after its folder: {name}")
    elif given != name:
        said.append(f"its name {given[:MAX_NAME]!r} is not of the standard's form; it is called {name}")
    elif called(beside) != name:
        said.append(f"its name is {name} and its folder's {beside}; it is called {name}")
    if len(description) > MAX_DESCRIPTION:
        said.append(f"its description is cut to {MAX_DESCRIPTION} characters")
    return said
