"""The content of a workspace in one hash, kept up to date file by file."""

from shared.canonical import sha256_hex

from .revisit import UNCHANGED

_DIGITS = 16


class Content:
    """What differs from the workspace as the task found it. The hash does not depend on the order of the changes."""

    def __init__(self) -> None:
        self._differs: dict[str, str | None] = {}
        self._found: dict[str, str | None] = {}
        self._sum = 0

    def of(self, path: str, found: str | None = None) -> str | None:
        """The content of a file, by its name; as it was found if it never changed."""
        return self._differs.get(path, self._found.get(path, found))

    def put(self, path: str, content: str | None, found: str | None = None) -> None:
        """A file has another content (None: it is gone). `found`: what it was before its first change."""
        found = self._found.setdefault(path, found)
        if path in self._differs:
            self._sum ^= _number(path, self._differs.pop(path))
        if content != found:
            self._differs[path] = content
            self._sum ^= _number(path, content)

    @property
    def state(self) -> str:
        """The hash, 16 hexadecimal digits; `UNCHANGED` where nothing differs."""
        return f"{self._sum:0{_DIGITS}x}" if self._differs else UNCHANGED


def _number(path: str, content: str | None) -> int:
    return int(sha256_hex(f"{path}\0{content}".encode("utf-8", "surrogatepass"))[:_DIGITS], 16)
