"""Where a model's own text ends: at a turn of somebody else that it makes up, or in a document that it holds. Pure."""

import re
from typing import Final

from .lead_in import intends

_ROLES: Final = r"(?:user|human|system|developer|tool|tools|function|ipython|observation|environment|customer)"
_TOKEN = re.compile(
    rf"<\|(?:im_start|start|turn|role_start|START_OF_TURN_TOKEN)\|?>\s*(?:<\|)?{_ROLES}\b"
    rf"|<\|(?:im_start|start)\|>functions\."
    rf"|<\|(?:start_header_id|header_start)\|>\s*{_ROLES}\s*<\|"
    rf"|<start_of_turn>\s*{_ROLES}\b|<\|(?:im_)?{_ROLES}\|>|<\|{_ROLES}_TOKEN\|>|<\|START_TOOL_RESULT\|>"
    r"|<[|｜](?:User|tool▁outputs▁begin|tool▁output▁begin)[|｜]>|\[INST\]|\[TOOL_RESULTS\]|\[SYSTEM_PROMPT\]",
    re.IGNORECASE,
)
_WORD = re.compile(
    r"^[ \t]*(?:\*\*|###?[ \t]*|\[)?(?:human|user|usu[aá]rio|humano|customer|cliente|observation|observa[cç][aã]o"
    r"|system|sistema|tool(?:[ _](?:result|output|response))?|ferramenta|function result|environment|output|stdout"
    r"|sa[ií]da|response)"
    r"(?:\*\*|\])?[ \t]*:(?:\*\*)?",
    re.IGNORECASE | re.MULTILINE,
)
_HELD: Final = (
    r"examples?|document|documents|quote|blockquote|pre|code|user|human|system|tool_response|tool_responses"
    r"|tool_result"
    r"|tool_results|function_results|observation|output|stdout|web_?page|log|exemplo|documento"
)
_HOLDS = re.compile(rf"^[ \t]*<(?P<tag>{_HELD})(?:\s[^<>\n]*)?>|<!--", re.IGNORECASE | re.MULTILINE)


def of_another(before: str) -> bool:
    """Whether what follows a text belongs to a turn or a document that is not the assistant's own."""
    if _TOKEN.search(before):
        return True
    return _in_document(before) or _in_turn(before)


def _in_document(before: str) -> bool:
    place = 0
    while held := _HOLDS.search(before, place):
        closing = re.compile(rf"</{held['tag']}\s*>" if held["tag"] else "-->", re.IGNORECASE)
        closed = closing.search(before, held.end())
        if closed is None:
            return True
        place = closed.end()
    return False


def _in_turn(before: str) -> bool:
    """A turn that a word opens ends where the assistant says, in a paragraph of its own, what it does next."""
    role = max(_WORD.finditer(before), key=lambda found: found.start(), default=None)
    if role is None:
        return False
    _, *later = re.split(r"\n[ \t]*\n", before[role.end() :].rstrip())
    return not any(intends(paragraph) for paragraph in later)
