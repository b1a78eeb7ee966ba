"""The intent–action reconciler on labelled sentences, on odd text of any length, and at the command line."""

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arreio.__main__ import main
from services.tool_loop.rules.reconciler import RULE, reconcile
from tests.support.promises import HELD_OUT, SHARED, TUNING, confusion, labelled, mistakes

_PIECES = [
    "I'll", "vou", "check", "verificar", "the log", "o log", "if", "se", "você", "you", "confirm", ",", ".", ":", "\n",
    "- ", "1. ", "`x`", "```", "“", "”", '"', "'", "(", ")", "é", "e\u0301", "🙂", "…", "?", "# ", "> ", "—", "\x00",
    "\ud800", "<think>", "</tool_call>", "já", "Running", "the tests", "Rodando", "and", "e", "*", "~~~", "\t", "    ",
]  # fmt: skip
_UNITS = [
    "vou ", "I'll ", "if I'll and ", "“'\"«", "(", ")", "- a\n", "```\n", "`", "é e\u0301 ", "a\u0301\u0302", "'a ",
    "*", "_a", "<think>", "[x](", "1. ", "? ", ": ", "> ", "    x = 1\n", "# a\n", "checking ", "se você, e ", "_", "~",
    "Plan:\n- run\n", "...", "word", "12:30 a", "user: ", "draft: ", "TODO(", "\t", "-me", "a.b", "Tell me, and I'll ",
    "\u0301",
]  # fmt: skip
_ODD = st.lists(st.sampled_from(_PIECES) | st.text(max_size=5), max_size=60).map(" ".join)


def label(text: str) -> str:
    return reconcile(text).label


@pytest.mark.parametrize("lang", ["en", "pt"])
@pytest.mark.parametrize(("path", "recall", "alarms"), [(TUNING, 0.99, 0.005), (HELD_OUT, 0.98, 0.01)])
def test_promises_are_seen_and_other_replies_pass(path: Path, recall: float, alarms: float, lang: str) -> None:
    found = confusion(sentence for sentence in labelled(path) if sentence.lang == lang)
    assert found.seen + found.missed > 80 and found.alarms + found.passed > 80
    assert found.recall >= recall and found.false_alarm_rate <= alarms


def test_no_sentence_is_in_both_parts() -> None:
    assert not {s.text.lower() for s in labelled(TUNING)} & {s.text.lower() for s in labelled(HELD_OUT)}


@pytest.mark.skipif(not SHARED.exists(), reason="the shared sentences are not here")
def test_the_shared_sentences_are_judged_as_labelled() -> None:
    assert mistakes(labelled(SHARED)) == []


@pytest.mark.skipif(not SHARED.exists(), reason="the shared cases are not here")
def test_the_shared_cases_are_judged_as_they_should_be() -> None:
    cases = [json.loads(line) for line in (SHARED.parent / "cases.jsonl").read_text("utf-8").splitlines()]
    judged = 0
    for case in cases:
        replies = case["input"].get("replies") or [case["input"].get("reply", "")]
        expected = case.get("expect", {}).get("labels") or [case.get("expect", {}).get("label")] * len(replies)
        for reply, wanted in zip(replies, expected, strict=True):
            if case["area"] == "e" and wanted in {"PROMISE", "NOT_PROMISE"}:
                judged += 1
                assert label(reply) == wanted, reply
    assert judged >= 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Done so far. I'll check the logs and restart it. Thanks!", "I'll check the logs and restart it"),
        ("I'll mail the form today, and once you sign it I'll file it.", "I'll mail the form today"),
        ("Os testes falharam, mas vou corrigir o import.", "vou corrigir o import"),
        ("Certo 🙂 **Vou abrir** o arquivo.", "Vou abrir** o arquivo"),
        ("Ok. Opening `a.py` (the short one) now:", "Opening `a.py` (the short one) now"),
    ],
)
def test_the_span_is_the_clause_that_commits(text: str, said: str) -> None:
    span = reconcile(text).span
    assert span is not None and text[span[0] : span[1]] == said


@pytest.mark.parametrize("text", ["Está confirmado: já verifico o horário.", "Não há vaga; vou procurar às três."])
def test_composed_and_decomposed_text_get_the_same_verdict_and_the_same_words(text: str) -> None:
    apart = unicodedata.normalize("NFD", text)
    one, other = reconcile(text), reconcile(apart)
    assert one.span and other.span and (one.label, one.lang, one.why) == (other.label, other.lang, other.why)
    assert text[slice(*one.span)] == unicodedata.normalize("NFC", apart[slice(*other.span)])


@pytest.mark.parametrize(
    "text",
    [
        "I will, meanwhile, clean up.",
        "Vou, enquanto isso, limpar o cache.",
        "The next step is mine: reopen the file.",
        "O próximo passo é meu: reabrir o arquivo.",
        "Depois de compilar, publico a imagem.",
    ],
)
def test_words_between_the_subject_and_its_act_do_not_hide_the_promise(text: str) -> None:
    assert label(text) == "PROMISE"


