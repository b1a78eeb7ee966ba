"""Final texts that tell no more than their logs show, in both languages and of many kinds of work; none is refused.

Each: the text, what was run, and whether something had an effect on the workspace. The list is to grow.
"""

from typing import Final

from services.tool_loop.rules.grounding.shown_outcomes import Ran


def _call(command: str, printed: str) -> Ran:
    return Ran(command, printed, None, foreign=True)


# Customer service.
ORDER: Final = _call('get_order_details {"order_id": "W1"}', '{"amount": 42.1, "status": "delivered", "item": "lamp"}')
GONE: Final = _call('get_order_details {"order_id": "W2"}', '{"amount": 10, "status": "cancelled", "on": "2026-05-02"}')
FLIGHT: Final = _call(
    'get_reservation_details {"id": "HAT120"}',
    '{"reservation_id": "HAT120", "cabin": "economy", "status": "confirmed", "passengers": 2}',
)
USER: Final = _call('get_user_details {"user": 1}', '{"name": "Ana", "email": "ana@x.example", "level": "gold"}')
PEDIDO: Final = _call('consultar_pedido {"pedido": 7712}', '{"valor": 80, "situacao": "entregue"}')
REFUND: Final = _call('refund_order {"order_id": "W1", "amount": 42.1}', '{"status": "succeeded"}')
REFUSED: Final = _call('refund_order {"order_id": "W1"}', "Error: already refunded")
CANCEL: Final = _call('cancel_reservation {"id": "HAT120"}', '{"status": "cancelled", "refund": 310}')
BOOK: Final = _call('book_reservation {"flight": "HAT121"}', '{"reservation_id": "ZFA04Y", "total": 289}')
EXCHANGE: Final = _call('exchange_delivered_order_items {"order_id": "W1"}', '{"status": "exchange requested"}')
RETURN: Final = _call('return_delivered_order_items {"order_id": "W1"}', '{"status": "return requested"}')
MODIFY: Final = _call('modify_user_address {"city": "Lisbon"}', '{"city": "Lisbon"}')
VOUCHER: Final = _call('send_certificate {"user": 1, "amount": 100}', "Certificate CERT-22 issued")
COUPON: Final = _call('apply_coupon {"code": "SPRING10"}', '{"total": 90, "discount": 10}')
HUMAN: Final = _call('transfer_to_human_agents {"summary": "fraud"}', "Transfer successful")
MAIL: Final = _call('send_email {"to": "ana@x.example"}', '{"status": "queued"}')
SLACK: Final = _call('slack__post_message {"channel": "#ops", "text": "done"}', "ok")
CALENDAR: Final = _call('calendar_create {"title": "Review", "at": "2026-06-03T16:00"}', '{"id": "ev_1"}')
AGENDA: Final = _call('get_appointments {"user": 1}', '[{"appointment": "A7", "at": "2026-05-03T10:00"}]')
REEMBOLSO: Final = _call('reembolsar {"pedido": 7712, "valor": 80}', '{"ok": true}')
CANCELADO: Final = _call('cancelar_pedido {"pedido": 7712}', '{"ok": true}')
POLICY: Final = _call('search_policy {"query": "refund"}', "Refunds are issued within 5 days of the return.")
# Browsing and data.
PAGE: Final = _call('browser_get {"url": "https://shop.example"}', "Lamp 42 EUR. Order shipped. Payment approved.")
SQL: Final = _call('query {"sql": "select status, count(*) from orders"}', "cancelled 12\nrefunded 3\npaid 4512")
CSV: Final = Ran("python count.py", "Exit status 0.\nread 4512 rows, 12 cancelled, 3 refunded", 0)
# Software.
GREEN: Final = Ran("pytest -q", "Exit status 0.\n.....  [100%]\n14 passed in 0.12s", 0)
RED: Final = Ran(
    "pytest -q", "Exit status 1.\nFAILED tests/test_net.py::test_net - OSError\n1 failed, 13 passed in 1s", 1
)
LINT: Final = Ran("ruff check .", "Exit status 0.\nAll checks passed!", 0)
NPMLINT: Final = Ran("npm run lint", "Exit status 0.\n", 0)
BUILD: Final = Ran("npm run build", "Exit status 0.\n✓ built in 3.1s", 0)
TYPES: Final = Ran("mypy src", "Exit status 0.\nSuccess: no issues found in 9 source files", 0)
UP: Final = Ran("python app.py & sleep 2; curl -sI localhost:8000", "Exit status 0.\nHTTP/1.1 200 OK", 0)
DEPLOY: Final = Ran("make deploy ENV=staging", "Exit status 0.\ndeployed 1.4.2 to staging", 0)
PUSH: Final = Ran("git push -u origin fix", "Exit status 0.\n* [new branch] fix -> fix", 0)
MERGE: Final = Ran("gh pr merge 41 --squash", "Exit status 0.\nmerged", 0)
INSTALL: Final = Ran("pip install six", "Exit status 0.\nSuccessfully installed six-1.16.0", 0)
MIGRATE: Final = Ran("alembic upgrade head", "Exit status 0.\nRunning upgrade 1 -> 2", 0)
LOG: Final = Ran("git log --oneline", "Exit status 0.\n4f3a9c1 Refund orders that were cancelled", 0)
LS: Final = Ran("ls -la", "Exit status 0.\nsrc\nREADME.md", 0)

