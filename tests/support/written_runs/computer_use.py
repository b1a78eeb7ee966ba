"""Runs in the style of agents that use a computer by its screen, or a browser through Playwright."""

from .writing import Good, Steps, Stuck, call, rounds


def screen(**action: object):  # type: ignore[no-untyped-def]
    """An act on the screen; `shows` is what the harness describes of it."""
    shows = str(action.pop("shows", ""))
    return call("computer", shows, **action)


def goto(url: str, shown: str, failed: bool = False):  # type: ignore[no-untyped-def]
    """A page gone to, and what Playwright tells of it."""
    return call("browser_navigate", f"### Page state\n- Page URL: {url}\n- Page Snapshot:\n{shown}", failed, url=url)


_LOGIN = '- heading "Sign in" [ref=e2]\n- textbox "E-mail" [ref=e5]\n- textbox "Password" [ref=e7]\n- button "Sign in" [ref=e9]'
_DIALOG = "A window is shown: 'Update available'. Buttons: Later, Install. The desktop is behind it."


def _begin() -> Steps:
    return [
        screen(action="screenshot", shows="The desktop with a panel and two icons: Files, Terminal."),
        screen(action="left_click", coordinate=[44, 90], shows="Files is open in the home folder."),
        screen(action="type", text="reports\n", shows="The folder reports holds 12 files."),
    ]


def _a_form_filled_by_hand() -> Steps:
    fields = ("Name", "Street", "City", "Postcode", "Country", "Phone", "E-mail", "Company", "VAT")
    return [
        *_begin(),
        *[step for number, field in enumerate(fields) for step in (
            screen(action="left_click", coordinate=[300, 100 + 40 * number], shows=""),
            screen(action="type", text=f"{field} of Ana", shows=""),
        )],
        screen(action="screenshot", shows="The form holds nine values. Button: Save."),
        screen(action="left_click", coordinate=[300, 520], shows="Saved."),
    ]  # fmt: skip


def _pressing_down_a_menu() -> Steps:
    return [
        *_begin(),
        *[screen(action="key", text="Down", shows="") for _ in range(9)],
        screen(action="key", text="Return", shows="Settings for sound are open."),
        *[screen(action="scroll", coordinate=[400, 300], scroll_direction="down", scroll_amount=5, shows="") for _ in range(6)],
        screen(action="screenshot", shows="The end of the settings. Button: Apply."),
    ]  # fmt: skip


def _scrolling_with_pictures_without_text() -> Steps:
    return [
        *_begin(),
        *rounds(8, lambda n: [
            screen(action="scroll", coordinate=[400, 300], scroll_direction="down", scroll_amount=5, shows=""),
            screen(action="screenshot", shows="<image>"),
        ]),
        screen(action="left_click", coordinate=[120, 233], shows="The order 8841 is open."),
    ]  # fmt: skip


def _more_loaded_each_time() -> Steps:
    return [
        goto("https://shop.example/reviews", '- heading "Reviews"\n- button "Load more" [ref=e40]'),
        *[call("browser_click", "### Ran Playwright code\nawait page.getByRole('button', { name: 'Load more' }).click();", element="Load more", ref="e40") for _ in range(7)],
        call("browser_snapshot", "\n".join(f'- listitem "review {n}"' for n in range(80))),
    ]  # fmt: skip


def _pins_until_one_fits() -> Steps:
    def one(pin: str, told: str) -> Steps:
        return [call("browser_type", "### Ran Playwright code\nawait page.getByLabel('PIN').fill()", element="PIN", ref="e4", text=pin, submit=True),
                call("browser_snapshot", f'- heading "{told}"\n- textbox "PIN" [ref=e4]')]  # fmt: skip

    pins = ("0000", "1234", "1111", "2580", "4321", "7777", "1212", "9999", "6969")
    return [
        goto("http://lock.local/", '- heading "Enter PIN"\n- textbox "PIN" [ref=e4]'),
        *[step for pin in pins for step in one(pin, "Wrong PIN")],
        *one("2468", "Welcome"),
    ]


