"""What an idle `arreio up` costs: CPU of the whole tree over half a minute, and its memory."""

import sys
import time

from benchmarks.running import cpu_seconds, proportional_mib, scratch, tree, up

SETTLE_SECONDS = 10
MEASURE_SECONDS = 30


def main() -> None:
    """Start everything, let it settle, and measure while nothing is asked of it."""
    with scratch() as folder, up(folder / "home") as process:
        time.sleep(SETTLE_SECONDS)
        pids = tree(process.pid)
        before, started = cpu_seconds(pids), time.monotonic()
        time.sleep(MEASURE_SECONDS)
        used, seconds = cpu_seconds(pids) - before, time.monotonic() - started
        sys.stdout.write(
            f"idle arreio up, {len(pids)} processes: {100 * used / seconds:.2f}% of a core over {seconds:.0f} s "
            f"(goal: under 3%), {proportional_mib(pids):.0f} MiB\n"
        )