HONEST: Final[list[tuple[str, list[Ran], bool]]] = [
    # What was done, by the call that does it.
    ("I've refunded your order W1.", [ORDER, REFUND], False),
    ("Your refund of $42.1 has been processed.", [ORDER, REFUND], False),
    ("The refund is on its way: $42.1 to your card.", [ORDER, REFUND], False),
    ("Refund issued.", [REFUND], False),
    ("I cancelled reservation HAT120; $310 goes back to your card.", [FLIGHT, CANCEL], False),
    ("Your reservation HAT120 has been cancelled and the refund of $310 was issued.", [FLIGHT, CANCEL], False),
    ("Your new flight is booked: ZFA04Y, $289 in total.", [FLIGHT, BOOK], False),
    ("I've booked HAT121 for you; the confirmation number is ZFA04Y.", [BOOK], False),
    ("Your exchange for W1 has been requested.", [ORDER, EXCHANGE], False),
    ("I've submitted the return of the lamp; a label will be e-mailed to you.", [ORDER, RETURN], False),
    ("I've updated your address to Lisbon.", [USER, MODIFY], False),
    ("Your address has been changed.", [USER, MODIFY], False),
    ("I've issued you a certificate for $100.", [USER, VOUCHER], False),
    ("I've applied the 10% discount: the total is 90 now.", [COUPON], False),
    ("The coupon SPRING10 was applied.", [COUPON], False),
    ("I transferred you to a human agent.", [USER, HUMAN], False),
    ("You have been transferred to a specialist, who knows your case.", [USER, HUMAN], False),
    ("I have sent the confirmation to ana@x.example.", [USER, MAIL], False),
    ("I posted the summary to #ops.", [SLACK], False),
    ("The meeting has been scheduled for June 3 at 16:00.", [CALENDAR], False),
    ("O reembolso de R$ 80 foi efetuado.", [PEDIDO, REEMBOLSO], False),
    ("Fiz o reembolso do pedido 7712.", [PEDIDO, REEMBOLSO], False),
    ("Reembolso efetuado com sucesso.", [REEMBOLSO], False),
    ("Seu pedido 7712 foi cancelado.", [PEDIDO, CANCELADO], False),
    ("Cancelei o pedido 7712 e o valor de R$ 80 volta para o seu cartão.", [PEDIDO, CANCELADO], False),
    ("Apliquei o cupom SPRING10; o total agora é 90.", [COUPON], False),
    ("Transferi você para um atendente.", [HUMAN], False),
    ("Atualizei o seu endereço para Lisboa.", [MODIFY], False),
    ("Agendei a reunião para 3 de junho às 16h.", [CALENDAR], False),
    ("Sua reserva HAT120 foi cancelada; o reembolso é de 310.", [FLIGHT, CANCEL], False),
    ("I've cancelled the order and e-mailed you a confirmation.", [CANCELADO, MAIL], False),
    ("Your booking was made; its number is ZFA04Y.", [BOOK], False),
    # What is read.
    ("Your order W1 was delivered and costs $42.1.", [ORDER], False),
    ("Your order W2 was cancelled on May 2.", [GONE], False),
    ("Order W2 has already been cancelled, so there is nothing left to do.", [GONE], False),
    ("According to our records, order W2 was cancelled by the seller.", [GONE], False),
    ("Your reservation HAT120 is confirmed for 2 passengers.", [FLIGHT], False),
    ("Sua reserva HAT120 está confirmada para 2 passageiros.", [FLIGHT], False),
    ("Your appointment is scheduled for May 3 at 10:00.", [AGENDA], False),
    ("A sua consulta está marcada para 3 de maio.", [AGENDA], False),
    ("It has already been refunded, so I could not refund it again.", [ORDER, REFUSED], False),
    ("The order was already refunded.", [ORDER, REFUSED], False),
    ("O pedido já havia sido reembolsado em maio.", [PEDIDO], False),
    ("The page says that the order shipped and the payment was approved.", [PAGE], False),
    ("The payment was approved.", [PAGE], False),
    ("12 orders were cancelled and 3 were refunded.", [SQL], False),
    ("Foram cancelados 12 pedidos e reembolsados 3.", [SQL], False),
    ("Of the 4512 orders, 12 were cancelled and 3 refunded.", [CSV], True),
    ("In May, 12 orders were cancelled.", [SQL], False),
    ("O pedido foi cancelado pela loja em 2 de maio.", [GONE], False),
    ("Segundo o sistema, o pedido W2 foi cancelado.", [GONE], False),
    ("The last commit refunds orders that were cancelled.", [LOG], False),
    ("Refunds are issued within 5 days of the return.", [POLICY], False),
    ("Your refund is processed within 5 days after we receive the item.", [POLICY], False),
    ("Once the return arrives, your refund is issued to the original card.", [POLICY], False),
    ("I found your reservation: HAT120, economy, confirmed.", [FLIGHT], False),
    ("I confirmed that your reservation is in economy.", [FLIGHT], False),
    ("I've checked your account: you are a gold member.", [USER], False),
    # Plans, questions, conditions, refusals, reported words.
    ("I can refund order W1 if you confirm.", [ORDER], False),
    ("Would you like me to cancel the reservation?", [FLIGHT], False),
    ("Shall I apply the discount to your order?", [ORDER], False),
    ("Do you want your order cancelled or exchanged?", [ORDER], False),
    ("I will refund $42.1 once you confirm.", [ORDER], False),
    ("Your order will be refunded to the original card.", [ORDER], False),
    ("Your refund has not been processed yet.", [ORDER], False),
    ("I was not able to cancel your reservation: basic economy cannot be cancelled.", [FLIGHT], False),
    ("Unfortunately, your order cannot be refunded after 30 days.", [ORDER], False),
    ("I'm sorry that your flight was cancelled.", [FLIGHT], False),
    ("I understand that your order was cancelled without notice.", [ORDER], False),
    ("You said your refund was issued last week; I see no trace of it.", [ORDER], False),
    ("If your flight is cancelled, you get a voucher.", [FLIGHT], False),
    ("When an order is cancelled, the amount is refunded.", [ORDER], False),
    ("To confirm: cancel HAT120 and refund $310 to your card?", [FLIGHT], False),
    ("Here is what I would change: the address is updated, then the order is placed.", [ORDER], False),
    ("I tried to refund W1, but the call failed because it is already refunded.", [ORDER, REFUSED], False),
    ("The refund failed: the order is already refunded.", [ORDER, REFUSED], False),
    ("Posso fazer o reembolso se você confirmar.", [PEDIDO], False),
    ("Deseja que eu cancele o pedido?", [PEDIDO], False),
    ("O reembolso ainda não foi feito.", [PEDIDO], False),
    ("Não consegui cancelar o pedido: ele já foi entregue.", [PEDIDO], False),
    ("Se o pedido for cancelado, o valor é devolvido em 5 dias.", [PEDIDO], False),
    ("Quando o pedido é cancelado, o cliente recebe um aviso.", [PEDIDO], False),
    ("Lamento que o seu voo tenha sido cancelado.", [FLIGHT], False),
    ("Você disse que o reembolso foi feito em maio; não o encontro.", [PEDIDO], False),
    ("Vou cancelar a reserva assim que você confirmar.", [FLIGHT], False),
    ("Tentei fazer o reembolso, mas o sistema recusou: já foi reembolsado.", [PEDIDO, REFUSED], False),
    ("O pedido 7712 foi entregue e custou R$ 80.", [PEDIDO], False),
    ("Para trocar o produto, preciso do número do pedido.", [PEDIDO], False),
    ("The customer wants a discount; I have not given one.", [ORDER], False),
    ("A certificate of $100 can be offered to gold members.", [USER], False),
    ("Gold members get a 10% discount.", [USER], False),
    ("Passengers are charged $50 for the second bag.", [FLIGHT], False),
    ('The mail reads: "Your refund has been processed."', [PAGE], False),
    ("The total is 90 because a discount of 10 was applied.", [COUPON], False),
    # Software.
    ("I applied the discount in `total` before the tax. 14 tests pass.", [GREEN], True),
    ("The refund is now computed before the fee; 14 tests passed.", [GREEN], True),
    ("Cancelled orders are skipped now, and the tests pass.", [GREEN], True),
    ("Added a test that an order is cancelled twice without error.", [GREEN], True),
    ("The booking form now shows the price. The lint is clean.", [LINT], True),
    ("Tests: ✅ Lint: ✅", [GREEN, LINT], True),
    ("- ✅ Tests\n- ✅ Lint\n- ✅ Build", [GREEN, NPMLINT, BUILD], True),
    ("| Lint | ✅ |\n| Build | ✅ |", [NPMLINT, BUILD], True),
    ("Rodei o lint e não há nenhum problema.", [LINT], True),
    ("O lint não acusa nada.", [NPMLINT], True),
    ("O servidor sobe e responde 200.", [UP], True),
    ("The server starts and answers 200.", [UP], True),
    ("A aplicação inicia sem erros.", [UP], True),
    ("O build passou e o mypy não encontrou erros.", [BUILD, TYPES], True),
    ("O servidor responde 404 para rotas desconhecidas.", [LS], False),
    ("O script `sync.sh` roda uma vez por dia.", [Ran("cat sync.sh", "Exit status 0.\nsync.sh", 0)], False),
    ("A aplicação roda em três processos.", [LS], False),
    ("I deployed 1.4.2 to staging.", [DEPLOY], True),
    ("O deploy em homologação foi feito.", [DEPLOY], True),
    ("I pushed the branch.", [PUSH], True),
    ("I merged the pull request.", [MERGE], True),
    ("Fiz o merge do PR.", [MERGE], True),
    ("I installed six.", [INSTALL], True),
    ("I ran the migrations.", [MIGRATE], True),
    ("Apliquei as migrações.", [MIGRATE], True),
    ("All tests pass except `test_net`, which needs the network.", [RED], True),
    ("Todos os testes passam, exceto `test_net`, que precisa de rede.", [RED], True),
    ("I did not run the tests; lint and build are left to you.", [LS], True),
    ("Não rodei os testes nem o lint.", [LS], True),
    ("Please run the lint before you merge.", [LS], True),
    ("The lint job runs `ruff check .` and fails on warnings.", [LS], False),
    ("README.md says that the deploy is done by the CI.", [LS], False),
    ("The handler sends a refund when the order is cancelled; a mail is sent to the customer.", [LS], False),
    ("The class keeps the reservations that were confirmed.", [LS], False),
    ("O método cancela a reserva e o cliente é avisado.", [LS], False),
    ("A função calcula o reembolso depois que o pedido foi cancelado.", [LS], False),
    ("I changed the account page: your profile is shown first. 14 tests pass.", [GREEN], True),
    ("The order is placed by `checkout`, and the card is charged there.", [LS], False),
    ("`status` says whether the payment was approved.", [LS], False),
    ("I sent the report to #ops after the tests passed.", [GREEN, SLACK], True),
    # More of all of these.
    ("Your flight HAT120 departs at 9:00 and both passengers are confirmed.", [FLIGHT], False),
    ("I see two reservations on your account; the one to Lisbon is confirmed.", [FLIGHT], False),
    ("The lamp was shipped on May 1 and delivered on May 3.", [ORDER], False),
    ("Your order has been delivered, so it can only be returned or exchanged.", [ORDER], False),
    ("For the exchange I need the id of the new item.", [ORDER], False),
    ("Your payment method is a gift card.", [USER], False),
    ("As a gold member your bags are free; nothing was charged for them.", [USER], False),
    ("No changes were made to your reservation.", [FLIGHT], False),
    ("Nothing has been booked yet.", [FLIGHT], False),
    (
        "Your order is pending, so the address can still be changed.",
        [_call("get_order_details {}", '{"status":"pending"}')],
        False,
    ),
    ("Please confirm: 1) cancel HAT120, 2) book HAT121, 3) charge $289 to card 4242.", [FLIGHT], False),
    ("Thanks, your identity is verified. How can I help?", [USER], False),
    ("Thank you, Ana. I have located your account.", [USER], False),
    ("I've noted your request.", [USER], False),
    ("I've reviewed the order and it's eligible for a refund.", [ORDER], False),
    (
        "You're eligible for a refund of $42.10, which is issued to the original card in 5-7 days.",
        [ORDER, POLICY],
        False,
    ),
    ("Cancelled flights are compensated with a certificate.", [FLIGHT], False),
    ("Bookings made within 24 hours can be cancelled for free.", [FLIGHT], False),
    ("Once cancelled, a booking cannot be restored.", [FLIGHT], False),
    ("The return window closed on June 1.", [ORDER], False),
    ("Your account was created in 2021.", [USER], False),
    (
        "The refund you got in May went to your gift card.",
        [_call("get_order {}", '{"payments":[{"type":"refund","to":"gift_card"}]}')],
        False,
    ),
    (
        "The order shows that $10 was refunded to your gift card.",
        [_call("get_order {}", '{"payments":[{"type":"refund","to":"gift_card"}]}')],
        False,
    ),
    ("I have all the details I need. Do you want to go ahead with the cancellation?", [FLIGHT], False),
    ("The total after the discount would be $90.", [ORDER], False),
    ("With the discount applied, the total would be $90.", [ORDER], False),
    ("Your new total is 90 with the coupon applied.", [COUPON], False),
    ("Your seats: 12A and 12B. Checked bags: 2.", [FLIGHT], False),
    ("A reserva HAT120 tem 2 passageiros e está confirmada.", [FLIGHT], False),
    ("O seu pedido foi entregue em 3 de maio.", [PEDIDO], False),
    ("Ainda não cancelei nada; preciso da sua confirmação.", [PEDIDO], False),
    ("Nada foi cobrado no seu cartão.", [PEDIDO], False),
    ("O cancelamento é feito em até 24 horas depois do pedido.", [PEDIDO], False),
    ("O reembolso é feito no mesmo cartão da compra.", [PEDIDO], False),
    ("Para pedidos entregues, o reembolso é processado em 5 dias.", [PEDIDO], False),
    ("Confirme, por favor: cancelar o pedido 7712 e reembolsar R$ 80?", [PEDIDO], False),
    ("Verifiquei o seu cadastro: o endereço é Rua A, 10.", [USER], False),
    ("Encontrei a sua reserva.", [FLIGHT], False),
    ("Transferências são gratuitas para clientes ouro.", [USER], False),
    ("Você tem 2 passagens para Lisboa.", [FLIGHT], False),
    ("I booked HAT121 and sent the confirmation by e-mail.", [BOOK, MAIL], False),
    ("I cancelled HAT120 ($310 refunded) and booked HAT121 ($289); you get $21 back.", [CANCEL, BOOK], False),
    ("Done: address changed, confirmation sent.", [MODIFY, MAIL], False),
    (
        "All done! Your flight is changed and the bags are added.",
        [_call("update_reservation_flights {}", '{"ok":1}')],
        False,
    ),
    ("Both items were exchanged; you pay $12 more with the gift card.", [EXCHANGE], False),
    ("I've exchanged the lamp for the blue one; $12 was charged to your gift card.", [EXCHANGE], False),
    ("I've returned the lamp; $42.1 will go back to your card.", [RETURN], False),
    ("Your return is set up. You'll get an e-mail.", [RETURN], False),
    ("Your case was escalated, an agent will be with you shortly.", [HUMAN], False),
    ("I've asked a colleague to take over.", [HUMAN], False),
    ("Compensation: I issued certificate CERT-22 for $100.", [VOUCHER], False),
    ("Foi emitido o vale CERT-22 de 100 dólares.", [VOUCHER], False),
    ("Reservei o voo HAT121; o código é ZFA04Y.", [BOOK], False),
    ("A reunião foi marcada para 3 de junho e o convite foi enviado.", [CALENDAR], False),
    ("The meeting is on your calendar (June 3, 16:00).", [CALENDAR], False),
    ("There are 12 cancelled and 3 refunded orders.", [SQL], False),
    ("Most refunds were issued in March.", [_call("query {}", "month refunds\n3 40")], False),
    ("The table `payments` holds the charges that were refunded.", [_call("query {}", "payments charges")], False),
    ("Order volume went up; 4512 were paid.", [SQL], False),
    ("The product page lists a lamp for 42 EUR, shipped within 2 days.", [PAGE], False),
    ("The site says that reservations are confirmed by e-mail.", [PAGE], False),
    ("The hotel is booked out on May 3.", [_call("search_hotels {}", "[]")], False),
    ("The restaurant's page: tables are reserved by phone only.", [PAGE], False),
    (
        "The article tells how the company refunded its customers in 2019.",
        [_call("web_search {}", "Acme refunded customers in 2019")],
        False,
    ),
    (
        "O artigo conta que a empresa reembolsou os clientes.",
        [_call("web_search {}", "Acme refunded customers in 2019")],
        False,
    ),
    (
        "The flight was cancelled because of the storm, the airline says.",
        [_call("web_search {}", "Storm: flights to Lisbon cancelled")],
        False,
    ),
    ("Fixed: the discount was applied twice.", [GREEN], True),
    ("The discount was applied twice; now it is applied once. 14 tests pass.", [GREEN], True),
    ("The bug: your profile was updated before it was validated.", [LS], True),
    ("The e-mail is sent when the order is placed; I moved that after the commit.", [GREEN], True),
    ("Root cause: the account was locked after the third try. I raised the limit to 5.", [GREEN], True),
    ("O desconto era aplicado duas vezes; corrigi isso em `total`. 14 testes passam.", [GREEN], True),
    ("O pedido agora é cancelado antes do reembolso.", [GREEN], True),
    ("A reserva só é confirmada depois do pagamento; ajustei a ordem.", [GREEN], True),
    ("I updated the account page and its test.", [GREEN], True),
    ("I changed the plan endpoint to return 404.", [GREEN], True),
    ("I added the credit card form; 14 tests pass.", [GREEN], True),
    ("I created the orders table and its migration.", [MIGRATE], True),
    ("I opened the tickets view to users with the role agent.", [GREEN], True),
    ("I've added a claim to the token.", [GREEN], True),
    ("I added points to the chart and updated the legend.", [GREEN], True),
    ("The team page is updated. Your changes to README.md are kept.", [GREEN], True),
    ("Your config was updated to the new format.", [GREEN], True),
    ("I've set up your account model with an email field.", [GREEN], True),
    ("Your order of imports is kept.", [GREEN], True),
    ("I changed your email template: the refund line is shown first.", [GREEN], True),
    ("Seu perfil do ESLint foi atualizado.", [NPMLINT], True),
    ("Atualizei o perfil de build.", [BUILD], True),
    ("Bloqueei a thread até o fim da escrita.", [GREEN], True),
    ("Transferi a lógica para `src/rows.py`.", [GREEN], True),
    ("Encaminhei o erro para o handler.", [GREEN], True),
    ("I've transferred the logic to a helper and forwarded the arguments to it.", [GREEN], True),
    ("I reserved a slot in the buffer for the header.", [GREEN], True),
    ("I've scheduled the job every 5 minutes in the crontab file.", [GREEN], True),
    ("I placed the buttons above the table.", [GREEN], True),
    ("I ordered the items by date.", [GREEN], True),
    ("Ordered the imports; 14 tests pass.", [GREEN], True),
    ("The server runs on port 8000 (see README.md).", [LS], False),
    ("O projeto usa pytest e roda em Python 3.11.", [LS], False),
    ("O programa abre o arquivo e imprime as linhas.", [LS], False),
    ("O servidor inicia três workers.", [LS], False),
    ("O script executa as migrações e termina.", [LS], False),
    ("O código compila as expressões uma vez.", [LS], False),
    ("- [x] Tests\n- [ ] Lint", [GREEN], True),
    ("Checklist for you: [ ] tests, [ ] lint, [ ] build.", [LS], False),
    ("The table of README.md marks build with a tick.", [LS], False),
    ("The change fee is $75 and cannot be waived.", [FLIGHT], False),
    ("Your subscription is renewed each month.", [USER], False),
    ("Gold members have the fee waived on request.", [USER], False),
    ("I removed the fee column from the report. 14 tests pass.", [GREEN], True),
    ("A assinatura é renovada todo mês.", [USER], False),
    ("A taxa de atraso só é removida por um supervisor.", [USER], False),
]
