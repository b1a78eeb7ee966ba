"""The intent–action reconciler: does a reply without a call promise an action that has not happened?

Deterministic, Portuguese and English, clause by clause. One unconditional first-person commitment to act is a promise;
reports, questions, offers, negations, quotations and code are not. Source: spec/tool-loop.md, Action or terminate.
"""

from collections.abc import Iterator
from typing import NamedTuple

from arreio_contracts.events import PromiseVerdict

from .language import Language, language_of
from .promises import (
    agentless,
    english,
    english_bounds,
    english_phrases,
    english_plans,
    nominal,
    portuguese,
    portuguese_bounds,
    portuguese_phrases,
    portuguese_plans,
)
from .promises.candidates import CONDITION, FOLLOWS, LEADS, REPORTED, SPEECH, Aside, Candidate
from .promises.clauses import Part, Sentence, sentences
from .promises.phrases import Phrases, Words
from .promises.questions import statement_limit
from .promises.reply import Reply
from .promises.shown import shown

RULE = "reconciler/4"

_PLAN = "lays out a plan of its own"
_NEXT = "names its next step"
_QUESTION = "asks rather than commits"
_DONE = "opens with what is done since"
_EMPTY = "names no act"
_NOTHING = "no commitment of the first person to act"
_AFTER_IT = Phrases(
    "after that / then / with that / with it / depois disso / com ela / com ele / com isso / então / aí"
)
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
    visible = shown(text)
    reply = Reply(sentences(visible.text))
    findings = [finding for at in range(len(reply.said)) for finding in _findings(reply, at)]
    promise = next((finding for finding in findings if finding.commits), None)
    asks = any(reply.asking) or any(finding.why == CONDITION for finding in findings)
    if promise is None:
        lang = language_of(visible.text)
        why = findings[0].why if findings else _QUESTION if asks else _NOTHING
        return PromiseVerdict(label="NOT_PROMISE", lang=lang, why=why, question=asks, rule=RULE)
    span = (visible.origin(promise.span[0]), visible.origin(promise.span[1]))
    return PromiseVerdict(label="PROMISE", lang=promise.lang, span=span, why=promise.why, question=asks, rule=RULE)


def _findings(reply: Reply, at: int) -> Iterator[_Finding]:
    """All that a sentence commits to, or would but for the reason given."""
    sentence = reply.said[at]
    words = sentence.words()
    if english_bounds.supposed(words) or portuguese_bounds.supposed(words):
        return
    if reply.announces_plan(at):
        why = CONDITION if reply.asks_leave(at) else _PLAN
        part = sentence.parts[-1]
        lang: Language = "pt" if portuguese_plans.plan_head(part.words) else "en"
        yield _Finding(lang, part.span(0, len(part.words)), why, why != CONDITION)
    if sentence.line.heading or sentence.line.done:
        return
    limit = statement_limit(sentence)
    headed: str | None = None
    for index, part in enumerate(sentence.parts):
        if part.lead == ":" and index and headed is None:
            head = sentence.parts[index - 1].words
            headed = english_bounds.head_reason(head) or portuguese_bounds.head_reason(head)
        for lang in _TONGUES:
            for candidate in sorted(_candidates(part, _aside(sentence, index), lang)):
                reason = None if candidate.commits else candidate.why
                if reason is None and (index, candidate.at) >= limit:
                    reason = _QUESTION
                reason = reason or headed or _reason(reply, at, index, candidate)
                span = part.span(candidate.at, _end(part.words, candidate, lang))
                yield _Finding(lang, span, reason or candidate.why, reason is None)


def _aside(sentence: Sentence, index: int) -> Aside:
    parts = sentence.parts
    tail = parts[index + 1].lead if index + 1 < len(parts) else ":" if sentence.open else ""
    return Aside(parts[index].lead, parts[index - 1].words if index else (), tail)


def _candidates(part: Part, aside: Aside, lang: Language) -> Iterator[Candidate]:
    clauses, plans = (english, english_plans) if lang == "en" else (portuguese, portuguese_plans)
    yield from clauses.candidates(part.words, aside)
    yield from agentless.candidates(part.words, lang)
    if aside.lead in LEADS:
        yield from nominal.candidates(part.words, lang)
    if part.lead in {":", "—"} and plans.next_step(part.words, aside.before):
        yield Candidate(0, 0, _NEXT)
    if part.lead == ":" and plans.plan_head(aside.before) and plans.plan_item(part.words):
        yield Candidate(0, 0, _PLAN)
    if (verb := plans.planned(part.words)) is not None:
        yield Candidate(0, verb, _NEXT)


def _reason(reply: Reply, at: int, index: int, candidate: Candidate) -> str | None:
    """What takes the force from a commitment: its own clause, or the sentences around. Text mixes languages."""
    sentence = reply.said[at]
    words = sentence.parts[index].words
    last = index + 1 == len(sentence.parts)
    for bounds in (english_bounds.reason_against, portuguese_bounds.reason_against):
        if reason := bounds(words, candidate.at, candidate.verb):
            return reason
    if reply.cited_after(at):
        return REPORTED
    if _upon_consent(sentence, index) or (candidate.why == _NEXT and reply.for_others(at)):
        return CONDITION
    if not last and sentence.parts[index + 1].lead == ":" and _presents(words, candidate):
        return SPEECH
    if candidate.why == FOLLOWS:
        if not (sentence.open and last):
            return _EMPTY
        return CONDITION if reply.asks_leave(at) else None
    passing = candidate.fragment or (sentence.trails and len(sentence.words()) <= 4)
    bulleted = candidate.fragment and sentence.line.item and not sentence.trails
    bulleted = bulleted and not {"now", "agora"} & set(sentence.words())
    told = candidate.fragment and reply.outcome_told(at, index, words[candidate.verb])
    if bulleted or told or (passing and reply.reported_after(at)):
        return _DONE
    waits = (
        reply.asks_to_go_ahead(at)
        or reply.hangs_on_before(at)
        or (candidate.yields and (sentence.asks or reply.asked_next(at)))
    )
    return CONDITION if waits else reply.list_head_reason(at)


def _upon_consent(sentence: Sentence, index: int) -> bool:
    """`I need your approval first; after that I'll start`."""
    earlier = {word for part in sentence.parts[max(0, index - 2) : index] for word in part.words}
    consent = (english_phrases.CONSENT | portuguese_phrases.CONSENT) & earlier
    yours = (english_phrases.USER | portuguese_phrases.USER) & earlier
    return bool(consent and yours and _AFTER_IT.at(sentence.parts[index].words, 0))


def _presents(words: Words, candidate: Candidate) -> bool:
    """`Let's compare both: A is faster`, `I'll repeat: back up first`: what is said stands behind the colon."""
    rewords = words[candidate.verb] in _REWORDING and candidate.verb == len(words) - 1
    return words[candidate.at] in _TOGETHER or rewords


def _end(words: Words, candidate: Candidate, lang: Language) -> int:
    """The end of the commitment's clause, without a comma."""
    reach = english_bounds.reach if lang == "en" else portuguese_bounds.reach
    end = max(reach(words, candidate.verb), candidate.at + 1)
    return end - 1 if words[end - 1] == "," and end - 1 > candidate.at else end
