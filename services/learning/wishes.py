"""What a person asks for beyond one task: “from now on …”, “Always …”, “A partir de agora …”. Pure.

Only people's own sentences are looked at: the message that became the task, and their answers, without what they
quote from others (`quoting.py`). A sentence counts where it says that it is meant for later too, or begins with a word
such as always, never or remember. One about how the agent speaks would change its persona, one about looks its taste;
all others are rules.
"""

import re
from collections.abc import Iterator
from typing import Final

import yaml
from arreio_contracts.events import InputReceived, LearntKind, Taint, TaskCreated

from shared.canonical import clean
from shared.secrets import MASK

from .candidates import Candidate
from .credentials import without_credentials
from .environment import is_environment
from .quoting import own_words
from .seen import Seen, TaskSeen, one_line

RULE: Final = "wishes@2"
_SENTENCE: Final = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]?")
_FOR_LATER: Final = re.compile(
    r"\b(?:from (?:now|today|here) on|going forward|henceforth|for (?:all )?future tasks|(?:every time|whenever) you"
    r"|a partir de (?:agora|hoje)|de (?:agora|hoje) em diante|daqui (?:em|pra|para|por) (?:diante|frente)|doravante"
    r"|(?:toda vez|sempre) que você)\b",
    re.IGNORECASE,
)
_BEGINS: Final = re.compile(
    r"^\W*(?:(?:please|por favor|and|e)\b\W*)?(?:always|never|(?:don['’]t|do not) ever|(?:for )?next time"
    r"|in (?:the )?future|(?:remember|keep in mind)(?=[,:]| (?:to|that|this|never|always)\b)"
    r"|sempre|nunca|jamais|(?:n|d)a próxima vez|no futuro"
    r"|(?:lembre(?:-se)?|tenha em mente)(?=[,:]| (?:de|que|disso|sempre)\b))(?!\w)",
    re.IGNORECASE,
)
"""What means later only where a sentence begins with it: “it always fails”, “a date in the future” are no wishes."""
_LOOKS: Final = re.compile(
    r"\b(?:colou?rs?|fonts?|contrast|margins?|padding|spacing|layouts?|buttons?|dark mode|light mode|themes?|icons?"
    r"|cor|cores|fontes?|contraste|margem|margens|espaçamentos?|bot(?:ão|ões)|leiaute|temas?|ícones?|modo escuro)\b",
    re.IGNORECASE,
)
_MANNER: Final = re.compile(
    r"\b(?:answer|reply|respond|speak|talk|tone|concise|concisely|brief|briefly|polite|formal|informal|emojis?|call me"
    r"|address me|responda|respondam|fale|tom|concis[oa]|breve|educad[oa]|formal|informal|me chame|trate-me)\b",
    re.IGNORECASE,
)
_LONGEST: Final = 400
_LONGEST_MESSAGE: Final = 16_000
"""Characters; what is longer is material to work on, of which most is others' words."""
_NO_BRACKETS: Final = str.maketrans("[]", "()")
"""A rule of taste has none in its name."""


def wishes(task: TaskSeen) -> Iterator[Candidate]:
    """The standing wishes of the people who spoke in a task."""
    for event in task.events:
        match event.data:
            case TaskCreated():
                text = event.data.goal
            case InputReceived():
                text = event.data.text
            case _:
                continue
        for sentence in _standing(text):
            yield _candidate(sentence, event, task)


def asked(goal: str) -> str:
    """What a goal asks for in its own task: without the wishes for later, where it holds anything else."""
    here = (" ".join(match[0].split()) for match in _SENTENCE.finditer(goal))
    return " ".join(sentence for sentence in here if sentence and not _is_standing(sentence)) or goal


def _standing(text: str) -> Iterator[str]:
    if len(text) > _LONGEST_MESSAGE:
        return
    kept = without_credentials(clean(text))
    own = own_words(kept)
    for match in _SENTENCE.finditer(own):
        sentence = " ".join(kept[match.start() : match.end()].split())
        if _is_standing(" ".join(match[0].split())) and len(sentence) <= _LONGEST and not is_environment(sentence):
            yield sentence


def _is_standing(sentence: str) -> bool:
    meant = _FOR_LATER.search(sentence) or _BEGINS.search(sentence)
    return meant is not None and len(sentence.split()) > 2


def _candidate(sentence: str, event: Seen, task: TaskSeen) -> Candidate:
    kind = _kind(sentence)
    text, target = sentence, ""
    if kind == "persona":
        target = task.agent
    elif kind == "taste":
        target = (task.created.contract.taste and task.created.contract.taste.rules) or ""
        target = target or task.created.contract.profile or "default"
        name = one_line(sentence.translate(_NO_BRACKETS), 80).rstrip(".…")
        rule = {"name": name, "check": "model", "why": sentence}
        text = yaml.safe_dump(rule, sort_keys=False, allow_unicode=True, width=10_000).rstrip()
    told = Taint(source="secret", event_id=event.event_id, excerpt=one_line(sentence, 200))
    taint = (told,) if MASK in sentence else ()
    return Candidate(kind, one_line(sentence), text, sentence, (event.evidence,), RULE, target, taint=taint, exact=True)


def _kind(sentence: str) -> LearntKind:
    if _LOOKS.search(sentence):
        return "taste"
    return "persona" if _MANNER.search(sentence) else "rule"
