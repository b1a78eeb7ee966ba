"""Streams and consumers fit together and fit the contracts."""

import dataclasses

import pytest
from arreio_contracts import subjects

from shared.bus import streams


def test_every_stream_of_the_contracts_is_made_with_its_subject() -> None:
    assert {stream.name: stream.subject for stream in streams.STREAMS} == subjects.STREAM_SUBJECTS


def test_every_consumer_of_the_contracts_is_made() -> None:
    named = {value for name, value in vars(subjects).items() if name.startswith("CONSUMER_")}
    assert set(streams.CONSUMERS) == named


@pytest.mark.parametrize("consumer", streams.CONSUMERS.values(), ids=lambda one: one.name)
def test_a_consumer_reads_what_its_stream_takes(consumer: streams.Consumer) -> None:
    for subject in consumer.filters:
        assert streams.stream_of(subject.replace("*", "x")) == consumer.stream


@pytest.mark.parametrize(
    "subject",
    [
        "",
        "arreio.v1.events.a",
        "arreio.v1.events..b",
        "arreio.v1.events.*.b",
        "arreio.v1.events.a.b.c",
        "x",
        "arreio.v1.inbound.a b",
        "arreio.v1.inbound.\u00e9",
        "arreio.v1.inbound.a\0b",
        f"arreio.v1.inbound.{'a' * 129}",
        "arreio.v1.inbound.a\n",
    ],
)
def test_what_no_stream_takes_is_known_before_it_is_sent(subject: str) -> None:
    assert streams.stream_of(subject) is None


def test_consumers_of_a_work_queue_do_not_overlap() -> None:
    queues = {stream.name for stream in streams.STREAMS if stream.retention == "workqueue"}
    filters = [one for consumer in streams.CONSUMERS.values() if consumer.stream in queues for one in consumer.filters]
    assert len(filters) == len(set(filters))


def test_the_digest_changes_with_a_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    before = streams.digest()
    changed = dataclasses.replace(streams.STREAMS[0], max_age=1.0)
    monkeypatch.setattr(streams, "STREAMS", (changed, *streams.STREAMS[1:]))
    assert streams.digest() != before
