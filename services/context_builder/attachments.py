"""What the model is told of the files that came with the message. Pure."""

from collections.abc import Sequence
from typing import Final

from arreio_contracts.events import LaidFile

from shared.canonical import clean

from .imitation import marked

_HEAD: Final = {"en": "Files came with the message:", "pt": "Vieram arquivos com a mensagem:"}
_IMAGE: Final = {
    "en": "an image; you cannot see it, only use the file",
    "pt": "uma imagem; você não pode vê-la, só usar o arquivo",
}
_NOT_LAID: Final = {"en": "not in the workspace: {}", "pt": "não está na área de trabalho: {}"}
_WHOLE: Final = {"en": "The file {}, whole:", "pt": "O arquivo {}, inteiro:"}
_BEGINNING: Final = {"en": "The file {} begins:", "pt": "O arquivo {} começa assim:"}


def attachments_text(files: Sequence[LaidFile], language: str) -> str:
    """A line for each file: where it lies, its type and its size."""
    return "\n".join([_HEAD[language], *(f"- {_line(one, language)}" for one in files)])


def excerpt_text(file: LaidFile, language: str) -> str:
    """The beginning of a text, or all of it."""
    head = (_WHOLE if file.whole else _BEGINNING)[language].format(file.path or file.name)
    return f"{head}\n{marked(clean(file.excerpt or ''))}"


def _line(file: LaidFile, language: str) -> str:
    said = [file.path or file.name, " ".join(clean(file.media_type).split()), f"{file.size} bytes"]
    if file.problem is not None:
        said.append(_NOT_LAID[language].format(" ".join(clean(file.problem).split())))
    elif file.media_type.startswith("image/"):
        said.append(_IMAGE[language])
    return ", ".join(said)
