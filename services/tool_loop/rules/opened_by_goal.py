"""The files that judge and that a goal opens: those it asks to change, whether they are there or are to be made."""

import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Final

from shared.environments import PREFIX
from shared.named_blocks import is_told, names_of
from shared.run_files import MAKEFILES
from shared.verifiers import collected, is_runner, steers

from .called_tests import with_pseudonyms
from .mended_functions import mends_a_function_of
from .opened_configuration import FILES, asks_to_configure_tests
from .opened_files import asks_only_to_add, asks_to_change
from .opened_tests import asks_to_change_test, asks_to_change_tests
from .removed_names import removed_names, tests_using

_PATH: Final = re.compile(
    r"(?<![\w./-])\.?[\w-][\w./-]*\.\w+(?![\w/])|(?<![\w./-])\.[a-z][\w-]*rc(?![\w/.-])|(?<![\w./-])(?:[\w.-]+/)*(?:(?:GNUm|M)akefile|Dockerfile)\b"
)
_TEST_NAME: Final = re.compile(r"(?<![\w./-])test_\w+(?!\w|\.\w|/)")
_CALLED: Final = re.compile(
    r"(?:\b(?:the|this|that|both|our|o|os|este|esse|esses|nosso)\s+)?\b(?:tests?|testes?|test (?:case|function))\s+"
    r"(?:(?:called|named|chamad[oa]s?|function|case)\s+)?(?=[`\"']?test_\w)",
    re.IGNORECASE,
)
_CALLED_AFTER: Final = re.compile(r"\b(test_\w+[`\"']?)\s+(?:test|teste)(?: case)?\b(?!_)", re.IGNORECASE)
"""A word on what a name is of does not mean the others."""
_TEST_OF: Final = re.compile(
    r"\b(?:(?:the|this|our|o|este|esse|nosso)\s+)?(?:unit\s+)?(?:test|teste)\s+(?:for|of|d[eoa]|para)\s+"
    r"(?:(?:the|function|função)\s+)*[`\"']?(\w+)[`\"']?(?:\(\))?(?![\w/]|\.\w)",
    re.IGNORECASE,
)
"""One test, by what it is of."""
_DEFINED: Final = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+(test_?\w+)", re.MULTILINE)
_MAY_CALL: Final = re.compile(r"test|spec|cas[eo]|su[ií]te|describe|\bit\b", re.IGNORECASE)
"""Without such a word a goal calls no test by its name."""
_CLASSES: Final = re.compile(r"^class[ \t]+(Test\w+|\w+Tests?(?:Case)?)\b", re.MULTILINE)
_TESTS_OF: Final = re.compile(
    r"\b(?:(?:the|all|our|its|o|os|todos)\s+){0,3}(?:unit\s+)?(?:tests|testes)\s+(?:of|for|d[eoa]|para)\s+"
    r"(?:(?:the|o|a|function|class|module|component|função|classe|módulo)\s+){0,3}[`\"']?([A-Za-z_][\w.]*\w)[`\"']?(?:\(\))?"
    r"(?![\w/]|\.\w)",
    re.IGNORECASE,
)
"""All tests of one thing."""
_MOST_MENTIONS: Final = 8
_IN_A_FILE: Final = re.compile(
    r"\b(test_\w+)[`\"']?\s+(?:in|of|from|inside|em|d[eo]|n[oa])\s+(?:the\s+file\s+)?[`\"']?((?:[\w.-]+/)*[\w-][\w.-]*\.\w+)"
    r"[`\"']?(?![\w/])"
)
"""A single test, with the file in which it is."""
_BY_KIND: Final = (
    (re.compile(r"\b(?:snapshots?|golden(?:s| files?)?)\b", re.IGNORECASE), re.compile("snap|golden", re.IGNORECASE)),
    (re.compile(r"\bfixtures?\b", re.IGNORECASE), re.compile("fixture", re.IGNORECASE)),
)
"""Words for tests of a kind, and what the path or text of such a test shows."""
_GROWS: Final = re.compile(
    r"(?:.*/)?(?:(?:GNUm|[Mm])akefile|[^/]+\.(?:mk|csv|tsv|txt|jsonl|ya?ml)|(?!package)[^/.]+\.json)"
)
_SHARED: Final = frozenset({"package.json", "pyproject.toml", "setup.cfg", "Cargo.toml", "pom.xml", "build.gradle"})
"""Files that say how tests are run beside much else: a goal that changes them need not mean that."""
_DELETED: Final = re.compile(
    r"(?:^|[.;:,\n]\s*|\b(?:and|then|please|e|depois|também)\s+)(?:delete|remove|drop|apague|remova|exclua|elimine)\s+"
    r"(?:(?:the|our|old|unused|o|a|os|as)\s+)*(?:(?:files?|modules?|arquivos?|módulos?)\s+)?"
    r"[`\"']?([\w./-]+\.(?:py|[cm]?[jt]sx?|go|rs|rb|java|kt|php|cs))\b[`\"']?(?=\s*(?:[.,;\n]|$|and\b|with\b|e\b|com\b))",
    re.IGNORECASE,
)
"""A file of code that is to go as a whole."""
_FOLDER_DELETED: Final = re.compile(
    r"(?:^|[.;:,\n]\s{0,9}|\b(?:and|then|please|e|depois|também)\s+)(?:delete|remove|drop|apague|remova|exclua|elimine)\s+"
    r"(?:(?:the|our|whole|entire|old|unused|o|a|toda|todo|inteira)\s+){0,4}"
    r"(?:(?:folder|directory|pasta|diretório)\s+[`\"']?([\w.-]+(?:/[\w.-]+){0,8})/?|[`\"']?([\w.-]+(?:/[\w.-]+){0,8})/"
    r"|[`\"']?([\w.-]+(?:/[\w.-]+){0,8})[`\"']?\s+(?:folder|directory))"
    r"[`\"']?(?=\s*(?:[.,;\n](?!\w)|$|(?:and|with|entirely|completely|inteir[ao]|tod[ao]|e|com)\b))",
    re.IGNORECASE,
)
"""A folder that is to go with all that is in it."""
_STEERING: Final = re.compile(r"\bautouse\b|\bpytest_\w+|\bhooks?\b|\bsys\.path\b|\bcollect_ignore\b")
"""What a conftest does to tests that do not ask for it."""
_CONFIGURATION: Final = re.compile(
    r"(?<![\w./-])(?:setup\.(?:cfg|py)|pyproject\.toml|tox\.ini|\.?pytest\.(?:ini|toml)|\.coveragerc|package\.json"
    r"|(?:jest|vitest)\.config\.\w+)(?![\w/])"
)
_BLANKS: Final = re.compile(r"\s+")
_MOVING: Final = re.compile(
    r"\b(?:move|migrate|convert|port|consolidate|merge|transfer|mova|migre|converta|junte|unifique|transfira)\b",
    re.IGNORECASE,
)
_FORBIDDING: Final = re.compile(r"\b(?:not|never|without|não|nunca|sem)\b|n't\b", re.IGNORECASE)
_PARTS: Final = re.compile(r"[;\n]|[.!?](?=\s|$)")
_PURPOSE: Final = re.compile(r"\b(?:so|until|because|para que|até|porque)\b")
_OF_TESTS: Final = re.compile(r"test|pytest|jest|vitest|mocha|coverage|surefire|\bscripts?\b|cobertura", re.IGNORECASE)


