"""One JSON object a line in, one a line out: how `arreio check` runs a rule over many inputs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from shared.errors import ArreioError

Answer = Mapping[str, Any]


class BadLine(Exception):
    """A line that is not what the rule takes; its text is the answer to that line."""


def answer_lines(file: str, answer: Callable[[dict[str, Any]], Answer]) -> int:
    """Answer each line of a file (`-`: standard input) on standard output, in order and at once.

    A line that is no JSON object, or that `answer` refuses with `BadLine`, is answered by `{"error": …}`, with its `id`
    if it has one, and makes the exit status 1.

    Raises:
        ArreioError: the file cannot be read.
    """
    try:
        if file == "-":
            return _answer_all(sys.stdin.buffer, answer)
        with Path(file).open("rb") as lines:
            return _answer_all(lines, answer)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise ArreioError(f"{file}: {error.strerror}", "name a file of JSON lines, or - for standard input") from error


def _answer_all(lines: Iterable[bytes], answer: Callable[[dict[str, Any]], Answer]) -> int:
    status = 0
    for number, line in enumerate(lines, 1):
        value: dict[str, Any] = {}
        try:
            value = _object(line)
            found = answer(value)
        except BadLine as problem:
            known = {"id": value["id"]} if "id" in value else {}
            found = {**known, "error": f"line {number}: {problem}"}
            status = 1
        sys.stdout.write(json.dumps(found, ensure_ascii=False).encode("utf-8", "backslashreplace").decode() + "\n")
        sys.stdout.flush()
    return status


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadLine(f"no JSON: {getattr(error, 'msg', error)}") from error
    if not isinstance(value, dict):
        raise BadLine("no JSON object")
    return value
