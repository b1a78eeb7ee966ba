"""Serves one GGUF file on loopback by xllamacpp: `python -m services.tool_loop.models.local_server FILE [PORT]`.

Its first line on stdout is the address. It asks for the key in `ARREIO_LOCAL_MODEL_KEY`, and ends with its parent.
"""

import argparse
import importlib
import os
import signal
import threading
from pathlib import Path
from typing import Any, Final

from shared.processes import die_with_parent

KEY_VARIABLE: Final = "ARREIO_LOCAL_MODEL_KEY"
PARENT_VARIABLE: Final = "ARREIO_LOCAL_MODEL_PARENT"
CONTEXT_TOKENS: Final = 8192
"""Tokens of prompt and reply together that a server keeps; a request over it is refused."""


def serve(file: Path, port: int, key: str | None) -> None:
    """Load a model and serve it until SIGTERM or SIGINT."""
    xllamacpp: Any = importlib.import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(file)
    params.model_alias = {file.stem}
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.api_keys = [key] if key else []
    params.n_ctx = CONTEXT_TOKENS
    # A slot for the question of the tool and one for its arguments: each keeps the beginning of its prompt.
    params.n_parallel = 2
    params.kv_unified = True
    # Half the cores: threads of one step wait for each other, and a machine at work would make all wait for the last.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 2) // 2)
    # Threads that wait for work must not spin: the machine has other work to do.
    params.cpuparams.poll = params.cpuparams_batch.poll = 0
    params.cors_origins = ""
    params.ui = False
    params.endpoint_slots = False
    params.verbosity = 1
    stopped = threading.Event()
    for stop in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stop, lambda *_: stopped.set())
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)  # noqa: T201
    stopped.wait()


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("file", type=Path)
    parser.add_argument("port", type=int, nargs="?", default=0, help="0, the default: a free port")
    given = parser.parse_args()
    parent = os.environ.pop(PARENT_VARIABLE, None)
    if parent is not None:
        die_with_parent(int(parent))
    serve(given.file, given.port, os.environ.pop(KEY_VARIABLE, None))


if __name__ == "__main__":
    main()
