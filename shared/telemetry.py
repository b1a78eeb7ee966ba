"""Structured logs: one JSON object a line on stderr, with the ids that follow a message through the services."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

_PASSWORD_IN_URL = re.compile(r"([a-z][a-z0-9+.-]{0,30}://[^\s:/@]*:)[^\s@/]+@")
_PASSWORD_IN_DSN = re.compile(r"(\bpassword=)('(?:[^'\\]|\\.)*'|\S+)")
_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


def configure_logging(service: str, level: str = "info") -> None:
    """Send structlog's and the standard library's records to stderr as JSON lines that name the service.

    Third-party loggers speak from `warning` on. Passwords in addresses are masked.
    """
    shared_steps: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        _with_service(service),
        _masked,
    ]
    structlog.configure(
        processors=[*shared_steps, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared_steps,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(ensure_ascii=False),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(_LEVELS[level], logging.WARNING))
    for ours in ("arreio", "shared", "services"):
        logging.getLogger(ours).setLevel(_LEVELS[level])


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """A logger; give the module's `__name__`. Keyword arguments of its calls become fields."""
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return logger


def bind(**ids: str | int | None) -> None:
    """Add ids (session_id, task_id, …) to every later record of this task of the event loop; None takes one away."""
    structlog.contextvars.bind_contextvars(**{key: value for key, value in ids.items() if value is not None})
    structlog.contextvars.unbind_contextvars(*(key for key, value in ids.items() if value is None))


def mask_passwords(text: str) -> str:
    """The text without the passwords of URLs and connection strings."""
    return _PASSWORD_IN_DSN.sub(r"\1***", _PASSWORD_IN_URL.sub(r"\1***@", text))


def _with_service(service: str) -> Any:
    def add(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        event["service"] = service
        return event

    return add


def _masked(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for key, value in event.items():
        if isinstance(value, str) and ("://" in value or "password=" in value):
            event[key] = mask_passwords(value)
    return event
