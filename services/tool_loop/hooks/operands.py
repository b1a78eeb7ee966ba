"""The files that a program of a hook is asked to read, which it cannot do its work without. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

_JQ: Final[Mapping[str, int]] = {"--arg": 2, "--argjson": 2, "--indent": 1, "-L": 1}
_GREP: Final[Mapping[str, int]] = dict.fromkeys(("-e", "-m", "-A", "-B", "-C", "--regexp"), 1)
_TAKE: Final[Mapping[str, Mapping[str, int]]] = {
    **dict.fromkeys(("jq", "yq"), _JQ),
    **dict.fromkeys(("grep", "egrep", "fgrep"), _GREP),
}
"""Programs whose first operand is no file and whose own failure to read one looks like a refusal (status 2), each with
the options that take values."""
_NAMES_A_FILE: Final = frozenset({"-f", "--from-file", "--file"})
_NO_FIRST: Final = frozenset({"-e", "--regexp", *_NAMES_A_FILE})
_NO_FILES: Final = frozenset({"--args", "--jsonargs"})


def files_read(program: str, arguments: Sequence[str]) -> Iterator[str]:
    """The files outside the workspace that a program is named to read, by absolute path."""
    take = _TAKE.get(program)
    if take is None:
        return
    passed = bool(_NO_FIRST & set(arguments))
    left = list(arguments)
    while left:
        word = left.pop(0)
        if word in _NO_FILES:
            return
        if word in _NAMES_A_FILE and left:
            word = left.pop(0)
        elif word in ("--slurpfile", "--rawfile") and len(left) > 1:
            word = left[1]
            left = left[2:]
        elif word.startswith("-"):
            left = left[take.get(word, 0) :]
            continue
        elif not passed:
            passed = True
            continue
        if word.startswith("/"):
            yield word
