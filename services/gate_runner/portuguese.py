"""What judges say, in Portuguese: each of their sentences, with `{}` for what varies and is taken over or is one too.

What programs print is no sentence of ours and stays as it is.
"""

import functools
import re
from typing import Final

_Sentences = tuple[tuple[str, str], ...]

_EXPECTED: Final[_Sentences] = (
    ("a reply to the person", "uma resposta à pessoa"),
    ("only what was seen is named", "que só se cite o que foi visto"),
    ("the contract as it was when the task began", "o contrato como estava no início da tarefa"),
    (
        "the scripts that judge as they were when the task began",
        "os scripts que julgam como estavam no início da tarefa",
    ),
    ("the tests as they were when the task began", "os testes como estavam no início da tarefa"),
    ("{} fits {}", "{} de acordo com {}"),
    ("changes in {} only", "mudanças só em {}"),
    ("exit status {}, with something checked", "código de saída {}, com algo verificado"),
    ("exit status {}", "código de saída {}"),
    (
        "{} shows something in a browser, without errors of its scripts or missing files",
        "{} mostra algo num navegador, sem erros de seus scripts nem arquivos em falta",
    ),
    ("text in {} that matches {}", "texto em {} que corresponda a {}"),
    ("a directory {}", "um diretório {}"),
    ("a file {}", "um arquivo {}"),
    ("{}, by an honest run", "{}, numa execução honesta"),
    ("at least 1 test run and none failed", "que rode ao menos 1 teste e nenhum falhe"),
    ("at least {} tests run and none failed", "que rodem ao menos {} testes e nenhum falhe"),
    ("no test failed", "que nenhum teste falhe"),
)
_FILES: Final[_Sentences] = (
    ("an empty reply", "uma resposta vazia"),
    ("never seen: {}", "nunca visto: {}"),
    ("it does not exist", "não existe"),
    ("the file does not exist", "o arquivo não existe"),
    ("an empty file", "um arquivo vazio"),
    ("it is not a regular file", "não é um arquivo comum"),
    ("a directory of that name", "um diretório com esse nome"),
    ("it is not a file that can be read", "não é um arquivo que se possa ler"),
    ("the file is larger than {} bytes", "o arquivo tem mais de {} bytes"),
    (
        "{} lies outside the workspace; use a path relative to the workspace, without ..",
        "{} fica fora do workspace; use um caminho relativo ao workspace, sem ..",
    ),
    ("{}: a part of its path is a file, not a directory", "{}: uma parte do caminho é um arquivo, não um diretório"),
    ("{} is a socket, not a file", "{} é um socket, não um arquivo"),
    ("{} is a pipe or a device, not a file", "{} é um pipe ou um dispositivo, não um arquivo"),
    ("{} has {} bytes, more than {} at once", "{} tem {} bytes, mais que os {} que se podem ler"),
    (
        "the search did not end within {} s; the regular expression backtracks too much",
        "a busca não terminou em {} s; a expressão regular retrocede demais",
    ),
)
_DOCUMENTS: Final[_Sentences] = (
    ("$: {}", "$: {}"),
    ("${}: {}", "${}: {}"),
    ("it is empty", "está vazio"),
    (
        "it begins with a byte order mark, which JSON does not allow; write it without one",
        "começa com uma marca de ordem de bytes (BOM), que JSON não permite; grave sem ela",
    ),
    ("it is not UTF-8: byte {}", "não é UTF-8: byte {}"),
    ("it is not {}: the key {} is there twice", "não é {}: a chave {} aparece duas vezes"),
    ("it is not {}: {} is no number of JSON's", "não é {}: {} não é um número em JSON"),
    ("it is not {}: {} at line {}, column {}", "não é {}: {} na linha {}, coluna {}"),
    ("it is not JSON: {}", "não é JSON: {}"),
    ("it is not YAML: {}", "não é YAML: {}"),
    ("it holds more than one document", "contém mais de um documento"),
    ("it is nested too deep", "tem níveis demais"),
    ("it is nested too deep for the schema", "tem níveis demais para o esquema"),
    ("the contract {} cannot be used: {}", "o contrato {} não pode ser usado: {}"),
    ("{} is no valid schema: {}", "{} não é um esquema válido: {}"),
    ("{} cannot be applied: {}", "{} não pode ser aplicado: {}"),
    (
        "{} in {} leads nowhere, or out of the workspace; nothing is fetched",
        "{} em {} não leva a nada, ou leva para fora do workspace; nada é baixado",
    ),
    (
        "the reference {} leads out of the workspace; nothing is fetched",
        "a referência {} leva para fora do workspace; nada é baixado",
    ),
    ("{} cannot be used: {}", "{} não pode ser usado: {}"),
    ("checking it did not end within {} s", "a verificação não terminou em {} s"),
    ("checking it was {}", "a verificação foi {}"),
    ("version {} is asked for, this is {}", "pede-se a versão {}, esta é {}"),
    (
        "an OpenAPI document names its version here: 3.0, 3.1 or 3.2",
        "um documento OpenAPI diz aqui a sua versão: 3.0, 3.1 ou 3.2",
    ),
    ("this operation of the contract is missing", "falta esta operação do contrato"),
    ("this schema of the contract is missing", "falta este esquema do contrato"),
    ("{} is a required property", "a propriedade {} é obrigatória"),
    ("Field required", "campo obrigatório"),
    ("Extra inputs are not permitted", "não se permite este campo"),
    ("Input should be a valid {}", "deve ser válido como {}"),
    ("Input should be {}", "deve ser {}"),
    (
        "Additional properties are not allowed ({} was unexpected)",
        "não se permitem outras propriedades (não se esperava {})",
    ),
    (
        "Additional properties are not allowed ({} were unexpected)",
        "não se permitem outras propriedades (não se esperavam {})",
    ),
    ("{} is not of type {}", "{} não é do tipo {}"),
    ("{} is not one of {}", "{} não é um dentre {}"),
    ("{} was expected", "esperava-se {}"),
    ("{} is less than the minimum of {}", "{} é menor que o mínimo, {}"),
    ("{} is greater than the maximum of {}", "{} é maior que o máximo, {}"),
    ("{} is less than or equal to the minimum of {}", "{} não é maior que {}"),
    ("{} is greater than or equal to the maximum of {}", "{} não é menor que {}"),
    ("{} does not match {}", "{} não corresponde a {}"),
    ("{} is too long", "{} é longo demais"),
    ("{} is too short", "{} é curto demais"),
    ("{} should be non-empty", "{} não pode estar vazio"),
    ("{} has non-unique elements", "{} tem elementos repetidos"),
    (
        "{} is not valid under any of the given schemas; closest: {}: {}",
        "{} não serve a nenhum dos esquemas; o mais próximo: {}: {}",
    ),
    ("{} is not valid under any of the given schemas", "{} não serve a nenhum dos esquemas"),
    ("{} is not a {}", "{} não é um(a) {}"),
)
_CHANGES: Final[_Sentences] = (
    ("{} was added", "{} foi criado"),
    ("{} was deleted", "{} foi apagado"),
    ("{} was changed", "{} foi alterado"),
    ("no snapshot of the task's beginning was kept", "não foi guardado o estado do início da tarefa"),
    (
        "whether these changed cannot be told, as they are too large or too many to be kept:",
        "não se sabe se estes mudaram, pois são grandes ou numerosos demais para guardar:",
    ),
)
_PAGES: Final[_Sentences] = (
    ("the page shows nothing", "a página não mostra nada"),
    ("{} is not there", "{} não existe"),
    ("there is no page {} in the workspace", "não há página {} no workspace"),
    ("{} was not shown within {} s", "{} não apareceu em {} s"),
    (
        "{} leads to {} by itself; the page that is asked for must stay",
        "{} leva sozinha a {}; a página pedida deve permanecer",
    ),
    (
        "it has styles or scripts from elsewhere, which are not loaded here: {}",
        "tem estilos ou scripts de fora, que aqui não são carregados: {}",
    ),
    ("no browser is installed", "nenhum navegador está instalado"),
    ("the browser ended", "o navegador encerrou"),
)
_TWICE: Final[_Sentences] = (
    (
        "com os testes como estavam no início da tarefa (sem valer: {}): {}",
        "com os testes como estavam no início da tarefa (sem valer: {}): {}",
    ),
    (
        "com aquilo que verifica como estava no início da tarefa (sem valer: {}): {}",
        "com aquilo que verifica como estava no início da tarefa (sem valer: {}): {}",
    ),
)
"""What a second judging says in Portuguese itself, around what the runs said."""
_RUNS: Final[_Sentences] = (
    *_TWICE,
    ("what leaves {}", "o que grava {}"),
    (
        "exit status {} (ended by signal {}; perhaps out of memory)",
        "código de saída {} (encerrado pelo sinal {}; talvez por falta de memória)",
    ),
    ("exit status {} (ended by signal {})", "código de saída {} (encerrado pelo sinal {})"),
    ("exit status None", "sem código de saída"),
    ("exit status {}", "código de saída {}"),
    ("{} is not installed, or may not be run", "{} não está instalado, ou não pode ser executado"),
    ("ended by its time limit after {} s", "encerrado por exceder o tempo, após {} s"),
    ("ended by its memory limit after {} s", "encerrado por exceder a memória, após {} s"),
    ("ended by its output limit after {} s", "encerrado por exceder o limite de saída, após {} s"),
    ("ended by its limit of processes after {} s", "encerrado por exceder o limite de processos, após {} s"),
    ("ended by its limit of bytes written after {} s", "encerrado por exceder o limite de escrita, após {} s"),
    ("ended by the harness after {} s", "encerrado pelo arreio, após {} s"),
    ("no test was found; {}", "nenhum teste foi encontrado; {}"),
    ("no test was found", "nenhum teste foi encontrado"),
    ("all {} tests were skipped; {}", "todos os {} testes foram pulados; {}"),
    ("all {} tests were skipped", "todos os {} testes foram pulados"),
    ("no test was run; {}", "nenhum teste foi executado; {}"),
    ("no test was counted; {}", "nenhum teste foi contado; {}"),
    ("the report {} is older than the run; {}", "o relatório {} é anterior à execução; {}"),
    ("no report of the tests by {}; {}", "nenhum relatório dos testes feito por {}; {}"),
    ("{} passed, {} failed, {} skipped, but {}", "{} passaram, {} falharam, {} pulados, mas {}"),
    ("{} passed, {} failed, {} skipped", "{} passaram, {} falharam, {} pulados"),
    ("{} raised {} and was reported as passed", "{} lançou {} e foi relatado como aprovado"),
    ("{} failed and was reported as passed", "{} falhou e foi relatado como aprovado"),
    ("{} was replaced while the tests ran", "{} foi substituído durante os testes"),
    ("{} made itself a plugin of pytest while the tests ran", "{} fez-se plugin do pytest durante os testes"),
    ("{} of {} collected tests were never run: {}", "{} de {} testes coletados nunca rodaram: {}"),
    ("{} of {} tests were never run", "{} de {} testes nunca rodaram"),
    ("{} ended the process of {}", "{} encerrou o processo de {}"),
    (
        "{} ended its own process before its tests were done",
        "{} encerrou o próprio processo antes do fim de seus testes",
    ),
    ("{} was ended before its tests were done", "{} foi encerrado antes do fim de seus testes"),
    ("unittest was ended before any test was run", "o unittest foi encerrado antes de qualquer teste"),
    (
        "the tests were begun and their runner never came to its end: something in the tests or in the code ended its "
        "process (os._exit, os.exec…, a crash), or two runs went on at once; whatever report there is was not made by "
        "it",
        "os testes começaram e o executor não chegou ao fim: algo nos testes ou no código encerrou o processo "
        "(os._exit, os.exec…, uma falha), ou houve duas execuções ao mesmo tempo; o relatório que houver não é dele",
    ),
    ("[… {} characters before …]", "[… {} caracteres antes …]"),
    ("${}: {}", "${}: {}"),
)


