"""The same words, the same failing call and the same contents again, whatever is said or tested between; and values
that are tried in turn.
"""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arreio.trajectories import Thresholds
from services.tool_loop.rules.loops.edits import Edits
from services.tool_loop.rules.loops.trajectory import Judgement, RecordedStep, judge
from services.tool_loop.rules.values_tried import with_a_value_open
from services.tool_loop.rules.wording import next_thing
from tests.support.stuck_runs import step

FINE = Judgement()
QUESTION = "Could you please tell me the reason for which you cancel?"


def judged(steps: Sequence[RecordedStep]) -> Judgement:
    thresholds = Thresholds.of("strong")
    return judge(steps, thresholds.limits, thresholds.caps())


def said(text: str, answer: object) -> RecordedStep:
    return step("(message)", f"USER: answer {answer}", text=text)


def command(text: str, result: str = "", *, failed: bool = False) -> RecordedStep:
    return step("bash", result, failed=failed, command=text)


def looked_up(number: int = 0) -> RecordedStep:
    return step("get_order", f"order {number}", order_id=f"W{number}")


CANCEL = step("cancel_order", "Error: reason is required", failed=True, order_id="W1")


def in_turn(*texts: str, rounds: int = 8) -> list[RecordedStep]:
    return [said(texts[at % len(texts)], at) for at in range(rounds * len(texts))]


def test_a_question_put_again_in_the_same_words_is_a_loop_whatever_the_answers() -> None:
    found = judged(in_turn(QUESTION))
    assert (found.step, found.halt_step, found.kind) == (3, 6, "churn")


def test_neither_wordings_in_turn_nor_a_look_that_tells_the_same_begins_it_anew() -> None:
    assert judged(in_turn(QUESTION, "To go on I need your reason, please tell it.")).halt_step is not None
    assert judged([part for at in range(9) for part in (said(QUESTION, at), looked_up())]).halt_step is not None
    thought = step("think", "", thought="ask for the reason")
    assert judged([part for at in range(9) for part in (said(QUESTION, at), thought)]).halt_step is not None


def test_the_same_words_after_something_new_was_done_or_said_are_none() -> None:
    assert judged([part for at in range(9) for part in (said(QUESTION, at), looked_up(at))]) == FINE
    other = [said(f"The fare of flight HAT{at} is {at} dollars.", at) for at in range(9)]
    assert judged([part for at in range(9) for part in (said(QUESTION, at), other[at])]) == FINE


@pytest.mark.parametrize(
    "text",
    [
        "Next number, please.",
        "Please tell me the name of another guest.",
        "Diga-me, por favor, o próximo nome.",
        "Yes?",
    ],
)
def test_who_asks_for_the_next_thing_or_says_little_asks_anew(text: str) -> None:
    assert judged(in_turn(text, rounds=12)) == FINE


def test_who_insists_is_told_no_in_the_same_words_more_often_than_asked() -> None:
    refusal = "Fares of this kind cannot be changed."
    assert judged(in_turn(refusal, rounds=7)) == FINE
    assert judged(in_turn(refusal, rounds=12)).step == 7


REFUSED = "I am sorry, but a basic economy ticket can neither be changed nor refunded, whatever the reason for it is."


@pytest.mark.parametrize(
    "text",
    [
        f"{REFUSED} Is there anything else I can help you with?",
        f"{REFUSED}\n\nPlease let me know if there is anything else!",
        "I'm sorry, but this reservation can't be refunded. Is there anything else I can help you with?",
        "Could you please provide your order number so I can continue with the return?",
        "I need additional information: what is your order number?",
        "Para prosseguir, por favor informe o número do seu pedido.",
        "Infelizmente não posso fazer mais nada: a tarifa não permite reembolso.",
        "Sinto muito, mas a tarifa básica não permite alteração nem reembolso, seja qual for o motivo do pedido. "
        "Posso ajudar em mais alguma coisa?",
    ],
)
def test_neither_a_courteous_offer_nor_a_word_of_going_on_makes_it_other_words(text: str) -> None:
    assert judged(in_turn(text, rounds=7)) == FINE
    found = judged(in_turn(text, rounds=12))
    assert (found.step, found.kind) == (7, "churn") and found.halt_step is not None
    assert judged([part for at in range(12) for part in (said(text, at), looked_up(at))]) == FINE


@pytest.mark.parametrize(
    "text",
    [
        "Thanks, I have noted that one down. What is the next item on your list?",
        "Thank you, your answer has been recorded. What is your next answer?",
        "Glad that helped! Let me know if there is anything else I can help with.",
        "Obrigado, anotei tudo. Qual é o próximo nome?",
        "All right. Please send me the next page of the document as soon as you have it, and then another one.",
    ],
)
def test_a_brief_word_before_the_next_question_is_said_anew(text: str) -> None:
    assert judged(in_turn(text, rounds=12)) == FINE


def test_a_text_says_itself_that_it_goes_on() -> None:
    assert [next_thing(text) for text in ("Anything else?", "Quem mais?", "What is your name?")] == [True, True, False]


