"""Keeps the head and the tail of a command's output within a bound, decodes them safely and masks secrets in them."""

from collections import deque

from shared.secrets import masked, secrets_in

MARGIN = 8 * 1024
"""Bytes on both sides of a cut that are looked at too, so that a secret which the cut goes through is known as one."""


class HeadTail:
    """Keeps `limit` bytes: the first half as it came, the last half as a window; counts what falls between."""

    def __init__(self, limit: int) -> None:
        self._head_shows = limit // 2
        self._tail_shows = limit - limit // 2
        self._head_room = self._head_shows + MARGIN
        self._tail_room = self._tail_shows + MARGIN
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self.total = 0

    def feed(self, data: bytes) -> None:
        self.total += len(data)
        room = self._head_room - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if not data:
            return
        self._tail.append(data)
        self._tail_size += len(data)
        while self._tail_size - len(self._tail[0]) >= self._tail_room:
            self._tail_size -= len(self._tail.popleft())

    @property
    def dropped(self) -> int:
        return max(0, self.total - self._head_shows - self._tail_shows)

    def text(self) -> str:
        """What is kept, as text, the secrets in it masked; one that begins or ends in what is dropped is masked too."""
        head, tail = bytes(self._head), b"".join(self._tail)[-self._tail_room :]
        if not self.dropped:
            return _masked(head + tail, 0, self.total)
        if self.total <= self._head_room + self._tail_room:
            head = tail = head + tail
        before = _masked(head, 0, self._head_shows)
        after = _masked(tail, len(tail) - self._tail_shows, len(tail))
        return f"{before}\n[… {self.dropped} bytes dropped …]\n{after}"


def _masked(data: bytes, begin: int, end: int) -> str:
    """The bytes from `begin` to `end` as text, masked by what all of them say; a character at a border stays whole."""
    before, shown, behind = _whole_end(data[:begin]), data[begin:end], data[end:]
    if begin:
        shown = _whole_start(shown)
    if behind:
        shown = _whole_end(shown)
    first, part = decode(before), decode(shown)
    text = first + part + decode(_whole_start(behind))
    return masked(text, secrets_in(text), len(first), len(first) + len(part))


def decode(data: bytes) -> str:
    """Text of any bytes: what is not UTF-8, and NUL, becomes the replacement character; line ends become one kind."""
    return data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\x00", "\ufffd")


def _whole_end(data: bytes) -> bytes:
    """`data` without a character that the cut left unfinished at its end."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte & 0b1100_0000 == 0b1000_0000:
            continue
        length = 1 if byte < 0x80 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
        return data[:-back] if length > back else data
    return data


def _whole_start(data: bytes) -> bytes:
    """`data` without the rest of a character that the cut began before."""
    start = 0
    while start < min(3, len(data)) and data[start] & 0b1100_0000 == 0b1000_0000:
        start += 1
    return data[start:]
