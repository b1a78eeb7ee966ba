"""Says how criteria stand after an effect: those that run nothing always, commands only while they are quick."""

from pathlib import Path
from typing import Final

from arreio_contracts.messages import CriterionResult, ProbeCriteria, ProbeResult
from arreio_contracts.task import CommandCriterion, Criterion, TestsCriterion

from shared.sandbox import Limits

from .commands import SandboxedCommands
from .criteria import Bench, is_cheap, judge

QUICK_SECONDS: Final = 1.0
"""A command that took no longer the last time is run in a probe; one that was never judged is not."""
PROBE_SECONDS: Final = 3.0
"""The sum of the last times of the commands of one probe, and the limit of each."""
_MOST_KNOWN: Final = 1_000


class Prober:
    """Knows how long commands took in this process: the first judgement or a later probe tells.

    What is found is a mark of progress and never a judgement: the files that judge are not looked at, and a command
    without an overlay is not run.
    """

    def __init__(self) -> None:
        self._seconds: dict[tuple[str, str], float] = {}

    def learn(self, workspace: Path, criterion: Criterion, result: CriterionResult) -> None:
        """Keep how long a criterion's command took."""
        if isinstance(criterion, CommandCriterion | TestsCriterion) and result.seconds is not None:
            key = str(workspace), criterion.run
            self._seconds.pop(key, None)
            self._seconds[key] = result.seconds
            while len(self._seconds) > _MOST_KNOWN:
                self._seconds.pop(next(iter(self._seconds)))

    async def probe(self, request: ProbeCriteria) -> ProbeResult:
        """How the criteria stand now; those that cost something are not looked at."""
        workspace = Path(request.workspace)
        limits = Limits(seconds=PROBE_SECONDS)
        commands = SandboxedCommands(workspace, request.network, request.sandbox, limits, overlay_only=True)
        bench = Bench(workspace, commands)
        left = PROBE_SECONDS
        results: list[CriterionResult | None] = []
        for criterion in request.criteria:
            cost = self._cost(workspace, criterion, request)
            if cost is None or cost > left:
                results.append(None)
                continue
            left -= cost
            result = await judge(criterion, bench)
            self.learn(workspace, criterion, result)
            unknown = cost > 0 and (result.environment or (result.seconds or 0.0) >= PROBE_SECONDS)
            results.append(None if unknown else result)
        return ProbeResult(
            verdicts=tuple(result.verdict if result else None for result in results),
            counts=tuple(result.counts if result else None for result in results),
        )

    def _cost(self, workspace: Path, criterion: Criterion, request: ProbeCriteria) -> float | None:
        """Seconds that a look at a criterion is likely to take; None where it is not looked at."""
        if is_cheap(criterion):
            return 0.0
        if not isinstance(criterion, CommandCriterion | TestsCriterion) or request.sandbox == "none":
            return None
        seconds = self._seconds.get((str(workspace), criterion.run))
        return seconds if seconds is not None and seconds <= QUICK_SECONDS else None
