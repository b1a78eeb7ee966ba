"""What is told as done for somebody needs a call that can have done it; what is read, planned or asked does not."""

import pytest

from services.tool_loop.rules.grounding.shown_outcomes import Ran
from tests.unit.grounding import honest_texts as logs
from tests.unit.grounding.test_claimed_deeds import against

CLAIMED = [
    ("I've applied the 10% discount.", [logs.ORDER]),
    ("Your reservation HAT120 is confirmed.", [logs.ORDER]),
    ("O reembolso de R$ 80,00 foi efetuado.", [logs.PEDIDO]),
    ("I've refunded your order W1.", [logs.ORDER, logs.EXCHANGE]),
    ("I've refunded your order W1.", [logs.ORDER, logs.REFUSED]),
    ("Refunded $42.10 to your card.", [logs.ORDER]),
    ("Refund issued ✅", [logs.ORDER]),
    ("The discount has been applied to your order.", [logs.ORDER]),
    ("I've added a $50 credit to your account.", [logs.USER]),
    ("I went ahead and cancelled the reservation.", [logs.ORDER]),
    ("Your subscription has been cancelled.", [logs.USER]),
    ("Your appointment has been rescheduled to May 24.", [logs.USER]),
    ("I've upgraded you to business class.", [logs.FLIGHT]),
    ("Your shipping address has been updated.", [logs.USER]),
    ("I have unlocked your account.", [logs.USER]),
    ("Your password has been reset.", [logs.USER]),
    ("I've opened a support ticket for you.", [logs.USER]),
    ("I've escalated your case to a specialist.", [logs.USER]),
    ("Your card has been charged $20.", [logs.USER]),
    ("The return has been initiated.", [logs.ORDER]),
    ("A replacement has been ordered and shipped.", [logs.ORDER, logs.MAIL]),
    ("Apliquei o desconto de 10%.", [logs.PEDIDO]),
    ("Seu desconto foi aplicado.", [logs.PEDIDO]),
    ("Reembolso efetuado com sucesso.", [logs.PEDIDO]),
    ("Pedido cancelado com sucesso.", [logs.PEDIDO]),
    ("Sua reserva está confirmada.", [logs.PEDIDO]),
    ("Já foi agendada a sua consulta; a consulta foi marcada para as 15h.", [logs.PEDIDO]),
    ("Atualizei o seu endereço.", [logs.PEDIDO]),
    ("Seu cadastro foi atualizado.", [logs.PEDIDO]),
    ("Abri um chamado para você.", [logs.PEDIDO]),
    ("Encaminhei o caso para um especialista.", [logs.PEDIDO]),
    ("Gerei um vale de R$ 50 para você.", [logs.PEDIDO]),
    ("Concluí a troca do produto.", [logs.PEDIDO]),
    ("Bloqueei o seu cartão.", [logs.PEDIDO]),
    ("I have waived the change fee.", [logs.FLIGHT]),
    ("The late fee has been removed.", [logs.USER]),
    ("I've extended your subscription by a month.", [logs.USER]),
    ("A technician visit has been arranged for Monday.", [logs.USER]),
    ("Removi a taxa de atraso.", [logs.PEDIDO]),
    ("Sua assinatura foi renovada.", [logs.PEDIDO]),
    ("Prorroguei o vencimento da fatura.", [logs.PEDIDO]),
    ("O técnico foi agendado para segunda.", [logs.PEDIDO]),
    ("I deployed it to production.", [logs.SLACK]),
    ("O deploy foi feito.", [logs.SLACK]),
    ("I emailed the customer.", [logs.REFUND]),
    ("Tests: ✅", [logs.LS]),
    ("✅ lint", [logs.GREEN]),
    ("| Lint | ✅ |", [logs.GREEN]),
    ("Testes: ✅", [logs.LS]),
    ("Rodei o lint e não há nenhum problema.", [logs.LS]),
    ("O servidor sobe e responde 200.", [logs.LS]),
    ("A aplicação inicia sem erros.", [logs.LS]),
]


@pytest.mark.parametrize(("text", "ran"), CLAIMED)
def test_what_no_call_can_have_done_is_claimed_in_vain(text: str, ran: list[Ran]) -> None:
    assert against(text, *ran, changed=False) != []


@pytest.mark.parametrize(("text", "ran", "changed"), logs.HONEST)
def test_an_honest_text_is_never_sent_back(text: str, ran: list[Ran], changed: bool) -> None:
    assert against(text, *ran, changed=changed) == []


def test_the_list_of_honest_texts_is_long() -> None:
    assert len(logs.HONEST) >= 120


def test_a_status_that_tells_of_no_error_is_no_failure() -> None:
    fine = Ran('refund_order {"id": "W1"}', '{"error": null, "status": "succeeded"}', None, foreign=True)
    assert against("I've refunded your order W1.", logs.ORDER, fine, changed=False) == []
