"""Deeds told of the thing they were done to, or as what one was able to do, with their honest twins."""

import pytest

from services.tool_loop.rules.grounding.claimed_deeds import undone
from services.tool_loop.rules.grounding.claimed_services import unserved
from services.tool_loop.rules.grounding.managed import as_done
from services.tool_loop.rules.grounding.shown_outcomes import Ran, unshown

PENDING = Ran('get_order_details {"order_id": "W2378"}', '{"order_id":"W2378","status":"pending"}', None, True)
CANCELLED = Ran('get_order_details {"order_id": "W2378"}', '{"order_id":"W2378","status":"cancelled"}', None, True)
CANCEL = Ran('cancel_pending_order {"order_id": "W2378"}', '{"order_id":"W2378","status":"cancelled"}', None, True)
REFUSED = Ran('cancel_pending_order {"order_id": "W2378"}', "Error: cannot be cancelled", 1, True)
FLIGHTS = Ran('search_direct_flight {"to": "SEA"}', '[{"flight":"HAT114","price":149}]', None, True)
BOOK = Ran('book_reservation {"flight": "HAT114"}', '{"reservation_id":"QX41ZT","flight":"HAT114"}', None, True)
CONTACTS = Ran('search_contacts {"q": "bob"}', "bob@acme.com", None, True)
SENT = Ran('send_email {"to": "bob@acme.com", "subject": "Invoice 88"}', '{"id":"m-91","status":"sent"}', None, True)
BOUNCED = Ran('send_email {"to": "bob@acme.com"}', "Error: SMTP 550 mailbox unavailable", None, True)
GREEN = Ran("pytest -q", "14 passed in 0.3s", 0)
CALENDAR = Ran('calendar_create {"title": "Review"}', '{"id": "ev_1"}', None, True)
CRON = Ran("(crontab -l; echo '5 0 * * * /x') | crontab -", "", 0)
CONFIG = Ran("git config --global user.email b@x.com", "", 0)


def against(text: str, *ran: Ran) -> list[str]:
    return [*unshown(text, ran), *undone(text, ran, changed=False), *unserved(text, ran, changed=False)]


@pytest.mark.parametrize(
    "text",
    [
        "Your order is cancelled.",
        "Your order W2378 is cancelled now.",
        "W2378 is cancelled.",
        "Good news: the order is cancelled, and you'll get your money back in 5 to 7 days.",
        "I was able to cancel your order.",
        "I managed to cancel your order.",
        "Consegui cancelar o seu pedido.",
    ],
)
def test_a_thing_that_is_told_as_cancelled_needs_a_call_or_a_result_that_shows_it(text: str) -> None:
    assert against(text, PENDING) != []
    assert against(text, PENDING, REFUSED) != []
    assert against(text, PENDING, CANCEL) == []


def test_what_a_look_shows_as_cancelled_or_booked_is_read() -> None:
    assert against("Your order W2378 is cancelled.", CANCELLED) == []
    assert against("HAT114 is booked for May 20.", FLIGHTS) != []
    assert against("HAT114 is booked for May 20.", FLIGHTS, BOOK) == []


@pytest.mark.parametrize(
    "text",
    [
        "The invoice was sent to bob@acme.com.",
        "The invoice was sent successfully.",
        "Invoice 88 was sent to the customer.",
        "Invoice sent to bob@acme.com.",
        "A fatura foi enviada.",
        "A fatura 88 foi enviada para bob@acme.com.",
        "E-mail enviado para bob@acme.com.",
        "Relatório enviado com sucesso.",
        "The report was sent to bob@acme.com and filed.",
        "I was able to send the invoice to the customer.",
    ],
)
def test_a_document_that_is_told_as_sent_needs_something_that_sends(text: str) -> None:
    assert against(text, CONTACTS) != []
    assert against(text, CONTACTS, BOUNCED) != []
    assert against(text, CONTACTS, SENT) == []
    assert against(text) != []


@pytest.mark.parametrize(
    ("text", "ran"),
    [
        ("Orders that are pending are cancelled within a day of your request.", PENDING),
        ("Once the order is cancelled, the refund goes to your card.", PENDING),
        ("The order is cancelled only after you confirm it.", PENDING),
        ("If the order is cancelled, you get a refund.", PENDING),
        ("I was not able to cancel your order.", REFUSED),
        ("I was unable to cancel your order.", REFUSED),
        ("Não consegui cancelar o pedido.", REFUSED),
        ("I was able to find your order: it is pending.", PENDING),
        ("HAT114 is booked out.", FLIGHTS),
        ("HAT114 is not booked yet.", FLIGHTS),
        ("The invoice was not sent.", BOUNCED),
        ("A fatura não foi enviada.", BOUNCED),
        ("The invoice is ready to be sent to bob@acme.com.", CONTACTS),
        ("The invoice was sent to bob@acme.com on May 3, as the file says.", CONTACTS),
        ("The invoice was already sent.", CONTACTS),
        ("The e-mail was sent before the commit; now it is sent after it.", GREEN),
        ("The report was sent to the queue twice.", GREEN),
        ("A reunião foi marcada e o convite foi enviado.", CALENDAR),
        ("I scheduled the backup for 00:05.", CRON),
        ("Agendei o backup para 00:05.", CRON),
        ("I changed your git email to b@x.com.", CONFIG),
    ],
)
def test_what_is_denied_supposed_read_or_done_is_no_false_claim(text: str, ran: Ran) -> None:
    assert against(text, ran) == []


@pytest.mark.parametrize(
    "text",
    ["I fixed it, ran mypy and ruff, and both are clean.", "I fixed it, ran mypy, and it is clean.", "Ran mypy."],
)
def test_a_check_told_without_its_doer_must_have_run(text: str) -> None:
    assert list(unshown(text, [GREEN])) != []
    assert list(unshown(text, [GREEN, Ran("mypy src && ruff check", "Success", 0)])) == []


@pytest.mark.parametrize(
    ("said", "done"),
    [
        ("I was able to cancel it", "I cancelled it"),
        ("We managed to apply it", "We applied it"),
        ("I have been able to resend it", "I resent it"),
        ("I've also been able to ship it", "I shipped it"),
        ("Consegui aplicar o desconto", "apliquei o desconto"),
        ("consegui pagar a conta", "paguei a conta"),
        ("You were able to log in", "You were able to log in"),
        ("I would be able to cancel it", "I would be able to cancel it"),
        ("I was not able to cancel it", "I was not able to cancel it"),
    ],
)
def test_what_one_was_able_to_do_is_told_as_done(said: str, done: str) -> None:
    assert as_done(said) == done
