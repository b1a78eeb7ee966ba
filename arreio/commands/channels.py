"""`arreio channels add|list|set|rotate|rm|allow|deny|pair`: adapters' tokens and NATS users, and who may speak."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from arreio_contracts import adapters, subjects

from arreio.options import DataDirOption, JsonOption, say, say_json
from arreio.reading import reading
from arreio.terminal import visible_line
from shared.errors import ArreioError
from shared.settings import Settings, load_settings

if TYPE_CHECKING:
    from services.gateway.channels.features import Features
    from services.gateway.channels.registry import Channel, Keys

NameArgument = Annotated[str, typer.Argument(metavar="CHANNEL", help="1 to 128 of A-Z a-z 0-9 _ -")]
SenderArgument = Annotated[str, typer.Argument(metavar="SENDER", help="As the adapter names this person.")]

PairingOption = Annotated[
    bool | None, typer.Option("--pairing/--no-pairing", help="Unknown senders are told a code for the operator.")
]
ProgressOption = Annotated[
    float | None,
    typer.Option("--progress", min=0, metavar="SECONDS", help="Say so often how a task gets on; 0: never."),
]
ReplyUrlOption = Annotated[
    str | None, typer.Option("--reply-url", metavar="URL", help="Replies are posted there, signed; 'off': no more.")
]
ReplyPrivateOption = Annotated[
    bool | None,
    typer.Option("--reply-private/--reply-public", help="It may be on this machine or in a private network, and http."),
]

_LONGEST_PROGRESS: Final = 86_400

app = typer.Typer(no_args_is_help=True, help="Channels: add, list, set, rotate, rm, allow, deny, pair.")


@app.command()
def add(
    channel: NameArgument,
    open: Annotated[bool, typer.Option("--open", help="Everybody may speak; else senders are unknown.")] = False,
    webhook: Annotated[bool, typer.Option("--webhook", help="It takes signed webhooks too.")] = False,
    pairing: PairingOption = None,
    progress: ProgressOption = None,
    reply_url: ReplyUrlOption = None,
    reply_private: ReplyPrivateOption = None,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Make a channel; its adapter's token and NATS password are shown this once."""
    settings = load_settings(data_dir)
    features = _features(None, pairing, progress, reply_url, reply_private)
    _show(settings, channel, *asyncio.run(_add(settings, channel, open, webhook, features)), as_json)


