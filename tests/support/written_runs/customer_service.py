"""Runs in the style of tau-bench: an agent with a customer, whose words are the results of messages."""

from .writing import Good, Steps, Stuck, call, rounds


def says(text: str, answer: str):  # type: ignore[no-untyped-def]
    """A message to the customer, and the answer."""
    return call("respond", f"USER: {answer}", content=text)


def _begin() -> Steps:
    return [
        says("Hello, how can I help?", "I want to change my order W8812."),
        call("find_user_id_by_email", "mia_chen_4021", email="mia@example.com"),
        call(
            "get_order_details",
            '{"order_id": "#W8812", "status": "pending", "items": ["4410", "9921"]}',
            order_id="#W8812",
        ),
    ]


def _an_exchange_after_confirmation() -> Steps:
    return [
        *_begin(),
        call("get_product_details", '{"name": "Lamp", "variants": {"4411": {"available": true}}}', product_id="77"),
        says("I can exchange it for 4411 at $20 more. Shall I?", "Yes, please."),
        call(
            "exchange_delivered_order_items",
            "Error: non-delivered order cannot be exchanged",
            True,
            order_id="#W8812",
            item_ids=["4410"],
            new_item_ids=["4411"],
        ),
        call(
            "modify_pending_order_items",
            '{"order_id": "#W8812", "status": "pending (item modified)"}',
            order_id="#W8812",
            item_ids=["4410"],
            new_item_ids=["4411"],
        ),
        says("Done. Anything else?", "No, thank you."),
    ]


def _days_that_are_looked_through() -> Steps:
    def day(number: int) -> Steps:
        return [
            call(
                "search_onestop_flight",
                "[]" if number % 4 else f'[{{"flight": "HAT{number}"}}]',
                origin="JFK",
                destination="OSL",
                date=f"2024-05-{number + 1:02}",
            )
        ]

    return [*_begin(), *rounds(16, day), says("There are four.", "The first.")]


def _cards_that_are_declined() -> Steps:
    def card(number: int) -> Steps:
        return [
            call(
                "book_reservation",
                "Error: payment method declined",
                True,
                user_id="mia_chen_4021",
                payment_methods=[{"payment_id": f"card_{number}"}],
            ),
            says(f"The card ending in {number}11 was declined.", f"Then take the one that ends in {number + 1}11."),
        ]

    return [
        *_begin(),
        *rounds(4, card),
        call(
            "book_reservation",
            '{"reservation_id": "HX0012"}',
            user_id="mia_chen_4021",
            payment_methods=[{"payment_id": "card_9"}],
        ),
    ]


def _a_customer_who_insists() -> Steps:
    answers = (
        "But I have the insurance!",
        "Your colleague said that it can be done.",
        "Please make an exception.",
        "Then let me speak to somebody else.",
    )
    return [
        *_begin(),
        *[says("I am sorry, a basic economy ticket cannot be changed.", answer) for answer in answers],
        call("transfer_to_human_agents", "Transfer successful", summary="wants an exception for a ticket"),
    ]


def _several_bookings_cancelled() -> Steps:
    def one(number: int) -> Steps:
        return [
            call(
                "get_reservation_details",
                f'{{"reservation_id": "R{number}Q", "cabin": "business"}}',
                reservation_id=f"R{number}Q",
            ),
            says(f"Shall I cancel R{number}Q?", "Yes."),
            call("cancel_reservation", '{"status": "cancelled"}', reservation_id=f"R{number}Q"),
        ]

    return [*_begin(), *rounds(7, one)]


def _sums_and_thoughts() -> Steps:
    def one(number: int) -> Steps:
        return [
            call("think", "", thought=f"The fare of leg {number} must be added."),
            call("calculate", f"{number * 211}.00", expression=f"211 * {number}"),
        ]

    return [*_begin(), *rounds(8, one), says("It is $1477 in all.", "Fine.")]


def _the_same_refusal_again() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [call("update_reservation_passengers", "Error: number of passengers does not match", True, reservation_id="R7Q",
                     passengers=[{"first_name": "Mia", "seat": number}])]  # fmt: skip

    return _begin(), rounds(12, one)


def _one_question_over_and_over() -> tuple[Steps, Steps]:
    questions = (
        "Could you give me the number of your order?", "Please tell me your order number.", "What is the order number, please?",
        "I need the number of the order to proceed.", "Would you share your order number?",
    )  # fmt: skip
    return _begin(), rounds(20, lambda n: [says(questions[n % 5], "I told you that already.")])


def _looking_up_the_same_two() -> tuple[Steps, Steps]:
    turn = [
        call("get_user_details", '{"name": "Mia Chen", "orders": ["#W8812"]}', user_id="mia_chen_4021"),
        call("get_order_details", '{"order_id": "#W8812", "status": "pending"}', order_id="#W8812"),
    ]
    return _begin(), turn * 9


def _handing_over_again() -> tuple[Steps, Steps]:
    return _begin(), rounds(
        9,
        lambda n: [
            call(
                "transfer_to_human_agents",
                "Transfer successful",
                summary=f"The customer wants {'a refund' if n % 2 else 'to talk'}.",
            )
        ],
    )


def _guesses_at_a_name() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [
            call(
                "find_user_id_by_name_zip",
                "Error: user not found",
                True,
                first_name="Mia",
                last_name=("Chen", "Cheng", "Chan", "Shen")[number % 4],
                zip=f"{10000 + number // 4}",
            )
        ]

    return _begin(), rounds(18, one)


def _a_booking_that_does_not_add_up() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [
            call("think", "", thought=f"Attempt {number}: the amounts must add up to the total."),
            call("book_reservation", f"Error: payment amount does not add up, total price is 4875, but paid {1600 + number * 5}", True,
                 user_id="mia_chen_4021", payment_methods=[{"payment_id": "gift_1", "amount": 1600 + number * 5}]),
        ]  # fmt: skip

    return _begin(), rounds(12, one)


GOOD: dict[str, Good] = {
    "an exchange after confirmation": _an_exchange_after_confirmation,
    "days that are looked through": _days_that_are_looked_through,
    "cards that are declined": _cards_that_are_declined,
    "a customer who insists": _a_customer_who_insists,
    "several bookings cancelled": _several_bookings_cancelled,
    "sums and thoughts": _sums_and_thoughts,
}
STUCK: dict[str, Stuck] = {
    "the same refusal again": _the_same_refusal_again,
    "one question over and over": _one_question_over_and_over,
    "looking up the same two": _looking_up_the_same_two,
    "handing over again": _handing_over_again,
    "guesses at a name": _guesses_at_a_name,
    "a booking that does not add up": _a_booking_that_does_not_add_up,
}
