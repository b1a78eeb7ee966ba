"""`answer:` holds when the reply of the claim says something, and names nothing that was never seen."""

from typing import ClassVar

from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import AnswerCriterion

from .base import Bench, failed, passed


class AnswerJudge:
    """Judges `answer`. It is not probed: the reply comes with the claim."""

    cheap: ClassVar[bool] = False

    async def judge(self, criterion: AnswerCriterion, bench: Bench) -> CriterionResult:
        """See `Judge.judge`."""
        if not bench.reply.strip():
            return failed(criterion, "a reply to the person", "an empty reply")
        if bench.ungrounded:
            return failed(criterion, "only what was seen is named", f"never seen: {', '.join(bench.ungrounded)}")
        return passed(criterion)
