"""Service processes in the data directory, also where several containers share it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arreio import service_process
from arreio.service_process import live_services, register, unregister
from shared.engine.paths import DataDir
from shared.observing import addresses
from shared.observing.addresses import announced, metrics_urls


def test_processes_of_one_id_in_two_containers_are_both_shown_and_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = DataDir(tmp_path)
    here = register(place, "gateway")
    monkeypatch.setattr(service_process, "pid_space", lambda: "another")
    there = register(place, "gateway")
    assert [(one.name, one.pid) for one in live_services(place)] == [("gateway", os.getpid())] * 2
    assert sorted(one.here for one in live_services(place)) == [False, True]
    unregister(there)
    assert [one.here for one in live_services(place)] == [False]
    unregister(here)
    assert live_services(place) == []


def test_where_a_process_of_another_container_is_watched_is_neither_shown_nor_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = DataDir(tmp_path)
    monkeypatch.setattr(addresses, "pid_space", lambda: "another")
    with announced(place, "gateway", "http://127.0.0.1:1"):
        monkeypatch.undo()
        with announced(place, "gateway", "http://127.0.0.1:2"):
            assert metrics_urls(place) == [("gateway", os.getpid(), "http://127.0.0.1:2")]
        assert metrics_urls(place) == []
        assert len(list(place.metrics.iterdir())) == 1
