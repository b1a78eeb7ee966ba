"""What a goal asks to be renamed, so that tests of the old name are read as tests of the new one."""

import re
from typing import Final

from .opened_files import WORD, is_asked
from .promises.phrases import vocabulary

_KIND: Final = (
    r"(?:(?:the|a|an|our|o|os|um|uma|nosso|nossa)\s+)?"
    r"(?:(?:public|private|global|helper)\s+)?"
    r"(?:(?:function|method|class|module|variable|constant|parameter|argument|field|attribute|property|file|package|type"
    r"|função|método|classe|módulo|variável|constante|parâmetro|argumento|campo|atributo|arquivo|pacote|tipo)\s+)?"
)
_NAME: Final = r"[`\"'“]?([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\(\))?[`\"'”]?"
_OWNER: Final = (
    r"(?:\s+(?:of|in|from|on|d[aoe]|n[ao])\s+"
    r"(?:(?:the|o|a|function|method|class|module|função|método|classe|módulo)\s+)*"
    r"[`\"'“]?[\w./]+(?:\(\))?[`\"'”]?)?"
)
"""What the name is one of: `the parameter x of area`."""
_RENAME: Final = re.compile(
    rf"\b(?:rename|renomeie|renomear)\s+{_KIND}{_NAME}{_OWNER}\s+(?:to|into|as|para|como)\s+{_KIND}{_NAME}", re.I
)
_NO_NAMES: Final = vocabulary(
    "it this that them these those all every each both one test tests file files isso isto ele ela eles tudo todos"
)
_ENDING: Final = re.compile(r"\.(?:py|[cm]?[jt]sx?|go|rs|java|kt|rb|php|cs)$")


def renames(goal: str) -> tuple[tuple[str, str], ...]:
    """The pairs of an old and a new name, in the order in which a goal in English or Portuguese asks for them.

    A file of code is named without its ending, as what imports it does.
    """
    found: dict[str, str] = {}
    for one in _RENAME.finditer(goal):
        words = WORD.findall(goal[: one.start()])
        old, new = (_ENDING.sub("", name) for name in one.groups())
        if is_asked([*words, "rename"], len(words)) and old.lower() not in _NO_NAMES and old != new:
            found.setdefault(old, new)
            # A member of what keeps its own name.
            if old.rpartition(".")[0] == new.rpartition(".")[0]:
                found.setdefault(old.rpartition(".")[2], new.rpartition(".")[2])
    return tuple(found.items())
