"""The gate-runner as a service: it hears of claims, sweeps for those that nobody judges, and answers probes."""

from functools import partial
from typing import Final

from arreio_contracts import subjects
from arreio_contracts.messages import AskModel, JudgeClaim, ModelAnswer, ProbeCriteria

from shared.bus.broker import Broker
from shared.bus.consume import Received, consume
from shared.bus.rpc import call, serve
from shared.processes import owner_id
from shared.sandbox import end_orphans
from shared.service import Wiring, every, run_service
from shared.settings import Settings
from shared.store.connection import Pool
from shared.version import CODE_VERSION

from .handlers import GateRunner
from .probing import Prober

_ON_THE_WAY: Final = 5.0
"""Seconds beyond those that a model may take."""


async def run(settings: Settings) -> None:
    """Serve until told to stop."""
    end_orphans()

    def wire(broker: Broker, pool: Pool) -> Wiring:
        prober = Prober()

        async def ask(asked: AskModel) -> ModelAnswer:
            return await call(broker.client, subjects.RPC_ASK, asked, ModelAnswer, timeout=asked.seconds + _ON_THE_WAY)

        runner = GateRunner(
            pool,
            owner_id(),
            settings.data_dir,
            ttl=settings.lease_ttl,
            code_version=CODE_VERSION,
            prober=prober,
            ask=ask,
        )

        async def claimed(received: Received[JudgeClaim]) -> None:
            await runner.start(received.body)

        consume(broker, subjects.CONSUMER_GATE_RUNNER_JUDGE, claimed, JudgeClaim, pool=pool)
        serve(broker, subjects.RPC_PROBE, ProbeCriteria, prober.probe)
        return Wiring(
            consumers=(subjects.CONSUMER_GATE_RUNNER_JUDGE,),
            background=(partial(every, settings.sweep_interval, runner.sweep, name="claims"),),
            before_stop=runner.stop,
        )

    await run_service(settings, "gate_runner", wire)
