"""The intent–action reconciler: does a reply without a call promise an action that has not happened?

Deterministic, Portuguese and English, clause by clause. One unconditional first-person commitment to act is a promise;
reports, questions, offers, negations, quotations and code are not. Source: spec/tool-loop.md, Action or terminate.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arreio_contracts.events import PromiseVerdict

from .language import Language, language_of
from .promises import context, english, english_bounds, portuguese, portuguese_bounds
from .promises.candidates import CONDITION, FOLLOWS, SPEECH, Aside, Candidate
from .promises.clauses import Part, Sentence, sentences
from .promises.phrases import Words
from .promises.shown import shown

RULE = "reconciler/2"

_PLAN = "lays out a plan of its own"
_QUESTION = "asks rather than commits"
_DONE = "opens with what is done since"
_EMPTY = "names no act"
_NOTHING = "no commitment of the first person to act"
_TOGETHER = frozenset({"let's", "lets", "vamos", "vamo"})
_REWORDING = frozenset({"simplify", "repeat", "simplificar", "repetir", "reply", "answer"})
_TONGUES: tuple[Language, ...] = ("en", "pt")


class _Finding(NamedTuple):
    lang: Language
    span: tuple[int, int]
    why: str
    commits: bool


def reconcile(text: str) -> PromiseVerdict:
    """Judge the prose of a reply that made no call. The span counts characters of the text as given."""
    reply = shown(text)
    said = sentences(reply.text)
    findings = [finding for at in range(len(said)) for finding in _findings(said, at)]
    promise = next((finding for finding in findings if finding.commits), None)
    asks = any(context.asks(sentence) for sentence in said) or any(f.why == CONDITION for f in findings)
    if promise is None:
        why = findings[0].why if findings else _QUESTION if asks else _NOTHING
        return PromiseVerdict(label="NOT_PROMISE", lang=language_of(reply.text), why=why, question=asks, rule=RULE)
    return PromiseVerdict(
        label="PROMISE",
        lang=promise.lang,
        span=(reply.origin(promise.span[0]), reply.origin(promise.span[1])),
        why=promise.why,
        question=asks,
        rule=RULE,
    )


def _findings(said: Sequence[Sentence], at: int) -> Iterator[_Finding]:
    sentence = said[at]
    words = sentence.words()
    if english_bounds.supposed(words) or portuguese_bounds.supposed(words):
        return
    if context.plan_after(said, at):
        why = CONDITION if context.asks_leave(said, at) else _PLAN
        part = sentence.parts[-1]
        lang: Language = "pt" if portuguese.plan_head(part.words) else "en"
        yield _Finding(lang, part.span(0, len(part.words)), why, why != CONDITION)
    if sentence.line.heading or sentence.line.done:
        return
    limit = context.statement_limit(sentence)
    for index, part in enumerate(sentence.parts):
        for lang in _TONGUES:
            for candidate in sorted(_candidates(part, _aside(sentence, index), lang)):
                reason = None if candidate.commits else candidate.why
                if reason is None and (index, candidate.at) >= limit:
                    reason = _QUESTION
                reason = reason or _reason(said, at, index, candidate)
                span = part.span(candidate.at, _end(part.words, candidate, lang))
                yield _Finding(lang, span, reason or candidate.why, reason is None)


def _aside(sentence: Sentence, index: int) -> Aside:
    parts = sentence.parts
    tail = parts[index + 1].lead if index + 1 < len(parts) else ":" if sentence.open else ""
    return Aside(parts[index].lead, parts[index - 1].words if index else (), tail)


def _candidates(part: Part, aside: Aside, lang: Language) -> Iterator[Candidate]:
    rules = english if lang == "en" else portuguese
    yield from rules.candidates(part.words, aside)
    if part.lead in {":", "—"} and rules.next_step(part.words, aside.before):
        yield Candidate(0, 0, "names its next step")
    if part.lead == ":" and rules.plan_head(aside.before) and rules.plan_item(part.words):
        yield Candidate(0, 0, _PLAN)
    if (verb := rules.planned(part.words)) is not None:
        yield Candidate(0, verb, "names its next step")


def _reason(said: Sequence[Sentence], at: int, index: int, candidate: Candidate) -> str | None:
    """What takes the force from a commitment: its own clause, the words before a colon, the sentences around."""
    sentence = said[at]
    if reason := _reason_nearby(sentence, index, candidate):
        return reason
    if candidate.why == FOLLOWS:
        if not (sentence.open and index == len(sentence.parts) - 1):
            return _EMPTY
        return CONDITION if context.asks_leave(said, at) else None
    passing = candidate.fragment or (sentence.trails and len(sentence.words()) <= 4)
    bulleted = candidate.fragment and sentence.line.item and not {"now", "agora"} & set(sentence.words())
    if bulleted or (passing and context.reported_after(said, at)):
        return _DONE
    if context.asks_to_go_ahead(said, at) or (candidate.yields and context.asked_next(said, at)):
        return CONDITION
    return context.list_head_reason(said, at) or context.hangs_on_before(said, at)


def _reason_nearby(sentence: Sentence, index: int, candidate: Candidate) -> str | None:
    """What its own clause says against it, in either language, or a head before a colon; text mixes languages."""
    at, verb = candidate.at, candidate.verb
    words = sentence.parts[index].words
    if reason := english_bounds.reason_against(words, at, verb) or portuguese_bounds.reason_against(words, at, verb):
        return reason
    for head, part in zip(sentence.parts[:index], sentence.parts[1 : index + 1], strict=True):
        if part.lead == ":":
            reason = english_bounds.head_reason(head.words) or portuguese_bounds.head_reason(head.words)
            if reason:
                return reason
    after = sentence.parts[index + 1].lead if index + 1 < len(sentence.parts) else ""
    presents = words[at] in _TOGETHER or (words[verb] in _REWORDING and verb == len(words) - 1)
    return SPEECH if presents and after == ":" else None


def _end(words: Words, candidate: Candidate, lang: Language) -> int:
    """The end of the commitment's clause, without a comma."""
    reach = english_bounds.reach if lang == "en" else portuguese_bounds.reach
    end = max(reach(words, candidate.verb), candidate.at + 1)
    return end - 1 if words[end - 1] == "," and end - 1 > candidate.at else end
