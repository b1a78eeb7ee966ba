"""Write the API's OpenAPI document: `python -m services.gateway.http FILE`."""

import json
import sys
from pathlib import Path

from .app import create


def document() -> str:
    """The file's text."""
    return json.dumps(create().openapi(), indent=2, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(document(), encoding="utf-8")
