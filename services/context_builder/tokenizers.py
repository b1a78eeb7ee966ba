"""How many tokens a text has: an estimate that is always at hand, or the exact count of a tiktoken encoding."""

import contextlib
import importlib.util
import math
import os
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha1
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, cast

from shared.prompt import SEPARATOR

BYTES_PER_TOKEN: Final = 4
LEAST_FACTOR: Final = 0.01
LARGEST_FACTOR: Final = 100.0
_MOST_TOKENS: Final = 1 << 40
_ROUNDS_UP: Final = BYTES_PER_TOKEN - 1
_CACHED_TEXTS: Final = 8192
_CACHED_SHORTER_THAN: Final = 1 << 20

_BLANK_LENGTH: Final = 200_000
_SLICE: Final = 100_000
_BLANK: Final = re.compile(rf"(?<!\s)\s{{{_BLANK_LENGTH}}}")
"""So much white space in a row overflows the stack of tiktoken's regular expressions; such a text is cut in slices."""

_NOTHING_SPECIAL: Final[set[str]] = set()
_TOKEN_BYTES: Final = 4
_ADDS_UP: Final = frozenset({"cl100k_base", "o200k_base", "o200k_harmony"})
_BEGINS_A_TOKEN: Final = re.compile(r"[ \t]*[^\s/]|[ \t]+/").match
_OCTETS, _PIECE = attrgetter("octets"), attrgetter("piece")

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


class TokenCount(NamedTuple):
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


class Piece(Protocol):
    """A piece of a layer's text: `piece` without, `octets` (UTF-8 bytes) with the separator behind it."""

    @property
    def piece(self) -> str:
        """The text."""
        ...

    @property
    def octets(self) -> int:
        """Its bytes and the separator's."""
        ...


class Weigher(Tokenizer, Protocol):
    """A tokenizer that can tell the tokens of many cuts of a layer without counting each cut's text."""

    @property
    def estimated(self) -> bool:
        """Whether what it weighs is an estimate."""
        ...

    def weigh(self, pieces: Sequence[Piece]) -> Sequence[int] | None:
        """A weight for each piece of a layer, with its separator.

        For every choice of the pieces (put together as `shared.prompt.layer_text` does), `tokens` of its summed weights
        is its exact count. None: with these pieces it is not.
        """
        ...

    def tokens(self, weights: Iterable[int]) -> list[int]:
        """The tokens of each weight."""
        ...

    def room(self, tokens: int) -> int:
        """The largest weight of so many tokens."""
        ...


