"""Edits by single questions: something is added at the end of a file, or a part of it is chosen and written anew."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .goal_values import adds_something, fixes_something, new_values, replacements
from .part_edits import appended, choices, drafts, paragraphs, replaced, single_lines, standing_edit, taken_back
from .situation import Situation
from .slot_prompts import (
    addition_question,
    change_question,
    content_question,
    part_question,
    path_question,
    replacement_question,
)
from .slot_questions import Questions
from .small_changes import small_changes

_FROM_THE_START: Final = 6
"""Drafts that each begin from the file as it was; later ones go on from the last."""
_WITH_SMALL_CHANGES: Final = 14
"""The same where small changes are tried, each of which is to be judged by itself."""
_BY_PARAGRAPH: Final = 3
"""Drafts that replace whole paragraphs; later ones replace single lines."""
OWN_DRAFTS: Final = 2
"""Drafts of the model's own before it may choose among small changes, or what a criterion says of a file."""
_SMALL_CHANGES: Final = 8
"""Small changes that one question offers."""
_CODE: Final = re.compile(r"\.(?:py|[cm]?[jt]sx?|go|rs|java|kt|rb|php|cs|c|h|cc|cpp|hpp|swift|lua|sh)$")
ASKED_FOR_ANOTHER: Final = 3
"""How often a text is asked for that is neither what stands there nor what was tried."""
_TEXT: Final = {"type": "string"}
_SHORT: Final = {"type": "string", "maxLength": 800}

Call = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Editor:
    """Makes the next edit of a task: `files` are the texts that may change, `read` all that may be shown."""

    questions: Questions
    now: Situation
    files: Mapping[str, str]
    read: Mapping[str, str]

    @property
    def edits(self) -> list[Mapping[str, Any]]:
        """The edits so far; one that changes nothing is none."""
        made = [step.arguments for step in self.now.steps if step.tool == "edit_file"]
        return [edit for edit in made if edit.get("old_text") != edit.get("new_text")]

    @property
    def drafts(self) -> int:
        """How often an edit was tried; taking one back does not count."""
        return self.now.tries("edit_file") - (len(self.edits) - drafts(self.edits))

    async def calls(self, paths: Sequence[str]) -> list[Call]:
        """An edit of one of some files; the last draft is taken back first, as long as drafts are few.

        Raises:
            Unanswered: a question was not answered by what was asked for.
        """
        files, calls = dict(self.files), list[Call]()
        undone = self.undo()
        if undone is not None:
            calls.append(("edit_file", undone))
            files[undone["path"]] = files[undone["path"]].replace(undone["old_text"], undone["new_text"])
        path = await self.questions.chosen(path_question(self.now, self.read), "path", paths, self.drafts)
        return [*calls, await self._edit(path, files.get(path, ""))]

    def undo(self) -> Mapping[str, Any] | None:
        """What takes the last draft back, as long as drafts are few; what the goal says literally stays."""
        last = standing_edit(self.edits, self.files)
        if last is None or self._literal(last):
            return None
        most = _WITH_SMALL_CHANGES if self._mends(str(last.get("path"))) else _FROM_THE_START
        return taken_back(last) if self.drafts < most else None

    async def _edit(self, path: str, text: str) -> Call:
        ask, again = self.questions.value, self.drafts
        shown = {**{name: other for name, other in self.read.items() if name != path}, path: text}
        if not text.strip():
            content = await ask(content_question(self.now, path, shown), "content", _TEXT, again)
            return "write_file", {"path": path, "content": str(content)}
        if adds_something(self.now.goal):
            added = await ask(addition_question(self.now, path, shown), "added", _TEXT, again)
            return "edit_file", appended(path, text, str(added))
        small = await self._small_change(path, text, shown) if OWN_DRAFTS <= self.drafts < _WITH_SMALL_CHANGES else None
        return "edit_file", small or await self._replacement(path, text, shown)

    def _mends(self, path: str) -> bool:
        """Whether a file is code that is to be mended."""
        return fixes_something(self.now.goal) and _CODE.search(path) is not None

    async def _small_change(self, path: str, text: str, shown: Mapping[str, str]) -> Mapping[str, Any] | None:
        """A change of one token that was not tried; the model chooses among the nearest to what is missing."""
        if not self._mends(path):
            return None
        known: dict[str, Mapping[str, Any]] = {}
        for line, changed in small_changes(text, f"{self.now.goal} {self.now.missing}"):
            edit = replaced(path, text, line, changed)
            if edit not in self.edits:
                known.setdefault(f"{line.text.strip()} → {changed.strip()}", edit)
        labels = list(known)[:_SMALL_CHANGES]
        if not labels:
            return None
        return known[await self.questions.chosen(change_question(self.now, path, shown, labels), "change", labels)]

    async def _replacement(self, path: str, text: str, shown: Mapping[str, str]) -> Mapping[str, Any]:
        """A part that the model chooses and writes anew; it may choose a small change if it only copies."""
        again = self.drafts
        parts = paragraphs(text) if again < _BY_PARAGRAPH else single_lines(text)
        tried = [str(edit.get("old_text")) for edit in self.edits]
        known = choices(parts, f"{self.now.goal} {self.now.missing}", tried)
        label = await self.questions.chosen(part_question(self.now, path, shown), "part", list(known), again)
        question = replacement_question(self.now, path, shown, known[label].text)
        edit: Mapping[str, Any] = {}
        for asked in range(ASKED_FOR_ANOTHER):
            new = await self.questions.value(question, "new_text", _SHORT, again + asked)
            edit = replaced(path, text, known[label], str(new))
            if edit["new_text"] != edit["old_text"] and edit not in self.edits:
                return edit
        return await self._small_change(path, text, shown) or edit

    def _literal(self, edit: Mapping[str, Any]) -> bool:
        """Whether an edit put in what the goal says literally: that stays."""
        values = [*new_values(self.now.goal), *(one.new for one in replacements(self.now.goal))]
        return any(value in str(edit.get("new_text")) for value in values)
