"""The embedded NATS server's configuration: who may publish and read what. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from arreio_contracts import adapters

from shared.bus import service_rights

READABLE_STREAMS = ("ARREIO_EVENTS", "ARREIO_OUTBOUND", "ARREIO_DEAD")  # a work queue has one reader: its service
_GIB = 1 << 30
_VARIABLE = re.compile(r'"(\$[A-Z_]+)"')


def render(
    *, port: int, store: Path, pid_file: Path, users: Mapping[str, str], service_consumers: Iterable[str] = ()
) -> str:
    """The configuration file's text (JSON, which NATS reads).

    `users` are passwords by name; nobody else gets in, since no user is the anonymous one. `service_consumers` are the
    durables of our services: only they may pull from, acknowledge, change or delete those.
    """
    guarded = sorted(service_consumers)
    config = {
        "server_name": "arreio",
        "listen": f"127.0.0.1:{port}",
        "pid_file": str(pid_file),
        "jetstream": {
            "store_dir": str(store),
            "sync_interval": "always",
            "max_memory_store": _GIB // 16,
            "max_file_store": 8 * _GIB,  # what streams may reserve; by default it hangs on the free space at the moment
        },
        "authorization": {
            "users": [
                {"user": name, "password": password, **_permissions(name, guarded)} for name, password in users.items()
            ]
        },
    }
    return json.dumps(config, indent=2) + "\n"


def render_external(
    users: Mapping[str, str],
    *,
    service_consumers: Iterable[str] = (),
    includes: Sequence[str] = (),
    tls: str | None = None,
) -> str:
    """The configuration of a server in a container: the same rights, on the network, with passwords from elsewhere.

    `users` are the names of the variables that hold the passwords, by user; the files `includes` define them. `tls` is
    the folder of `nats.crt` and `nats.key`; without it the server speaks plaintext.
    """
    guarded = sorted(service_consumers)
    config: dict[str, Any] = {
        "server_name": "$SERVER_NAME",
        "listen": "0.0.0.0:4222",
        "http": "0.0.0.0:8222",
        **(
            {}
            if tls is None
            else {"tls": {"cert_file": f"{tls}/nats.crt", "key_file": f"{tls}/nats.key", "timeout": 5}}
        ),
        # A client that a network cut off in silence gets no request and no message for longer than this.
        "ping_interval": "3s",
        "ping_max": 2,
        "jetstream": {
            "store_dir": "/data",
            "sync_interval": "always",
            "max_memory_store": _GIB // 16,
            "max_file_store": 8 * _GIB,
        },
        "authorization": {
            "users": [
                {"user": name, "password": f"${variable}", **_permissions(name, guarded)}
                for name, variable in users.items()
            ]
        },
    }
    # A variable stands without quotes, which is why it is not JSON to the letter.
    body = _VARIABLE.sub(r"\1", json.dumps(config, indent=2))
    first = [
        "# Made by `make deployment` from what the code says each user may do.",
        *(f"include {one}" for one in includes),
    ]
    return "\n".join([*first, *(line[2:] for line in body.splitlines()[1:-1])]) + "\n"


def rights(users: Iterable[str], service_consumers: Iterable[str]) -> set[tuple[str, str, str, str]]:
    """What users may do, as the configuration says it: user, `publish` or `subscribe`, `allow` or `deny`, subject."""
    guarded = sorted(service_consumers)
    everything = {verb: {"allow": [">"]} for verb in ("publish", "subscribe")}
    return {
        (user, verb, rule, subject)
        for user in users
        for verb, rules in _permissions(user, guarded).get("permissions", everything).items()
        for rule, listed in rules.items()
        for subject in listed
    }


def _permissions(user: str, guarded: list[str]) -> dict[str, Any]:
    match user:
        case service_rights.PROVISIONER:
            return {}
        case "operator":
            publish = ["arreio.v1.inbound.>", "arreio.v1.rpc.>", *_reading(READABLE_STREAMS)]
            return _only(publish, ["arreio.v1.>", "_INBOX_operator.>", "_INBOX.>"], guarded, READABLE_STREAMS)
        case "subscriber":
            return _only(
                _reading(("ARREIO_EVENTS",), own=user), ["arreio.v1.events.>", "_INBOX.>"], guarded, ("ARREIO_EVENTS",)
            )
        case _:
            if user in service_rights.SERVICES:
                return _only(
                    list(service_rights.may_publish(user)), list(service_rights.may_subscribe(user)), guarded, ()
                )
            channel = adapters.channel_of_user(user)
            if channel is None:
                return _only([], [], guarded, ())
            return _only(list(adapters.may_publish(channel)), list(adapters.may_subscribe(channel)), guarded, ())


def _only(publish: list[str], subscribe: list[str], guarded: list[str], streams: Iterable[str]) -> dict[str, Any]:
    denied = [subject for stream in streams for name in guarded for subject in _touching(stream, name)]
    return {
        "permissions": {
            "publish": {"allow": publish, "deny": denied} if publish else {"deny": [">"]},
            "subscribe": {"allow": subscribe} if subscribe else {"deny": [">"]},
        }
    }


def _reading(streams: Iterable[str], own: str | None = None) -> list[str]:
    """What reading streams takes. `own`: the one durable that the user may make and delete; None: any but the guarded.

    A consumer without a name, which the server forgets with its reader, may be made by each.
    """
    mine = own or "*"
    api = ["$JS.API.INFO", "$JS.API.STREAM.NAMES"]
    for stream in streams:
        api += [
            f"$JS.API.STREAM.INFO.{stream}",
            f"$JS.API.STREAM.MSG.GET.{stream}",
            f"$JS.API.DIRECT.GET.{stream}",
            f"$JS.API.DIRECT.GET.{stream}.>",
            f"$JS.API.CONSUMER.NAMES.{stream}",
            f"$JS.API.CONSUMER.INFO.{stream}.*",
            f"$JS.API.CONSUMER.CREATE.{stream}",
            *([f"$JS.API.CONSUMER.CREATE.{stream}.{own}"] if own else []),
            f"$JS.API.CONSUMER.CREATE.{stream}.{f'{own}.>' if own else '>'}",
            f"$JS.API.CONSUMER.DURABLE.CREATE.{stream}.{mine}",
            f"$JS.API.CONSUMER.MSG.NEXT.{stream}.*",
            f"$JS.API.CONSUMER.DELETE.{stream}.{mine}",
            f"$JS.ACK.{stream}.>",
            f"$JS.FC.{stream}.>",
        ]
    return api


def _touching(stream: str, consumer: str) -> list[str]:
    return [
        f"$JS.API.CONSUMER.CREATE.{stream}.{consumer}",
        f"$JS.API.CONSUMER.CREATE.{stream}.{consumer}.>",
        f"$JS.API.CONSUMER.DURABLE.CREATE.{stream}.{consumer}",
        f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}",
        f"$JS.API.CONSUMER.DELETE.{stream}.{consumer}",
        f"$JS.ACK.{stream}.{consumer}.>",
    ]