def _pages_behind_a_login_that_is_passed() -> Steps:
    return [
        goto("https://desk.example/orders", _LOGIN),
        call("browser_type", "filled", ref="e5", text="ana@desk.example"),
        call("browser_type", "filled", ref="e7", text="%PASSWORD%"),
        call("browser_click", '- heading "Orders"\n- row "4411 open"', ref="e9"),
        *[
            goto(f"https://desk.example/orders/{n}", f'- heading "Order {n}"\n- text "total {n * 3}.00"')
            for n in range(4411, 4423)
        ],
    ]


def _a_dialog_that_stays() -> tuple[Steps, Steps]:
    return _begin(), rounds(14, lambda n: [
        screen(action="left_click", coordinate=[612, 418], shows=""), screen(action="screenshot", shows=_DIALOG),
    ])  # fmt: skip


def _a_dialog_that_stays_wherever_it_is_clicked() -> tuple[Steps, Steps]:
    return _begin(), rounds(14, lambda n: [
        screen(action="left_click", coordinate=[600 + 3 * n, 410 + n], shows="Clicked."), screen(action="screenshot", shows=_DIALOG),
    ])  # fmt: skip


def _the_login_page_wherever_it_goes() -> tuple[Steps, Steps]:
    places = (
        "orders",
        "account",
        "invoices",
        "home",
        "profile",
        "orders?page=1",
        "settings",
        "orders/list",
        "dashboard",
        "me",
        "user",
        "basket",
    )
    begun = [goto("https://desk.example/", '- link "Orders" [ref=e1]\n- link "Account" [ref=e2]')]
    return begun, [
        call("browser_navigate", f"### Page state\n- Page URL: https://desk.example/login?next=/{place}\n- Page Title: Sign in\n- Page Snapshot:\n{_LOGIN}", url=f"https://desk.example/{place}")
        for place in places
    ] * 2  # fmt: skip


def _a_login_tried_and_reached_again() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [
            goto(f"https://desk.example/orders?try={number}", _LOGIN),
            call("browser_type", "filled", ref="e5", text="ana@desk.example"),
            call(
                "browser_click",
                f"### Page state\n- Page Snapshot:\n{_LOGIN}\n- alert: Wrong e-mail or password",
                ref="e9",
            ),
        ]

    return [goto("https://desk.example/", '- link "Orders" [ref=e1]')], rounds(10, one)


def _keys_typed_at_a_quote() -> tuple[Steps, Steps]:
    sent = (
        "ls\n",
        "pwd\n",
        "exit\n",
        "clear\n",
        "make test\n",
        "git status\n",
        "q\n",
        "help\n",
        "whoami\n",
        "cat a\n",
        "df\n",
        "id\n",
        "env\n",
        "date\n",
    )
    begun = [call("terminal_input", "$ ls\nsrc  tests\n$ ", input="ls\n")]
    shown = "$ echo \"it's done\ndquote> "
    parts: Steps = []
    for text in sent:
        shown += f"{text}dquote> "
        parts.append(call("terminal_input", shown, input=text))
    return begun, parts


def _a_pager_that_stays() -> tuple[Steps, Steps]:
    page = "commit 8f2c91\nAuthor: Ana\n\n    Round totals\n\ncommit 1b77aa\nAuthor: Bo\n:"
    sent = (
        "git status",
        "ls",
        "clear",
        "exit",
        "pytest",
        "echo hi",
        "pwd",
        "make",
        "cat a.py",
        "git diff",
        "whoami",
        "true",
        "git log -1",
        "cd src",
    )
    return [call("tmux_send", "$ ", keys="cd repo")], [call("tmux_send", page, keys=text) for text in sent]


GOOD: dict[str, Good] = {
    "a form filled field by field": _a_form_filled_by_hand,
    "down a menu key by key": _pressing_down_a_menu,
    "scrolling with pictures": _scrolling_with_pictures_without_text,
    "more loaded each time": _more_loaded_each_time,
    "pins until one fits": _pins_until_one_fits,
    "pages behind a login that is passed": _pages_behind_a_login_that_is_passed,
}
STUCK: dict[str, Stuck] = {
    "a dialog that stays": _a_dialog_that_stays,
    "a dialog that stays wherever it is clicked": _a_dialog_that_stays_wherever_it_is_clicked,
    "the page of a login at every address": _the_login_page_wherever_it_goes,
    "a login that is reached again": _a_login_tried_and_reached_again,
    "keys typed into an open quote": _keys_typed_at_a_quote,
    "a pager that stays": _a_pager_that_stays,
}
