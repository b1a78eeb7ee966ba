"""Lets the taste critic look at what a task changed: its own checks, then a browser, then a model; all of it soft."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import structlog
from arreio_contracts import events
from arreio_contracts.messages import TASTE, AskModel, CriterionResult, ModelAnswer

from shared.canonical import canonical_json, clean
from shared.errors import ArreioError

from .browser import SCREEN, Shown
from .case import Case
from .looking import look_at
from .pages import pages_of
from .taste import Taste, UnusableTaste, Violation, result_of, taste_of, texts_of
from .taste.apart import TooLong, found_in
from .taste.reading import RULE, question, read, shown_to_reader
from .taste.rules import Reader

Ask = Callable[[AskModel], Awaitable[ModelAnswer]]
Record = Callable[[events.GateTasted | events.GateRendered], Awaitable[None]]
KeepBlob = Callable[[str | bytes], Awaitable[str]]

logger = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Critic:
    """The taste critic at work on one claim.

    `changed` are the paths that the task changed; `ask` puts a question to a model (None: nobody can be asked);
    `record` makes a fact of what a browser and a model found out, before it is used.
    """

    data_dir: Path
    case: Case
    changed: Sequence[str]
    ask: Ask | None
    record: Record
    keep_blob: KeepBlob

    async def look(self) -> CriterionResult | None:
        """What the critic says of the claim; None where it has nothing to say."""
        options = self.case.contract.taste
        try:
            taste = taste_of(self.data_dir, options.rules, self.case.contract.profile)
        except UnusableTaste as error:
            logger.warning("taste.not_judged", error=str(error))
            return CriterionResult(criterion=TASTE, verdict="PASS", seen=f"not judged: {error}")
        workspace = Path(self.case.profile.workspace or "/nonexistent")
        texts = await asyncio.to_thread(texts_of, workspace, self.changed)
        found: list[Violation] = []
        notes: list[str] = []
        try:
            found += await found_in(taste, texts)
        except TooLong as error:
            notes.append(f"not judged: {error}")
        if taste.rendered:
            found += await self._render(taste, workspace, texts, notes)
        if taste.judged and not found and self.case.returned < taste.returns:
            found = await self._read(taste, texts, notes)
        return result_of(taste, found, notes, self.case.returned)

    async def _render(
        self, taste: Taste, workspace: Path, texts: Mapping[str, str], notes: list[str]
    ) -> list[Violation]:
        """What the rules that need a browser have against the pages that the task changed, or the looks of which."""
        pages = await asyncio.to_thread(pages_of, taste, workspace, self.changed, texts)
        looked = await look_at(taste, workspace, pages, self.case.contract.sandbox)
        for page, shown in looked.shown:
            await self.record(await self._seen(page, shown))
        for page, problem in looked.unseen:
            await self._unseen(page, problem)
        notes += looked.notes
        return looked.violations

    async def _seen(self, page: str, shown: Shown) -> events.GateRendered:
        return events.GateRendered(
            claim_id=self.case.claim.claim_id,
            page=page,
            width=shown.screen.width,
            height=shown.screen.height,
            screenshot=await self.keep_blob(shown.screenshot),
            measures=await self.keep_blob(clean(shown.measures.model_dump_json())),
            browser=shown.browser,
        )

    async def _unseen(self, page: str, problem: str) -> None:
        size = {"width": SCREEN.width, "height": SCREEN.height}
        claim = self.case.claim.claim_id
        await self.record(events.GateRendered(claim_id=claim, page=page, problem=problem, **size))

    async def _read(self, taste: Taste, texts: Mapping[str, str], notes: list[str]) -> list[Violation]:
        """What a model has against the files; asked only while what it says could still be sent back."""
        reader = taste.model or Reader()
        shown = shown_to_reader(texts, taste.judged, reader.max_characters)
        if not shown:
            return []
        if taste.model is None and self.case.contract.taste.model is None:
            notes.append("not read by a model: none is configured (`model:` in the rules, `taste: {model: …}`)")
            return []
        tasted = await self._asked(taste, reader, shown)
        if tasted.problem:
            notes.append(f"not read by a model: {tasted.problem}")
        return [
            Violation(f"{one.path}:{one.line}", one.rule, f"{one.why or 'breaks the rule'} — {one.quote}")
            for one in tasted.violations
        ]

    async def _asked(self, taste: Taste, reader: Reader, shown: Mapping[str, str]) -> events.GateTasted:
        """The model's verdict as it is recorded; what was asked before is not asked again."""
        options, profile = self.case.contract.taste, self.case.profile
        model = options.model or reader.name or profile.model
        named = options.model is not None or reader.name is not None
        api_base = options.api_base or reader.api_base or (None if named else profile.api_base)
        request = question(taste.judged, shown, reader, model, api_base, profile.language)
        asked = await self.keep_blob(clean(canonical_json([*request.messages])))
        before = [one for one in self.case.tasted if one.asked]
        same = next((one for one in before if one.request_blob == asked and not one.problem), None)
        blank = events.GateTasted(
            claim_id=self.case.claim.claim_id,
            model=model,
            api_base=api_base,
            request_blob=asked,
            asked=False,
            rule=RULE,
        )
        if same is not None:
            fact = blank.model_copy(
                update={"violations": same.violations, "dropped": same.dropped, "reply_blob": same.reply_blob}
            )
        elif len(before) >= reader.calls:
            fact = blank.model_copy(update={"problem": f"it was asked {len(before)} times, as often as it may be"})
        elif self.ask is None:
            fact = blank.model_copy(update={"problem": "no model can be asked here"})
        else:
            fact = await self._answered(self.ask, request, blank, taste, shown)
        await self.record(fact)
        return fact

    async def _answered(
        self, ask: Ask, request: AskModel, blank: events.GateTasted, taste: Taste, shown: Mapping[str, str]
    ) -> events.GateTasted:
        try:
            answer = await ask(request)
        except ArreioError as error:
            return blank.model_copy(update={"asked": True, "problem": str(error)})
        said = read(answer.content, taste.judged, shown) if not answer.problem else None
        usage = events.Usage(
            prompt_tokens=answer.prompt_tokens,
            completion_tokens=answer.completion_tokens,
            estimated=answer.estimated,
        )
        return blank.model_copy(
            update={
                "asked": True,
                "reply_blob": await self.keep_blob(clean(answer.content)) if answer.content else None,
                "violations": said.violations if said else (),
                "dropped": said.dropped if said else (),
                "usage": usage,
                "cost_usd": answer.cost_usd,
                "problem": clean(answer.problem or (said.problem if said else "")),
            }
        )