def opened_by_goal(
    goal: str, judging: Collection[str], scripts: Collection[str], text_of: Callable[[str], str]
) -> tuple[str, ...]:
    """The paths, in order, that a goal asks to change; `PATH::NAME` where it is one test in a file, and `PATH::+` where
    something is to be added to a Makefile or to data.

    `judging` are the files that judge, with `#` and a section where it is only a part; `scripts` those of them that
    criteria run. `text_of` gives what a path holds.
    """
    files = {path.partition("#")[0] for path in judging if not path.startswith(PREFIX)}
    tests = [path for path in files if path not in scripts and _is_test(path)]
    text_of = cache(text_of)
    goal = _BLANKS.sub(lambda one: "\n" if "\n" in one[0] else " ", goal)
    goal = _with_tests_of(goal, tests, text_of)
    goal = _with_names(goal, [name for path in tests for name in _DEFINED.findall(_python(path, text_of))])
    others = {path: _other_names(path, text_of) if _MAY_CALL.search(goal) else set() for path in tests}
    goal, called = with_pseudonyms(goal, {name for names in others.values() for name in names})
    held = {path: {*_DEFINED.findall(_python(path, text_of)), *others[path]} for path in tests}
    goal, within = _without_places(goal, called, held)
    asked = {name for name in _TEST_NAME.findall(goal) if asks_to_change_test(goal, name)}
    plain = _CALLED_AFTER.sub(r"\1", _CALLED.sub("", goal))
    opened = {path for path in tests if _is_opened_test(path, goal, asked, others[path], text_of)}
    opened |= {path for path in tests if _asks_for_kind(plain, path, text_of)} if asks_to_change_tests(plain) else set()
    opened |= {path for path in files if not collected(path) and _is_opened_file(path, goal)}
    mentioned = {*_PATH.findall(goal)}
    opened |= {path for path in mentioned if _may_be_made(path, files, goal) and _is_opened_file(path, goal)}
    opened |= {path for path in files if any(_is_test_of(path, gone) for gone in _DELETED.findall(goal))}
    opened |= {path for path in files if not collected(path) and mends_a_function_of(goal, path, text_of)}
    folders = tuple(f"{next(filter(None, found)).removesuffix('/')}/" for found in _FOLDER_DELETED.findall(goal))
    opened |= {path for path in files if folders and path.startswith(folders)}
    opened |= _moved_configuration(goal)
    if asks_to_configure_tests(goal) and not any(steers(path) or path.rpartition("/")[2] in FILES for path in opened):
        opened |= {*FILES, *(path for path in files if steers(path) and not path.endswith("conftest.py"))}
    meant = {called.get(name, name) for name in asked}
    single = {(path, name) for path in tests for name in meant & held[path] if path in within.get(name, (path,))}
    gone = removed_names(goal, text_of)
    single |= {(path, name) for path in tests for name in tests_using(_python(path, text_of), gone)}
    opened |= {path for path, name in single if not path.endswith(".py") and not is_told(path, text_of(path), name)}
    named = {f"{path}::{name}" for path, name in single}
    opened = {f"{path}::+" if text_of(path) and may_only_grow(path, goal) else path for path in opened}
    return tuple(sorted(opened | {one for one in named if one.partition("::")[0] not in opened}))


