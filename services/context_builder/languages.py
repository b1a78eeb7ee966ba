"""In which languages a project is written: its files counted by what their names end with."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

LANGUAGES: Final[dict[str, str]] = {
    "py": "Python",
    "pyi": "Python",
    "ipynb": "Jupyter",
    "js": "JavaScript",
    "mjs": "JavaScript",
    "cjs": "JavaScript",
    "jsx": "JavaScript",
    "ts": "TypeScript",
    "mts": "TypeScript",
    "cts": "TypeScript",
    "tsx": "TypeScript",
    "vue": "Vue",
    "svelte": "Svelte",
    "go": "Go",
    "rs": "Rust",
    "java": "Java",
    "kt": "Kotlin",
    "kts": "Kotlin",
    "scala": "Scala",
    "swift": "Swift",
    "c": "C",
    "h": "C",
    "cc": "C++",
    "cpp": "C++",
    "cxx": "C++",
    "hpp": "C++",
    "cs": "C#",
    "fs": "F#",
    "rb": "Ruby",
    "php": "PHP",
    "ex": "Elixir",
    "exs": "Elixir",
    "erl": "Erlang",
    "hs": "Haskell",
    "clj": "Clojure",
    "lua": "Lua",
    "pl": "Perl",
    "r": "R",
    "jl": "Julia",
    "dart": "Dart",
    "zig": "Zig",
    "sh": "Shell",
    "bash": "Shell",
    "ps1": "PowerShell",
    "sql": "SQL",
    "html": "HTML",
    "css": "CSS",
    "scss": "CSS",
    "tf": "Terraform",
    "proto": "Protocol Buffers",
    "md": "Markdown",
    "rst": "reStructuredText",
    "tex": "TeX",
}
_TOLD: Final = 6


def languages(names: Iterable[str]) -> str:
    """The languages with the most files, as `Python (12 files), Shell (1 file)`; empty where none is known."""
    found = Counter(
        LANGUAGES[ending]
        for name in names
        if (ending := name.rpartition(".")[2].lower()) in LANGUAGES and not name.startswith(".")
    )
    ordered = sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))
    return ", ".join(f"{language} ({count} file{'s' if count != 1 else ''})" for language, count in ordered[:_TOLD])