@pytest.mark.parametrize("failures", [1, 2])
def test_the_same_failure_is_a_loop_whatever_is_said_between(failures: int) -> None:
    found = judged([part for at in range(12) for part in (*[CANCEL] * failures, said(f"Sorry ({at}).", at))])
    assert found.kind == "churn" and found.halt_step is not None
    assert "whatever was said between" in found.why


def test_a_few_tries_that_a_person_asks_for_are_none_nor_are_tries_of_something_else() -> None:
    assert judged([part for at in range(7) for part in (CANCEL, said(f"Try {at}?", at))]) == FINE
    new = [part for at in range(12) for part in (CANCEL, said(f"Try {at}?", at), looked_up(at))]
    assert judged(new) == FINE
    cards = [step("pay", "Error: declined", failed=True, card=f"{at}") for at in range(12)]
    assert judged([part for at in range(12) for part in (cards[at], said(f"And card {at}?", at))]) == FINE


def edits(*texts: str, rounds: int, path: str = "a.py") -> list[RecordedStep]:
    ring = [*texts, texts[0]]
    pairs = list(pairwise(ring))
    return [step("edit", "ok", path=path, old_text=old, new_text=new) for _ in range(rounds) for old, new in pairs]


@pytest.mark.parametrize("ring", [("1", "2", "3"), ("1", "2", "3", "4")])
def test_a_file_that_goes_round_over_several_contents_is_a_loop_with_or_without_tests_between(
    ring: tuple[str, ...],
) -> None:
    texts = [f"return {one}" for one in ring]
    alone = judged(edits(*texts, rounds=6))
    assert alone.step is not None and alone.step < 3 * len(ring) and alone.halt_step is not None
    failing = [command("pytest -x", f"E assert {at}\n1 failed, {at} passed", failed=True) for at in range(len(ring))]
    each = [part for at, edit in enumerate(edits(*texts, rounds=6)) for part in (edit, failing[at % len(ring)])]
    tested = judged(each)
    assert tested.kind == "revisit" and tested.step is not None and tested.step <= 4 * len(ring)
    assert tested.halt_step is not None


def test_contents_gone_through_while_each_look_tells_something_else_are_none() -> None:
    texts = ("size = 1", "size = 2", "size = 3")
    measured = [command("./bench", f"run {'abcdefghijklmnopqr'[at] * 3}: fine") for at in range(18)]
    each = [part for at, edit in enumerate(edits(*texts, rounds=6)) for part in (edit, measured[at])]
    assert judged(each) == FINE


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("wxyz")), max_size=12))
def test_the_name_of_a_content_is_that_of_the_text_however_it_was_come_by(puts: list[tuple[str, str]]) -> None:
    lines = {name: f"{name}=0;" for name in "abcd"}
    told, names = Edits(), dict[str, str | None]()
    for name, value in puts:
        old, lines[name] = lines[name], f"{name}={value};"
        state = told.after({"path": "f", "old_text": old, "new_text": lines[name]})
        assert names.setdefault("".join(lines.values()), state) == state
    assert len(set(names.values())) == len(names)


def test_an_edit_of_more_lines_takes_in_what_was_put_there_before() -> None:
    told = Edits()
    first = told.after({"path": "f", "old_text": "b", "new_text": "B"})
    told.after({"path": "f", "old_text": "a B c", "new_text": "d"})
    assert told.after({"path": "f", "old_text": "d", "new_text": "a b c"}) != first
    assert told.after({"path": "f", "old_text": "b", "new_text": "B"}) != told.after({"path": "g", "content": "x"})


@pytest.mark.parametrize(
    "form",
    [
        "./load --rps {} --for 10s",
        "python3 -c \"print('A'*{})\" | ./chall",
        "pip install torch==2.{}.0",
        "LIM={} ./run",
    ],
)
def test_one_command_tried_with_a_value_after_the_other_is_a_search(form: str) -> None:
    tries = [command(form.format(8 + at), "Segmentation fault", failed=True) for at in range(30)]
    assert judged(tries[:9]) == FINE
    found = judged(tries[:20])
    assert (found.step, found.halt_step) == (9, None)
    assert judged(tries[:5] + [command(form.format(8), "Segmentation fault", failed=True)] * 6).step is not None


def test_tries_that_differ_in_more_than_a_value_are_hammering() -> None:
    ways = [("make", "fast"), ("make", "all"), ("make", "here"), ("make", "slow"), ("make", "once"), ("make", "twice")]
    found = judged([command(" ".join(way), "Segmentation fault", failed=True) for way in ways])
    assert (found.kind, found.step) == ("churn", 4)


def test_values_are_figures_what_is_set_and_files_behind_a_flag() -> None:
    assert with_a_value_open("ssh -i .ssh/key host") == ("ssh -i .ssh/_ host",)
    assert with_a_value_open("run 1 b=2") == ("run _ b=2", "run 1 b=_")
    assert with_a_value_open("pip install a==2.1") == ("pip install a==_",)
    assert with_a_value_open("make all") == with_a_value_open("apt install -y a") == with_a_value_open("x1") == ()
    assert with_a_value_open("wget https://one.example/v1") == with_a_value_open("sleep 3; curl h") == ()
    assert with_a_value_open('{"command": "echo 1') == ()
