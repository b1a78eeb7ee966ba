"""A capability profile is never wider than the model's window, where somebody says how wide that is."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.models.capability import resolve
from services.tool_loop.models.window import narrowed, told, window_of


@pytest.mark.parametrize(
    ("entry", "window"),
    [
        ({"id": "mystery", "max_model_len": 4096}, 4096),
        ({"id": "vendor/Mystery.gguf", "meta": {"n_ctx_train": 32768, "n_vocab": 7}}, 32768),
        ({"id": "mystery", "context_length": 8192, "meta": {"n_ctx_train": 131072}}, 8192),
        ({"id": "mystery", "context_length": "much"}, None),
        ({"id": "mystery", "context_length": 0}, None),
        ({"id": "another", "context_length": 8192}, None),
    ],
)
def test_servers_tell_the_window_in_their_list_of_models(entry: dict[str, Any], window: int | None) -> None:
    assert told({"object": "list", "data": [3, {"id": "first"}, entry]}, "openai/mystery") == window


@pytest.mark.parametrize("listed", [None, [], {}, {"data": None}, {"data": {"id": "mystery"}}, "no"])
def test_a_list_that_is_none_says_nothing(listed: Any) -> None:
    assert told(listed, "mystery") is None


@given(st.sampled_from(["gpt-5", "qwen2.5-coder-0.5b", "smollm2-135m", "mystery"]), st.integers(512, 300_000))
def test_a_profile_never_grows_and_always_fits_its_window(model: str, window: int) -> None:
    shipped = resolve(model).model_dump(mode="json")
    fitted = narrowed(shipped, window)
    assert fitted["context_tokens"] <= max(window, 512)
    if window >= shipped["context_tokens"]:
        assert fitted == shipped
    else:
        assert sum(fitted["layer_budgets"].values()) + fitted["max_output_tokens"] <= fitted["context_tokens"]
        assert all(fitted["layer_budgets"][name] <= most for name, most in shipped["layer_budgets"].items())
    type(resolve(model)).model_validate(fitted)


async def test_a_model_of_the_map_is_known_and_a_server_that_is_away_says_nothing() -> None:
    assert await window_of("openai/gpt-3.5-turbo", None, ask=False) == 16385
    assert await window_of("openai/mystery", "http://127.0.0.1:9/v1", ask=True) is None
    assert await window_of("openai/mystery", "no address", ask=True) is None
