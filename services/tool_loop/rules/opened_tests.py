"""Whether a goal asks for the tests themselves to be changed, whichever they are.

To mend, fix or improve tests that fail is no such: that may be done in the code they test.
"""

import re
from typing import Final

from .opened_files import WORD, is_asked
from .promises.phrases import vocabulary

_CHANGING: Final = vocabulary(
    """
    adapt adjust change convert delete edit migrate modify move port refactor reformat regenerate remove rename replace
    restructure revise rework rewrite simplify split update adapte ajuste altere apague atualize converta divida edite
    migre modifique mova mude reescreva refatore regenere remova renomeie reorganize simplifique substitua adaptar
    ajustar alterar apagar atualizar converter dividir editar migrar modificar mover mudar reescrever refatorar
    regenerar remover renomear reorganizar simplificar substituir
    """
)
_WORDS_ON: Final = 15
"""Words after a verb among which its object stands."""
_AFTER_OBJECT: Final = re.compile(
    r"[.;:!?\n]|\b(?:so|that|until|because|by|using|with|without|for|if|when|while|run|pass|passes|green|make|not|que"
    r"|até|porque|com|sem|usando|se|quando|rode|rodar|passe|passem|passar|faça|fazer|não)\b"
)
_KINDS: Final = (
    r"(?:all of|all|the|our|its|their|existing|old|outdated|obsolete|unit|integration|corresponding|related|affected"
    r"|snapshot|todos|todas|os|as|nossos|seus|existentes|antigos|obsoletos|unitários|de integração)\s"
)
_NOT_TO_DO: Final = (
    r"(?! (?:must|should|shall|have|need|still|stay|keep|will|can|are|is|pass|run"
    r"|devem|deve|precisam|vão|passam|passem|rodam)\b)"
)
_NAMED: Final = (
    re.compile(rf"^(?:{_KINDS})*(?:tests?(?:\s(?:suite|cases?|files?))?|specs|snapshots|testes?)\b{_NOT_TO_DO}"),
    re.compile(
        r"\b(?:and|including|as well as|e|inclusive|incluindo|também)\s(?:in\s|nos?\s|nas?\s)?"
        rf"(?:{_KINDS})*(?:tests|specs|snapshots|testes)\b{_NOT_TO_DO}"
    ),
)


def asks_to_change_tests(goal: str) -> bool:
    """Whether the tests are, or belong to, what a goal in English or Portuguese asks to change."""
    words = [word.lower() for word in WORD.findall(goal)]
    return any(
        word in _CHANGING and is_asked(words, place) and _are_named(words[place + 1 : place + 1 + _WORDS_ON])
        for place, word in enumerate(words)
    )


def _are_named(following: list[str]) -> bool:
    text = " ".join(following)
    end = _AFTER_OBJECT.search(text)
    found = (one.search(text) for one in _NAMED)
    return any(one is not None and (end is None or one.end() <= end.start()) for one in found)
