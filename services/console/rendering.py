"""Pages out of templates. Whatever is shown is escaped: text of others can neither be markup nor hide anything."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from shared.canonical import restore_text
from shared.visible_text import visible

from .guard import Visitor

LONGEST_TEXT: Final = 200_000
"""Characters of one text that a page shows."""


def _shown(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _when(value: datetime | str | None) -> str:
    if value is None:
        return ""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


_UNITS: Final = ((60, "s"), (3600, "min"), (86400, "h"))


def _ago(value: datetime, now: datetime | None = None) -> str:
    """How long ago something was, in its largest unit."""
    seconds = max(0, int(((now or datetime.now(UTC)) - value).total_seconds()))
    smaller = 1
    for limit, unit in _UNITS:
        if seconds < limit:
            return f"{seconds // smaller} {unit} ago"
        smaller = limit
    return f"{seconds // 86400} d ago"


def _moment(value: datetime | str) -> Markup:
    """A moment as people read it: how long ago, and when."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    said = '<time datetime="{}">{}</time> <small>{}</small>'
    return Markup(said).format(moment.isoformat(), _ago(moment), _when(moment))


def _clock(value: datetime, now: datetime | None = None) -> str:
    """The time of an event; of another day with its date."""
    today = (now or datetime.now(UTC)).date()
    return f"{value:%H:%M:%S}" if value.date() == today else f"{value:%Y-%m-%d %H:%M:%S}"


def _lasted(seconds: float) -> str:
    """How long something lasted."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, hours = int(seconds // 60), int(seconds // 3600)
    return f"{minutes} min {int(seconds % 60)} s" if hours < 1 else f"{hours} h {minutes % 60} min"


def _pretty(value: Any) -> str:
    return cut(json.dumps(value, indent=2, ensure_ascii=False))


def cut(text: str) -> str:
    """As much of a text as a page shows."""
    over = len(text) - LONGEST_TEXT
    return text if over <= 0 else f"{text[:LONGEST_TEXT]}\n… and {over:,} characters more"


def _environment() -> Environment:
    found = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {
        "when": _when,
        "moment": _moment,
        "clock": _clock,
        "lasted": _lasted,
        "pretty": _pretty,
        "cut": cut,
        "segment": lambda text: quote(str(text), safe=""),
        "restored": restore_text,
    }
    return found


_TEMPLATES: Final = _environment()


def fragment(template: str, **values: Any) -> str:
    """A part of a page."""
    return _TEMPLATES.get_template(template).render(values)


def page(request: Request, template: str, visitor: Visitor | None, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A whole page; never kept by anybody on the way."""
    text = fragment(template, request=request, here=request.url.path, visitor=visitor, **values)
    return HTMLResponse(text, status, headers={"Cache-Control": "no-store"})
