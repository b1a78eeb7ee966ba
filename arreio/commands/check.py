"""`arreio check …`: one rule of the harness at work on lines of JSON, also over logs of other harnesses."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from arreio.ndjson import Answer, BadLine, answer_lines

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
def loops(
    file: FileArgument = "-",
    capability: Annotated[str, typer.Option(help="Whose thresholds: a capability profile's name.")] = "strong",
) -> int:
    """Say of each {"id", "steps"} where the harness would warn, and where it would end the run."""
    from arreio.trajectories import Thresholds, recorded_steps
    from services.tool_loop.rules.loops.trajectory import judge

    thresholds = Thresholds.of(capability)

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