@app.command("set")
def set_(
    channel: NameArgument,
    open: Annotated[bool | None, typer.Option("--open/--known", help="Everybody may speak, or known senders.")] = None,
    pairing: PairingOption = None,
    progress: ProgressOption = None,
    reply_url: ReplyUrlOption = None,
    reply_private: ReplyPrivateOption = None,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Change what a channel does; what is not named stays. A signing secret that it needs is made and shown once."""
    features = _features(open, pairing, progress, reply_url, reply_private)
    secret = asyncio.run(_change(load_settings(data_dir), channel, features))
    if as_json:
        say_json({"channel": channel, "signing_secret": secret})
    elif secret is not None:
        say(f"signing secret {secret}\nIt is shown this once.")
    else:
        say("changed")


@app.command()
def rotate(
    channel: NameArgument,
    grace: Annotated[
        float, typer.Option("--grace", min=0, max=365 * 86400, help="Seconds that the token before stays valid.")
    ] = 86400,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Give a channel a new token, and at once a new NATS password; the token before stays valid for a while."""
    settings = load_settings(data_dir)
    _show(settings, channel, *asyncio.run(_rotate(settings, channel, grace)), as_json)


@app.command("list")
def list_(as_json: JsonOption = False, data_dir: DataDirOption = None) -> None:
    """Show every channel and who may speak on it."""
    channels = asyncio.run(_list(load_settings(data_dir)))
    for one in channels:
        if as_json:
            say_json(_plain(one))
            continue
        who = (
            "everybody may speak" if one.open else f"may speak: {visible_line(', '.join(one.senders)) or 'nobody yet'}"
        )
        former = f"; the former token is valid until {one.former_until:%Y-%m-%d %H:%M} UTC" if one.former_until else ""
        does = [
            "signed webhooks" if one.signed else "",
            "pairing" if one.pairing else "",
            f"progress every {one.progress:g} s" if one.progress else "",
            f"replies to {one.replies_to}" if one.replies_to else "",
        ]
        say(f"{one.name:<16} {'; '.join(filter(None, [who, *does]))}{former}")
    if not channels and not as_json:
        say("no channels; 'arreio channels add CHANNEL' makes one")


@app.command()
def rm(channel: NameArgument, data_dir: DataDirOption = None) -> None:
    """Take a channel away with its token, its NATS user and its senders; its sessions stay."""
    asyncio.run(_remove(load_settings(data_dir), channel))
    say("removed")


@app.command()
def allow(channel: NameArgument, sender: SenderArgument, data_dir: DataDirOption = None) -> None:
    """Let a sender speak on a channel: one, as the adapter names this person; no sign stands for others."""
    if not sender.strip():
        raise ArreioError("a sender has a name", "give it as the adapter does; '--open' of 'channels set' is for all")
    asyncio.run(_let(load_settings(data_dir), channel, sender, speak=True))
    say(f"{visible_line(sender)} may speak on {channel}")
    if "*" in sender or "?" in sender:
        say(f"this is one name as it is written, no pattern; for everybody: arreio channels set {channel} --open")


@app.command()
def deny(channel: NameArgument, sender: SenderArgument, data_dir: DataDirOption = None) -> None:
    """Let a sender no longer speak on a channel."""
    asyncio.run(_let(load_settings(data_dir), channel, sender, speak=False))
    say(f"{visible_line(sender)} may no longer speak on {channel}")


@app.command()
def pair(
    channel: NameArgument,
    code: Annotated[str, typer.Argument(metavar="CODE", help="As the person was told it.")],
    data_dir: DataDirOption = None,
) -> None:
    """Let in the person who was told a pairing code: make sure that it is who you think."""
    sender = asyncio.run(_pair(load_settings(data_dir), channel, code))
    say(f"{visible_line(sender)} may speak on {channel}")


def _features(
    open: bool | None, pairing: bool | None, progress: float | None, reply_url: str | None, private: bool | None
) -> Features:
    from services.gateway.channels.features import OFF, Features

    if progress is not None and not (progress == 0 or 1 <= progress <= _LONGEST_PROGRESS):
        raise ArreioError(
            f"--progress {progress:g} is no time between two words",
            f"give 1 to {_LONGEST_PROGRESS} seconds, or 0 for none",
        )
    return Features(open, pairing, progress, OFF if reply_url == "off" else reply_url, private)


async def _change(settings: Settings, channel: str, features: Features) -> str | None:
    from services.gateway.channels.features import change

    async with reading(settings) as pool:
        return await change(pool, channel, features)


async def _pair(settings: Settings, channel: str, code: str) -> str:
    from services.gateway.channels.pairing import pair

    async with reading(settings) as pool:
        return await pair(pool, channel, code)


async def _add(
    settings: Settings, channel: str, open: bool, webhook: bool, features: Features
) -> tuple[Keys, str | None]:
    from services.gateway.channels.addresses import url_problem
    from services.gateway.channels.features import change
    from services.gateway.channels.registry import add_channel

    if features.reply_url and (problem := url_problem(features.reply_url, private=bool(features.reply_private))):
        raise ArreioError(f"the reply URL {problem}", "give an https URL, or --reply-private for one near by")
    async with reading(settings) as pool:
        keys = await add_channel(pool, channel, open=open, signed=webhook or bool(features.reply_url))
        await change(pool, channel, features)
    return keys, await _nats_access(settings, channel)


async def _rotate(settings: Settings, channel: str, grace: float) -> tuple[Keys, str | None]:
    from services.gateway.channels.registry import rotate_channel

    async with reading(settings) as pool:
        keys = await rotate_channel(pool, channel, grace=grace)
    return keys, await _nats_access(settings, channel)


async def _nats_access(settings: Settings, channel: str) -> str | None:
    """Make the channel's durable and NATS user; the user's password, or None where NATS is run by others."""
    from shared.bus.adapter_durables import make_durable
    from shared.engine.channel_users import set_user
    from shared.engine.paths import DataDir

    await make_durable(settings, channel)
    return set_user(DataDir(settings.home), channel) if settings.embedded else None


async def _remove(settings: Settings, channel: str) -> None:
    from services.gateway.channels.registry import remove_channel
    from shared.bus.adapter_durables import remove_durable
    from shared.engine.channel_users import remove_user
    from shared.engine.paths import DataDir

    async with reading(settings) as pool:
        await remove_channel(pool, channel)
    if settings.embedded:
        remove_user(DataDir(settings.home), channel)
    await remove_durable(settings, channel)


async def _list(settings: Settings) -> list[Channel]:
    from services.gateway.channels.registry import list_channels

    async with reading(settings) as pool:
        return await list_channels(pool)


async def _let(settings: Settings, channel: str, sender: str, *, speak: bool) -> None:
    from services.gateway.channels import registry

    async with reading(settings) as pool:
        await (registry.allow if speak else registry.deny)(pool, channel, sender)


def _show(settings: Settings, channel: str, keys: Keys, password: str | None, as_json: bool) -> None:
    from shared.telemetry import mask_passwords

    servers = settings.nats_options("operator")["servers"]
    nats: dict[str, Any] = {
        "url": mask_passwords(servers[0]),
        "user": adapters.nats_user(channel),
        "password": password,
        "inbox_prefix": adapters.inbox_prefix(channel),
        "publish": subjects.inbound(channel),
        "stream": subjects.STREAM_OUTBOUND,
        "durable": adapters.durable(channel),
    }
    if password is None:  # the server is others', who need to know what to permit
        nats["permissions"] = {
            "publish": list(adapters.may_publish(channel)),
            "subscribe": list(adapters.may_subscribe(channel)),
        }
    if as_json:
        say_json({"channel": channel, "token": keys.token, "signing_secret": keys.signing_secret, "nats": nats})
        return
    say(f"token          {keys.token}")
    if keys.signing_secret is not None:
        say(f"signing secret {keys.signing_secret}")
    for name, value in nats.items():
        say(f"{f'nats {name}':<14} {'give the user one' if value is None else value}")
    say("The token and passwords are shown this once. Senders: 'arreio channels allow'; the HTTP API: 'arreio info'.")


def _plain(one: Channel) -> dict[str, Any]:
    return {
        "name": one.name,
        "open": one.open,
        "signed": one.signed,
        "pairing": one.pairing,
        "progress": one.progress,
        "replies_to": one.replies_to,
        "senders": list(one.senders),
        "created_at": one.created_at.isoformat(),
        "former_until": one.former_until and one.former_until.isoformat(),
    }
