"""What the `exports` and `imports` of a `package.json` let one import, as Node.js matches them, under any condition."""

from collections.abc import Iterator, Mapping
from typing import Any

from .listings import entries


def matched(pattern: str, module: str) -> str | None:
    """What the star of a pattern stands for in a module; empty where there is no star."""
    head, star, tail = pattern.partition("*")
    if not star:
        return "" if module == pattern else None
    if module.startswith(head) and module.endswith(tail) and len(module) >= len(head) + len(tail):
        return module[len(head) : len(module) - len(tail)]
    return None


def exported(exports: Any, place: str, below: str) -> bool | None:
    """Whether a package's `exports` open a path below it; of a pattern, its file must be there. None: not certain."""
    if not isinstance(exports, dict) or not _has_paths(exports):
        return False
    best, rest = _best(exports, below)
    if not best:
        return None if below == "./package.json" else False
    targets = list(targets_of(exports[best]))
    if best == below or not targets:
        return bool(targets)
    files = _files(targets, place, best, rest)
    if any(_is_file(each) for each in files):
        return True
    # Nothing of it is there: what is built, or left out of this copy, cannot be told.
    return False if any(_is_folder(f"{place}/{_before_star(each)}") for each in targets) else None


def closes(exports: Any, below: str, *, there: bool) -> bool:
    """Whether a package that lists what it opens keeps a path to itself: by `null`, or a file that is `there`."""
    if not isinstance(exports, dict) or not _has_paths(exports) or below == "./package.json":
        return False
    best, _ = _best(exports, below)
    return not any(True for _ in targets_of(exports[best])) if best else there


def opens_itself(exports: Any) -> bool:
    """Whether a package's `exports` let one import it by its bare name."""
    told = exports.get(".") if isinstance(exports, dict) and _has_paths(exports) else exports
    return any(True for _ in targets_of(told))


def own_import(imports: Mapping[str, Any], place: str, name: str) -> bool | None:
    """Whether a package's own `imports` have a name such as `#db`; None: what it leads to is not there yet."""
    best, rest = _best(imports, name)
    if not best:
        return False
    targets = list(targets_of(imports[best]))
    packages = [each for each in targets if not each.startswith("./")]
    return True if packages or any(_is_file(each) for each in _files(targets, place, best, rest)) else None


def own_files(imports: Mapping[str, Any], place: str, name: str) -> list[str]:
    """The files that a package's own `imports` lead a name to."""
    best, rest = _best(imports, name)
    targets = [each for each in targets_of(imports[best]) if each.startswith("./")] if best else []
    return _files(targets, place, best, rest)


def targets_of(value: Any) -> Iterator[str]:
    """What an export may lead to, under whatever condition."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from targets_of(each)


def _has_paths(exports: Mapping[str, Any]) -> bool:
    return any(str(key).startswith(".") for key in exports)


def _best(table: Mapping[str, Any], wanted: str) -> tuple[str, str]:
    """The key that covers a path most closely, and what its star or slash stands for; empty where none does."""
    best, rest = "", ""
    for key in map(str, table):
        if key == wanted:
            return key, ""
        covered = wanted.removeprefix(key) if key.endswith("/") and wanted.startswith(key) else matched(key, wanted)
        if covered and _weight(key) > _weight(best):
            best, rest = key, covered
    return best, rest


def _weight(key: str) -> tuple[int, int]:
    """Node.js takes the pattern with the longest part before its star."""
    return len(key.partition("*")[0]), len(key)


def _files(targets: list[str], place: str, key: str, rest: str) -> list[str]:
    folder = key.endswith("/")
    names = (each.removeprefix("./") for each in targets)
    return [f"{place}/{each}{rest}" if folder else f"{place}/{each.replace('*', rest)}" for each in names]


def _before_star(target: str) -> str:
    return target.removeprefix("./").partition("*")[0].rpartition("/")[0]


def _is_folder(path: str) -> bool:
    return entries(path) is not None


def _is_file(path: str) -> bool:
    parent, _, name = path.rpartition("/")
    return (entries(parent) or {}).get(name) is False