_ANYWHERE: Final[_Sentences] = (
    ("the workspace cannot be read: {}", "o workspace não pode ser lido: {}"),
    ("the workspace is not there", "o workspace não existe"),
    ("judging was begun {} times and never came to an end", "o julgamento começou {} vezes e nunca terminou"),
    ("… and {} more", "… e mais {}"),
)
SENTENCES: Final[dict[str, _Sentences]] = {
    "expected": _EXPECTED,
    "answer": (*_ANYWHERE, *_FILES),
    "file_exists": (*_ANYWHERE, *_FILES),
    "file_contains": (*_ANYWHERE, *_FILES),
    "contract": (*_ANYWHERE, *_FILES, *_DOCUMENTS),
    "diff": (*_ANYWHERE, *_CHANGES),
    "screenshot": (*_ANYWHERE, *_FILES, *_PAGES),
    "command": (*_ANYWHERE, *_RUNS),
    "tests": (*_ANYWHERE, *_RUNS),
}
"""By the kind of criterion whose judge says them, so that another's words are not taken for his."""


def in_portuguese(line: str, kind: str) -> str:
    """A line that the judge of a kind wrote (or, for `expected`, any), in Portuguese; any other as it is."""
    for pattern, said in _patterns(kind):
        found = pattern.fullmatch(line)
        if found is not None:
            return said.format(*(in_portuguese(part, kind) for part in found.groups()))
    return line


@functools.cache
def _patterns(kind: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((_pattern(english), said) for english, said in SENTENCES.get(kind, _ANYWHERE))


def _pattern(english: str) -> re.Pattern[str]:
    """Reads a sentence; the first gaps take as little as they can."""
    return re.compile("(.+?)".join(map(re.escape, english.split("{}"))))
