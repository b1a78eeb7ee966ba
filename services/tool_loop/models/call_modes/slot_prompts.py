"""The questions of the `slots` mode: short, each with worked examples in the task's language. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from shared.canonical import canonical_json
from shared.prompt import Message

from . import ToolSpec
from .situation import Situation

_STEPS_TOLD: Final = 4
_NOTHING_DONE: Final = "Done so far: nothing"
_SHOWN_CHARS: Final = 1800
"""Characters of files that one question shows."""

_TOOL_EXAMPLES: Final[Mapping[str, Sequence[tuple[str, str]]]] = {
    "en": (
        ("Find where the word total is used", "search"),
        ('Save the sentence "The meeting is on Monday." in notes.txt', "write_file"),
        ("Run the linter", "run_command"),
        ("Write a file colors.txt with the words red, green and blue, one a line.", "write_file"),
    ),
    "pt": (
        ("Encontre onde a palavra total é usada", "search"),
        ('Guarde a frase "A reunião é na segunda-feira." em notas.txt', "write_file"),
        ("Rode o linter", "run_command"),
        ("Escreva no arquivo cores.txt as palavras azul, verde e preto, uma por linha.", "write_file"),
    ),
}
"""Goals and the tool to begin with. Two of four write: of other mixes the smallest models learn to write never."""

_CONTENT_EXAMPLES: Final[Mapping[str, Sequence[tuple[str, str, str]]]] = {
    "en": (
        ('Save the sentence "The meeting is on Monday." in notes.txt', "notes.txt", "The meeting is on Monday.\n"),
        ("Put the numbers 4, 5 and 6 into count.txt, one a line.", "count.txt", "4\n5\n6\n"),
    ),
    "pt": (
        ('Guarde a frase "A reunião é na segunda-feira." em notas.txt', "notas.txt", "A reunião é na segunda-feira.\n"),
        ("Escreva os números 4, 5 e 6 em contas.txt, um por linha.", "contas.txt", "4\n5\n6\n"),
    ),
}
"""Goals, a file, and its whole content. Words in a list would turn up in the model's own lists; numbers do not."""

_ADDITION_EXAMPLES: Final[Mapping[str, Sequence[tuple[str, str, str]]]] = {
    "en": (
        ("Add a function is_empty(text) to checks.py.", "checks.py", "def is_empty(text):\n    return not text"),
        ("Add pears to list.txt.", "list.txt", "pears"),
    ),
    "pt": (
        ("Acrescente a checa.py uma função vazio(texto).", "checa.py", "def vazio(texto):\n    return not texto"),
        ("Acrescente peras a lista.txt.", "lista.txt", "peras"),
    ),
}
"""Goals, a file, and what is added at its end."""

_CORRECTION_EXAMPLES: Final[Mapping[str, Sequence[tuple[str, str, str, str]]]] = {
    "en": (
        ("Fix hi.py.", "hi.py", "def hi(name):\n    return 'Hi ' + nam", "def hi(name):\n    return 'Hi ' + name"),
        ("Use blue.", "style.css", "  color: red;", "  color: blue;"),
    ),
    "pt": (
        ("Conserte oi.py.", "oi.py", "def oi(nome):\n    return 'Oi ' + nom", "def oi(nome):\n    return 'Oi ' + nome"),
        ("Use azul.", "estilo.css", "  color: red;", "  color: blue;"),
    ),
}
"""Goals, a file, a part of it that is wrong, and the right one."""


def tool_question(now: Situation, tools: Sequence[ToolSpec]) -> list[Message]:
    """Which tool is next?"""
    offered = {tool.name for tool in tools}
    system = 'Choose the next tool for the goal. Answer with JSON: {"tool": "NAME"}'
    examples = [
        (f"Goal: {goal}\n{_NOTHING_DONE}", {"tool": name})
        for goal, name in _TOOL_EXAMPLES[now.language]
        if name in offered
    ]
    return _conversation(system, examples, f"Goal: {now.goal}\n{_done(now)}")


def move_question(now: Situation, labels: Sequence[str], files: Mapping[str, str]) -> list[Message]:
    """Which of these calls does what the goal says?"""
    system = 'Choose what does what the goal asks. Answer with JSON: {"choice": "…"}'
    choices = "\n".join(f"- {label}" for label in labels)
    return _conversation(system, [], f"{_shown(files)}Goal: {now.goal}\nThe choices:\n{choices}")


def content_question(now: Situation, path: str, files: Mapping[str, str]) -> list[Message]:
    """What is the whole content of a file?"""
    system = 'You write the content of one file, exactly as the goal says. Answer with JSON: {"content": "…"}'
    examples = [
        (f"Goal: {goal}\nContent of {name}:", {"content": content})
        for goal, name, content in _CONTENT_EXAMPLES[now.language]
    ]
    return _conversation(system, examples, f"{_shown(files)}{_missing(now)}Goal: {now.goal}\nContent of {path}:")


