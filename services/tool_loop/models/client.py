"""One request to a model, over litellm: any provider, typed failures, no retries of its own."""

import asyncio
import contextlib
import gc
import importlib
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Protocol

import structlog

from shared.prompt import Message

from .errors import ProviderError
from .failures import SAMPLING, SamplingRefused, failure
from .replies import ModelReply, reply_of_choice
from .responses import readable

PLACEHOLDER_KEY: Final = "no-key"
"""Sent where an address is given and no key is known: servers on one's own machine ask for none."""

logger = structlog.get_logger()
_importing = threading.Lock()


@dataclass(frozen=True)
class ModelRequest:
    """What a model is asked. `timeout` is the seconds that the whole exchange may take."""

    model: str
    messages: Sequence[Message] = ()
    api_base: str | None = None
    api_key: str | None = None
    tools: Sequence[dict[str, Any]] | None = None
    tool_choice: str | None = None
    parallel_tool_calls: bool = False
    response_format: dict[str, Any] | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    timeout: float = 600.0


class Client(Protocol):
    """Asks a model once. Cancelling the call ends the exchange; the event loop is never blocked by it."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The reply. Raises `ProviderError`, and nothing else, when there is none."""
        ...


@cache
def load_litellm() -> Any:
    """litellm, imported once: that takes seconds. Safe to call from any thread."""
    with _importing:
        os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
        # OpenAI's protocol through litellm's own HTTP client instead of the openai package: a fifth less CPU a call.
        os.environ.setdefault("EXPERIMENTAL_OPENAI_BASE_LLM_HTTP_HANDLER", "True")
        for name in [name for name, value in os.environ.items() if name.endswith("_API_KEY") and not value.strip()]:
            del os.environ[name]  # litellm takes a variable that is set for a key, though it be empty
        # What an import makes stays: looking for garbage in it takes a quarter of its time, and would halt us later on.
        gc.disable()
        try:
            import litellm
        finally:
            gc.enable()
        gc.freeze()

        _mend_responses()
        litellm.suppress_debug_info = True
        litellm.telemetry = False
        litellm.drop_params = False
        return litellm


def _mend_responses() -> None:
    """Let litellm read responses that it takes for no answer at all; without such a function it reads by itself."""
    module: Any = importlib.import_module("litellm.llms.openai.chat.gpt_transformation")
    convert = getattr(module, "convert_to_model_response_object", None)
    if convert is not None:
        module.convert_to_model_response_object = lambda response_object=None, **more: convert(
            response_object=readable(response_object), **more
        )
    reading: Any = importlib.import_module("litellm.litellm_core_utils.llm_response_utils.convert_dict_to_response")
    unpack = getattr(reading, "handle_invalid_parallel_tool_calls", None)
    if unpack is not None:
        reading.handle_invalid_parallel_tool_calls = lambda calls: _unpacked(unpack, calls)


def _unpacked(unpack: Callable[[Any], Any], calls: Any) -> Any:
    """What litellm makes of calls; where it cannot read the arguments, the calls as they are: it is ours to say so."""
    try:
        return unpack(calls)
    except (LookupError, RecursionError, TypeError, ValueError):
        return calls


@cache
def _unlogged() -> Callable[[], contextlib.AbstractContextManager[None]]:
    """What makes litellm build no log records: nobody reads them, and they are a quarter of what a call costs it."""
    try:
        from litellm._internal_context import internal_sub_call
    except ImportError:
        return contextlib.nullcontext
    return internal_sub_call