def may_only_grow(path: str, goal: str) -> bool:
    """Whether a goal asks no more of a Makefile, or of data, than that something be added."""
    return _GROWS.fullmatch(path) is not None and asks_only_to_add(goal, path)


def _is_test(path: str) -> bool:
    name = path.rpartition("/")[2]
    return not (name in _SHARED or name in MAKEFILES or steers(path) or is_runner(path))


def _python(path: str, text_of: Callable[[str], str]) -> str:
    return text_of(path) if path.endswith(".py") else ""


def _with_names(goal: str, names: Collection[str]) -> str:
    """The goal with single tests that it calls by what they are of called by their names, where there are such."""

    def named(said: re.Match[str]) -> str:
        word = said[1].lower()
        found = [name for name in dict.fromkeys(names) if f"_{word}_" in f"{name.lower()}_"]
        return f"test_{word}" if f"test_{word}" in found else " and ".join(found) or said[0]

    return _TEST_OF.sub(named, goal)


def _with_tests_of(goal: str, tests: Collection[str], text_of: Callable[[str], str]) -> str:
    """The goal with all tests of something called by their names, where tests or files of tests are named after it."""

    def named(said: re.Match[str]) -> str:
        word = said[1].rpartition(".")[2]
        files = [path for path in sorted(tests) if _is_test_of(path, word)]
        left = [path for path in sorted(tests) if path not in files]
        pattern = re.compile(rf"(?:.*[\W_])?{re.escape(word)}(?:[\W_].*)?|Test{re.escape(word)}", re.IGNORECASE)
        found = [
            name
            for path in left
            for name in (*_DEFINED.findall(_python(path, text_of)), *sorted(_other_names(path, text_of)))
            if pattern.fullmatch(name)
        ]
        found = [name if re.fullmatch(r"test_\w+", name) else f'test "{name}"' for name in dict.fromkeys(found)]
        return " and ".join([*(path.rpartition("/")[2] for path in files), *found]) or said[0]

    return _TESTS_OF.sub(named, goal, count=_MOST_MENTIONS)


