"""What an event says to a person: a title of a few words, and a text. Pure."""

from __future__ import annotations

from typing import Final

from arreio_contracts import events as e

_CUT: Final = 300
"""Characters of a text that a line shows; the event's page shows all of it."""
Said = tuple[str, str]


def said_of(data: e.EventData) -> Said:
    """The title and the text of an event."""
    found = _of_task(data) or _of_turn(data) or _of_gate(data) or _of_people(data)
    title, text = found or (data.type.replace(".", " ").replace("_", " "), "")
    return title, _cut(text)


def _of_task(data: e.EventData) -> Said | None:
    match data:
        case e.TaskCreated():
            return "PENDING", data.goal
        case e.TaskProfiled():
            mode = data.capability.get("tool_call_mode", "?")
            return "profiled", f"model {data.model} ({mode}), agent {data.agent}, {len(data.criteria)} criteria"
        case e.TaskStarted():
            return "IN_PROGRESS", ""
        case e.TaskResumed():
            return "resumed", "taken over from a worker that died" if data.cause == "takeover" else "handed over"
        case e.TaskNeedsInput():
            return "NEEDS_INPUT", data.question
        case e.TaskCompleted():
            used = data.totals
            return "COMPLETE", f"{used.steps} steps, {used.tool_calls} tool calls, {used.seconds:.1f} s: {data.reply}"
        case e.TaskBlocked() | e.TaskFailed():
            state = "BLOCKED" if isinstance(data, e.TaskBlocked) else "FAILED"
            way_out = f" → {data.reason.unblock}" if data.reason.unblock else ""
            return state, f"{data.reason.code}: {data.reason.text}{way_out}"
        case e.SessionForked():
            return "forked", f"a copy of {data.source_session} up to event {data.source_seq}"
        case e.TaskParked():
            return "parked", f"it was {data.why}, and asks before it goes on"
        case e.TaskCancelRequested():
            return "cancel", f"asked for by {data.by} {data.text}"
    return None


def _of_turn(data: e.EventData) -> Said | None:
    match data:
        case e.ContextBuilt():
            dropped = sum(len(layer.dropped) for layer in data.manifest.layers)
            return "prompt", data.manifest.unfittable or f"{data.manifest.tokens} tokens, {dropped} units dropped"
        case e.ModelRequested():
            return f"turn {data.step}", f"{data.model} ({data.mode}), attempt {data.attempt}"
        case e.ModelReplied():
            calls = ", ".join(call.name for call in data.calls)
            tokens = data.usage.prompt_tokens + data.usage.completion_tokens
            parts = (f"{tokens} tokens", f"calls {calls}" if calls else "", data.content)
            return "replied", "; ".join(part for part in parts if part)
        case e.ModelFailed():
            return "model failed", f"{data.kind}: {data.message}"
        case e.ModelProbed():
            return "model probed", f"{data.mode}: " + ", ".join(f"{mode} {came}" for mode, came in data.results.items())
        case e.ToolStarted():
            return data.tool, data.summary
        case e.ToolFinished():
            loop = f" [loop: {data.loop.kind}, {data.loop.level}: {data.loop.why}]" if data.loop else ""
            return f"{data.tool} {data.status}", f"{data.text}{loop}"
        case e.ToolRefused():
            return f"{data.tool} refused", f"{data.code}: {data.text}"
        case e.TurnRejected():
            return "turn rejected", f"{data.code}: {data.nudge}"
        case e.HookJudged():
            return f"hook {data.verdict}", f"{data.hook} ({data.phase}): {data.reason}"
        case e.LadderClimbed():
            return f"ladder: {data.rung}", f"{data.cause}: {data.text}"
        case e.ModelEscalated():
            return "escalated", data.problem or f"{data.model} takes over"
        case e.PlanMade():
            return f"plan by the {data.by}", "; ".join(f"{n}. {one.title}" for n, one in enumerate(data.subtasks, 1))
        case e.SubtaskClosed():
            return f"subtask {data.number + 1}", data.outcome
        case e.PackagesChecked():
            return "packages", ", ".join(f"{one.package.name} {one.verdict}" for one in data.packages)
    return None


def _of_gate(data: e.EventData) -> Said | None:
    match data:
        case e.CompletionClaimed():
            return "claimed", f"by the {data.by}: {data.reply}"
        case e.ClaimChecked():
            return "claim checked", "; ".join([*data.ungrounded, data.promised, data.settled]).strip("; ")
        case e.GateStarted():
            return "gate", "judging begins"
        case e.GateRendered():
            return "page shown", data.problem or f"{data.page} at {data.width}×{data.height}"
        case e.GateTasted():
            return "taste", data.problem or f"{len(data.violations)} violations, read by {data.model}"
        case e.GateJudged():
            results = (f"{one.word} {one.criterion}" + (f" ({one.seen})" if one.seen else "") for one in data.results)
            return f"gate {data.verdict}", "; ".join(results)
        case e.CompletionRefused():
            return "claim refused", f"by {data.by}: {data.nudge}"
        case e.CriteriaProbed():
            return "probed", ", ".join(one or "not cheap" for one in data.verdicts)
    return None


def _of_people(data: e.EventData) -> Said | None:
    match data:
        case e.SessionCreated():
            return "session", f"{data.channel} {data.conversation}"
        case e.MessageReceived():
            return "message", f"{data.message.sender}: {data.message.text}"
        case e.InputReceived():
            return "answer", data.text
        case e.ReplyQueued():
            return data.kind, data.text
        case e.ProposalCreated():
            return f"proposal: {data.kind}", data.title
        case e.ProposalApproved() | e.LearntRolledBack():
            done = "approved" if isinstance(data, e.ProposalApproved) else "rolled back"
            return done, f"{data.learnt.kind} {data.learnt.name}@{data.learnt.version} by {data.by}"
        case e.ProposalRejected():
            return "rejected", f"{data.proposal_id} by {data.by} {data.why}"
        case e.OperatorActed():
            said = ", ".join(f"{name} {value}" for name, value in data.details.items() if value)
            return data.act, f"{data.by}: {data.target}{f' ({said})' if said else ''}"
        case e.OperatorActEnded():
            return f"{data.act} {'done' if data.done else 'failed'}", f"{data.by}: {data.result}"
    return None


def _cut(text: str) -> str:
    short = " ".join(text.split())
    return short if len(short) <= _CUT else f"{short[: _CUT - 1]}…"
