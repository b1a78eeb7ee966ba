"""The questions of the `slots` mode: short, each with worked examples in the task's language. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from shared.canonical import canonical_json
from shared.prompt import Message

from . import ToolSpec
from .situation import Situation

_TOOL_EXAMPLES: Final[Mapping[str, Sequence[tuple[str, str]]]] = {
    "en": (
        ('Goal: Save the sentence "The meeting is on Monday." in notes.txt\nDone so far: nothing', "write_file"),
        ("Goal: Say what is in list.txt\nDone so far: nothing", "read_file"),
    ),
    "pt": (
        ('Goal: Guarde a frase "A reunião é na segunda-feira." em notas.txt\nDone so far: nothing', "write_file"),
        ("Goal: Diga o que há em lista.txt\nDone so far: nothing", "read_file"),
    ),
}

_CONTENT_EXAMPLES: Final[Mapping[str, Sequence[tuple[str, str, str]]]] = {
    "en": (
        ('Save the sentence "The meeting is on Monday." in notes.txt', "notes.txt", "The meeting is on Monday.\n"),
        ("Write a file colors.txt with the words red, green and blue, one a line.", "colors.txt", "red\ngreen\nblue\n"),
    ),
    "pt": (
        ('Guarde a frase "A reunião é na segunda-feira." em notas.txt', "notas.txt", "A reunião é na segunda-feira.\n"),
        (
            "Escreva no arquivo cores.txt as palavras azul, verde e preto, uma por linha.",
            "cores.txt",
            "azul\nverde\npreto\n",
        ),
    ),
}


def tool_question(now: Situation, tools: Sequence[ToolSpec]) -> list[Message]:
    """Which tool is next?"""
    offered = {tool.name for tool in tools}
    told = "\n".join(f"{tool.name}: {tool.description}" for tool in tools)
    system = f'Choose the next tool for the goal. Answer with JSON: {{"tool": "NAME"}}\nThe tools:\n{told}'
    examples = [(asked, {"tool": name}) for asked, name in _TOOL_EXAMPLES[now.language] if name in offered]
    return _conversation(system, examples, f"Goal: {now.goal}\n{_done(now)}")


def argument_question(now: Situation, tool: ToolSpec, slot: str, known: Mapping[str, Any]) -> list[Message]:
    """What is one argument of a call?"""
    about = str(tool.parameters.get("properties", {}).get(slot, {}).get("description", ""))
    if tool.name == "write_file" and slot == "content":
        system = 'You write the content of one file, exactly as the goal says. Answer with JSON: {"content": "…"}'
        examples = [
            (f"Goal: {goal}\nContent of {path}:", {"content": content})
            for goal, path, content in _CONTENT_EXAMPLES[now.language]
        ]
        return _conversation(system, examples, f"Goal: {now.goal}\nContent of {known.get('path', 'the file')}:")
    system = f'You fill in {slot!r} for {tool.name}. {about} Answer with JSON: {{"{slot}": …}}'
    given = "".join(f"\n{name}: {value}" for name, value in known.items())
    return _conversation(system, [], f"Goal: {now.goal}\n{_done(now)}{given}\n{slot}:")


def _done(now: Situation) -> str:
    lines = [f"{number}. {step.call} -> {step.result}" for number, step in enumerate(now.steps, 1)]
    done = "Done so far:\n" + "\n".join(lines) if lines else "Done so far: nothing"
    return f"{done}\n{now.missing}" if now.steps and now.missing else done


def _conversation(system: str, examples: Sequence[tuple[str, Mapping[str, Any]]], asked: str) -> list[Message]:
    found: list[Message] = [{"role": "system", "content": system}]
    for question, answer in examples:
        found.append({"role": "user", "content": question})
        found.append({"role": "assistant", "content": canonical_json(answer)})
    found.append({"role": "user", "content": asked})
    return found
