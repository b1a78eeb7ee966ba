"""New modules that are taken in place of one of the workspace that bears the same name, and so hide it.

Python takes the package `shop/` before `shop.py`, and what lies at the top before what lies in `src/`; node's `require`
takes a file of the very name before `shop.js`, and `shop.js` before the folder `shop/`.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final

from .finding import Finding

_ENDINGS: Final = (".js", ".json", ".node")
"""What node's `require` adds to a name, in this order."""
_ROOTS: Final = ("src", "lib")


def hides(added: Iterable[str], is_there: Callable[[str], bool], was_there: Callable[[str], bool]) -> list[Finding]:
    """The new files that hide a module which was there and still is: the module's path is what they hide."""
    found = []
    for path in sorted(added):
        hidden = next((one for one in _behind(path) if one != path and was_there(one) and is_there(one)), None)
        if hidden is not None:
            found.append(Finding(path, "hides", hidden))
    return found


def _behind(path: str) -> Iterator[str]:
    """The modules that would be found by the name of a file, were it not there."""
    place = PurePosixPath(path)
    if place.suffix == ".py":
        name = place.parent if place.name == "__init__.py" else place.with_suffix("")
        if place.name == "__init__.py":
            yield f"{name}.py"
        if len(name.parts) == 1:
            yield from (f"{root}/{name}{end}" for root in _ROOTS for end in (".py", "/__init__.py"))
    elif not place.suffix:
        yield from (f"{path}{end}" for end in _ENDINGS)
        yield from (f"{path}/index{end}" for end in _ENDINGS)
    elif place.suffix in _ENDINGS:
        stem = place.with_suffix("")
        yield from (f"{stem}{end}" for end in _ENDINGS[_ENDINGS.index(place.suffix) + 1 :])
        yield from (f"{stem}/index{end}" for end in _ENDINGS)
