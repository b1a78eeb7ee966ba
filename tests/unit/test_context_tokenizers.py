"""Tokenizers: counting is deterministic, never raises, and needs no network."""

import os
import subprocess
import sys

import pytest
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


def test_special_tokens_are_plain_text() -> None:
    assert tokenizer("tiktoken:cl100k_base").count("<|endoftext|>").tokens > 1


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
