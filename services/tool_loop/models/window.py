"""How much a model's window holds, where litellm's map or the server's list of models tells."""

import asyncio
import contextlib
from typing import Any, Final

import httpx

from .capability import own_name
from .client import load_litellm

_TIMEOUT: Final = 3.0
_FIELDS: Final = ("max_model_len", "context_length", "context_window", "n_ctx", "n_ctx_train", "max_input_tokens")
"""How vLLM, OpenRouter, Groq and llama.cpp call it; beside the id, or in `meta`."""
_LEAST: Final = 512


async def window_of(model: str, api_base: str | None, *, ask: bool) -> int | None:
    """The tokens that a model's window holds; None where nobody says. `ask`: the server at the address may be asked."""
    known = await asyncio.to_thread(_mapped, model)
    if known is not None or api_base is None or not ask:
        return known
    with contextlib.suppress(httpx.HTTPError, httpx.InvalidURL, ValueError):
        async with httpx.AsyncClient(timeout=_TIMEOUT) as client:
            listed = await client.get(f"{api_base.rstrip('/')}/models")
        return told(listed.json(), model) if listed.is_success else None
    return None


def told(listed: Any, model: str) -> int | None:
    """What a list of models, as OpenAI's protocol has it, says of one."""
    models = listed.get("data") if isinstance(listed, dict) else None
    for one in models if isinstance(models, list) else ():
        if isinstance(one, dict) and own_name(str(one.get("id"))) == own_name(model):
            meta = one.get("meta")
            places = (one, meta if isinstance(meta, dict) else {})
            sizes = [place[name] for place in places for name in _FIELDS if isinstance(place.get(name), int)]
            return min((size for size in sizes if size > 0), default=None)
    return None


def narrowed(capability: dict[str, Any], window: int | None) -> dict[str, Any]:
    """A capability profile that fits a window: everything smaller by the same factor, and nothing ever larger."""
    most = int(capability["context_tokens"])
    if window is None or window >= most:
        return capability
    window = max(_LEAST, window)
    budgets = {name: int(budget) * window // most for name, budget in capability["layer_budgets"].items()}
    output = max(16, int(capability["max_output_tokens"]) * window // most)
    return {**capability, "context_tokens": window, "layer_budgets": budgets, "max_output_tokens": output}


def _mapped(model: str) -> int | None:
    """What litellm's map of models says; it raises where it knows nothing."""
    with contextlib.suppress(Exception):
        size = load_litellm().get_model_info(model=model).get("max_input_tokens")
        return int(size) if size else None
    return None
