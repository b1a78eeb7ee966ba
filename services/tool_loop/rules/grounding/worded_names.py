"""Names that the words around them make names of code, where a text tells that they were made: `a class Invoice`."""

import re
from collections.abc import Iterator
from typing import Final

_KIND: Final = (
    r"(?:class|function|method|module|helper|component|hook|fixture|constant|variable|enum|interface|command|endpoint|field"
    r"|parameter|classe|função|método|módulo|constante|variável|componente|campo|parâmetro|comando)"
)
_NAMED: Final = re.compile(
    rf"\b{_KIND}s?,? (?:now )?(?:called|named|by the name of|chamad[oa]s?|denominad[oa]|de nome|com o nome(?: de)?)"
    r" [`'\"*]{0,2}([A-Za-z_]\w+)"
)
_CLASS: Final = re.compile(r"\b(?:class|interface|enum|classe|exception|exceção) [`*]{0,2}([A-Z][a-z]\w*)")
_VERB: Final = re.compile(r"\b(?:função|método) [`*]{0,2}([a-zà-ú]+(?:ar|er|ir))(?![\wà-ú])")
_ADJECTIVES: Final = "auxiliar similar particular popular familiar regular escalar modular exemplar"
_NO_VERBS: Final = frozenset(_ADJECTIVES.split())
_RENAMED: Final = re.compile(
    r"\b(?:renamed|renaming|renomeei|renomeamos|renomead[oa]s?)\b[^.;\n]{0,60}?\b(?:to|into|para|como|as)"
    r" (?:`([A-Za-z_]\w*)(?:\(\))?`|\*\*([A-Za-z_]\w*)\*\*)",
    re.IGNORECASE,
)
_MADE: Final = re.compile(
    r"\b(?:added|created|introduced|implemented|defined|extracted|adicionei|criei|introduzi|implementei|defini|extraí)"
    r" (?:(?:a|an|the|new|um|uma|o|a|nova|novo|small|private|public|helper"
    rf"|{_KIND}) ){{0,4}}`([A-Za-z_]\w*)(?:\(\))?`",
    re.IGNORECASE,
)
_FILES: Final = re.compile(
    r"(?<![\w./-])((?:(?:Make|Docker|Pip|Gem|Proc|Vagrant|Jenkins)file(?:\.[\w-]+)*"
    r"|\.env(?:\.\w+)*|\.(?:git|docker|npm|eslint|prettier|helm)ignore|\.gitattributes|\.editorconfig|\.npmrc|\.nvmrc"
    r"|\.(?:eslint|prettier|babel|stylelint|flake8|pylint|coverage)(?:rc)?|\.pre-commit-config\.yaml|\.python-version"
    r"|LICENSE|LICENCE|CODEOWNERS|COPYING|AUTHORS|CONTRIBUTORS|CHANGELOG|CONTRIBUTING|NOTICE|MANIFEST))(?![\w/-]|\.\w)"
)
"""Files without a usual suffix, by their names."""
_WROTE: Final = re.compile(
    r"\b(?:wrote|added|created|updated|edited|changed|extended|rewrote|modified|adjusted|escrevi|criei|adicionei|atualizei"
    r"|editei|alterei|estendi|reescrevi|acrescentei|gerei|generated)\b",
    re.IGNORECASE,
)


def symbols(text: str) -> Iterator[str]:
    """The plain words of a statement of change that stand for classes, functions, and what something is called now."""
    for pattern in (_NAMED, _CLASS, _RENAMED, _MADE):
        for found in pattern.finditer(text):
            yield next(filter(None, found.groups()))
    yield from (found[1] for found in _VERB.finditer(text) if found[1] not in _NO_VERBS)


def files(text: str) -> Iterator[str]:
    """The files without a suffix that a statement tells were written."""
    wrote = _WROTE.search(text)
    if wrote:
        yield from (found[1] for found in _FILES.finditer(text, wrote.end()))
