"""What one command of a shell gives to the next, as far as the text of both tells."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .shell_words import escaped

FED: Final = "--arreio-words-of="
"""Stands before a file whose words the shell would put there."""
HELD: Final = "--arreio-text="
"""Stands before the text of a file that the shell makes for a command (`<(…)`)."""
UNTOLD: Final = "$?"
"""Stands for words that only running the command would tell."""
_PASSING: Final = frozenset({"sort", "uniq", "tee", "cut", "nl", "rev", "paste", "column", "fmt"})
_FINDING: Final = frozenset({"which", "type"})


_SILENT: Final = frozenset(
    {"cd", "export", "set", "true", ":", "mkdir", "touch", "rm", "cp", "mv", "read", "test", "["}
)


@dataclass(frozen=True, slots=True)
class Written:
    """What commands wrote to a file; `whole`: nothing that it held before is left."""

    text: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Feed:
    """A text, files by their paths, or something that cannot be told."""

    text: str | None = None
    files: tuple[str, ...] = ()
    untold: bool = False

    def words(self) -> Iterator[str]:
        yield from (self.text or "").split()
        yield from (FED + path for path in self.files)
        if self.untold:
            yield UNTOLD

    def known(self, written: Mapping[str, Written]) -> "Feed":
        """The same with the texts of files that were written before."""
        told = [written[path] for path in self.files if path in written]
        if not told:
            return self
        files = tuple(path for path in self.files if path not in written or not written[path].whole)
        return Feed("\n".join((*filter(None, (self.text,)), *(each.text for each in told))), files, self.untold)


def together(feeds: Sequence[Feed]) -> Feed:
    """What several commands write, one after the other."""
    texts = [each.text for each in feeds if each.text is not None]
    files = tuple(path for each in feeds for path in each.files)
    return Feed("\n".join(texts) if texts else None, files, any(each.untold for each in feeds))


def through(said: Sequence[str], feed: Feed, path: Callable[[str], str | None]) -> Feed:
    """What a command writes. `path`: how a path is told from where the line started."""
    name = said[0].rpartition("/")[2]
    given = [word for word in said[1:] if not word.startswith("-") or word.startswith(FED)]
    match name:
        case "echo":
            return _text(" ".join(word for word in said[1:] if not re.fullmatch(r"-[neE]+", word)))
        case "printf":
            return _text(_formatted(given))
        case "cat":
            return _files(given, path) if given else feed
        case "tr":
            return _translated(given, feed)
        case "command" if said[1:2] in (["-v"], ["-V"]):
            return Feed(" ".join(said[2:]))
    if name in _FINDING and given:
        return Feed(given[0])
    if name in _PASSING:
        files = [each for each in given if name != "tee" and re.fullmatch(r"[\w./-]*[A-Za-z][\w./-]*", each)]
        return _files(files[-1:], path) if files else feed
    return Feed("") if name in _SILENT else Feed(untold=True)


def _text(text: str) -> Feed:
    return Feed(untold=True) if UNTOLD in text else Feed(escaped(text))


def _files(given: Sequence[str], path: Callable[[str], str | None]) -> Feed:
    files = [path(each) for each in given]
    return Feed(files=tuple(each for each in files if each is not None), untold=None in files)


def _formatted(given: Sequence[str]) -> str:
    if not given:
        return ""
    form, items = given[0], given[1:]
    slots = len(re.findall(r"%[sbq]", form))
    if not slots or not items:
        return form
    turns = [items[start : start + slots] for start in range(0, len(items), slots)]
    return "".join(_filled(form, turn) for turn in turns)


def _filled(form: str, turn: Sequence[str]) -> str:
    left = iter(turn)
    return re.sub(r"%[sbq]", lambda _: next(left, ""), form)


def _translated(given: Sequence[str], feed: Feed) -> Feed:
    pair = [escaped(each) for each in given]
    if feed.text is None or len(pair) != 2 or not pair[1] or len(pair[0]) != 1:
        return feed if len(pair) == 2 else Feed(untold=True)
    return Feed(feed.text.replace(pair[0], pair[1][0]), feed.files, feed.untold)
