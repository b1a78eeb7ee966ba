"""The settings of linters, formatters and type checkers that a check starts: narrowed, they let pass what they told.

Files of their own are put back, or taken away where new; of files that say many things only their tables are.
"""

import json
import re
from collections.abc import Collection, Iterable
from typing import Final

from shared.workspace.changes import Change

_FILES: Final = {
    "ruff": r"\.?ruff\.toml",
    "mypy": r"\.?mypy\.ini",
    "pyright": r"pyrightconfig\.json",
    "pylint": r"\.?pylintrc(?:\.toml)?",
    "flake8": r"\.flake8",
    "bandit": r"\.bandit|bandit\.ya?ml",
    "black": r"(?!)",
    "isort": r"\.isort\.cfg",
    "eslint": r"eslint\.config\.\w+|\.eslintrc(?:\.\w+)?|\.eslintignore",
    "prettier": r"prettier\.config\.\w+|\.prettierrc(?:\.\w+)?|\.prettierignore",
    "stylelint": r"stylelint\.config\.\w+|\.stylelintrc(?:\.\w+)?|\.stylelintignore",
    "biome": r"biome\.jsonc?",
    "oxlint": r"\.oxlintrc\.json",
    "golangci-lint": r"\.golangci\.(?:ya?ml|toml|json)",
    "clippy": r"\.?clippy\.toml",
    "rubocop": r"\.rubocop(?:_todo)?\.yml",
    "shellcheck": r"\.shellcheckrc",
    "yamllint": r"\.yamllint(?:\.ya?ml)?",
    "markdownlint": r"\.markdownlint(?:rc|ignore|-cli2)?(?:\.\w+)?",
    "pre-commit": r"\.pre-commit-config\.yaml",
}
"""What a tool is called where it is started, and its own files."""
_TOOLS: Final = {tool: re.compile(rf"(?<![\w.-]){tool}(?![\w]|\.(?:ini|toml|json|py)\b)") for tool in _FILES} | {
    "eslint": re.compile(r"(?<![\w.-])eslint(?![\w.-])"),
    "markdownlint": re.compile(r"(?<![\w-])markdownlint"),
    "pyright": re.compile(r"(?<![\w-])(?:based)?pyright(?![\w.])"),
}
_TABLE: Final = re.compile(r"^[^\S\n]*\[+\s*([^\]\n]+?)\s*\]+[^\S\n]*(?:[#;].*)?$", re.MULTILINE)
_SHARED: Final = ("pyproject.toml", "setup.cfg", "tox.ini", "package.json")
_CONFIGURES: Final = re.compile(
    r"config\w*|\bsettings?\b|\bset(?:ting)? up\b|\bsetup\b|\bstrict\w*|\bplugins?\b|\bline[- ]length\b"
    r"|\bmigrat\w+|\bmigr[ea]\w*|\badopt\w*|\badote"
    r"|\b(?:enable|disable|ignore|exclude|relax|loosen|turn (?:on|off)|ative|desative|ignore|exclua|relaxe|afrouxe)\b"
    r"|\brules?\b|\bregras?\b|\b(?:add|introduce|install|adicione|acrescente|instale)\b[^.\n]{0,20}\b(?:"
    + "|".join(_FILES)
    + r")\b",
    re.IGNORECASE,
)
_NARROWS: Final = re.compile(
    r"\b(?:stop|no longer|not|never|pare|parar|deixe|não)\b[^.\n]{0,25}\b(?:check|enforc|lint|verific|exig|cobr)\w*",
    re.IGNORECASE,
)
"""A goal that has a tool look at less."""
_FORBIDS: Final = re.compile(
    r"\b(?:not|n't|never|without|keep|leave|não|nunca|sem|mantenha|deixe)\b|n['’]t\b", re.IGNORECASE
)


def linters_in(checkers: str, goal: str) -> frozenset[str]:
    """The tools that checkers start and whose settings a goal does not speak of."""
    sentences = re.split(r"[.;!?]\s|\n", goal)
    asked = any(_NARROWS.search(one) or (_CONFIGURES.search(one) and not _FORBIDS.search(one)) for one in sentences)
    return frozenset() if asked else frozenset(tool for tool, named in _TOOLS.items() if named.search(checkers))


def settings_of(linters: Collection[str], changes: Iterable[Change], goal: str) -> list[Change]:
    """The changes of files that are settings of these tools alone, and that a goal does not name."""
    found = []
    for one in changes:
        name = one.path.rpartition("/")[2]
        if name not in goal and any(re.fullmatch(_FILES[tool], name) for tool in linters):
            found.append(one)
    return found


def may_be_settings(path: str) -> bool:
    """Whether a file may hold settings of such a tool, by its name."""
    name = path.rpartition("/")[2]
    return name in _SHARED or any(re.fullmatch(pattern, name) for pattern in _FILES.values())


def with_settings_of(path: str, before: bytes, now: bytes, linters: Collection[str]) -> bytes | None:
    """A file that says many things, with the tables of these tools as they were; None where they are the same."""
    name = path.rpartition("/")[2]
    if name not in _SHARED or not linters:
        return None
    try:
        old, new = before.decode(), now.decode()
        merged = _package(old, new, linters) if name == "package.json" else _tables(old, new, linters)
    except ValueError:
        return None
    return None if merged is None else merged.encode()


def _tables(old: str, new: str, linters: Collection[str]) -> str | None:
    held, there = _split(old, linters), _split(new, linters)
    return None if held[1] == there[1] else "\n".join([there[0].rstrip(), "", *held[1], ""])


def _split(text: str, linters: Collection[str]) -> tuple[str, list[str]]:
    """A text without the tables of the tools, and these."""
    heads = [*_TABLE.finditer(text)]
    rest, tables = [text[: heads[0].start()] if heads else text], []
    ends = [*(one.start() for one in heads[1:]), len(text)][: len(heads)]
    for head, end in zip(heads, ends, strict=True):
        name = head[1].removeprefix("tool.").replace('"', "").replace(":", ".").replace("-", ".")
        of_tool = any(name == tool or name.startswith(f"{tool}.") for tool in linters)
        part = text[head.start() : end].strip()
        tables += [part] if of_tool else []
        rest += [] if of_tool else [text[head.start() : end]]
    return "".join(rest), tables


def _package(old: str, new: str, linters: Collection[str]) -> str | None:
    then, now = json.loads(old or "{}"), json.loads(new)
    if not isinstance(then, dict) or not isinstance(now, dict):
        return None
    keys = [f"{tool}{end}" for tool in linters for end in ("", "Config", "Ignore")]
    if all(then.get(key) == now.get(key) for key in keys):
        return None
    kept = {key: value for key, value in now.items() if key not in keys}
    return json.dumps(kept | {key: then[key] for key in keys if key in then}, indent=2)
