"""Whether a goal asks for how tests are run to be configured, without a word on the file where that stands."""

import re
from typing import Final

from .asking_verbs import class_of, is_asked_of_reader, sentences_of
from .promises.phrases import vocabulary

FILES: Final = (
    *("pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini", ".coveragerc", "package.json"),
    *(f"{runner}.config.{ending}" for runner in ("jest", "vitest") for ending in ("js", "cjs", "mjs", "ts", "json")),
)
"""Where it may come to stand."""

_RUNNER: Final = r"(?:pytest|jest|vitest|mocha|tox|coverage|karma|playwright)"
_SETTING_UP: Final = vocabulary(
    "configure setup install register define declare configurar instale instalar registre registrar defina"
)
_WORD: Final = r"(?!(?:so|that|until|because|by|and|but|if|que|até|porque|mas|e|se|,) )\S+ "
_SETTINGS: Final = r"(?:configuration|config|settings|configuração|configurações)"
_NAMED: Final = re.compile(
    rf"(?:{_WORD}){{0,4}}(?:{_RUNNER}|tests?|test[ -]runner)(?:'s)? {_SETTINGS}\b"
    rf"|(?:{_WORD}){{0,3}}{_SETTINGS} (?:of|for|d[oea]s?) (?:the |o |os )?(?:{_RUNNER}|tests?|testes?)\b"
    rf"|(?:{_WORD}){{0,4}}(?:testpaths|addopts|filterwarnings|pythonpath|setupfiles\w*|testenvironment|scripts\.test"
    r"|(?:pytest )?markers?|test scripts?|coverage thresholds?|marcadores|marcador)\b"
    rf"|(?:{_WORD}){{0,6}}(?:to|para) (?:the |o )?(?:pytest|jest|vitest|mocha)\b"
)
_SET_UP: Final = re.compile(rf"(?:{_WORD}){{0,3}}(?:{_RUNNER}|test[ -]runner)\b")
_CAUSED: Final = re.compile(
    rf"{_RUNNER} (?:to )?(?:treat|use|find|load|show|measure|collect|look|know|tratar|trate|usar|use|encontrar|encontre"
    r"|mostrar|carregar|run (?:in|with|on))\b"
)


def asks_to_configure_tests(goal: str) -> bool:
    """Whether a goal in English or Portuguese asks for another configuration of a runner of tests."""
    return any(
        _asks(word, " ".join(words[place + 1 : place + 20])) and is_asked_of_reader(words, place)
        for words in sentences_of(goal.replace("set up", "setup").replace("Set up", "setup"))
        for place, word in enumerate(words)
    )


def _asks(verb: str, following: str) -> bool:
    if verb in _SETTING_UP:
        return _SET_UP.match(following) is not None or _NAMED.match(following) is not None
    kind = class_of(verb)
    if kind == "causing":
        return _CAUSED.match(following) is not None
    return kind in ("changing", "adding") and _NAMED.match(following) is not None
