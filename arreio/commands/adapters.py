"""`arreio adapters run slack|telegram`: the adapters that come with Arreio, each a process of its own."""

from __future__ import annotations

from typing import Annotated

import typer

from arreio.adapter_process import PASSWORD, TOKEN, Reach, need, secret, serve
from arreio.options import DataDirOption
from arreio.platform_options import http_address
from arreio.platform_options import token as valid
from shared.errors import ArreioError

ChannelOption = Annotated[str, typer.Option("--channel", help="The channel to serve, made by 'arreio channels add'.")]
NatsOption = Annotated[
    str | None, typer.Option("--nats-url", help="Where NATS is (else ARREIO_NATS_URL, or the data directory's).")
]
PasswordOption = Annotated[
    str,
    typer.Option(metavar="VARIABLE", help="It holds the channel's NATS password; needed away from the data directory."),
]
UrlOption = Annotated[str | None, typer.Option("--url", help="Where the HTTP API is (else the data directory's).")]
TokenOption = Annotated[
    str, typer.Option(metavar="VARIABLE", help="It holds the channel's token; only attachments over 700 KB need it.")
]

app = typer.Typer(no_args_is_help=True, help="The adapters that come with Arreio: run slack, run telegram.")
run = typer.Typer(
    no_args_is_help=True,
    help="Serve a channel until Ctrl-C. Secrets are read from the variables that the options name.",
)
app.add_typer(run, name="run")


@run.command()
def telegram(
    channel: ChannelOption,
    bot_token_env: Annotated[
        str, typer.Option(metavar="VARIABLE", help="It holds the bot's token.")
    ] = "TELEGRAM_BOT_TOKEN",
    api_base: Annotated[str, typer.Option(help="Another Bot API server.")] = "https://api.telegram.org",
    nats_url: NatsOption = None,
    nats_password_env: PasswordOption = PASSWORD,
    url: UrlOption = None,
    token_env: TokenOption = TOKEN,
    data_dir: DataDirOption = None,
) -> None:
    """Serve a channel on Telegram, by long polling."""
    http_address("--api-base", api_base)
    token = valid(bot_token_env, secret(bot_token_env, "the bot's token, of @BotFather"))
    need("telegram", "telegram")
    from services.gateway.adapters.telegram.bot import Telegram

    reach = Reach(channel, nats_url, nats_password_env, url, token_env, data_dir)
    serve(reach, lambda: Telegram(token, api_base))


@run.command()
def slack(
    channel: ChannelOption,
    listen: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Take signed events there, at /slack/events (else Socket Mode)."),
    ] = None,
    bot_token_env: Annotated[
        str, typer.Option(metavar="VARIABLE", help="It holds the bot's token (xoxb-…).")
    ] = "SLACK_BOT_TOKEN",
    app_token_env: Annotated[
        str, typer.Option(metavar="VARIABLE", help="It holds the app-level token (xapp-…), for Socket Mode.")
    ] = "SLACK_APP_TOKEN",
    signing_secret_env: Annotated[
        str, typer.Option(metavar="VARIABLE", help="It holds the signing secret, for --listen.")
    ] = "SLACK_SIGNING_SECRET",
    api_base: Annotated[str, typer.Option(help="Another place of the Web API.")] = "https://slack.com/api/",
    nats_url: NatsOption = None,
    nats_password_env: PasswordOption = PASSWORD,
    url: UrlOption = None,
    token_env: TokenOption = TOKEN,
    data_dir: DataDirOption = None,
) -> None:
    """Serve a channel on Slack, by Socket Mode or by signed events."""
    place = None if listen is None else _host_and_port(listen)
    http_address("--api-base", api_base)
    bot_token = valid(bot_token_env, secret(bot_token_env, "the bot's token"))
    app_token = None
    if place is None:
        app_token = valid(app_token_env, secret(app_token_env, "the app-level token", "or take events by --listen"))
    signing_secret = None if place is None else secret(signing_secret_env, "the app's signing secret")
    need("slack_bolt", "slack")
    need("aiohttp", "slack")
    from services.gateway.adapters.slack.app import Keys, Slack

    keys = Keys(bot_token, app_token, signing_secret)
    reach = Reach(channel, nats_url, nats_password_env, url, token_env, data_dir)
    serve(reach, lambda: Slack(keys, listen_on=place, api_base=api_base))


def _host_and_port(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port) < 65536):
        raise ArreioError(f"--listen {text}: that is no HOST:PORT", "name one, as in 127.0.0.1:3000")
    return host.strip("[]") or "127.0.0.1", int(port)
