"""Screens, pages and terminals: what shows nothing may lead elsewhere, and what shows the same does not move."""

from __future__ import annotations

import pytest

from services.tool_loop.rules.loops.trajectory import RecordedStep
from tests.support.stuck_runs import step
from tests.unit.test_loops_waiting import FINE, command, judged

DIALOG = "A window is shown: 'Update available'. Buttons: Later, Install."


def click(x: int, shown: str = "") -> RecordedStep:
    return step("computer", shown, action="left_click", coordinate=[x, 50])


def picture(shown: str) -> RecordedStep:
    return step("computer", shown, action="screenshot")


@pytest.mark.parametrize(
    "told", ["", "ok", "Clicked.", "### Ran Playwright code\nawait page.getByText('More').click();"]
)
def test_a_click_that_shows_nothing_may_be_made_some_times(told: str) -> None:
    more = step("browser_click", told, element="Load more", ref="e9")
    assert judged([more] * 8) == FINE
    assert judged([more] * 20).halt_step is not None


def test_clicks_that_leave_the_same_picture_are_found_wherever_it_is_clicked() -> None:
    same = [one for n in range(20) for one in (click(3 * n), picture(DIALOG))]
    other = [
        one
        for n in range(12)
        for one in (click(3 * n), picture(f"Step {'abcdefghijkl'[n]} of the assistant is shown."))
    ]
    found = judged(same)
    assert found.step is not None and found.step <= 16 and found.halt_step is not None
    assert judged(other) == FINE


@pytest.mark.parametrize("shown", ["<image>", "[Image]", "Screenshot taken", ""])
def test_pictures_that_a_log_does_not_tell_of_are_no_early_loop(shown: str) -> None:
    scrolled = step("computer", "", action="scroll", coordinate=[5, 5], scroll_direction="down")
    assert judged([scrolled, picture(shown)] * 8) == FINE
    assert judged([scrolled, picture(shown)] * 20).halt_step is not None


def test_the_page_of_a_login_is_the_same_at_every_address() -> None:
    def goto(n: int, shown: str) -> RecordedStep:
        return step("browser_navigate", f"- Page URL: https://a.b/login?next={n}\n{shown}", url=f"https://a.b/{n}")

    assert judged([goto(n, "- heading 'Sign in'\n- textbox 'E-mail'") for n in range(12)]).step == 7
    assert judged([goto(n, f"- heading 'Order {'abcdefghijkl'[n]}'\n- text 'paid'") for n in range(12)]) == FINE


def test_the_same_page_fetched_at_every_address_is_found_and_the_same_answer_of_an_interface_is_not() -> None:
    page = "Cookie consent. We value your privacy. Accept all or choose."
    answer = '{"ok": true, "message": "the item was stored for later use"}'
    assert judged([step("WebFetch", page, url=f"https://a.b/{n}") for n in range(12)]).step == 7
    assert judged([step("fetch", answer, url=f"https://a.b/{n}") for n in range(12)]) == FINE


@pytest.mark.parametrize("prompt", ["dquote> ", "quote> ", "> ", "cmdsubst> "])
def test_a_shell_that_waits_for_the_end_of_a_quote_runs_nothing(prompt: str) -> None:
    sent = ("ls", "pwd", "cat a", "exit", "make", "git status", "q", "help", "id")
    found = judged([command(text, f"{prompt}{text}\n{prompt}") for text in sent])
    assert found.step == 4
    grown = ""
    typed: list[RecordedStep] = []
    for text in sent:
        grown += f"{prompt}{text}\n"
        typed.append(step("send_keys", f"$ echo \"it's\n{grown}{prompt}", keystrokes=f"{text}\n"))
    assert judged(typed).step is not None


def test_an_interpreter_that_answers_is_no_open_quote() -> None:
    answers = [step("send_keys", f"> {n} * {n}\n{n * n}\n> ", keystrokes=f"{n} * {n}\n") for n in range(15)]
    assert judged(answers) == FINE


def test_actions_that_lead_to_nothing_are_found_whatever_they_are() -> None:
    acts = [step("act", "Nothing happens.", action=f"use thing {n} on table") for n in range(16)]
    found = judged(acts)
    assert found.step == 6 and found.halt_step is not None
    assert judged([*acts[:5], step("act", "You open the drawer.", action="open drawer")]) == FINE


@pytest.mark.parametrize(
    "told",
    ["Navigated to https://a.b/docs/{0}", "Page loaded successfully. Use get_text to read what stands on the page.",
     "Successfully navigated to https://a.b/docs/{0} (status 200)", "OK"],
)  # fmt: skip
def test_a_page_that_is_only_said_to_be_open_is_none_that_is_shown(told: str) -> None:
    def one(n: int) -> list[RecordedStep]:
        opened = step("goto", told.format(n), url=f"https://a.b/docs/{n}")
        return [opened, step("get_text", f"What stands on the page {'abcdefghijkl'[n]} of the manual")]

    assert judged([each for n in range(12) for each in one(n)]) == FINE
    assert judged([one(n)[0] for n in range(12)]) == FINE


def test_two_screens_in_turn_are_found_and_one_that_comes_late_is_none() -> None:
    def at(n: int) -> list[RecordedStep]:
        page = "- heading 'Sign in'\n- textbox 'E-mail' is shown here"
        return [
            step("goto", page, url=f"https://a.b/{n}"),
            step("browser_type", "filled", ref="e5", text=f"ana{n}@a.b"),
            step("browser_click", f"{page}\n- alert 'Wrong e-mail'", ref="e9"),
        ]

    found = judged([each for n in range(12) for each in at(n)])
    assert found.step is not None and found.step < 15 and found.halt_step is not None
    screens = ["The first page of the form"] * 7 + ["The second page of the form"] * 7
    assert judged([picture(shown) for shown in screens][:2]) == FINE
    typed = [step("send_keys", f"{shown}\n with a line below it", keys=f"k{n}") for n, shown in enumerate(screens)]
    assert judged(typed) == FINE


@pytest.mark.parametrize("told", ["No more pages", "Already at the end", "You are already at the bottom of the page"])
def test_a_step_that_says_that_it_leads_nowhere_leads_nowhere(told: str) -> None:
    assert judged([step("next_page", told)] * 4).step in (2, 3)
    assert judged([step("next_page", "Moved on.")] * 8) == FINE
