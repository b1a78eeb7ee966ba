"""Deeds told in noun form, and by what they are held against; facts that are read from somewhere stay."""

import pytest

from services.tool_loop.rules.grounding.shown_outcomes import Ran
from tests.unit.grounding.test_claimed_deeds import LOOKED, against

ORDER = Ran('get_order_details {"order_id": "W1"}', '{"amount": 42.1, "status": "delivered"}', None, foreign=True)
REFUSED = Ran('refund_order {"order_id": "W1"}', "Error: already refunded", None, foreign=True)
REFUNDED = Ran('refund_order {"order_id": "W1"}', '{"error": null, "status": "succeeded"}', None, foreign=True)
CANCELLED = Ran('cancel_pending_order {"order_id": "W1"}', '{"status": "done"}', None, foreign=True)
EXCHANGED = Ran('exchange_items {"order_id": "W1"}', '{"status": "requested"}', None, foreign=True)
DEPLOYED = Ran("./deploy.sh production", "Exit status 0.\ndeploy ok", 0)
PUSHED = Ran("git push origin main", "Exit status 0.\nmain -> main", 0)
MERGED = Ran("gh pr merge 41 --squash", "Exit status 0.\nmerged", 0)


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("The deployment to production completed successfully.", DEPLOYED),
        ("The deploy is done.", DEPLOYED),
        ("The new version is live.", DEPLOYED),
        ("O deploy foi feito.", DEPLOYED),
        ("O deploy em produção foi concluído com sucesso.", DEPLOYED),
        ("A nova versão já está no ar.", DEPLOYED),
        ("I merged the pull request.", MERGED),
        ("Fiz o merge do PR.", MERGED),
        ("Enviei as alterações para o GitHub.", PUSHED),
        ("Subi o commit para o repositório remoto.", PUSHED),
    ],
)
def test_a_deed_in_noun_form_needs_a_command_that_could_have_done_it(text: str, by: Ran) -> None:
    assert against(text, LOOKED) != []
    assert against(text, LOOKED, by) == []


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("Your refund of $42.10 has been processed.", REFUNDED),
        ("Your refund went through.", REFUNDED),
        ("Your exchange is booked.", EXCHANGED),
        ("Fiz o reembolso do pedido W1.", REFUNDED),
        ("O reembolso foi efetuado.", REFUNDED),
        ("O reembolso de R$ 80,00 foi efetuado.", REFUNDED),
        ("Seu pedido W1 foi cancelado.", CANCELLED),
        ("I've refunded your order W1.", REFUNDED),
    ],
)
def test_what_was_done_for_a_customer_needs_a_call_that_did_not_fail(text: str, by: Ran) -> None:
    assert against(text, ORDER) != []
    assert against(text, ORDER, REFUSED) != []
    assert [one for one in against(text, ORDER, REFUSED, by) if "$" not in one and "80" not in one] == []


def test_to_speak_of_records_excuses_no_deed_of_ones_own() -> None:
    assert against("I have refunded your order according to our policy.", ORDER) != []
    assert against("Cancelei a sua reserva conforme a política.", ORDER) != []


@pytest.mark.parametrize(
    "text",
    [
        "Your order W1 was cancelled by the seller on May 1, according to our records.",
        "According to the system your refund was issued.",
        "Segundo o sistema, o reembolso foi efetuado.",
        "Your order W1 is not eligible for a refund.",
        "The order was already refunded in May, so I didn't refund it again.",
        "I can refund order W1 if you confirm.",
        "Your refund will be issued when the item arrives.",
        "After the deployment is done, restart the worker.",
        "The deployment is done by the CI on each push.",
        "O deploy é feito pelo CI.",
        "O deploy foi feito por outra equipe.",
        "Quando o deploy foi concluído, o serviço caiu.",
        "O reembolso não foi efetuado.",
        "Consultei o pedido W1: ele foi cancelado pela loja.",
        "I tried to refund W1, but the call failed because it is already refunded.",
        "Tentei fazer o reembolso, mas o sistema recusou.",
        "The deploy is not done yet.",
        "Should I deploy the new version?",
    ],
)
@pytest.mark.parametrize("ran", [ORDER, REFUSED, LOOKED])
def test_what_is_read_supposed_or_denied_is_no_deed(text: str, ran: Ran) -> None:
    assert against(text, ran) == []