def addition_question(now: Situation, path: str, files: Mapping[str, str]) -> list[Message]:
    """What is to be put at the end of a file?"""
    system = 'You write only what must be added at the end of a file. Answer with JSON: {"added": "…"}'
    examples = [
        (f"Goal: {goal}\nTo add at the end of {name}:", {"added": added})
        for goal, name, added in _ADDITION_EXAMPLES[now.language]
    ]
    asked = f"{_shown(files)}{_missing(now)}Goal: {now.goal}\nTo add at the end of {path}:"
    return _conversation(system, examples, asked)


def path_question(now: Situation, files: Mapping[str, str]) -> list[Message]:
    """Which file must change?"""
    system = 'Choose the file that must change for the goal. Answer with JSON: {"path": "…"}'
    return _conversation(system, [], f"{_shown(files)}{_missing(now)}Goal: {now.goal}\nThe file to change:")


def part_question(now: Situation, path: str, files: Mapping[str, str]) -> list[Message]:
    """Which part of a file must change?"""
    system = 'Choose the part that is wrong and must change for the goal. Answer with JSON: {"part": "…"}'
    return _conversation(
        system, [], f"{_shown(files)}{_missing(now)}Goal: {now.goal}\nThe part of {path} to change begins with:"
    )


def change_question(now: Situation, path: str, files: Mapping[str, str], labels: Sequence[str]) -> list[Message]:
    """Which small change mends a file?"""
    system = 'Choose the one change that makes the code right. Answer with JSON: {"change": "…"}'
    changes = "\n".join(f"- {label}" for label in labels)
    return _conversation(
        system, [], f"{_shown(files)}{_missing(now)}Goal: {now.goal}\nChanges of {path}, from → to:\n{changes}"
    )


def replacement_question(now: Situation, path: str, files: Mapping[str, str], old: str) -> list[Message]:
    """What is to stand in place of a part?"""
    system = 'You correct one part of a file for the goal. Answer with JSON: {"new_text": "…"}'
    examples = [
        (_correction(goal, name, wrong), {"new_text": right})
        for goal, name, wrong, right in _CORRECTION_EXAMPLES[now.language]
    ]
    return _conversation(system, examples, f"{_shown(files)}{_missing(now)}{_correction(now.goal, path, old)}")


def _correction(goal: str, path: str, old: str) -> str:
    return f"Goal: {goal}\nThe wrong part of {path}:\n{old}\nThe right part:"


def argument_question(now: Situation, tool: ToolSpec, slot: str, known: Mapping[str, Any]) -> list[Message]:
    """What is one argument of a call?"""
    about = str(tool.parameters.get("properties", {}).get(slot, {}).get("description", ""))
    system = f'You fill in {slot!r} for {tool.name}. {about} Answer with JSON: {{"{slot}": …}}'
    given = "".join(f"\n{name}: {value}" for name, value in known.items())
    return _conversation(system, [], f"Goal: {now.goal}\n{_done(now)}{given}\n{slot}:")


def reply_question(now: Situation, tool: ToolSpec, slot: str, files: Mapping[str, str]) -> list[Message]:
    """What is the person told at the end?"""
    about = str(tool.parameters.get("properties", {}).get(slot, {}).get("description", ""))
    system = f'You end the task. {about} Answer with JSON: {{"{slot}": "…"}}'
    return _conversation(system, [], f"{_shown(files)}Goal: {now.goal}\n{_done(now)}\n{slot}:")


def _done(now: Situation) -> str:
    lines = [f"{number}. {step.call} -> {step.result}" for number, step in enumerate(now.steps[-_STEPS_TOLD:], 1)]
    done = "Done so far:\n" + "\n".join(lines) if lines else _NOTHING_DONE
    return f"{done}\n{now.missing}" if now.steps and now.missing else done


def _missing(now: Situation) -> str:
    return f"{now.missing}\n\n" if now.steps and now.missing else ""


def _shown(files: Mapping[str, str]) -> str:
    """The texts of files, as far as there is room for them."""
    told, room = [], _SHOWN_CHARS
    for path, text in files.items():
        if len(text) <= room:
            room -= len(text)
            told.append(f"File {path}:\n{text.rstrip()}\n\n")
    return "".join(told)


def _conversation(system: str, examples: Sequence[tuple[str, Mapping[str, Any]]], asked: str) -> list[Message]:
    found: list[Message] = [{"role": "system", "content": system}]
    for question, answer in examples:
        found.append({"role": "user", "content": question})
        found.append({"role": "assistant", "content": canonical_json(answer)})
    found.append({"role": "user", "content": asked})
    return found