class Approximate:
    """UTF-8 bytes divided by four, rounded up, times a correction factor of the model's profile.

    How far off that is, by kind of text and tokenizer, `python -m benchmarks tokens` measures.
    """

    estimated: Final = True

    def __init__(self, factor: float = 1.0) -> None:
        if not LEAST_FACTOR <= factor <= LARGEST_FACTOR:
            bounds = f"between {LEAST_FACTOR:g} and {LARGEST_FACTOR:g}"
            raise UnknownTokenizer(f"the correction factor must be a number {bounds}, not {factor:g}")
        self.factor = factor
        self.name = "approx" if factor == 1.0 else f"approx:{factor:g}"

    def count(self, text: str) -> TokenCount:
        """See `Tokenizer.count`."""
        size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
        return TokenCount(self.tokens((size,))[0], True)

    def weigh(self, pieces: Sequence[Piece]) -> Sequence[int]:
        """See `Weigher.weigh`: bytes add up."""
        return list(map(_OCTETS, pieces))

    def tokens(self, weights: Iterable[int]) -> list[int]:
        """See `Weigher.tokens`."""
        if self.factor == 1.0:
            return [(weight + _ROUNDS_UP) // BYTES_PER_TOKEN for weight in weights]
        return [math.ceil(weight * self.factor / BYTES_PER_TOKEN) for weight in weights]

    def room(self, tokens: int) -> int:
        """See `Weigher.room`."""
        if self.factor == 1.0:
            return tokens * BYTES_PER_TOKEN
        weight = int(min(tokens, _MOST_TOKENS) * BYTES_PER_TOKEN / self.factor) + 1
        while weight > 0 and self.tokens((weight,))[0] > tokens:
            weight -= 1
        return weight


class Tiktoken:
    """The exact count of one tiktoken encoding, read from the files that litellm's package ships.

    Of the encodings in `_ADDS_UP` no token reaches over the end of a line into a next one that begins with something
    else than white space or a slash (after blanks, a slash may follow). So their counts add up over such places, and
    what was counted once is not encoded again.
    """

    estimated: Final = False

    def __init__(self, encoding: str) -> None:
        self._encoding = _load(encoding)
        # The methods around this one cost as much as encoding a short text, and making a list of numbers a part of it.
        self._encode = getattr(getattr(self._encoding, "_core_bpe", None), "encode_to_tiktoken_buffer", None)
        self._adds_up = encoding in _ADDS_UP
        self._texts = _Memory(self._exact)
        self._parts = _Memory(self._lengths)
        self.name = f"tiktoken:{encoding}"

    def count(self, text: str) -> TokenCount:
        """See `Tokenizer.count`; recent texts are remembered. Only absurd texts are estimated (see `_BLANK`)."""
        if len(text) >= _BLANK_LENGTH and _BLANK.search(text):
            slices = [text[start : start + _SLICE] for start in range(0, len(text), _SLICE)]
            return TokenCount(sum(self._lengths(slices)), True)
        return TokenCount(self._texts.counts([text])[0], False)

    def weigh(self, pieces: Sequence[Piece]) -> Sequence[int] | None:
        """See `Weigher.weigh`."""
        texts = list(map(_PIECE, pieces))
        if not self._adds_up or not all(map(_BEGINS_A_TOKEN, texts[1:])):
            return None
        if max(map(len, texts), default=0) >= _BLANK_LENGTH:
            return None
        return self._parts.counts([f"{text}{SEPARATOR}" for text in texts])

    def tokens(self, weights: Iterable[int]) -> list[int]:
        """See `Weigher.tokens`."""
        return list(weights)

    def room(self, tokens: int) -> int:
        """See `Weigher.room`."""
        return tokens

    def _exact(self, texts: list[str]) -> list[int]:
        if not self._adds_up:
            return self._lengths(texts)
        return [sum(self._parts.counts(_paragraphs(text))) for text in texts]

    def _lengths(self, texts: list[str]) -> list[int]:
        if self._encode is not None:
            with contextlib.suppress(UnicodeEncodeError):
                return [memoryview(self._encode(text, _NOTHING_SPECIAL)).nbytes // _TOKEN_BYTES for text in texts]
        return [len(self._encoding.encode_ordinary(text)) for text in texts]


def _paragraphs(text: str) -> list[str]:
    """A text cut after blank lines, where no token reaches over."""
    first, *parts = text.split(SEPARATOR)
    found = [first]
    for part in parts:
        found[-1] += SEPARATOR
        if _BEGINS_A_TOKEN(part):
            found.append(part)
        else:
            found[-1] += part
    return found


class _Memory:
    """Counts by text, the latest ones. Between threads a count may get lost; then it is made again."""

    def __init__(self, make: Callable[[list[str]], list[int]]) -> None:
        self._make = make
        self._known: dict[str, int] = {}

    def counts(self, texts: list[str]) -> list[int]:
        """The count of each text; those that are not known are made."""
        known = list(map(self._known.get, texts))
        if None not in known:
            return cast(list[int], known)
        new = [text for text, count in zip(texts, known, strict=True) if count is None]
        made = self._make(new)
        self._keep(new, made)
        left = iter(made)
        return [next(left) if count is None else count for count in known]

    def _keep(self, texts: list[str], counts: list[int]) -> None:
        made = zip(texts, counts, strict=True)
        self._known.update(made if max(map(len, texts)) < _CACHED_SHORTER_THAN else filter(_is_kept, made))
        if len(self._known) > _CACHED_TEXTS:
            self._known = dict(list(self._known.items())[-_CACHED_TEXTS // 2 :])


def _is_kept(made: tuple[str, int]) -> bool:
    return len(made[0]) < _CACHED_SHORTER_THAN


def tokenizer(name: str = "approx") -> Tokenizer:
    """The tokenizer called `approx`, `approx:FACTOR` or `tiktoken:ENCODING`.

    Raises:
        UnknownTokenizer: no such tokenizer, or its files are not installed.
    """
    kind, _, rest = name.partition(":")
    if kind == "approx":
        try:
            factor = float(rest) if rest else 1.0
        except ValueError as error:
            raise UnknownTokenizer(f"{name!r}: the correction factor must be a positive number") from error
        return Approximate(factor)
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