@pytest.mark.parametrize(
    "text",
    [
        "I will, if you agree, clean up.",
        "Vou, se você concordar, limpar o cache.",
        "The next step is yours: reopen the file.",
        "Next step (for the reviewer): reopen the file.",
        "Próximo passo (para a equipe): reabrir o arquivo.",
        "If you think so, I'll reopen it.",
    ],
)
def test_what_hangs_on_someone_else_is_no_promise(text: str) -> None:
    assert label(text) == "NOT_PROMISE"


@given(st.sampled_from(["TODO", "FIXME", "XXX", "HACK", "TODO(eva)"]), st.sampled_from(["I'll drop it", "vou tirar"]))
def test_a_note_of_the_code_promises_nothing_but_the_next_sentence_may(mark: str, note: str) -> None:
    assert label(f"It says {mark}: {note} in v2.1 (q.py).") == "NOT_PROMISE"
    assert label(f"It says {mark}: {note} in v2.1 (q.py). I'll drop it now.") == "PROMISE"


@pytest.mark.parametrize(
    "text", ["Wrapping up: nothing is left.", "Reading the log: no error found.", "Lendo: tudo certo."]
)
def test_an_outcome_behind_a_colon_is_a_report(text: str) -> None:
    assert label(text) == "NOT_PROMISE"


_ENGLISH_VERBS = ["nuke", "declutter", "hoist", "splat", "transpile", "notarize", "rejig", "vacuum"]
_PORTUGUESE_VERBS = ["desentupir", "cutucar", "esmiuçar", "soldar", "carimbar", "dockerizar", "ratear", "envelopar"]


@given(
    st.sampled_from(_ENGLISH_VERBS),
    st.sampled_from(
        ["I'll {}", "Let me {}", "Will {}", "Need to {}", "Let's {}", "My next step is to {}", "Next I {}"]
    ),
)
def test_an_english_act_needs_to_be_on_no_list(verb: str, opening: str) -> None:
    assert label(f"{opening.format(verb)} the archive.") == "PROMISE"
    assert label(f"{verb.removesuffix('e').capitalize()}ing the archive now.") == "PROMISE"
    assert label(f"The job will {verb} the archive every night.") == "NOT_PROMISE"


@given(
    st.sampled_from(_PORTUGUESE_VERBS),
    st.sampled_from(["Vou {}", "Deixa eu {}", "Preciso {}", "Próximo passo: {}", "Agora é {}", "Estou a {}"]),
)
def test_a_portuguese_act_needs_to_be_on_no_list(verb: str, opening: str) -> None:
    assert label(f"{opening.format(verb)} o arquivo.") == "PROMISE"
    assert label(f"{verb.removesuffix('r').capitalize()}ndo o arquivo.") == "PROMISE"
    assert label(f"A rotina vai {verb} o arquivo toda noite.") == "NOT_PROMISE"


@pytest.mark.parametrize(
    ("promise", "other"),
    [
        ("The patch is being applied now.", "The patch is being applied by the vendor now."),
        ("O ajuste será feito por mim.", "O ajuste será feito pela equipe."),
        ("The rows will be merged next.", "The rows will be merged in the next release."),
        ("As notas estão sendo enviadas neste momento.", "As notas estão sendo enviadas pelo banco neste momento."),
    ],
)
def test_a_passive_promises_where_only_its_speaker_can_be_the_doer(promise: str, other: str) -> None:
    assert label(promise) == "PROMISE" and label(other) == "NOT_PROMISE"


@pytest.mark.parametrize(
    ("promise", "other"),
    [
        ("Once the import finishes, I'll recount.", "Once the client finishes the form, I'll recount."),
        ("Quando a carga terminar, eu reconto.", "Quando o cliente terminar o cadastro, eu reconto."),
        ("I spotted the slip, undoing it.", "I undid the slip, saving an hour."),
        ("Vi o deslize, desfazendo.", "Desfiz o deslize, poupando uma hora."),
        ("Certo, ajusto a margem.", "Certo, ajusto a margem toda semana."),
        ("First, a quick look at the queue.", "A quick look at the queue showed two jobs."),
        ("I'll call you back at noon.", "I'll call you Max."),
        ("I'll have the deck ready by noon.", "I'll have to pass."),
    ],
)
def test_what_goes_with_the_words_decides(promise: str, other: str) -> None:
    assert label(promise) == "PROMISE" and label(other) == "NOT_PROMISE"


def test_the_lines_of_a_play_are_not_the_speakers_own() -> None:
    assert label("Act one:\n\nEVA: I'll open it.\nRUI: Wait, I'm coming too.") == "NOT_PROMISE"
    assert label("PLAN: I'll open it.\nNOW: reading the index.") == "PROMISE"


