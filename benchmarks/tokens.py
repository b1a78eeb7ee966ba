"""How far the estimate of bytes divided by four is from exact counts, by kind of text; and which factor would mend it.

Run: `python -m benchmarks tokens`. The texts are in `benchmarks/texts/`; the code is this project's own.
"""

import sys
from pathlib import Path

from services.context_builder.tokenizers import Approximate, tokenizer

ENCODINGS = ("cl100k_base", "o200k_base")
TEXTS = Path(__file__).parent / "texts"
CODE = Path(__file__).parent.parent / "services" / "context_builder"


def main() -> None:
    """Print a line for each kind of text."""
    sys.stdout.write("error of bytes/4 against tiktoken (+ is too many), and the factor that would make it exact\n")
    sys.stdout.write(f"{'text':<12}{'bytes':>8}{'bytes/4':>9}")
    sys.stdout.write("".join(f"{name:>14}{'error':>9}{'factor':>8}" for name in ENCODINGS) + "\n")
    for name, text in samples().items():
        estimated = Approximate().count(text).tokens
        line = f"{name:<12}{len(text.encode()):>8}{estimated:>9}"
        for encoding in ENCODINGS:
            exact = tokenizer(f"tiktoken:{encoding}").count(text).tokens
            line += f"{exact:>14}{100 * (estimated / exact - 1):>+8.0f}%{exact / estimated:>8.2f}"
        sys.stdout.write(line + "\n")


def samples() -> dict[str, str]:
    """The texts by kind."""
    found = {file.stem: file.read_text("utf-8") for file in sorted(TEXTS.glob("*.txt"))}
    found["code"] = "".join(file.read_text("utf-8") for file in sorted(CODE.glob("*.py")))
    return found