def _without_places(
    goal: str, called: Mapping[str, str], held: Mapping[str, Collection[str]]
) -> tuple[str, dict[str, set[str]]]:
    """The goal without the file that it says a single test is in, and the files in which each such test may be."""
    found: dict[str, set[str]] = {}

    def plain(said: re.Match[str]) -> str:
        name = called.get(said[1], said[1])
        paths = {path for path, names in held.items() if f"/{path}".endswith(f"/{said[2]}") and name in names}
        if not paths:
            return said[0]
        found.setdefault(name, set()).update(paths)
        return said[1]

    return _IN_A_FILE.sub(plain, goal), found


def _other_names(path: str, text_of: Callable[[str], str]) -> set[str]:
    """The tests of a file that are not functions of Python's: its classes, or what other languages call tests."""
    text = text_of(path)
    return {*_CLASSES.findall(text)} if path.endswith(".py") else {*names_of(path, text)}


def _asks_for_kind(goal: str, path: str, text_of: Callable[[str], str]) -> bool:
    """Whether it is the tests at large that a goal asks to change, or those of a kind of which a file is one."""
    kinds = [shown for word, shown in _BY_KIND if word.search(goal)]
    if not kinds or asks_to_change_tests(_without_kinds(goal)):
        return True
    return any(shown.search(path) or shown.search(text_of(path)) for shown in kinds)


def _without_kinds(goal: str) -> str:
    for word, _ in _BY_KIND:
        goal = word.sub("thing", goal)
    return goal


def _is_opened_test(
    path: str, goal: str, asked: Collection[str], others: Collection[str], text_of: Callable[[str], str]
) -> bool:
    """Whether a file of tests is opened as a whole: by its name, or by one in it that cannot be told from the rest."""
    name = path.rpartition("/")[2]
    called = name.removesuffix(".py") in {*asked} - _held(path, text_of)
    if collected(path) and (called or asks_to_change_test(goal, name)):
        return True
    if path.endswith(".py"):
        return False
    return any(re.search(rf"\b{one}\b", text_of(path)) for one in {*asked} - {*others})


def _held(path: str, text_of: Callable[[str], str]) -> set[str]:
    return {*_DEFINED.findall(_python(path, text_of))}


def _moved_configuration(goal: str) -> set[str]:
    """The files between which a goal asks for configuration to be moved, whole or in part."""
    parts = [part for part in _PARTS.split(goal) if _MOVING.search(part) and not _FORBIDDING.search(part)]
    named = [set(_CONFIGURATION.findall(part)) for part in parts]
    return {name for names in named if len(names) > 1 for name in names}


def _may_be_made(path: str, files: Collection[str], goal: str) -> bool:
    """A new test or the like needs no leave, and must not steer the others, nor a conftest but where that is asked."""
    if path in files or collected(path) or is_runner(path):
        return False
    return not path.endswith("conftest.py") or _STEERING.search(goal) is not None


def _is_test_of(path: str, module: str) -> bool:
    """Whether a file of tests is named after a module."""
    stem = module.rpartition("/")[2].partition(".")[0]
    named = path.rpartition("/")[2].partition(".")[0]
    return collected(path) and named in (stem, f"test_{stem}", f"{stem}_test", f"{stem}_spec", f"test-{stem}")


def _is_opened_file(path: str, goal: str) -> bool:
    name = path.rpartition("/")[2]
    if name not in goal or not asks_to_change(goal, path):
        return False
    if name not in _SHARED:
        return True
    said = [_PURPOSE.split(part)[0] for part in _PARTS.split(goal)]
    return any(name in part and _OF_TESTS.search(part) and asks_to_change(part, path) for part in said)
