"""How many tokens a text has: an estimate that is always at hand, or the exact count of a tiktoken encoding."""

import importlib.util
import math
import os
import threading
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path
from typing import Any, Final, Protocol

BYTES_PER_TOKEN: Final = 4
_CACHED_TEXTS: Final = 4096
_CACHED_SHORTER_THAN: Final = 1 << 20

ENCODING_FILES: Final = {
    "cl100k_base": "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken",
    "o200k_base": "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken",
    "o200k_harmony": "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken",
    "p50k_base": "https://openaipublic.blob.core.windows.net/encodings/p50k_base.tiktoken",
    "p50k_edit": "https://openaipublic.blob.core.windows.net/encodings/p50k_base.tiktoken",
}
"""The address under which tiktoken looks for each encoding's file; the cached copy is named by its SHA-1."""


class UnknownTokenizer(ValueError):
    """A tokenizer's name that nothing here answers to; the message names those that do."""


@dataclass(frozen=True, slots=True)
class TokenCount:
    """A number of tokens, and whether it is an estimate."""

    tokens: int
    estimated: bool


class Tokenizer(Protocol):
    """Counts tokens. `count` is deterministic, never raises, touches no network, and an empty text counts 0."""

    @property
    def name(self) -> str:
        """What `tokenizer()` made it from; two tokenizers of one name count alike."""
        ...

    def count(self, text: str) -> TokenCount:
        """The tokens of `text`, special tokens taken as plain text."""
        ...


class Approximate:
    """UTF-8 bytes divided by four, rounded up, times a correction factor of the model's profile.

    Measured against cl100k: +18% on English, -12% on Portuguese; where a limit is hard, a factor of 4/3 (that is, bytes
    divided by three) is safe.
    """

    def __init__(self, factor: float = 1.0) -> None:
        if not (math.isfinite(factor) and factor > 0):
            raise UnknownTokenizer(f"the correction factor must be a positive number, not {factor!r}")
        self.factor = factor
        self.name = "approx" if factor == 1.0 else f"approx:{factor:g}"

    def count(self, text: str) -> TokenCount:
        """See `Tokenizer.count`."""
        size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
        tokens = -(-size // BYTES_PER_TOKEN)
        if self.factor != 1.0:
            tokens = math.ceil(size * self.factor / BYTES_PER_TOKEN)
        return TokenCount(tokens, estimated=True)


class Tiktoken:
    """The exact count of one tiktoken encoding, read from the files that litellm's package ships."""

    def __init__(self, encoding: str) -> None:
        self._encoding = _load(encoding)
        self._seen: OrderedDict[str, int] = OrderedDict()
        self._lock = threading.Lock()
        self.name = f"tiktoken:{encoding}"

    def count(self, text: str) -> TokenCount:
        """See `Tokenizer.count`; recent texts are remembered, so a stable layer is counted once."""
        with self._lock:
            known = self._seen.get(text)
            if known is not None:
                self._seen.move_to_end(text)
                return TokenCount(known, estimated=False)
        tokens = len(self._encoding.encode_ordinary(text))
        if len(text) < _CACHED_SHORTER_THAN:
            with self._lock:
                self._seen[text] = tokens
                if len(self._seen) > _CACHED_TEXTS:
                    self._seen.popitem(last=False)
        return TokenCount(tokens, estimated=False)


def tokenizer(name: str = "approx") -> Tokenizer:
    """The tokenizer called `approx`, `approx:FACTOR` or `tiktoken:ENCODING`.

    Raises:
        UnknownTokenizer: no such tokenizer, or its files are not installed.
    """
    kind, _, rest = name.partition(":")
    if kind == "approx":
        try:
            return Approximate(float(rest) if rest else 1.0)
        except ValueError as error:
            raise UnknownTokenizer(f"{name!r}: the correction factor must be a positive number") from error
    if kind == "tiktoken" and rest:
        return _tiktoken(rest)
    raise UnknownTokenizer(f"{name!r} is no tokenizer; known are approx, approx:FACTOR and {_tiktoken_names()}")


_loaded: dict[str, Tiktoken] = {}
_load_lock = threading.Lock()


def _tiktoken(encoding: str) -> Tiktoken:
    with _load_lock:
        if encoding not in _loaded:
            _loaded[encoding] = Tiktoken(encoding)
        return _loaded[encoding]


def _tiktoken_names() -> str:
    return ", ".join(f"tiktoken:{encoding}" for encoding in ENCODING_FILES)


def _load(encoding: str) -> Any:
    """Load an encoding without the network: only one whose file is there is asked for."""
    folder = _shipped_files()
    address = ENCODING_FILES.get(encoding)
    if address is None:
        raise UnknownTokenizer(f"'tiktoken:{encoding}' is no tokenizer; known are {_tiktoken_names()}")
    cached = sha1(address.encode(), usedforsecurity=False).hexdigest()
    if folder is None or not (folder / cached).is_file():
        raise UnknownTokenizer(f"the file of 'tiktoken:{encoding}' is not installed; use approx")
    import tiktoken

    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    try:
        return tiktoken.get_encoding(encoding)
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = before


def _shipped_files() -> Path | None:
    """The folder of tokenizer files in litellm's package, found without importing it (that takes seconds)."""
    spec = importlib.util.find_spec("litellm")
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) / "litellm_core_utils" / "tokenizers" if places else None
