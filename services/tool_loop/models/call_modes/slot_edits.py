"""Edits by single questions: something is added at the end of a file, or a part of it is chosen and written anew."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .goal_values import adds_something, new_values, replacements
from .part_edits import appended, choices, drafts, paragraphs, replaced, single_lines, standing_edit, taken_back
from .situation import Situation
from .slot_prompts import addition_question, content_question, part_question, path_question, replacement_question
from .slot_questions import Questions

_FROM_THE_START: Final = 6
"""Drafts that each begin from the file as it was; later ones go on from the last."""
_BY_PARAGRAPH: Final = 3
"""Drafts that replace whole paragraphs; later ones replace single lines."""
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
        last = standing_edit(self.edits, files)
        if last is not None and self.drafts < _FROM_THE_START and not self._literal(last):
            undone = taken_back(last)
            calls.append(("edit_file", undone))
            files[undone["path"]] = files[undone["path"]].replace(undone["old_text"], undone["new_text"])
        path = await self.questions.chosen(path_question(self.now, self.read), "path", paths, self.drafts)
        return [*calls, await self._edit(path, files.get(path, ""))]

    async def _edit(self, path: str, text: str) -> Call:
        ask, again = self.questions.value, self.drafts
        shown = {**{name: other for name, other in self.read.items() if name != path}, path: text}
        if not text.strip():
            content = await ask(content_question(self.now, path, shown), "content", _TEXT, again)
            return "write_file", {"path": path, "content": str(content)}
        if adds_something(self.now.goal):
            added = await ask(addition_question(self.now, path, shown), "added", _TEXT, again)
            return "edit_file", appended(path, text, str(added))
        return "edit_file", await self._replacement(path, text, shown)

    async def _replacement(self, path: str, text: str, shown: Mapping[str, str]) -> Mapping[str, Any]:
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
                break
        return edit

    def _literal(self, edit: Mapping[str, Any]) -> bool:
        """Whether an edit put in what the goal says literally: that stays."""
        values = [*new_values(self.now.goal), *(one.new for one in replacements(self.now.goal))]
        return any(value in str(edit.get("new_text")) for value in values)