class ModelClient:
    """`Client` over `litellm.acompletion`, whose connections are kept for the life of the process.

    A model that refuses a sampling parameter is asked once more without any, and never with any again; that is logged.
    """

    def __init__(self, completion: Callable[..., Any] | None = None) -> None:
        self._completion = completion
        self._plain: set[str] = set()

    async def warm_up(self) -> None:
        """Import litellm, in a thread beside other work, so that the first request need not wait for it."""
        if load_litellm.cache_info().currsize == 0:
            await asyncio.to_thread(load_litellm)

    async def close(self) -> None:
        """Close the connections that are kept."""
        if load_litellm.cache_info().currsize:
            cleanup: Any = importlib.import_module("litellm.llms.custom_httpx.async_client_cleanup")
            await cleanup.close_litellm_async_clients()

    async def complete(self, request: ModelRequest) -> ModelReply:
        """See `Client.complete`."""
        await self.warm_up()
        arguments = _arguments(request, plain=request.model in self._plain)
        try:
            return await self._ask(request, arguments)
        except SamplingRefused as refused:
            logger.warning("model.sampling_refused", model=request.model, left_out=SAMPLING, problem=refused.message)
            self._plain.add(request.model)
            return await self._ask(request, _arguments(request, plain=True))

    async def _ask(self, request: ModelRequest, arguments: dict[str, Any]) -> ModelReply:
        completion = self._completion or load_litellm().acompletion
        secrets = [request.api_key] if request.api_key else []
        try:
            with _unlogged()():
                async with asyncio.timeout(request.timeout):
                    response = await completion(**arguments)
            return _reply(response, request)
        except TimeoutError as error:
            raise ProviderError("timeout", f"no reply within {request.timeout:g} s") from error
        except ProviderError:
            raise
        except Exception as error:  # noqa: BLE001 - litellm raises what it wraps, and what it does not
            raise failure(error, arguments, secrets) from None


def _arguments(request: ModelRequest, *, plain: bool) -> dict[str, Any]:
    model, api_key = _routed(request)
    one_call = bool(request.tools) and not request.parallel_tool_calls
    sampling = {
        "temperature": request.temperature,
        "seed": request.seed,
        "parallel_tool_calls": False if one_call else None,
    }
    if not plain:
        supported = _supported(model)
        sampling = {name: value for name, value in sampling.items() if supported is None or name in supported}
    given = {
        "api_base": request.api_base,
        "api_key": api_key,
        "tools": list(request.tools) if request.tools else None,
        "tool_choice": request.tool_choice,
        "response_format": request.response_format,
        "max_tokens": request.max_tokens,
        **({} if plain else sampling),
    }
    return {
        "model": model,
        "messages": list(request.messages),
        "timeout": request.timeout,
        "num_retries": 0,
        "max_retries": 0,
        **{name: value for name, value in given.items() if value is not None},
    }


def _routed(request: ModelRequest) -> tuple[str, str | None]:
    """The id as litellm takes it, and the key; with an address, a bare name is one of OpenAI's protocol."""
    known = has_provider(request.model)
    if request.api_base is None:
        if not known:
            raise ProviderError(
                "unknown_model", f"no provider is known for the model {request.model!r}", hint=_NAME_THE_PROVIDER
            )
        missing = [] if request.api_key else _missing_keys(request.model)
        if missing:
            raise ProviderError(
                "missing_key", f"there is no API key for {request.model}", hint=f"set {' or '.join(missing)}"
            )
        return request.model, request.api_key
    model = request.model if known else f"openai/{request.model}"
    if request.api_key is None and _missing_keys(model):
        return model, PLACEHOLDER_KEY
    return model, request.api_key


_NAME_THE_PROVIDER: Final = (
    "name it PROVIDER/MODEL as litellm does (openai/…, anthropic/…, ollama/…), local/NAME, or give --api-base"
)


@cache
def has_provider(model: str) -> bool:
    """Whether litellm knows who serves a model by its id."""
    try:
        load_litellm().get_llm_provider(model)
    except Exception:  # noqa: BLE001 - whatever it raises means that it knows no provider
        return False
    return True


@cache
def _missing_keys(model: str) -> list[str]:
    """The variables of which one would have to hold the key, where a key is all that is missing."""
    missing = load_litellm().validate_environment(model=model)["missing_keys"]
    return missing if missing and all(name.endswith("_API_KEY") for name in missing) else []


@cache
def _supported(model: str) -> frozenset[str] | None:
    """The parameters that litellm can hand to a model; None: it does not say."""
    with contextlib.suppress(Exception):
        known = load_litellm().get_supported_openai_params(model=model)
        return frozenset(known) if known else None
    return None


def _reply(response: Any, request: ModelRequest) -> ModelReply:
    if not response.choices:
        raise ProviderError("unavailable", "the provider's answer holds no choice")
    return reply_of_choice(
        response.choices[0],
        getattr(response, "usage", None),
        (getattr(response, "_hidden_params", None) or {}).get("response_cost"),
        request.messages,
        request.tools or (),
    )
