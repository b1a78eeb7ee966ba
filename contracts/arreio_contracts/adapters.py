"""What an adapter's own NATS user may do: publish on its channel, and read what is said on it. The exact subjects."""

from . import subjects


def nats_user(channel: str) -> str:
    """The name of the channel's NATS user."""
    return f"channel-{subjects.token(channel, 'channel')}"


def channel_of_user(user: str) -> str | None:
    """The channel of a NATS user; None: it is no adapter's."""
    return user.removeprefix("channel-") if user.startswith("channel-") else None


def durable(channel: str) -> str:
    """The durable pull consumer of the stream `ARREIO_OUTBOUND` that holds what the adapter has not acknowledged.

    It hands out one message at a time, so that replies keep their order also where one has to be sent again.
    """
    return f"outbound_{subjects.token(channel, 'channel')}"


def inbox_prefix(channel: str) -> str:
    """Where the server's answers to the adapter come; nobody else may read there."""
    return f"_INBOX_channel_{subjects.token(channel, 'channel')}"


def may_publish(channel: str) -> tuple[str, ...]:
    """Every subject that the adapter may publish on: its messages, and asking for and acknowledging its replies."""
    stream, consumer = subjects.STREAM_OUTBOUND, durable(channel)
    return (
        subjects.inbound(channel),
        f"$JS.API.CONSUMER.INFO.{stream}.{consumer}",
        f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}",
        f"$JS.ACK.{stream}.{consumer}.>",
    )


def may_subscribe(channel: str) -> tuple[str, ...]:
    """Every subject that the adapter may subscribe to: its inbox, in which replies of the durable come too."""
    return (f"{inbox_prefix(channel)}.>",)
