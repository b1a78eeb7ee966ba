"""Words for numbers: to the rules against loops all digits are one, so work by numbers looks like a repetition."""

from shared.canonical import sha256_hex

_LETTERS = str.maketrans("0123456789", "ghijklmnop")


def word(number: int) -> str:
    """Twelve letters, the same for the same number."""
    return sha256_hex(str(number))[:12].translate(_LETTERS)
