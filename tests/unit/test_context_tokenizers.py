"""Tokenizers: counting is deterministic, never raises, and needs no network."""

import os
import subprocess
import sys

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from services.context_builder.tokenizers import ENCODING_FILES, Approximate, Tokenizer, UnknownTokenizer, tokenizer

NAMES = ["approx", "approx:1.33", *(f"tiktoken:{encoding}" for encoding in ENCODING_FILES)]


@pytest.mark.parametrize("name", NAMES)
def test_every_tokenizer_counts_anything(name: str) -> None:
    counter: Tokenizer = tokenizer(name)

    @given(st.text() | st.text(st.characters(categories=["Cs", "Co", "Cn", "Lo"])))
    def holds(text: str) -> None:
        once, again = counter.count(text), counter.count(text)
        assert once == again and once.tokens >= 0
        assert once.estimated == name.startswith("approx")

    holds()
    assert counter.count("").tokens == 0


@given(st.text())
def test_the_approximate_count_is_bytes_over_four_rounded_up(text: str) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    assert Approximate().count(text).tokens == -(-size // 4)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", [" " * 600_000 + "x", "\t" * 600_000, "a" * 300_000, "\ud800" * 50_000, "漢" * 99_999])
def test_absurd_texts_are_counted_too(name: str, text: str) -> None:
    found = tokenizer(name).count(text)
    assert 0 < found.tokens <= len(text.encode("utf-8", "surrogatepass"))


@given(st.floats(0.3, 3), st.integers(0, 10_000))
def test_the_room_of_so_many_tokens_is_the_largest_that_has_no_more(factor: float, tokens: int) -> None:
    counter = Approximate(factor)
    room = counter.room(tokens)
    assert counter.tokens([room])[0] <= tokens < counter.tokens([room + 1])[0]


@given(st.text(), st.floats(0.3, 3))
def test_the_correction_factor_of_a_profile_scales_the_estimate(text: str, factor: float) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    exact, counted = size * factor / 4, Approximate(factor).count(text).tokens
    assert exact <= counted + 1e-6 and counted < exact + 1


def test_special_tokens_are_plain_text() -> None:
    assert tokenizer("tiktoken:cl100k_base").count("<|endoftext|>").tokens > 1


@given(
    st.lists(st.text() | st.sampled_from(["<|endoftext|>", "<|fim_prefix|>", "\ud800", "漢", "\n\n"])).map("".join),
    st.sampled_from(list(ENCODING_FILES)),
)
def test_a_count_is_that_of_the_encoding_with_every_special_token_as_plain_text(text: str, encoding: str) -> None:
    counter = tokenizer(f"tiktoken:{encoding}")
    assert counter.count(text).tokens == len(tiktoken.get_encoding(encoding).encode_ordinary(text))


def test_known_counts() -> None:
    assert tokenizer("tiktoken:cl100k_base").count("hello world").tokens == 2
    assert tokenizer("tiktoken:o200k_base").count("olá mundo").tokens == 2 + 1


@pytest.mark.parametrize(
    "name", ["", "tiktoken", "tiktoken:", "tiktoken:gpt2", "bert", "approx:x", "approx:0", "approx:nan"]
)
def test_an_unknown_tokenizer_is_refused_by_name(name: str) -> None:
    with pytest.raises(UnknownTokenizer):
        tokenizer(name)


def test_a_tiktoken_count_needs_neither_network_nor_litellm() -> None:
    code = (
        "import socket, sys\n"
        "def refuse(*a, **k): raise OSError('no network')\n"
        "socket.socket.connect = refuse; socket.getaddrinfo = refuse\n"
        "from services.context_builder.tokenizers import tokenizer\n"
        "print(tokenizer('tiktoken:cl100k_base').count('hello world').tokens, 'litellm' in sys.modules)"
    )
    environment = {name: value for name, value in os.environ.items() if name != "TIKTOKEN_CACHE_DIR"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split() == ["2", "False"]
