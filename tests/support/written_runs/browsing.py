"""Runs in the style of browser agents: navigate, click, type, scroll, snapshot."""

from .writing import Good, Steps, Stuck, call, rounds

_LIST = '- heading "Results"\n- link "Kettle" [ref=e12]\n- link "Toaster" [ref=e14]\n- button "Next" [ref=e40]'


def goto(url: str, page: str, failed: bool = False):  # type: ignore[no-untyped-def]
    """Opens a page."""
    return call("browser_navigate", page, failed, url=url)


def click(ref: str, page: str, failed: bool = False):  # type: ignore[no-untyped-def]
    """Clicks on an element, by its reference."""
    return call("browser_click", page, failed, element="the element", ref=ref)


def _begin() -> Steps:
    return [
        goto("https://shop.example", '- textbox "Search" [ref=e3]\n- button "Go" [ref=e4]'),
        call("browser_type", '- textbox "Search" [ref=e3]: kettle', ref="e3", text="kettle"),
        click("e4", _LIST),
    ]


def _to_products_and_back() -> Steps:
    def one(number: int) -> Steps:
        return [
            click(f"e{12 + 2 * number}", f'- heading "Product {number}"\n- text: ${20 + number}'),
            call("browser_navigate_back", _LIST),
        ]

    return [*_begin(), *rounds(9, one)]


def _the_next_page() -> Steps:
    return [
        *_begin(),
        *rounds(
            11, lambda n: [click("e40", f'- heading "Page {n + 2}"\n- link "Item {n}"\n- button "Next" [ref=e40]')]
        ),
    ]


def _a_form_with_many_fields() -> Steps:
    def one(number: int) -> Steps:
        return [call("browser_type", "Typed.", ref=f"e{number}", text=f"value {number}")]

    return [*_begin(), *rounds(14, one), click("e99", '- heading "Thank you"')]


def _scrolling_down() -> Steps:
    return [
        *_begin(),
        *rounds(
            12,
            lambda n: [
                call(
                    "scroll", f"Scrolled. Visible: article {n * 3} to article {n * 3 + 2}", direction="down", amount=600
                )
            ],
        ),
    ]


def _a_page_that_loads_slowly() -> Steps:
    loading = '- progressbar "Loading…"'
    return [*_begin(), click("e5", loading), *rounds(5, lambda n: [call("browser_wait_for", loading, time=2), call("browser_snapshot", loading)]),
            call("browser_snapshot", "- heading \"Dashboard\"")]  # fmt: skip


def _a_login_at_the_third_try() -> Steps:
    def one(number: int) -> Steps:
        return [call("browser_type", "ok", ref="e7", text=f"secret{number}"), click("e8", '- alert "Wrong password"')]

    return [
        *_begin(),
        *rounds(2, one),
        call("browser_type", "ok", ref="e7", text="secret9"),
        click("e8", '- heading "Welcome"'),
    ]


def _a_button_that_does_nothing() -> tuple[Steps, Steps]:
    return _begin(), [click("e40", _LIST)] * 10


def _up_and_down() -> tuple[Steps, Steps]:
    turn = [
        call("scroll", "Scrolled. Visible: footer", direction="down", amount=900),
        call("scroll", "Scrolled. Visible: header", direction="up", amount=900),
    ]
    return _begin(), turn * 9


def _elements_that_do_not_come() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        selector = ("#buy", ".buy-now", "button.buy", "text=Buy", "xpath=//button[3]", "[data-test=buy]")[
            number % 6
        ] + f":nth({number})"
        return [
            call(
                "click",
                f"TimeoutError: locator.click: Timeout {30000}ms exceeded.\nCall log:\n - waiting for locator('{selector}')",
                True,
                selector=selector,
            )
        ]

    return _begin(), rounds(14, one)


def _a_page_with_fresh_marks() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        page = f'- heading "Sign in"\n- text: csrf_token={number:04x}9f3ac2e1 at 10:{number:02}:31\n- button "Continue" [ref=e9]'
        return [click("e9", page), call("browser_snapshot", page)]

    return _begin(), rounds(10, one)


def _a_form_that_is_not_accepted() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [
            call("browser_type", "Typed.", ref="e21", text="31/02/2026"),
            click("e22", '- alert "Please enter a valid date"\n- textbox "Date" [ref=e21]'),
        ]

    return _begin(), rounds(10, one)


def _three_pages_in_turn() -> tuple[Steps, Steps]:
    turn = [
        goto("https://shop.example/help", '- heading "Help"\n- link "Contact"'),
        goto("https://shop.example/contact", '- heading "Contact"\n- link "Help"'),
        goto("https://shop.example/faq", '- heading "FAQ"\n- link "Help"'),
    ]
    return _begin(), turn * 7


GOOD: dict[str, Good] = {
    "to products and back": _to_products_and_back,
    "the next page": _the_next_page,
    "a form with many fields": _a_form_with_many_fields,
    "scrolling down": _scrolling_down,
    "a page that loads slowly": _a_page_that_loads_slowly,
    "a login at the third try": _a_login_at_the_third_try,
}
STUCK: dict[str, Stuck] = {
    "a button that does nothing": _a_button_that_does_nothing,
    "up and down": _up_and_down,
    "elements that do not come": _elements_that_do_not_come,
    "a page with fresh marks": _a_page_with_fresh_marks,
    "a form that is not accepted": _a_form_that_is_not_accepted,
    "three pages in turn": _three_pages_in_turn,
}
