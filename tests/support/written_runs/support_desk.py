"""Runs in the style of support bots: tickets, telephone lines, refunds and coupons, with a customer who answers."""

from .writing import Good, Steps, Stuck, call, rounds


def ask(text: str, answer: str):  # type: ignore[no-untyped-def]
    """A word to the customer, and the answer."""
    return call("reply_to_customer", f"Customer: {answer}", message=text)


def _begin() -> Steps:
    return [
        call("get_customer", '{"id": "C77", "name": "Rui", "plan": "gold"}', phone="+351911111111"),
        call("list_tickets", '[{"id": "T1", "state": "open"}]', customer_id="C77"),
        ask("How can I help you?", "My line has no data"),
    ]


def _a_telephone_line_step_by_step() -> Steps:
    acts = (
        "toggle_airplane_mode",
        "reseat_sim_card",
        "reset_apn_settings",
        "toggle_roaming",
        "reboot_device",
        "set_network_mode",
    )
    return [
        *_begin(),
        *[step for act in acts for step in (call(act, "ok", line="L5"), call("run_speed_test", '{"result": "No Connection"}', line="L5"))],
        call("refuel_data", '{"added_gb": 2}', line="L5"),
        call("run_speed_test", '{"result": "Excellent", "mbps": 212}', line="L5"),
    ]  # fmt: skip


def _coupons_until_one_holds() -> Steps:
    codes = ("WELCOME10", "SPRING", "GOLD15", "SAVE5", "VIP", "LOYAL20", "SUMMER", "APP10")
    return [
        *_begin(),
        *[
            call("apply_coupon", "Error: coupon not valid for this order", True, order_id="O9", code=code)
            for code in codes
        ],
        call("apply_coupon", '{"order_id": "O9", "total": 80.5}', order_id="O9", code="RUI15"),
        ask("It is done: 80.50 in all.", "Thank you"),
    ]


def _many_refunds_of_one_customer() -> Steps:
    return [
        *_begin(),
        *rounds(9, lambda n: [call("get_order", f'{{"id": "O{n}", "total": {n * 7}.5}}', order_id=f"O{n}"), call("refund_order", '{"status": "pending"}', order_id=f"O{n}")]),
        ask("All nine are refunded.", "Great"),
    ]  # fmt: skip


def _an_identity_found_at_the_third_try() -> Steps:
    return [
        ask("Please tell me your e-mail.", "rui@a.pt"),
        call("find_customer_by_email", "Error: customer not found", True, email="rui@a.pt"),
        ask("I find nothing under it. Is there another one?", "maybe rui.s@a.pt"),
        call("find_customer_by_email", "Error: customer not found", True, email="rui.s@a.pt"),
        ask("Then your name and postcode, please.", "Rui Sousa, 1000-001"),
        call("find_customer_by_name", "Error: customer not found", True, first="Rui", last="Sousa", zip="1000-001"),
        ask("Perhaps it is under another postcode?", "4000-002"),
        call("find_customer_by_name", '{"id": "C78"}', first="Rui", last="Sousa", zip="4000-002"),
        ask("I have found you.", "Good"),
    ]


def _a_transfer_that_takes_its_time() -> Steps:
    return [
        *_begin(),
        call("request_callback", '{"request": "R5", "status": "queued"}', customer_id="C77"),
        *[call("get_request_status", '{"request": "R5", "status": "queued"}', request_id="R5") for _ in range(7)],
        call("get_request_status", '{"request": "R5", "status": "scheduled", "at": "15:00"}', request_id="R5"),
        ask("You will be called at 15:00.", "Thanks"),
    ]


def _a_status_that_never_changes() -> tuple[Steps, Steps]:
    return _begin(), [
        call("get_order_details", '{"order_id": "#W9", "status": "pending", "items": [{"id": 1}]}', order_id="#W9")
        for _ in range(40)
    ]


def _a_change_that_is_refused() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [
            call(
                "modify_pending_order_items",
                "Error: non-pending order cannot be modified",
                order_id="#W9",
                item_ids=[str(number)],
                new_item_ids=[str(number + 1)],
            ),
            ask("I am looking into it, one moment please.", "ok"),
        ]

    return _begin(), rounds(12, one)


def _the_same_question_in_other_words() -> tuple[Steps, Steps]:
    words = ("Could you give me the order number, please?", "May I have your order number?", "Please tell me the number of the order.",
             "I need the order number to go on.", "What is the order number?", "Your order number, please.")  # fmt: skip
    return _begin(), [ask(words[n % len(words)], "I told you, I do not have it") for n in range(18)]


def _a_line_reset_again_and_again() -> tuple[Steps, Steps]:
    return _begin(), rounds(12, lambda n: [
        call("reboot_device", "Device rebooted", line="L5"),
        call("run_speed_test", '{"result": "No Connection"}', line="L5"),
        ask("Does it work now?", "no"),
    ])  # fmt: skip


def _articles_that_are_not_there() -> tuple[Steps, Steps]:
    sought = (
        "data outage",
        "no data",
        "mobile data down",
        "internet line",
        "apn",
        "roaming data",
        "4g problem",
        "signal",
        "sim data",
        "network down",
        "lte",
        "5g",
        "coverage",
        "modem",
    )
    return _begin(), [call("search_help_articles", '{"articles": [], "total": 0}', query=text) for text in sought]


GOOD: dict[str, Good] = {
    "a telephone line step by step": _a_telephone_line_step_by_step,
    "coupons until one holds": _coupons_until_one_holds,
    "many refunds": _many_refunds_of_one_customer,
    "an identity found at last": _an_identity_found_at_the_third_try,
    "a request that is polled": _a_transfer_that_takes_its_time,
}
STUCK: dict[str, Stuck] = {
    "a status that never changes": _a_status_that_never_changes,
    "a change that is refused": _a_change_that_is_refused,
    "one question in other words": _the_same_question_in_other_words,
    "a line reset again and again": _a_line_reset_again_and_again,
    "articles that are not there": _articles_that_are_not_there,
}