def test_an_accent_is_a_letter() -> None:
    for text in ("Está confirmado para as 15h.", "Esta função está pronta."):
        assert label(text) == label(unicodedata.normalize("NFD", text)) == "NOT_PROMISE"
    for text in ("Já verifico isso.", "Estou à espera; já volto."):
        assert label(text) == label(unicodedata.normalize("NFD", text)) == "PROMISE"


def test_only_what_follows_the_last_call_counts() -> None:
    call = '<tool_call>{"name": "read_file"}</tool_call>'
    assert label(f"I'll read it. {call} It has 3 lines.") == "NOT_PROMISE"
    assert label(f"It has 3 lines. {call} I'll read it again.") == "PROMISE"


@pytest.mark.parametrize(
    "text",
    [
        "Which region is the bucket in?",
        "Once you confirm the amount, I'll submit it.",
        "Let me know which version you run.",
        "Vou apagar a tabela. Posso prosseguir?",
        "Me diga qual é o número do pedido.",
    ],
)
def test_a_reply_that_waits_for_the_user_asks(text: str) -> None:
    verdict = reconcile(text)
    assert verdict.label == "NOT_PROMISE" and verdict.question


def test_a_report_does_not_ask() -> None:
    assert not reconcile("All 12 tests pass. Let me know if you need anything else.").question


@settings(max_examples=200, deadline=None)
@given(_ODD)
def test_any_text_gets_one_verdict_whose_span_lies_within_it(text: str) -> None:
    verdict = reconcile(text)
    assert verdict == reconcile(text) and verdict.rule == RULE
    assert (verdict.span is None) == (verdict.label == "NOT_PROMISE")
    if verdict.span is not None:
        assert 0 <= verdict.span[0] < verdict.span[1] <= len(text)


@settings(max_examples=100, deadline=None)
@given(_ODD)
def test_text_in_code_or_quotation_promises_nothing(text: str) -> None:
    quiet = text.replace("`", "").replace("~", "").replace("\n", " ").replace("</tool_call>", "")
    assert label(f"The file reads:\n\n```\n{quiet}\n```\n") == "NOT_PROMISE"
    assert label(f"> {quiet}") == "NOT_PROMISE"


@pytest.mark.parametrize("unit", _UNITS)
def test_a_long_odd_reply_is_judged_and_does_not_hang(unit: str) -> None:
    length = 60_000
    verdict = reconcile((unit * (length // len(unit) + 1))[:length])
    assert verdict.span is None or 0 <= verdict.span[0] < verdict.span[1] <= length


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, object]]]:
    status = main(["check", "promises", *arguments])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_check_promises_answers_line_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_text('{"text": "Vou rodar os testes.", "id": 7}\n{"text": "It works."}\n', "utf-8")
    status, found = check(capsys, str(file))
    assert status == 0
    assert found[0] == {"label": "PROMISE", "lang": "pt", "span": [0, 19], "why": "says what it will do"}
    assert found[1]["label"] == "NOT_PROMISE" and found[1]["span"] is None and set(found[1]) == set(found[0])


def test_check_promises_answers_bad_lines_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "replies.jsonl"
    bad = [b'{"text": 1}', b"", b"no", b"[]", b"\xff", b"[" * 100_000]
    file.write_bytes(b"\n".join([*bad, b'{"text": "\\ud800 works"}', b'{"text": "ok"}']))
    status, found = check(capsys, str(file))
    assert status == 1 and len(found) == len(bad) + 2
    assert all("error" in line for line in found[:-2])
    assert [line.get("label") for line in found[-2:]] == ["NOT_PROMISE", "NOT_PROMISE"]


def test_check_promises_names_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "promises", "/nowhere.jsonl"]) == 1
    assert "/nowhere.jsonl" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "label"),
    [
        pytest.param("Let me know which of the towns you meant.", "NOT_PROMISE", id="asks the user politely"),
        pytest.param(
            "Let me assist by searching the guide for that flag.", "PROMISE", id="a polite opener, then an act"
        ),
        pytest.param("1. Open the menu\n2. Choose renew\n3. Copy the key", "NOT_PROMISE", id="steps for the user"),
        pytest.param("My usual way: I'll look a fact up first and only then answer.", "NOT_PROMISE", id="a habit"),
        pytest.param("Notes saved. Starting the job and detaching it.", "PROMISE", id="a log line without a pronoun"),
        pytest.param("Running the tests here shows the same failure.", "NOT_PROMISE", id="a participle as subject"),
        pytest.param("I'll look at the failure again and report what was blocked", "PROMISE", id="before NO_REPLY"),
        pytest.param(
            "I'll mail the bill right away, and after you approve it I'll file the copy.",
            "PROMISE",
            id="a later condition excuses nothing before it",
        ),
        pytest.param("After you approve it I'll file the copy.", "NOT_PROMISE", id="only on a condition"),
    ],
)
def test_a_reported_kind_of_reply_is_judged_rightly(text: str, label: str) -> None:
    assert reconcile(text).label == label
