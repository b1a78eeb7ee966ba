"""What every test may ask for: one embedded engine for the whole run, provisioned."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shared.engine.engine import running_engine
from shared.provision import provision
from shared.settings import Settings


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings of a running, provisioned engine in a directory of this run; its servers end with the run."""
    settings = Settings(home=tmp_path_factory.mktemp("engine"), database_url=None, nats_url=None)
    with running_engine(settings):
        provision(settings)
        yield settings
