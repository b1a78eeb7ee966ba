"""Which names of a final text must have been observed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.rules.grounding.claims import Named, Observed, named, ungrounded
from services.tool_loop.rules.grounding.shown_outcomes import Ran


def lacking(text: str, *texts: str, paths: tuple[str, ...] = ()) -> list[str]:
    return list(ungrounded(named(text), Observed(paths, texts)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I fixed the bug in `src/app.py` and in README.md.", ["src/app.py", "README.md"]),
        ("Corrigi o erro em src/app.py:12.", ["src/app.py"]),
        ("The tests live in `tests/unit/`.", ["tests/unit/"]),
        ("I renamed `load_all` to `load_every()` and parseRow() is gone.", ["load_all", "load_every", "parseRow"]),
        ("I fixed it: `Parser.read_line` now strips.", ["Parser.read_line"]),
        ("I updated package.json.", ["package.json"]),
        ("I added a class RowWriter; **read_rows** is now used.", ["RowWriter", "read_rows"]),
        ("Criei a classe RowWriter e o método *write_all*.", ["RowWriter", "write_all"]),
        ("I added a class for rows and **fixed** the *method* that reads.", []),
        ("Atualizei `package.json` e criei `somar_tudo()`.", ["package.json", "somar_tudo"]),
        ("The rows come from `load_rows` in `src/db.py`.", ["src/db.py", "load_rows"]),
    ],
)
def test_paths_and_code_names_are_statements(text: str, expected: list[str]) -> None:
    found = named(text)
    assert [*found.paths, *found.symbols] == expected


@pytest.mark.parametrize(
    "text",
    [
        "Done.",
        "Everything works; version 1.2.3 is out, and/or 3/4 of it.",
        "See https://example.com/docs/page.html and write to me@example.com.",
        "It is written for Node.js and Vue.js.",
        "You could also add `tests/test_more.py`.",
        "I did not change `setup.py`.",
        "There is no `config.yaml` here.",
        "Não encontrei `config.yaml`.",
        "Você pode criar `extra.py` depois.",
        "Shall I write `extra.py`?",
        "Run `pytest -q tests/test_a.py` to see it.",
        "Use it so:\n```python\nfrom extra import run_all\nrun_all()\n```\n",
        "It uses `json.dumps()`, `len()` and `__init__`.",
        "Set `DEBUG` to `true`.",
        "The total is 12.50 (e.g. three items).",
        "React's `useState` keeps a value, and `pandas.read_csv()` reads a table in O(n) or `O(n)`.",
        "Dependencies are listed in `package.json` or requirements.txt.",
        "As dependências ficam em `package.json`.",
    ],
)
def test_what_is_no_statement_about_a_file_or_symbol_names_nothing(text: str) -> None:
    found = named(text)
    assert (found.paths, found.symbols) == ((), ())


@pytest.mark.parametrize(
    "text",
    [
        "React introduced `useTransition` in version 18.",
        "O React introduziu `useTransition` na versão 18.",
        "Python 3.12 removed `distutils`; `asyncio.TaskGroup` was added before.",
        "The ServiceWorker API was added in 2014, and setTimeout now takes a signal.",
        "Em Java, a classe `ArrayList` foi criada na versão 1.2.",
    ],
)
def test_news_of_other_peoples_programs_are_no_claims_of_a_task_that_looked_at_no_file(text: str) -> None:
    assert lacking(text) == []


def test_a_change_of_a_name_is_a_claim_where_the_text_reports_its_authors_own_work() -> None:
    assert lacking("I fixed it. `useTransition` was added.") == ["useTransition"]
    assert lacking("Corrigi o erro. `useTransition` foi adicionado.") == ["useTransition"]


def test_what_was_observed_is_grounded_and_its_twin_that_was_not_is_not() -> None:
    text = "I changed `src/app.py`; `load_rows` now works."
    assert lacking(text, "src/app.py, lines 1-2 of 2:\n1| def load_rows():\n") == []
    assert lacking(text, "src/apps.py\n1| def load_rows_all():\n") == ["src/app.py", "load_rows"]


def test_a_file_may_be_named_by_the_end_of_its_path() -> None:
    assert lacking("I wrote `app.py`.", paths=("src/app.py",)) == []
    assert lacking("I wrote `app.py`.", paths=("src/myapp.py",)) == ["app.py"]


def test_a_folder_is_observed_with_a_file_in_it() -> None:
    assert lacking("All tests in `tests/unit/` pass.", paths=("tests/unit/test_a.py",)) == []


def test_an_error_that_says_that_a_file_is_not_there_shows_nothing_of_it() -> None:
    assert lacking("I checked ghost.py.", "there is no file ghost.py; list_files shows what is there") == ["ghost.py"]
    assert lacking("I checked ghost.py.", "cat: ghost.py: No such file or directory") == ["ghost.py"]


def test_a_general_remark_is_a_statement_of_a_task_that_looked_at_files_and_of_no_other() -> None:
    text = "`compute_total` sums the rows, and `package.json` names the version."
    assert lacking(text) == []
    assert lacking(text, paths=("src/rows.ts",)) == ["package.json", "compute_total"]
    assert lacking(text, "def compute_total(): ...", paths=("src/rows.ts", "package.json")) == []


def test_of_a_dotted_name_the_last_part_must_have_been_observed_too() -> None:
    seen = ("class Widget:\n    def paint(self): ...\n", "def load_rows(): ...\n")
    paths = ("src/app.py",)
    assert lacking("I fixed `Widget.paint()` and `app.load_rows`.", *seen, paths=paths) == []
    assert lacking("I fixed `Widget.paint_all`.", *seen, paths=paths) == ["Widget.paint_all"]
    assert lacking("I updated `app.save_rows`.", *seen, paths=paths) == ["app.save_rows"]
    assert lacking("I changed `Gadget.paint`.", *seen, paths=paths) == ["Gadget.paint"]


def test_a_method_that_values_of_the_language_have_is_left_alone() -> None:
    text = "I changed it so that `rows.append(x)` and `name.strip()` come first, then `rows.forEach`."
    assert lacking(text, "rows = []; name = ''", paths=("a.py",)) == []


@pytest.mark.parametrize(
    "said",
    [
        "`HTTP/1.1`",
        "`a/b`",
        "`I/O`",
        "`and/or`",
        "`n/a`",
        "`text/html`",
        "`origin/main`",
        "`src/app`",
        "/home/me/src/app.py",
    ],
)
def test_words_with_a_slash_between_them_are_a_path_only_where_there_is_such_a_folder(said: str) -> None:
    assert lacking(f"I changed `src/app.py` for {said}.", "1| x = 'text/plain'", paths=("src/app.py",)) == []


@pytest.mark.parametrize(
    "said", ["`src/other`", "`docs/`", "`./tools/run`", "`src/missing/deep`", "/home/me/src/b.py", "`Makefile`"]
)
def test_a_path_that_was_never_seen_is_ungrounded_with_or_without_its_suffix(said: str) -> None:
    assert lacking(f"I changed `src/app.py` and {said}.", paths=("src/app.py",)) == [said.strip("`")]


@pytest.mark.parametrize(
    "text",
    [
        "The user asked about `foo_bar`; nothing by that name exists.",
        "I looked at src/app.py. You asked whether `foo_bar` is used.",
        "I checked `foo_bar`: it does not exist.",
        "The issue mentions `foo_bar`.",
        "Perguntou sobre `foo_bar`; não existe.",
        "Verifiquei `foo_bar`: não foi encontrada.",
        "I looked for `foo_bar`; no function of that name was found.",
    ],
)
def test_a_sentence_that_says_that_a_name_is_not_there_makes_no_statement_of_it(text: str) -> None:
    assert lacking(text, paths=("src/app.py",)) == []


@pytest.mark.parametrize(
    "text",
    [
        "I added `foo_bar` as the user asked; it is tested.",
        "I implemented `foo_bar`, which you asked for.",
        "I fixed `foo_bar`; the old error does not exist in `src/app.py`.",
        "I fixed `foo_bar`; the old error does not exist any more.",
        "Criei `foo_bar`; o resto funciona.",
    ],
)
def test_a_statement_beside_a_denial_of_something_else_stays_one(text: str) -> None:
    assert lacking(text, paths=("src/app.py",)) == ["foo_bar"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Corrigi o erro no `load_rows`, e `src/gone.py` agora se comporta bem.", ["src/gone.py", "load_rows"]),
        ("A constante `MAX_ROWS` limita `src/app.py`.", ["MAX_ROWS"]),
        ("Se quiser, posso mover tudo para `src/gone.py`.", []),
        ("Registrei a mudança no HISTORY.md.", ["HISTORY.md"]),
        ("There is no `load_rows` in `src/gone.py`.", []),
        ("Done. Next steps: an entry in HISTORY.md.", []),
        (
            "I fixed `src/app.py`.\nNext steps:\n- write `src/gone.py`\n- call `load_rows()`\nI added `src/two.py`.",
            ["src/two.py"],
        ),
    ],
)
def test_what_denies_or_proposes_is_told_in_both_languages(text: str, expected: list[str]) -> None:
    assert lacking(text, paths=("src/app.py",)) == expected


@pytest.mark.parametrize(
    ("text", "ghost"),
    [
        ("I did not forget to update `config.yaml`.", "config.yaml"),
        ("Não esqueci de atualizar `config.yaml`.", "config.yaml"),
        ("Não deixei de documentar isso em `docs/uso.md`.", "docs/uso.md"),
        ("No problem remains in `src/ghost.py`.", "src/ghost.py"),
        ("`src/ghost.py` no longer crashes.", "src/ghost.py"),
        ("`src/ghost.py` não falha mais.", "src/ghost.py"),
        ("`src/ghost.py` compiles without errors.", "src/ghost.py"),
        ("If you look at `src/ghost.py` you will see the new class.", "src/ghost.py"),
        ("Se você abrir `src/ghost.py`, verá a nova classe.", "src/ghost.py"),
        ("Você pode conferir os testes em `src/ghost.py`.", "src/ghost.py"),
        ("I created `src/ghost.py`, should you need it.", "src/ghost.py"),
        ("Criei `src/ghost.py`, caso você precise.", "src/ghost.py"),
        ("I wrote `src/ghost.py` so you can run it.", "src/ghost.py"),
        ("Since the old code would fail, I rewrote it in `src/ghost.py`.", "src/ghost.py"),
        ("The docs in `src/ghost.md` were updated, though not rebuilt.", "src/ghost.md"),
        ("I verified that `src/ghost.py` is not affected.", "src/ghost.py"),
        ("The bug was not in `src/app.py` but in `src/ghost.py`.", "src/ghost.py"),
        ("Movi a função para `src/ghost.py`; nada mais mudou.", "src/ghost.py"),
        ("Renomeei tudo em `src/ghost.py`, em todo lugar.", "src/ghost.py"),
        ("Files changed:\n```\n src/ghost.py | 12 ++++--\n 1 file changed\n```", "src/ghost.py"),
        ("Arquivos alterados:\n```\nsrc/ghost.py\n```", "src/ghost.py"),
        ("```diff\n+++ b/src/ghost.py\n+x = 1\n```", "src/ghost.py"),
        ("The RowParser class now handles commas.", "RowParser"),
        ("I fixed it: RowParser now handles commas.", "RowParser"),
        ("I added parse_rows for the lines.", "parse_rows"),
        ("parseRow now trims its input.", "parseRow"),
    ],
)
def test_what_only_looks_like_a_denial_or_a_supposition_is_a_statement(text: str, ghost: str) -> None:
    assert lacking(text, "1| x = 1", paths=("src/app.py",)) == [ghost]


@pytest.mark.parametrize(
    "text",
    [
        "I did not touch `src/ghost.py`.",
        "No changes were made to `src/ghost.py`.",
        "Nenhuma alteração foi feita em `src/ghost.py`.",
        "I verified that `src/ghost.py` does not exist.",
        "`src/ghost.py` no longer exists in this project.",
        "`src/ghost.py` does not exist, so I changed `src/app.py`.",
        "Nem `a.py` nem `b.py` existem.",
        "Instead of a new `src/ghost.py`, I kept everything in `src/app.py`.",
        "I looked for `src/ghost.py`, which is not there.",
        "If you want caching, add a `src/cache.py` module.",
        "Me avise se quiser um `strict.py`.",
        "It would be better to split it into `src/a.py`, and to test `src/b.py`.",
        "Example:\n```python\nfrom ghost import run_all\n```",
        "Run it with:\n```\npython src/ghost.py\n```",
        "I switched the tests to `pytest.mark.parametrize`.",
        "It now uses `Number.toFixed(2)` and `React.memo`.",
        "I thought about a `src/io.py` module but decided against it.",
        "Pensei em um módulo `src/io.py`, mas não o criei.",
        "The names stay in snake_case, as GitHub and PostgreSQL write them now.",
    ],
)
def test_what_is_denied_or_supposed_stays_no_statement(text: str) -> None:
    assert lacking(text, "1| x = 1", paths=("src/app.py",)) == []


@given(st.text(max_size=300))
def test_a_text_that_was_seen_itself_is_never_ungrounded(text: str) -> None:
    found = named(text)
    also = found.remarks or Named()
    seen = Observed((*found.paths, *found.symbols, *also.paths, *also.symbols), ())
    assert list(ungrounded(found, seen)) == []


@pytest.mark.parametrize(
    ("command", "printed", "text"),
    [
        ("head -2 rows_clean.csv", "id,name\n1,Ana", "`rows_clean.csv` holds the names."),
        ("tsc", "src/b.ts(9,1): error TS2304: Cannot find name 'foo'.", "The build stops at `src/b.ts` now."),
        (
            "ruff check",
            "src/c.py:4:1: F821 undefined name, not found",
            "The fault in `src/c.py` was not mine; I fixed it.",
        ),
    ],
)
def test_a_file_that_was_shown_or_that_a_message_is_about_was_observed(command: str, printed: str, text: str) -> None:
    seen = Observed([], [printed], (Ran(command, printed, 0),))

    assert list(ungrounded(named(text), seen)) == []


@pytest.mark.parametrize(
    "command", ["head rows_clean.csv || true", "head rows_clean.csv; true", "touch rows_clean.csv; ls"]
)
def test_a_file_that_a_line_names_and_need_not_have_shown_was_not(command: str) -> None:
    seen = Observed(["README.md"], [""], (Ran(command.replace("touch", "ls"), "", 0),))

    assert list(ungrounded(named("I wrote `rows_clean.csv`."), seen)) == ["rows_clean.csv"]


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("sed -i 's/old_name/total_of/' src/cart.py", "I renamed `old_name` to `total_of` in src/cart.py."),
        ("sed -i 's|old_name|total_of|;s/a/b/' src/cart.py", "I renamed old_name to total_of in src/cart.py."),
        ("sed -E --in-place=.bak 's/old_name/total_of/' src/cart.py", "Renamed the function to `total_of`."),
        ("mkdir -p pkg && git mv src/a.py pkg/core_a.py", "I moved src/a.py to `pkg/core_a.py`."),
        ("cd src; mv a.py core_a.py", "I moved `a.py` to `core_a.py`."),
        ("printf 'start_server --port 80' > deploy/run.sh", "I wrote deploy/run.sh, which calls `start_server`."),
        ("rm src/legacy_api.py", "I removed src/legacy_api.py."),
    ],
)
def test_what_a_command_that_came_out_well_changed_was_observed(command: str, text: str) -> None:
    assert list(ungrounded(named(text), Observed(["README.md"], [""], (Ran(command, "", 0),)))) == []
    assert list(ungrounded(named(text), Observed(["README.md"], [""], (Ran(command, "", 1),)))) != []


@pytest.mark.parametrize(
    "command",
    [
        "sed -n 's/old_name/total_of/p' src/cart.py | cat",
        "ls src/cart.py total_of; touch x",
        "grep -rn total_of src > /dev/null; true",
        "rm -f src/cart.py total_of",
    ],
)
def test_names_beside_a_change_or_in_a_look_were_not(command: str) -> None:
    seen = Observed(["README.md"], [""], (Ran(command, "", 0),))

    assert "total_of" in list(ungrounded(named("I renamed it to `total_of` in src/cart.py."), seen))
