"""Replaces one exact piece of a file that the task has read."""

import difflib
import re
import unicodedata

from arreio_contracts.events import Effect

from shared.secrets import MASK, mask
from shared.workspace import PathRefused, confine, sha256

from . import masks, writing
from .base import (
    Arguments,
    FilePlan,
    Refused,
    ToolContext,
    ToolResult,
    as_bytes,
    as_text,
    load,
    must_be_seen,
    schema,
    shown,
    text_argument,
)

_LINES_COMPARED = 5000
_ALIKE = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\u200b\u200c\u200d\ufeff\u00ad", "")
)
_SHORT_FILE = 1
_MOST_SHOWN = 20
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_LINE_NUMBER = re.compile(r"^\d+\| ?", re.MULTILINE)


class EditFile:
    """The old text must occur exactly once."""

    name = "edit_file"
    description = "Replace one exact piece of text in a file that you have read."
    parameters = schema(
        {
            "path": text_argument("File to change, relative to the workspace."),
            "old_text": text_argument("The text to replace, exactly as it stands in the file, without line numbers."),
            "new_text": text_argument("What to put in its place."),
        }
    )
    effect: Effect = "file"

    def plan(self, arguments: Arguments, context: ToolContext) -> FilePlan | ToolResult:
        return writing.plan_safely(_plan, arguments, context)

    def apply(self, plan: FilePlan, context: ToolContext) -> ToolResult:
        return writing.apply_plan(plan, context)

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        return await writing.plan_and_apply(_plan, arguments, context)


def _plan(arguments: Arguments, context: ToolContext) -> FilePlan:
    place = confine(context.workspace, arguments["path"])
    if ".git" in place.name.split("/"):
        raise PathRefused(f"{place.name} belongs to git; use git by run_command")
    data = load(place)
    before = must_be_seen(place.name, data, context)
    content = as_text(data, place.name)
    old, new = arguments["old_text"], arguments["new_text"]
    as_bytes(new)
    if not old:
        raise Refused("old_text is empty; name the text to replace, or use write_file", "empty_old_text")
    if old == new:
        raise Refused("old_text and new_text are the same; nothing would change", "no_change")
    if "\r\n" in content and "\r\n" not in old:
        old, new = old.replace("\n", "\r\n"), new.replace("\n", "\r\n")
    found = _occurrences(content, old)
    if found == 0:
        raise Refused(_not_found(place.name, content, arguments["old_text"]), "old_text_not_found")
    if found > 1:
        raise Refused(_ambiguous(place.name, content, old, found), "old_text_not_unique")
    at = content.index(old)
    line = content.count("\n", 0, at) + 1
    changed = content[:at] + new + content[at + len(old) :]
    masks.must_hold_no_mask(place.name, content, changed, context)
    result = changed.encode("utf-8", "surrogateescape")
    return FilePlan(place.name, before, sha256(result), result, f"{place.name} changed at line {line}.")


def _occurrences(content: str, old: str) -> int:
    """How often a text occurs, also where one occurrence laps over another: `aa` is twice in `aaa`."""
    found, at = 0, content.find(old)
    while at >= 0:
        found, at = found + 1, content.find(old, at + 1)
    return found


def _not_found(name: str, content: str, old: str) -> str:
    without_numbers = _LINE_NUMBER.sub("", old)
    if without_numbers != old and without_numbers in content:
        return f"old_text holds line numbers, which are not part of {name}; leave them out"
    # A secret may stand on several lines, or be cut where a line is: it is masked before any line is chosen.
    visible = mask(content)
    if MASK in old and _with_one_break(old) in _with_one_break(visible):
        return _masked(name, visible, old)
    if _with_one_break(old) in _with_one_break(content):
        return _other_breaks(name, content, visible, old)
    lines = visible.splitlines()
    wanted = next((line for line in old.splitlines() if line.strip()), "")
    near = _nearest(lines, wanted) if len(lines) > _SHORT_FILE else [*range(1, len(lines) + 1)]
    if _alike(old) and _alike(old) in _alike(content):
        same = " ".join(old.split()) in " ".join(content.split())
        what = "spaces or line breaks" if same else "characters that look alike (quotes, dashes, accents, spaces)"
        head = f"old_text is in {name} but with other {what}; copy it exactly"
    else:
        head = f"old_text is not in {name}; copy it exactly from the file"
    if not near:
        return f"{head}; next: read_file {name}"
    return f"{head}. Nearest lines:\n" + "\n".join(f"{number}| {shown(lines[number - 1])}" for number in near)


def _masked(name: str, visible: str, old: str) -> str:
    """What can be done about lines of which a part is never shown."""
    even = _with_one_break(visible)
    first = even.count("\n", 0, even.index(_with_one_break(old))) + 1
    hidden = [str(number) for number, line in enumerate(old.splitlines(), first) if MASK in line]
    where = f"line{'s' if len(hidden) > 1 else ''} {', '.join(hidden[:_MOST_SHOWN])}"
    return (
        f"old_text holds {MASK}, which stands for a secret in {name} ({where}) that is never shown; leave {where} out "
        "of old_text and change what is around, or change it by run_command (sed), which sees the file as it is"
    )


def _alike(text: str) -> str:
    """The text without what eyes overlook: kinds of quotes and dashes, accents' spelling, and spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_ALIKE).split())


def _with_one_break(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _other_breaks(name: str, content: str, visible: str, old: str) -> str:
    """The lines meant, each with its own line break as it must be written."""
    even = _with_one_break(content)
    first = even.count("\n", 0, even.index(_with_one_break(old)))
    lines = _LINE.findall(visible)[first : first + _with_one_break(old).count("\n") + 1]
    told = "\n".join(
        f"{number}| {shown(_breaks_shown(line))}" for number, line in enumerate(lines[:_MOST_SHOWN], first + 1)
    )
    head = f"the line breaks of old_text differ from those in {name}, which mixes \\r\\n and \\n"
    return f"{head}; write them as they are here, or change one line at a time:\n{told}"


def _breaks_shown(line: str) -> str:
    return line.replace("\r", "\\r").replace("\n", "\\n")


def _nearest(lines: list[str], wanted: str) -> list[int]:
    """Numbers of up to three lines most like `wanted`, in the file's order."""
    rated = []
    matcher = difflib.SequenceMatcher(b=_alike(wanted), autojunk=False)
    for number, line in enumerate(lines[:_LINES_COMPARED], 1):
        matcher.set_seq1(_alike(line)[:500])
        if matcher.real_quick_ratio() >= 0.6 and matcher.quick_ratio() >= 0.6 and (ratio := matcher.ratio()) >= 0.6:
            rated.append((ratio, number))
    return sorted(number for _, number in sorted(rated, key=lambda pair: (-pair[0], pair[1]))[:3])


def _ambiguous(name: str, content: str, old: str, found: int) -> str:
    numbers: list[str] = []
    start = 0
    while len(numbers) < 5 and (at := content.find(old, start)) >= 0:
        numbers.append(str(content.count("\n", 0, at) + 1))
        start = at + 1
    where = ", ".join(numbers) + (", …" if found > len(numbers) else "")
    return f"old_text occurs {found} times in {name} (lines {where}); add lines around it until it is unique"
