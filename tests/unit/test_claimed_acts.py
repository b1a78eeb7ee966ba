"""What a reply says that it did outside of itself is told from answers, texts, conditions and others' doing."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.rules.claimed_acts import claimed
from services.tool_loop.rules.no_answer import says_nothing

DONE = """
I deleted old.txt and pushed the commit abc1234.
I've sent the invoice to Maria.
I have just booked a table for four at 8pm.
I have successfully deployed the new version to staging.
All set! I went ahead and cancelled your subscription.
I looked at the calendar and booked the room for Monday.
We've published the release notes.
I created the file config.yaml with the settings you asked for.
I fixed the failing test and committed it.
I updated the customer's address in the system.
I emailed the team; they should have it by now.
Done: I also notified the on-call engineer.
I removed the duplicate rows from the database.
I then restarted the service.
I installed the missing packages.
Agendei a consulta no sistema.
Está confirmado para as 15h. Agendei a consulta no sistema.
Já enviei o relatório para a Ana.
Criei o arquivo notas.txt com o conteúdo pedido.
Pronto, apaguei os registros duplicados.
Acabei de enviar o e-mail para o cliente.
Excluí a pasta antiga e publiquei a nova versão.
Corrigi o bug no login e fiz os testes.
Cancelei o pedido e estornei o valor no cartão.
Eu atualizei o cadastro do cliente.
Tudo certo: reservei a sala para amanhã às 10h.
Enviei-lhe a nota fiscal.
Sim, reiniciei o servidor.
Removi o usuário do grupo.
"""
SETTLED = """
Está confirmado para as 15h.
Pronto, está agendado para segunda.
Foi reservado para você.
Sua consulta está agendada para amanhã.
Seu pedido foi cancelado.
It's confirmed for 3 pm.
It is booked.
Your table has been reserved.
Great, your appointment is now confirmed.
Sent the report to Ana, and Deleted the old one.
Deleted the old branch.
Successfully deployed the app.
"""
NEITHER = """
The capital of Australia is Canberra.
Esta função confirmada pelo teste retorna 3.
Esta confirmação vale para as 15h.
Está confirmado que há água em Marte.
Foi confirmado em 1998 por dois laboratórios.
It is confirmed that the earth is round.
It was published in 1949.
The meeting was scheduled by Ana.
I have not sent the email.
I haven't deleted anything.
I did not book the table, because no tool for it is there.
I could have sent it, but the address is missing.
I would have deployed it.
I never deleted the file.
Não enviei o e-mail, pois falta o endereço.
Ainda não agendei a consulta.
Nunca apaguei esse arquivo.
If I deleted the file, the build would break.
When I created the index, queries got faster.
Se enviei duas vezes, ignore a segunda.
Should I have sent the email?
Did you mean the file that Ana deleted?
You deleted the file in the last commit.
He sent the invoice and they paid it.
The script created three folders.
I wrote a short summary of the article below.
I created a table of the three options.
I updated the paragraph as you asked; the new version follows here.
I fixed the grammar and two typos.
I changed my mind about the second point.
Escrevi um poema curto sobre o mar.
Criei um resumo do texto.
Corrigi a gramática da frase.
Mudei de ideia sobre o segundo ponto.
I sent it yesterday, in the last conversation.
Enviei ontem, como você pediu.
I read the file; it holds two functions.
I found three errors in the log.
I checked the code and it looks right.
Li o arquivo e encontrei dois erros.
The log says "I deleted old.txt".
The commit message is `I fixed the login`.
I am committed to clear answers.
I committed to answering in one line.
To delete a branch, run git branch -d.
Para enviar o e-mail, clique em Enviar.
- Fixed the login bug
- Added the dark mode
Files deleted by cron are kept in the trash.
What I created is described in chapter two.
O servidor foi reiniciado pelo operador.
A consulta pode ser agendada pelo site.
42
Sim.
"""


def lines(table: str) -> list[str]:
    return table.strip().split("\n")


@pytest.mark.parametrize("text", lines(DONE))
def test_an_act_of_the_first_person_is_found_in_either_form_of_its_letters(text: str) -> None:
    for form in ("NFC", "NFD"):
        assert claimed(unicodedata.normalize(form, text)).done


@pytest.mark.parametrize("text", lines(SETTLED))
def test_what_is_said_to_be_settled_is_found_in_either_form_of_its_letters(text: str) -> None:
    for form in ("NFC", "NFD"):
        found = claimed(unicodedata.normalize(form, text))
        assert found.settled and not found.done


@pytest.mark.parametrize("text", lines(NEITHER))
def test_an_answer_a_text_or_a_condition_claims_no_act(text: str) -> None:
    for form in ("NFC", "NFD"):
        assert claimed(unicodedata.normalize(form, text)) == ("", "")


def test_code_that_the_reply_shows_is_what_was_fixed() -> None:
    assert claimed("I fixed the function:\n```python\nx = 1\n```") == ("", "")
    assert claimed("I deployed the function:\n```python\nx = 1\n```").done


@given(st.text(max_size=200))
def test_what_is_quoted_stands_in_the_text(text: str) -> None:
    for quoted in claimed(text):
        assert len(quoted) <= 200


@pytest.mark.parametrize(
    "text",
    [
        *("", " \n", "\u200b", "NO_REPLY", "no reply.", "[NO_REPLY]", "**NO_REPLY**", "NO-RESPONSE", "SEM_RESPOSTA"),
        *("null", "…", "---", "👍", "```\n```", "<>", "\uff2e\uff2f_\uff32\uff25\uff30\uff2c\uff39", "undefined"),
    ],
)
def test_a_reply_that_tells_a_person_nothing_is_no_answer(text: str) -> None:
    assert says_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        *("42", "Yes.", "Não.", "None.", "no", "N/A", "x", "There was no reply from the server.", "日本"),
        *("NO_REPLY means silence.", "Sem resposta do servidor até agora.", "The value is null."),
    ],
)
def test_a_short_answer_is_one(text: str) -> None:
    assert not says_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "I fixed `old_name` in src/cart.py",
        "I removed “the line” from `a.py`",
        "Corrigi `é` e\u0301 o `x` no arquivo a.py",
    ],
)
def test_a_claim_is_told_in_the_words_of_the_text_with_its_code(text: str) -> None:
    assert claimed(f"{text}.").done == text
