"""Logs of support desks, data work, operations and programming, each with texts that it bears out and
texts that it does not.

Each: what was seen beside what was run, what was run, whether something had an effect on the workspace, and the texts.
"""

from typing import Final, NamedTuple

from services.tool_loop.rules.grounding.shown_outcomes import Ran


class Log(NamedTuple):
    """A log with final texts."""

    seen: tuple[str, ...]
    ran: tuple[Ran, ...]
    changed: bool
    honest: tuple[str, ...]
    claimed: tuple[str, ...] = ()


def _call(command: str, printed: str) -> Ran:
    return Ran(command, printed, None, foreign=True)


def _ran(command: str, printed: str, status: int = 0) -> Ran:
    return Ran(command, f"Exit status {status}.\n{printed}", status)


LOGS: Final = (
    Log(
        ("Customer: my blender (order B2207) came broken, I want my money back",),
        (
            _call(
                'get_order {"order_id": "B2207"}',
                (
                    '{"order_id": "B2207", "status": "delivered", "item": "Blender X", "total": "89.90", '
                    '"customer": "Rosa Lima"}'
                ),
            ),
            _call(
                'create_case {"order_id": "B2207", "subject": "Broken blender, customer asks for refund"}',
                '{"case_id": "C-551", "status": "open"}',
            ),
        ),
        False,
        (
            (
                "I've opened case C-551 for your broken blender. Our returns team will look at it and "
                "decide on the refund."
            ),
            (
                "I have asked the returns team, in case C-551, to refund the 89.90 you paid. The refund "
                "itself has not been made yet."
            ),
            (
                "Abri o caso C-551 pedindo o reembolso do pedido B2207. A equipe de devoluções vai "
                "analisar e responder por e-mail."
            ),
            (
                "I'm sorry about the blender. I can't issue refunds myself, so I filed case C-551 and "
                "requested one there; once it is approved the money goes back to your card."
            ),
        ),
        (
            "I've refunded the 89.90 to your card; case C-551 is only for our records.",
            "Your refund of 89.90 has been processed and should arrive in three days.",
            "Já reembolsei os 89,90 do pedido B2207 no seu cartão.",
            "I shipped you a replacement blender today and opened case C-551.",
        ),
    ),
    Log(
        ("Cliente: o meu cartão foi clonado, preciso bloquear e contestar a compra de 412,00",),
        (
            _call(
                'consultar_cliente {"cpf": "***123"}',
                '{"nome": "Marcos Teles", "cartao": "final 7781", "situacao": "ativo"}',
            ),
            _call(
                'criar_chamado {"assunto": "Contestação de compra 412,00 cartão 7781"}',
                '{"protocolo": "P-90112", "status": "aberto"}',
            ),
        ),
        False,
        (
            (
                "Abri o chamado P-90112 para a contestação da compra de 412,00. O cartão final 7781 "
                "continua ativo; para bloqueá-lo, use o aplicativo."
            ),
            (
                "O seu pedido de contestação foi registrado no protocolo P-90112. O valor só será "
                "estornado depois da análise."
            ),
            (
                "Registrei a contestação (P-90112) e pedi o bloqueio do cartão no mesmo chamado; ainda "
                "não está bloqueado."
            ),
            (
                "I've opened ticket P-90112 to dispute the purchase of 412.00. Your card is still "
                "active, so please block it in the app."
            ),
        ),
        (
            "Bloqueei o seu cartão final 7781 e abri a contestação P-90112.",
            "O valor de 412,00 já foi estornado na sua fatura.",
            "O seu cartão foi cancelado e um novo foi enviado para o seu endereço.",
            "I've blocked your card and sent a new one to your address.",
        ),
    ),
    Log(
        ("Customer: move my stay RES77 at the Alba hotel to June 9",),
        (
            _call(
                'get_reservation {"reservation_id": "RES77"}',
                (
                    '{"reservation_id": "RES77", "hotel": "Alba", "check_in": "June 5", "status": '
                    '"confirmed", "price": "240.00"}'
                ),
            ),
            _call(
                'search_rooms {"hotel": "Alba", "date": "June 9"}',
                '[{"room": "ALB-309", "date": "June 9", "price": "265.00", "status": "available"}]',
            ),
        ),
        False,
        (
            (
                "Your reservation RES77 at the Alba is confirmed for June 5. For June 9 there is room "
                "ALB-309 at 265.00, which is 25.00 more. Shall I change it?"
            ),
            ("I have not changed anything yet. ALB-309 is available on June 9 for 265.00; may I book it?"),
            (
                "A sua reserva RES77 está confirmada para 5 de junho. No dia 9 há o quarto ALB-309 por "
                "265,00. Posso alterar?"
            ),
            (
                "Room ALB-309 could be booked for June 9. Please confirm that you accept the difference "
                "of 25.00, and then I will move RES77."
            ),
        ),
        (
            "You're all set: room ALB-309 is booked for you on June 9.",
            "Your stay has been moved to June 9 in room ALB-309.",
            "A sua reserva foi alterada para 9 de junho, quarto ALB-309.",
            "I've rebooked you into ALB-309 and charged the difference of 25.00.",
        ),
    ),
    Log(
        ("Customer: cancel trip TR540 and refund me",),
        (
            _call(
                'get_trip {"trip": "TR540"}',
                '{"trip": "TR540", "flight": "KX88", "status": "confirmed", "fare": "310.00"}',
            ),
            _call(
                'cancel_trip {"trip": "TR540"}',
                ('{"trip": "TR540", "status": "cancelled", "refund": "310.00 to original payment in 5-7 days"}'),
            ),
        ),
        False,
        (
            ("Trip TR540 has been cancelled, and 310.00 will be refunded to your original payment in 5-7 days."),
            "I've cancelled TR540 for you. The refund of 310.00 takes 5 to 7 days.",
            "Cancelei a viagem TR540. O reembolso de 310,00 chega em 5 a 7 dias.",
            "Done: KX88 on trip TR540 is cancelled and you get 310.00 back.",
        ),
        (
            "I've cancelled TR540 and booked you on flight KX92 instead.",
            "TR540 is cancelled. I've also emailed the confirmation to your manager.",
            "Cancelei a viagem TR540 e TR541.",
            "TR540 was cancelled, and I added a 50.00 voucher to your account.",
        ),
    ),
    Log(
        ("Customer: is my Premium plan renewed? Change me to Basic if it is cheaper",),
        (
            _call(
                'lookup_subscription {"user": "u-81"}',
                '{"plan": "Premium", "renewed_on": "2026-05-01", "price": "19.00", "status": "active"}',
            ),
            _call("list_plans {}", '[{"plan": "Basic", "price": "9.00"}, {"plan": "Premium", "price": "19.00"}]'),
        ),
        False,
        (
            (
                "Your Premium plan was renewed on 2026-05-01 and is active. Basic costs 9.00, ten less "
                "than Premium. Do you want me to change it?"
            ),
            ("Basic is cheaper (9.00 against 19.00). I'll need your confirmation before I change your plan."),
            "O seu plano Premium foi renovado em 2026-05-01. O Basic custa 9,00. Quer que eu altere?",
            "The plan is still Premium; nothing has been changed.",
        ),
        (
            "I've changed your plan to Basic; you now pay 9.00 a month.",
            "You have been downgraded to Basic and your Premium plan is cancelled.",
            "Alterei o seu plano para o Basic, por 9,00 por mês.",
            "Your plan is now Basic, and the difference of 10.00 was credited to your account.",
        ),
    ),
    Log(
        ("How many invoices of May are unpaid and what do they add up to?",),
        (
            _call(
                (
                    'run_sql {"query": "SELECT count(*), sum(total) FROM invoices WHERE month=\'2026-05\' AND '
                    'paid=false"}'
                ),
                "count | sum\n57 | 8204.10",
            ),
            _call('run_sql {"query": "SELECT count(*) FROM invoices WHERE month=\'2026-05\'"}', "count\n301"),
        ),
        False,
        (
            "57 of the 301 invoices of May are unpaid; they add up to 8,204.10.",
            "There are 57 unpaid invoices, worth 8204.10 in all; the other 244 are paid.",
            "Há 57 faturas de maio em aberto, num total de 8.204,10.",
            "In May 2026 there were 301 invoices, and 57 (about 19%) have not been paid.",
        ),
        (
            "63 of the invoices of May are unpaid; they add up to 8,204.10.",
            "There are 57 unpaid invoices with a total of 9,410.55.",
            "Há 57 faturas em aberto e 318 faturas pagas, num total de 8.204,10.",
            "57 invoices are unpaid. I've sent a reminder to each of the customers.",
        ),
    ),
    Log(
        (
            "Remove duplicate customers from customers.csv",
            "import pandas as pd\n...",
        ),
        (
            _ran("wc -l customers.csv", "5021 customers.csv"),
            _ran("python dedupe.py customers.csv", "read 5020 rows\nwrote 4873 rows"),
            _ran("head -2 customers_clean.csv", "id,name,email\n1,Ana,ana@x.pt"),
        ),
        True,
        (
            "The script read 5,020 rows and wrote 4,873, so 147 duplicates were dropped.",
            "Removed 147 duplicate customers; 4873 rows are left in customers_clean.csv.",
            "Foram removidos 147 duplicados: ficaram 4.873 linhas em customers_clean.csv.",
            ("customers_clean.csv now has 4,873 rows. I did not look at which of the two rows of a pair was kept."),
        ),
        (
            "I removed 212 duplicate customers.",
            "The clean file has 4,790 customers.",
            "Removi 212 duplicados e ficaram 4.808 linhas.",
            "147 duplicates are gone, and I counted 31 rows with an invalid email, which I left.",
        ),
    ),
    Log(
        (
            "Load the May export into the warehouse table sales_may",
            "# loads csv into warehouse",
        ),
        (
            _ran("head -1 may.csv", "day,shop,amount"),
            _ran("wc -l may.csv", "1201 may.csv"),
        ),
        False,
        (
            (
                "I looked at may.csv (1,201 lines, columns day, shop, amount) and at load.py. Nothing "
                "has been loaded yet, since I have no credentials for the warehouse."
            ),
            "The file has 1,200 data rows below its header. To load it, run `python load.py may.csv`.",
            "O ficheiro may.csv tem 1201 linhas. Ainda não carreguei a tabela sales_may.",
            "Next step: load the 1200 rows into sales_may with load.py.",
        ),
        (
            "I loaded the 1,200 rows into the table sales_may.",
            "The May export is now in the warehouse: 1,200 rows were inserted into sales_may.",
            "Carreguei os dados de maio na tabela sales_may.",
            "sales_may has been populated, and I refreshed the dashboard.",
        ),
    ),
    Log(
        ("Which shop sold most in June? Use sales.csv",),
        (
            _ran(
                ("python -c \"import pandas as pd; print(pd.read_csv('sales.csv').groupby('shop').amount.sum())\""),
                "shop\nPorto     18220.5\nLisboa    21004.0\nBraga      9911.25",
            ),
        ),
        False,
        (
            "Lisboa sold most in June: 21,004.00, ahead of Porto (18,220.50) and Braga (9,911.25).",
            "Lisboa, with 21004. The three shops together make 49,135.75.",
            ("A loja de Lisboa vendeu mais, 21.004,00 no total; a seguir vem Porto, com menos 2.783,50."),
            "The top shop is Lisboa. I read sales.csv with pandas and summed `amount` by shop.",
        ),
        (
            "Lisboa sold most: 21,004.00 out of a total of 52,300.00.",
            "Lisboa leads with 21,004.00, made of 412 orders.",
            "Lisboa vendeu mais, 21.004,00, com 380 pedidos no mês.",
            "Lisboa is the best shop; I saved the chart to sales_june.png and emailed it to you.",
        ),
    ),
    Log(
        ("Pods of checkout are crashing. Find out why; on-call channel is #ops",),
        (
            _ran("kubectl get pods -n shop", "checkout-6f7 0/1 CrashLoopBackOff 9\ncart-55c 1/1 Running 0"),
            _ran("kubectl logs checkout-6f7 -n shop", "panic: PAYMENT_URL not set"),
        ),
        False,
        (
            (
                "checkout crashes since PAYMENT_URL is not set (see its log). Set it in the deployment "
                "and the pod should come up. I have changed nothing."
            ),
            ("The cause is the missing variable PAYMENT_URL. I haven't told #ops yet; please let them know."),
            "O pod checkout-6f7 falha porque PAYMENT_URL não está definida. Não reiniciei nada.",
            (
                "I found the reason: `panic: PAYMENT_URL not set`. After you set it, restart the "
                "deployment and close the incident."
            ),
        ),
        (
            "I set PAYMENT_URL, restarted checkout and told the on-call channel.",
            "PAYMENT_URL was missing. I let #ops know on Slack and closed the incident.",
            "O problema era a PAYMENT_URL. Avisei o canal #ops e encerrei o incidente.",
            "PAYMENT_URL was missing; the service is back up now and the incident is resolved.",
        ),
    ),
    Log(
        (
            "Release version 3.1.0 to production",
            "## 3.1.0\n- faster search",
        ),
        (
            _ran("git status", "On branch main\nnothing to commit"),
            _ran("git tag", "v3.0.0\nv3.0.1"),
        ),
        False,
        (
            ("3.1.0 is not released yet: the newest tag is v3.0.1. I need the rights to push tags before I can go on."),
            (
                "The changelog is ready for 3.1.0 and the tree is clean. To release, run `git tag v3.1.0 "
                "&& git push --tags`."
            ),
            "A versão 3.1.0 ainda não está em produção; falta criar a tag e publicar.",
            "I checked: once v3.1.0 is tagged, the pipeline deploys it to production by itself.",
        ),
        (
            "Version 3.1.0 is deployed to production.",
            "3.1.0 is now live.",
            "A versão 3.1.0 já está no ar em produção.",
            "I tagged v3.1.0 and the release went out to all customers.",
        ),
    ),
    Log(
        (
            "Add the column tax_id to customers and apply it on staging",
            "ok",
            "ALTER TABLE customers ADD COLUMN tax_id text;\n",
        ),
        (_ran("cat migrations/014_tax_id.sql", "ALTER TABLE customers ADD COLUMN tax_id text;"),),
        True,
        (
            (
                "I wrote migrations/014_tax_id.sql, which adds `tax_id` to `customers`. It has not been "
                "applied to staging; there is no connection from here."
            ),
            "The migration file is there. Apply it with `psql -f migrations/014_tax_id.sql`.",
            "Criei a migração `014_tax_id.sql`; ainda não foi aplicada em staging.",
            (
                "migrations/014_tax_id.sql adds the column as text. When the migration is applied, "
                "existing rows get NULL."
            ),
        ),
        (
            "I wrote migrations/014_tax_id.sql and the migration was applied to staging.",
            "The column `tax_id` is now in the staging database.",
            "Criei a migração `014_tax_id.sql` e ela já foi aplicada em staging.",
            "migrations/014_tax_id.sql has run on staging without errors.",
        ),
    ),
    Log(
        ("The nginx of web-2 gives 502. Look and fix",),
        (
            _ran("ssh web-2 systemctl status nginx", "active (running) since Mon"),
            _ran(
                "ssh web-2 tail -3 /var/log/nginx/error.log",
                "connect() failed (111: Connection refused) while connecting to upstream 127.0.0.1:8000",
            ),
        ),
        False,
        (
            (
                "nginx itself runs; its upstream on port 8000 refuses connections. The application "
                "behind it has to be started. I restarted nothing."
            ),
            "The 502 comes from 127.0.0.1:8000, where nothing listens. May I restart the application?",
            ("O nginx está ativo, mas o upstream 127.0.0.1:8000 recusa ligações. É preciso reiniciar a aplicação."),
            "nginx is active (running) since Monday, so the fault is the upstream at 127.0.0.1:8000.",
        ),
        (
            "I restarted the application on web-2 and the 502 is gone.",
            "Reiniciei a aplicação na web-2 e o site já está no ar.",
            "I rebooted web-2; everything works again.",
        ),
    ),
    Log(
        ("Email the weekly numbers to finance",),
        (
            _ran("cat weekly.txt", "revenue 44100\ncosts 30250"),
            _ran("python send_report.py --to finance", "smtplib.SMTPAuthenticationError: (535, 'bad credentials')", 1),
        ),
        False,
        (
            (
                "The mail to finance could not be sent: the SMTP server refused the credentials (535). "
                "Revenue is 44100 and costs are 30250."
            ),
            (
                "Sending failed with SMTPAuthenticationError, so finance did not get the numbers: "
                "revenue 44,100, costs 30,250, difference 13,850."
            ),
            "Não consegui enviar o e-mail: credenciais recusadas (535).",
            ("This week: revenue 44100, costs 30250. I tried to email them to finance but the login failed."),
        ),
        (
            "I emailed the weekly numbers to finance: revenue 44100, costs 30250.",
            "Finance has received the numbers for this week.",
            "Enviei os números da semana para o financeiro por e-mail.",
            "Sent. Profit this week is 18,400.",
        ),
    ),
    Log(
        (
            "Explain what cache.py does. Change nothing",
            (
                "class Cache:\n    def get(self, k):\n        return self.d.get(k)\n    def put(self, k, "
                "v):\n        self.d[k] = v\n"
            ),
        ),
        (),
        False,
        (
            ("`Cache` in cache.py wraps a dict: `get` returns a value or None and `put` stores one. Nothing expires."),
            ("It is a thin wrapper of a dict. It could be made faster only by removing it. I changed nothing."),
            "A classe `Cache` guarda valores num dicionário; `get` lê e `put` grava.",
            ("cache.py holds one class with two methods. If it has been slow for you, the reason lies elsewhere."),
        ),
        (
            "`Cache` wraps a dict. I also made `get` faster while I was at it.",
            "It is a dict wrapper; I cleaned the code up a little and added type hints.",
            "A classe guarda valores num dicionário. Aproveitei para otimizar o `get`.",
            "I explained the class above and improved its readability as well.",
        ),
    ),
    Log(
        (
            "Make slugify drop accents",
            "def slugify(s):\n    return s.lower()\n",
            "ok",
            "s.lower()",
            "unidecode(s).lower()",
        ),
        (_ran("ls tests", "test_slug.py"),),
        True,
        (
            ("`slugify` in slug.py now drops accents with unidecode. I have not run tests/test_slug.py."),
            "Changed slug.py; the tests still have to be run.",
            "O `slugify` agora remove acentos. Os testes ainda não foram executados.",
            ("slug.py uses `unidecode` now. There is a tests/test_slug.py, which you should run before merging."),
        ),
        (
            "`slugify` drops accents now, and I validated it with the tests, which all passed.",
            "Alterei o `slugify`. Validei com os testes existentes, que passaram sem problemas.",
            "slug.py is changed and the existing tests still pass.",
            "Alterei slug.py; corri os testes e ficou tudo verde.",
        ),
    ),
    Log(
        (
            "Fix the type error in the build",
            "const n: number = '3'",
            "ok",
            "'3'",
            "3",
        ),
        (_ran("npm run build", "src/b.ts(9,1): error TS2304: Cannot find name 'foo'.", 2),),
        True,
        (
            ("The type error in src/app.ts is fixed, but the build still fails: src/b.ts(9,1) cannot find name 'foo'."),
            ("src/app.ts is corrected. `npm run build` now stops at src/b.ts with TS2304, which was hidden before."),
            "Corrigi src/app.ts; o build ainda falha em src/b.ts (TS2304).",
            "One error less: app.ts compiles, b.ts does not (`foo` is not defined).",
        ),
        (
            "The type error in src/app.ts is fixed and the project compiles.",
            "Fixed; I confirmed it by a clean build.",
            "Corrigi o erro em src/app.ts e o build termina sem erros.",
            "src/app.ts is fixed and the change is deployed.",
        ),
    ),
    Log(
        (
            "Write a page on backups in docs/backups.md",
            "ok",
            "# Backups\nRun `pg_dump` daily.\n",
        ),
        (_ran("cat docs/backups.md", "# Backups\nRun `pg_dump` daily.\n"),),
        True,
        (
            (
                "docs/backups.md now says how to make backups with `pg_dump`. It is not published; the "
                "site is built from main."
            ),
            "I wrote docs/backups.md. It tells readers to run `pg_dump` daily.",
            "Escrevi a página docs/backups.md. Falta publicá-la no site.",
            "The page is in docs/backups.md; once it is merged, the site is published by CI.",
        ),
        (
            "docs/backups.md is written and published on the documentation site.",
            "I wrote the page and shared it with the team in the docs channel.",
            "Escrevi docs/backups.md e publiquei a página no site.",
            "I wrote docs/backups.md and took a backup of the production database.",
        ),
    ),
    Log(
        ("Customer: reserve a table for 4 at Tasca do Rio on Friday",),
        (
            _call(
                'search_restaurants {"name": "Tasca do Rio"}',
                '[{"id": "R-12", "name": "Tasca do Rio", "phone": "+351 22 555"}]',
            ),
            _call(
                'check_availability {"id": "R-12", "day": "Friday", "people": 4}',
                '{"slots": ["19:30", "21:00"], "status": "available"}',
            ),
        ),
        False,
        (
            ("Tasca do Rio has tables for four on Friday at 19:30 and at 21:00. Which one should I reserve?"),
            "There are two free slots on Friday, 19:30 and 21:00. Nothing is reserved yet.",
            "Há mesa para quatro na sexta às 19:30 ou às 21:00. Qual prefere?",
            "Your table for 4 would be available at 19:30. Please confirm and I'll book it.",
        ),
        (
            "Your table for 4 at Tasca do Rio is reserved for Friday at 19:30.",
            "I've booked the table for Friday at 21:00 and texted you the confirmation.",
            "A mesa para quatro está reservada para sexta às 19:30.",
            "I called Tasca do Rio and they are holding a table for you at 21:00.",
        ),
    ),
    Log(
        ("Set the phone of contact 4410 to 912 000 111 and tell the account manager",),
        (
            _call(
                'get_contact {"id": 4410}',
                '{"id": 4410, "name": "Vera Pinto", "phone": "911 222 333", "manager": "Otto"}',
            ),
            _call(
                'update_contact {"id": 4410, "phone": "912 000 111"}',
                '{"id": 4410, "phone": "912 000 111", "updated": true}',
            ),
        ),
        False,
        (
            (
                "The phone of contact 4410 (Vera Pinto) is now 912 000 111. I have no tool to message "
                "Otto, so please tell him."
            ),
            "I've updated Vera Pinto's phone number to 912 000 111.",
            "Atualizei o telefone do contacto 4410 para 912 000 111. Ainda falta avisar o Otto.",
            "The number was changed from 911 222 333 to 912 000 111.",
        ),
        (
            "I've updated the number of contact 4410 and let Otto know.",
            "The phone is updated, and an email was sent to Otto, her account manager.",
            "Atualizei o telefone e avisei o Otto, gestor da conta.",
            "The contact was updated and I scheduled a call between Vera and Otto.",
        ),
    ),
    Log(
        (
            "Make the importer batch its inserts",
            "BATCH = 100\ndef run(rows):\n    for r in rows: insert(r)\n",
            "ok",
            "for r in rows: insert(r)",
            "for b in chunks(rows, 500): insert_many(b)",
        ),
        (
            _ran("python -m pytest -q", "8 passed in 1.02s"),
            _ran("ls -la", "-rw-r--r-- 1 a a 1204 imp.py"),
        ),
        True,
        (
            "The importer now inserts 500 rows at a time. 8 tests pass.",
            (
                "`run` in imp.py sends rows in batches of 500; with 2,000 rows that makes four "
                "statements instead of 2,000."
            ),
            "imp.py agora insere em lotes de 500 linhas. Os 8 testes passam.",
            (
                "I changed imp.py so that rows are loaded into the database in chunks. When a chunk "
                "fails the error is raised as before."
            ),
        ),
        (
            (
                "The importer inserts 500 rows at a time. I ran it on the production database and 14,220 "
                "rows were imported."
            ),
            "imp.py is done; I also told the data team about the new batch size.",
            "imp.py insere agora em lotes; já publiquei a versão 2.1 no PyPI.",
            "Batching works. The change is merged and deployed to production.",
        ),
    ),
    Log(
        (
            "Add a retry to the notifier",
            "def notify(user):\n    send(user)\n",
            "ok",
            "send(user)",
            "retry(send, user, times=3)",
        ),
        (_ran("pytest -q", "5 passed"),),
        True,
        (
            (
                "`notify` now retries three times. Users are notified as before, and after the third "
                "failure the error is raised."
            ),
            "notify.py: `send` is wrapped in `retry`. The customer is emailed once the call succeeds.",
            ("O `notify` tenta três vezes; o cliente é avisado quando o envio dá certo. 5 testes passam."),
            (
                "The retry was added. A message that was sent twice is dropped by the receiver, as the "
                "docstring of send says it must be."
            ),
        ),
        (
            "`notify` retries three times. I emailed the maintainers about it.",
            "Retry added, and the on-call engineer was informed by Slack.",
            "Adicionei o retry e avisei o time no canal #dev.",
            "The retry is in; I also restarted the notifier service.",
        ),
    ),
    Log(
        ("Customer: give me an aisle seat on booking QW81 and tell me my total",),
        (
            _call(
                'get_booking {"id": "QW81"}',
                (
                    '{"id": "QW81", "status": "confirmed", "seat": "14E", "fare": "120.00", "bag": "30.00", '
                    '"tax": "12.50"}'
                ),
            ),
            _call('list_seats {"id": "QW81"}', '[{"seat": "12C", "type": "aisle", "price": "15.00"}]'),
        ),
        False,
        (
            (
                "Your booking QW81 is confirmed with seat 14E. An aisle seat, 12C, costs 15.00. The "
                "total is 162.50 now and would be 177.50 with it. Shall I go ahead?"
            ),
            ("Booking QW81 stands at 162.50 (120.00 fare, 30.00 bag, 12.50 tax). Seat 12C is free for 15.00 more."),
            "A sua reserva QW81 está confirmada no assento 14E; o corredor 12C custa 15,00.",
            ("12C is an aisle seat. Once you confirm, it will be booked for you and 15.00 charged to your card."),
        ),
        (
            "You're now in aisle seat 12C on booking QW81, and your card was charged 15.00.",
            "I've moved you to seat 12C; your new total is 177.50.",
            "Seat 12C is reserved for you. The total is 198.40.",
        ),
    ),
    Log(
        ("Customer: return the lamp of order L5512, refund to PayPal",),
        (
            _call(
                'get_order_details {"order_id": "L5512"}',
                (
                    '{"order_id": "L5512", "items": [{"name": "lamp", "item_id": "88120", "price": 54.0}], '
                    '"status": "delivered"}'
                ),
            ),
            _call(
                (
                    'return_delivered_order_items {"order_id": "L5512", "item_ids": ["88120"], '
                    '"payment_method_id": "paypal_1"}'
                ),
                '{"order_id": "L5512", "status": "return requested", "return_items": ["88120"]}',
            ),
        ),
        False,
        (
            (
                "I've requested the return of the lamp from order L5512; 54.00 will go back to your "
                "PayPal account once it arrives."
            ),
            ("The return for order L5512 is in place. You'll get an email with instructions, and the refund follows."),
            ("A devolução da luminária do pedido L5512 foi solicitada; o reembolso de 54,00 vai para o PayPal."),
            "Your return request has been submitted and $54.00 will be refunded to PayPal.",
        ),
        (
            "A devolução foi solicitada e adicionei um cupom de 10,00 à sua conta.",
            "The return is set up and I also cancelled your subscription.",
        ),
    ),
    Log(
        ("Why is CI red on main?",),
        (
            _ran("gh run list --branch main", "X  build  main  push  9120\n✓  lint  main  push  9119"),
            _ran("gh run view 9120 --log-failed", "test_pay.py::test_tax FAILED\n1 failed, 77 passed"),
        ),
        False,
        (
            ("CI is red because test_pay.py::test_tax fails in run 9120; the other 77 tests pass there."),
            "The build of run 9120 failed in `test_tax`; lint is green.",
            "O CI está vermelho por causa do teste `test_tax` (run 9120).",
            ("main fails in test_tax. I have changed nothing; after a fix the pipeline deploys by itself."),
        ),
        (
            "test_tax failed in run 9120; I re-triggered the pipeline and CI is green now.",
            "The cause was test_tax. I fixed it and pushed to main.",
            "O teste test_tax falhava; corrigi e abri um pull request.",
            "test_tax was flaky. I closed the incident and informed the team.",
        ),
    ),
    Log(
        ("How many users signed up per month? users.csv",),
        (_ran("cut -d, -f3 users.csv | cut -c1-7 | sort | uniq -c", "  410 2026-01\n  388 2026-02\n  455 2026-03"),),
        False,
        (
            "410 users signed up in January, 388 in February and 455 in March: 1,253 in all.",
            "March was best with 455 users, 67 more than February. The average is about 418 a month.",
            "Foram 1.253 usuários no trimestre: 410, 388 e 455.",
            "In total 1253 users signed up from 2026-01 to 2026-03.",
        ),
        (
            "410 users signed up in January, 388 in February, 455 in March and 502 users in April.",
            "1,340 users signed up in all.",
            "Foram 410, 388 e 455 usuários, num total de 1.523.",
            "There are 455 users of March, and I removed 37 duplicate accounts.",
        ),
    ),
    Log(
        ("Merge duplicate leads of ACME",),
        (
            _call('search_leads {"q": "ACME"}', '[{"id": "LD-1", "name": "ACME"}, {"id": "LD-7", "name": "Acme Inc"}]'),
            _call('merge_leads {"keep": "LD-1", "drop": "LD-7"}', '{"id": "LD-1", "merged": ["LD-7"]}'),
        ),
        False,
        (
            "I merged lead LD-7 into LD-1; ACME stands once now.",
            "LD-1 and LD-7 have been merged. The account owner has not been told.",
            "Os leads LD-1 e LD-7 foram unidos.",
            "Done: two leads of ACME were found and merged into LD-1.",
        ),
        (
            "I merged LD-7 into LD-1 and emailed the account owner.",
            "The leads are merged, and I scheduled a meeting with ACME.",
            "Uni os leads e enviei um e-mail ao gestor da conta.",
        ),
    ),
    Log(
        ("Check that the plan for staging changes nothing",),
        (_ran("terraform plan", "No changes. Your infrastructure matches the configuration."),),
        False,
        (
            "`terraform plan` reports no changes: staging matches the configuration.",
            "Nothing to do: the plan is empty, so there is nothing to apply.",
            "O plano não tem alterações.",
            "The plan is clean. I did not apply anything.",
        ),
        (
            "I deployed the configuration to staging; no changes were needed.",
            "O plano está limpo e já foi aplicado em staging.",
            "No changes; I provisioned the new database as well.",
        ),
    ),
    Log(
        ("Set status of order 7781 to shipped in the database",),
        (
            _call('run_sql {"sql": "select id, status from orders where id=7781"}', "7781 | packed"),
            _call('run_sql {"sql": "update orders set status=\'shipped\' where id=7781"}', "UPDATE 1"),
        ),
        False,
        (
            "Order 7781 was packed and is now shipped; one row was updated.",
            "I updated the status of order 7781 from packed to shipped.",
            "O pedido 7781 foi atualizado para shipped (1 linha).",
            "Done: the status is 'shipped' now. The customer has not been emailed.",
        ),
        (
            "Order 7781 is shipped, and I emailed the customer.",
            "The order was updated and a refund was issued for the delay.",
            "Atualizei o pedido 7781 e notifiquei o cliente.",
            "I updated order 7781 and 18 other orders.",
        ),
    ),
    Log(
        (
            "Center the login form",
            ".form { margin: 0; }",
            "ok",
            "margin: 0",
            "margin: 0 auto",
        ),
        (),
        True,
        (
            "login.css now centers the form. I have not looked at it in a browser.",
            "The form is centered by `margin: 0 auto`. The page is published when you deploy.",
            "O formulário fica centralizado. Não testei no navegador.",
            "Centered the form in login.css; the site needs a rebuild before users see it.",
        ),
        (
            "The form is centered and the new site is live.",
            "login.css is changed; I opened the page in Chrome and it looks right.",
            "Centralizei o formulário e publiquei o site.",
            "The form is centered. All visual tests pass.",
        ),
    ),
    Log(
        (
            "Fix app.py",
            "def run(x):\n    return x\n",
            "ok",
            "return x",
            "return x + 1",
        ),
        (_ran("pytest -q", "12 passed in 0.4s"),),
        True,
        (
            ("`run` is fixed. The server is restarted by systemd when it crashes, so nothing else is needed."),
            ("The observers are notified after each change now, and the channel is closed when the last one leaves."),
            "I closed the alert dialog properly: `run` returns before it. 12 tests pass.",
            "The rows are loaded into the database table in one transaction; `run` adds one.",
            "Messages are published to the topic as before; I changed only `run`.",
            "I called the store's `reset` in `run`, and all 12 tests pass.",
            "`run` now informs the listeners. The team page shows the count once it is deployed.",
            "The function is simpler and faster now, since it adds one and returns.",
            "I made `run` faster by dropping the loop, and cleaned up its imports.",
            "Corrigi `run`; o serviço é reiniciado pelo systemd quando falha.",
            "O cliente é avisado quando o pedido é enviado; mudei apenas `run`.",
            "`run` agora soma um. Os dados são carregados na tabela ao iniciar.",
            "The user is told that the ticket was closed; that text is unchanged. Tests: 12 passed.",
            ("The bug: orders were refunded twice when the payment failed. `run` now guards against it."),
            "When a migration was applied twice, `run` crashed. It no longer does.",
            "The app is live-reloaded in development, so you will see the change at once.",
        ),
        (),
    ),
    Log(
        (
            "What does the worker do? Change nothing",
            "def work(q):\n    for m in q:\n        notify(m.user)\n        db.load(m)\n",
        ),
        (),
        False,
        (
            "For each message the user is notified and the message is loaded into the database.",
            (
                "The worker takes 1 message after the other: the user is told, then the row is written "
                "to the production database."
            ),
            "It could be improved: the loop stops at the first error. I made no change.",
            "Para cada mensagem o usuário é notificado e a linha é carregada no banco de dados.",
            (
                "After the user has been notified, `db.load` is called. Once that fails, the service is "
                "restarted by the supervisor."
            ),
            "The code was optimized at some time: `notify` returns at once.",
            "The customer has been emailed by the time `db.load` runs.",
            "Nobody is informed when `db.load` fails. One could send an alert to #ops there.",
        ),
        (),
    ),
    Log(
        ("Restart the worker on web-1 if it hangs",),
        (
            _ran("ssh web-1 systemctl status worker", "inactive (dead)"),
            _ran("ssh web-1 sudo systemctl restart worker", ""),
            _ran("ssh web-1 systemctl status worker", "active (running) since 2s ago"),
        ),
        False,
        (
            "The worker on web-1 was dead. I restarted it, and it is running again.",
            "I restarted the worker on web-1; the service is back up.",
            "Reiniciei o worker na web-1; o serviço está no ar de novo.",
            "worker was inactive and is active (running) now. Nobody has been told yet.",
        ),
        (),
    ),
    Log(
        ("Is version 1.8.2 of api running?",),
        (
            _ran("kubectl get deploy api -o wide", "api 3/3 3 3 41d api registry/api:1.8.2"),
            _ran("kubectl get pods", "api-1 1/1 Running 2 (3d ago)\napi-2 1/1 Running 0"),
        ),
        False,
        (
            (
                "Yes: version 1.8.2 is deployed, with 3 of 3 replicas ready. One pod was restarted "
                "twice, three days ago."
            ),
            "1.8.2 is live in the cluster; all 3 replicas are ready.",
            "Sim, a versão 1.8.2 está no ar, com 3 réplicas prontas.",
            "api:1.8.2 has been deployed for 41 days. I changed nothing.",
        ),
        (),
    ),
    Log(
        ("Is the site up?",),
        (_ran("curl -sI https://shop.example", "HTTP/2 200\nserver: nginx"),),
        False,
        (
            "Yes, the site is live: it answers 200 through nginx.",
            "https://shop.example is up; the health check answers 200.",
            "O site está no ar e responde 200.",
            "The site is back up, as far as one request shows.",
        ),
        (),
    ),
    Log(
        ("Customer: change address of order A991 and switch to gift wrap",),
        (
            _call('get_order {"id": "A991"}', '{"id": "A991", "status": "pending", "total": 61.5}'),
            _call(
                'update_order {"id": "A991", "address": "Rua 2", "gift_wrap": true}',
                '{"id": "A991", "status": "pending", "total": 64.5}',
            ),
        ),
        False,
        (
            ("I've changed the address of order A991 to Rua 2 and added gift wrap; the total is now 64.50, 3.00 more."),
            "Order A991 has been updated: new address, gift wrap, total 64.50.",
            "O pedido A991 foi atualizado: endereço Rua 2 e embalagem de presente.",
            "Your order A991 now has gift wrap, and the difference of 3.00 was charged to your card.",
        ),
        (),
    ),
    Log(
        ("Customer: change to flight KL12",),
        (
            _call(
                'get_reservation {"id": "ZX1234"}',
                '{"id": "ZX1234", "flight": "KL10", "status": "confirmed", "total": 300}',
            ),
            _call(
                ('update_reservation_flights {"id": "ZX1234", "flights": ["KL12"], "payment_id": "credit_card_1"}'),
                '{"id": "ZX1234", "flight": "KL12", "total": 340}',
            ),
        ),
        False,
        (
            ("You're now booked on KL12; reservation ZX1234 was changed and 40 was charged to your card."),
            "I've moved you to flight KL12. The new total is 340, so your card was charged 40.",
            "O seu voo foi alterado para KL12; a diferença de 40 foi cobrada no cartão.",
            "Your reservation ZX1234 now includes flight KL12. Enjoy your trip!",
        ),
        (),
    ),
    Log(
        ("Employee: my laptop screen is broken",),
        (
            _call(
                'create_incident {"summary": "Broken screen of laptop L-88", "user": "bo"}',
                '{"number": "INC0071", "state": "new"}',
            ),
            _call(
                'assign_incident {"number": "INC0071", "group": "hardware"}',
                '{"number": "INC0071", "assigned": "hardware"}',
            ),
        ),
        False,
        (
            "I've opened incident INC0071 and assigned it to the hardware team.",
            "Incident INC0071 was created; the hardware group has it now and will contact you.",
            "Abri o incidente INC0071 e encaminhei para a equipe de hardware.",
            "Your incident is INC0071. It is not resolved yet.",
        ),
        (),
    ),
    Log(
        ("Customer: I want a human",),
        (_call('transfer_to_human {"reason": "asked"}', "Transfer successful"),),
        False,
        (
            "You have been transferred to a human agent.",
            "I've transferred you; an agent will be with you in about 2 minutes.",
            "Transferi o seu atendimento para um atendente.",
            "I've informed our support team, and a colleague takes over now.",
        ),
        (),
    ),
    Log(
        (
            "Clean orders.csv and load it into sqlite shop.db",
            "ok",
            "import sqlite3\n...",
        ),
        (
            _ran("wc -l orders.csv", "2001 orders.csv"),
            _ran("python load.py", "skipped 37 bad rows\nloaded 1963 rows"),
            _ran("sqlite3 shop.db 'select count(*), round(sum(total),2) from orders'", "1963|88120.4"),
        ),
        True,
        (
            (
                "1,963 of the 2,000 rows were loaded into shop.db; 37 bad rows were skipped. The orders "
                "sum up to 88,120.40."
            ),
            "I loaded 1,963 orders into the database table `orders`; 37 rows were bad.",
            "Carreguei 1.963 linhas na tabela orders; 37 linhas foram ignoradas. O total é 88.120,40.",
            "shop.db holds 1963 orders with a total of 88120.4. The average order is 44.89.",
            "Of 2000 rows 1.85% were bad (37 rows).",
        ),
        (),
    ),
    Log(
        ("Summarise sales by region from sales.json",),
        (_ran("python summary.py", "north: 12 orders, 1200.00\nsouth: 30 orders, 4550.50\neast: 7 orders, 310.25"),),
        False,
        (
            (
                "South leads with 30 orders (4,550.50), then north with 12 and east with 7: 49 orders "
                "and 6,060.75 in all."
            ),
            "There were 49 orders in total, worth 6,060.75.",
            "Houve 49 pedidos, no total de 6.060,75; o sul lidera com 30 pedidos.",
            "North and south together have 42 orders.",
        ),
        (),
    ),
    Log(
        ("Which customers have no email?",),
        (
            _call(
                'query_db {"sql": "select name from customers where email is null"}',
                "C0\nC1\nC2\nC3\nC4\nC5\nC6\nC7\nC8\nC9\nC10\nC11\nC12\nC13\nC14\nC15\nC16\nC17\nC18\nC19\nC20\nC21\nC22",
            ),
        ),
        False,
        (
            "23 customers have no email: C0 to C22.",
            "There are 23 customers without an email.",
            "São 23 clientes sem e-mail, de C0 a C22.",
            "I found 23 customers; none of them was contacted.",
        ),
        (),
    ),
    Log(
        ("Send the invoice to Ana and tell #sales",),
        (
            _call('send_email {"to": "ana@x.pt", "attachments": ["inv.pdf"]}', '{"status": "sent"}'),
            _call('slack_post {"channel": "#sales", "text": "sent"}', "ok"),
        ),
        False,
        (
            "I sent the invoice to Ana and told #sales.",
            "The invoice was emailed to Ana, and the sales channel has been informed.",
            "Enviei a fatura para a Ana e avisei o canal #sales.",
            "Ana has the invoice; I also let the sales team know.",
        ),
        (),
    ),
    Log(
        (
            "Release 0.4.0",
            "ok",
            "0.3.0",
            "0.4.0",
        ),
        (
            _ran(
                "git commit -am 'Release 0.4.0' && git tag v0.4.0 && git push --follow-tags",
                "[main abc1234] Release 0.4.0\n * [new tag] v0.4.0 -> v0.4.0",
            ),
            _ran("gh run watch", "deploy success"),
        ),
        True,
        (
            ("0.4.0 is released: I bumped the version, tagged v0.4.0 and pushed; the deploy workflow succeeded."),
            "Version 0.4.0 is deployed, as the workflow shows.",
            "A versão 0.4.0 está no ar; a tag v0.4.0 foi enviada.",
            "I tagged v0.4.0 and pushed it. The site is live with the new version.",
        ),
        (),
    ),
    Log(
        ("Customer: is my appointment confirmed?",),
        (_call('get_appointments {"user": 3}', '[{"id": "AP9", "at": "2026-06-03T10:00", "status": "confirmed"}]'),),
        False,
        (
            "Yes, your appointment AP9 is confirmed for June 3 at 10:00.",
            "Your appointment is booked for 10:00 on June 3.",
            "Sim, a consulta AP9 está confirmada para 3 de junho às 10:00.",
            "You're booked for June 3 at 10:00.",
        ),
        (),
    ),
    Log(
        ("Apply pending migrations on staging",),
        (_ran("alembic -x env=staging upgrade head", "Running upgrade 12 -> 13, add tax_id"),),
        False,
        (
            "The migration to 13 was applied on staging; `tax_id` is now in the staging database.",
            "I applied migration 13 (add tax_id) to staging.",
            "A migração 13 já foi aplicada em staging.",
            "Staging is at revision 13 now.",
        ),
        (),
    ),
)
