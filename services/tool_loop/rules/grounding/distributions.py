"""How distributions are called: normalised names, and those whose import names are others."""

import re
from typing import Final

from .import_names import IMPORT_NAMES

_SEPARATORS = re.compile(r"[-_.]+")
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(?=$|[;<>=!~@(,\s#])")


def normalised(name: str) -> str:
    """A distribution's name as registries compare it (PEP 503)."""
    return _SEPARATORS.sub("-", name).lower()


def required_name(line: str) -> str | None:
    """The normalised distribution of a requirement such as `PyYAML[x]>=6; extra == "y"`; None: it names none."""
    found = _REQUIREMENT.match(line)
    return normalised(found.group(1)) if found else None


def import_names(distribution: str) -> tuple[str, ...]:
    """What a distribution (by its normalised name) lets one import, as far as its name tells."""
    known = IMPORT_NAMES.get(distribution)
    if known:
        return known
    bare = distribution.removeprefix("types-").removesuffix("-stubs")
    if bare != distribution:
        return import_names(bare)
    words = distribution.replace("-", "_")
    return (words, distribution.replace("-", "."))


def may_provide(distribution: str, dotted: str) -> bool:
    """Whether a distribution may be where a module comes from; a doubt is a yes."""
    wanted = dotted.lower()
    for name in import_names(distribution):
        lower = name.lower()
        if wanted == lower or wanted.startswith(f"{lower}.") or lower.startswith(f"{wanted}."):
            return True
    if distribution in IMPORT_NAMES:
        return False
    top = normalised(dotted.partition(".")[0])
    squeezed, whole = top.replace("-", ""), distribution.replace("-", "")
    if top in distribution.split("-") or squeezed == whole:
        return True
    return squeezed in (whole.removeprefix("py"), whole.removeprefix("python"), whole.removesuffix("py"))


def distributions_of(dotted: str) -> tuple[str, ...]:
    """The names under which a registry may have what installs a module: known ones, else those made of its name."""
    known = [
        name
        for name, modules in IMPORT_NAMES.items()
        if any(dotted == module or (dotted.startswith(f"{module}.") and module not in NAMESPACES) for module in modules)
    ]
    if known:
        return tuple(known)
    top = dotted.partition(".")[0]
    if "." not in dotted or top not in NAMESPACES:
        return (normalised(top),)
    two, three = (".".join(dotted.split(".")[:size]) for size in (2, 3))
    return tuple(dict.fromkeys(normalised(name) for name in (two, three) if name not in NAMESPACES))


NAMESPACES: Final = frozenset(
    {
        "google",
        "google.cloud",
        "google.api",
        "azure",
        "zope",
        "backports",
        "jaraco",
        "ruamel",
        "sphinxcontrib",
        "aws_cdk",
    }
)
"""Namespaces that many distributions share, each with a part of its own."""
