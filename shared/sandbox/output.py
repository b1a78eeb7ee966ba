"""Keeps the head and the tail of a command's output within a bound, and decodes them safely."""

from collections import deque


class HeadTail:
    """Holds at most `limit` bytes: the first half as it came, the last half as a window; counts what falls between."""

    def __init__(self, limit: int) -> None:
        self._head_room = limit // 2
        self._tail_room = limit - limit // 2
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
        return self.total - len(self._head) - min(self._tail_size, self._tail_room)

    def text(self) -> str:
        tail = b"".join(self._tail)
        tail = tail[-self._tail_room :] if self._tail_room else b""
        if not self.dropped:
            return decode(bytes(self._head) + tail)
        head = decode(_whole_end(bytes(self._head)))
        return f"{head}\n[… {self.dropped} bytes dropped …]\n{decode(_whole_start(tail))}"


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
