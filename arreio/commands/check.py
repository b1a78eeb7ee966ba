"""`arreio check …`: one rule of the harness at work on lines of JSON, also over logs of other harnesses."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from arreio.ndjson import Answer, BadLine, answer_lines
from shared.errors import ArreioError

FileArgument = Annotated[str, typer.Argument(metavar="[FILE]", help="A file of JSON lines; - reads standard input.")]

app = typer.Typer(no_args_is_help=True, help="See one rule at work: JSON lines in, JSON lines out.")


@app.callback()
def _group() -> None:
    """See one rule at work: JSON lines in, JSON lines out."""


@app.command()
def promises(file: FileArgument = "-") -> int:
    """Say of each {"text"} whether it promises an act that has not happened: {"label", "lang", "span", "why"}."""
    from services.tool_loop.rules.reconciler import reconcile

    def answer(line: dict[str, Any]) -> Answer:
        text = line.get("text")
        if not isinstance(text, str):
            raise BadLine('no string "text"')
        verdict = reconcile(text)
        return {"label": verdict.label, "lang": verdict.lang, "span": verdict.span, "why": verdict.why}

    return answer_lines(file, answer)


@app.command()
def calls(file: FileArgument = "-") -> int:
    """Say of each {"raw", "tools"} what it calls: {"calls": [{"name", "arguments", "repaired"}]} or {"error"}."""
    from services.tool_loop.models.call_modes import ToolSpec
    from services.tool_loop.models.checking import check

    def tool(item: Any) -> ToolSpec:
        inner = item.get("function", item) if isinstance(item, dict) else None
        if not isinstance(inner, dict) or not isinstance(inner.get("name"), str):
            raise BadLine('"tools" must be a list of {"name", "parameters"}')
        parameters = inner.get("parameters", inner.get("input_schema"))
        return ToolSpec(inner["name"], "", parameters if isinstance(parameters, dict) else {})

    def answer(line: dict[str, Any]) -> Answer:
        raw, tools = line.get("raw"), line.get("tools", [])
        if not isinstance(raw, str | dict):
            raise BadLine('no "raw", a text or an assistant\'s message')
        if not isinstance(tools, list):
            raise BadLine('"tools" must be a list of {"name", "parameters"}')
        return check(raw, [tool(item) for item in tools])

    return answer_lines(file, answer)


@app.command()
def loops(
    file: FileArgument = "-",
    capability: Annotated[str, typer.Option(help="Whose thresholds: a capability profile's name.")] = "strong",
) -> int:
    """Say of each {"id", "steps"} where the harness would warn, and where it would end the run."""
    from arreio.trajectories import Thresholds, recorded_steps
    from services.tool_loop.rules.loops.trajectory import judge
    from shared.settings import load_settings

    thresholds = Thresholds.of(capability, load_settings().capabilities)

    def answer(line: dict[str, Any]) -> Answer:
        steps, cwd = recorded_steps(line)
        found = judge(steps, thresholds.limits, thresholds.caps(), cwd)
        return {
            "id": line.get("id"),
            "flagged": found.step is not None,
            "step": found.step,
            "halt_step": found.halt_step,
            "kind": found.kind,
            "why": found.why,
        }

    return answer_lines(file, answer)


@app.command()
def imports(
    workspace: Annotated[
        Path, typer.Option("--workspace", "-w", metavar="DIR", help="The workspace that the code belongs to.")
    ],
    file: FileArgument = "-",
    offline: Annotated[bool, typer.Option("--offline", help="Ask no registry.")] = False,
) -> int:
    """Say of each {"path", "code"} which names it imports or uses stand for something: {"verdicts": [...]}."""
    import asyncio

    from services.tool_loop.grounding.checking import NameChecker
    from services.tool_loop.grounding.package_index import ClientIndex, Nowhere, RememberedIndex

    if not workspace.is_dir():
        raise ArreioError(f"there is no folder {workspace}", "name the workspace with --workspace")
    root = workspace.resolve()
    index = RememberedIndex(Nowhere() if offline else ClientIndex([str(root)]))
    checker = NameChecker(root, index)
    runner = asyncio.Runner()

    def answer(line: dict[str, Any]) -> Answer:
        path, code = line.get("path"), line.get("code")
        if not isinstance(path, str) or not isinstance(code, str):
            raise BadLine('no strings "path" and "code"')
        inside = Path(path)
        if inside.is_absolute() and inside.is_relative_to(root):
            path = str(inside.relative_to(root))
        verdicts = runner.run(checker.check(path, code))
        return {"verdicts": [verdict.model_dump(mode="json") for verdict in verdicts]}

    with runner:
        return answer_lines(file, answer)


@app.command()
def taste(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="HTML, CSS and Markdown in the workspace.")],
    rules: Annotated[Path, typer.Option("--rules", "-r", metavar="FILE", help="The rules of taste (YAML).")],
    workspace: Annotated[
        Path, typer.Option("--workspace", "-w", metavar="DIR", help="Where the paths begin.")
    ] = Path(),
) -> int:
    """Say what breaks rules of taste, a line each; pages are shown in a browser where a rule needs one."""
    import asyncio

    from services.gate_runner.looking import look_at
    from services.gate_runner.taste import is_page, read_taste, texts_of
    from services.gate_runner.taste.apart import TooLong, found_in

    read = read_taste(rules)
    root = workspace.resolve()
    missing = [path for path in paths if not (root / path).is_file()]
    if missing:
        raise ArreioError(f"there is no file {missing[0]} in {root}", "name files by their path in the workspace")
    texts = texts_of(root, paths)
    try:
        found = asyncio.run(found_in(read, texts))
    except TooLong as error:
        raise ArreioError(f"the files could not be judged: {error}", "name fewer or smaller ones") from error
    notes = [
        f"{path} was not looked at: it is of no such kind, too large, or not of your making"
        for path in paths
        if path not in texts
    ]
    if read.rendered:
        looked = asyncio.run(look_at(read, root, [path for path in texts if is_page(path)]))
        found += looked.violations
        notes += looked.notes
    if read.judged:
        notes.append(f"{len(read.judged)} rules need a model, which is asked only when a task claims to be done")
    for line in [*found, *(f"note: {note}" for note in notes)]:
        typer.echo(str(line))
    return 1 if found else 0
