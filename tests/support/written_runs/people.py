"""Conversations that get on, though the words are alike: shops, airlines, telephone companies, and mail to many."""

# fmt: off
from .voices import Voice, hexes, kinds_of, uuid
from .writing import Steps, call, rounds

NAMES = ("Ana", "Bruno", "Carla", "Duarte", "Eva", "Filipe", "Gil", "Helena", "Ines", "Joao", "Katia", "Luis", "Marta", "Nuno", "Olga", "Paulo", "Rita", "Sara", "Tiago", "Vera")


def _begin(v: Voice) -> Steps:
    return [v.say("Hello! How can I help you today?", "Hi, I need help with my orders."), v.say("Could you please provide your email, or your name and zip code?", "It is yusuf.rossi@example.com"),
            call("find_user_id_by_email", "yusuf_rossi_9620", email="yusuf.rossi@example.com"), call("get_user_details", '{"name": {"first_name": "Yusuf", "last_name": "Rossi"}, "orders": ["#W6247578", "#W9711842", "#W4776164", "#W6679257"]}', user_id="yusuf_rossi_9620")]


def _order(n: int, status: str = "delivered") -> Steps:
    return [call("get_order_details", f'{{"order_id": "#W{6247578 + n * 911}", "user_id": "yusuf_rossi_9620", "items": [{{"name": "Lamp", "product_id": "{4760268021 + n}", "item_id": "{1151293680 + n}", "price": {200 + n}.5}}], "status": "{status}"}}', order_id=f"#W{6247578 + n * 911}")]


def _greetings_that_differ_by_a_name(v: Voice) -> Steps:
    return [step for name in NAMES[:12] for step in (v.say(f"Hi {name}, your parcel is ready for pick-up.", "Thanks"),)]


def _the_same_notice_to_many(v: Voice) -> Steps:
    return [call("send_message", '{"status": "sent"}', to=f"{name.lower()}@example.com", text="The office is closed on Friday.") for name in NAMES]


def _yes_to_each_of_many(v: Voice) -> Steps:
    return [*_begin(v), *rounds(9, lambda n: [*_order(n, "pending"), v.say(f"Order #W{6247578 + n * 911} is pending. Do you want me to cancel it because it is no longer needed? (yes/no)", "Yes"), call("cancel_pending_order", f'{{"order_id": "#W{6247578 + n * 911}", "status": "cancelled"}}', order_id=f"#W{6247578 + n * 911}", reason="no longer needed")]), v.say("All nine are cancelled.", "###STOP###")]


def _no_to_each_offer(v: Voice) -> Steps:
    return [*_begin(v), *[v.say(f"Would flight HAT{120 + n * 7} at {6 + n}:00 for ${140 + n * 9} suit you?", "No.") for n in range(9)], v.say("Would flight HAT300 at 22:00 for $90 suit you?", "Yes, book it."), call("book_reservation", '{"reservation_id": "ZX99"}', flight="HAT300")]


def _ok_after_each_step_of_a_guide(v: Voice) -> Steps:
    steps = ("unplug the router", "wait for a minute", "plug it in again", "hold the reset button", "open 192.168.1.1 in a browser", "type the password on the label", "choose Wireless", "set the channel to 6", "press Save")
    return [*_begin(v), *[v.say(f"Please {step} and tell me when you are done.", "ok") for step in steps], v.say("Is the light green?", "Yes! It works.")]


def _it_still_does_not_work(v: Voice) -> Steps:
    tries = ("turn airplane mode on and off", "restart the phone", "take the SIM card out and put it in again", "reset the APN settings", "turn data saver off", "switch to 4G", "turn the VPN off", "allow data roaming")
    return [*_begin(v), *[v.say(f"Please {one}. Does it work now?", "It still doesn't work.") for one in tries], call("enable_roaming", "Roaming enabled", line_id="L1002"), v.say("And now?", "Yes, excellent!")]


def _speed_tests_after_each_fix(v: Voice) -> Steps:
    fixes = ("toggle_airplane_mode", "reseat_sim_card", "toggle_data", "reset_apn_settings", "toggle_data_saver_mode", "set_network_mode_preference", "disconnect_vpn", "toggle_roaming")
    return [*_begin(v), *[step for fix in fixes for step in (call(fix, "Status Bar: 📶 No Signal | 🔋 80%"), call("run_speed_test", "Speed test failed: No Connection."))], call("reboot_device", "ok"), call("run_speed_test", "275 Mbps, Excellent")]


def _anything_else(v: Voice) -> Steps:
    wishes = ("the address of #W9711842", "a refund for the mug", "my loyalty points", "the delivery date", "an invoice", "a gift card", "my password")
    return [*_begin(v), *[step for n, wish in enumerate(wishes) for step in (call("lookup", f"found {n}", topic=wish), v.say("I've taken care of that for you. Is there anything else I can help you with?", f"Yes, please look at {wish} too."))], v.say("Is there anything else I can help you with?", "No, thanks.")]


def _filler_before_each_call(v: Voice) -> Steps:
    return [*_begin(v), *rounds(8, lambda n: [v.say("One moment please while I look that up.", "Sure."), *_order(n)]), v.say("You have eight lamps.", "Great.")]


def _a_customer_who_looks_for_it(v: Voice) -> Steps:
    return [v.say("Could you give me your reservation number?", "Let me look for it."), v.say("Of course, take your time.", "I can't find it yet."), v.say("It is in the confirmation mail.", "Still looking."), v.say("It has six letters and digits.", "Found it: ZFA04Y."), call("get_reservation_details", '{"reservation_id": "ZFA04Y", "cabin": "economy"}', reservation_id="ZFA04Y"), v.say("Thank you. What would you like to change?", "The seat.")]


def _a_customer_who_will_not_hear_no(v: Voice) -> Steps:
    pleas = ("But I was told otherwise!", "That is unfair.", "Can't you make an exception?", "I have been a gold member for years.", "I want my money back.", "I am not going to accept that.")
    return [*_begin(v), *[v.say(f"I understand{', and I am sorry' if n % 2 else ''}, but basic economy flights cannot be changed or refunded.", plea) for n, plea in enumerate(pleas)], call("transfer_to_human_agents", "Transfer successful", summary="Wants a refund for basic economy.")]


def _amounts_that_add_up_at_last(v: Voice) -> Steps:
    return [*_begin(v), *[call("book_reservation", f"Error: payment amount does not add up, total price is {total}, but paid {paid}", user_id="yusuf_rossi_9620", payment_methods=[{"payment_id": "credit_1", "amount": paid}]) for total, paid in ((610, 580), (610, 640), (640, 610))], call("calculate", "640.0", expression="610 + 30"), call("book_reservation", '{"reservation_id": "HATHAT"}', user_id="yusuf_rossi_9620", payment_methods=[{"payment_id": "credit_1", "amount": 640}])]


def _who_is_it(v: Voice) -> Steps:
    return [v.say("May I have your name and zip code?", "Yusuf Rossi, 19122"), call("find_user_id_by_name_zip", "Error: user not found", first_name="Yusuf", last_name="Rossi", zip="19122"), v.say("I cannot find that. Could you spell it?", "R-o-s-s-i, or it may be 19121"), call("find_user_id_by_name_zip", "Error: user not found", first_name="Yusuf", last_name="Rossi", zip="19121"), v.say("Sorry, still nothing. Do you have an email?", "yusuf@x.com or yusuf.rossi@x.com"),
            call("find_user_id_by_email", "Error: user not found", email="yusuf@x.com"), call("find_user_id_by_email", "yusuf_rossi_9620", email="yusuf.rossi@x.com"), *_order(1)]


def _an_exchange_in_a_shop(v: Voice) -> Steps:
    return [*_begin(v), *_order(0), *_order(1), call("list_all_product_types", '{"Lamp": "4760268021", "Mug": "3360679910"}'), *[call("get_product_details", f'{{"name": "P{n}", "variants": {{"{77 + n}": {{"available": {"true" if n % 2 else "false"}}}}}}}', product_id=str(4760268021 + n)) for n in range(7)], v.say("I can exchange the lamp for 78 at $12 more. Do you confirm (yes/no)?", "yes"),
            call("exchange_delivered_order_items", '{"status": "exchange requested"}', order_id="#W6247578", item_ids=["1151293680"], new_item_ids=["78"], payment_method_id="credit_1"), v.say("Done.", "And the mug, the same way please."), call("exchange_delivered_order_items", '{"status": "exchange requested"}', order_id="#W6248489", item_ids=["1151293681"], new_item_ids=["79"], payment_method_id="credit_1"), v.say("Done.", "###STOP###")]


def _flights_looked_for(v: Voice) -> Steps:
    return [*_begin(v), *[call("search_direct_flight", "[]", origin=origin, destination="SEA", date=f"2024-05-{day}") for origin in ("JFK", "EWR", "LGA") for day in range(19, 25)], call("search_onestop_flight", '[[{"flight_number": "HAT1"}]]', origin="JFK", destination="SEA", date="2024-05-20"), v.say("There is one with a stop.", "Take that.")]


def _sums_twice(v: Voice) -> Steps:
    return [*_begin(v), call("think", "", thought="Sum the prices."), call("calculate", "512.0", expression="256 * 2"), v.say("It is $512.", "Are you sure?"), call("calculate", "512.0", expression="256 * 2"), v.say("Yes, $512.", "And with the bag?"), call("calculate", "562.0", expression="256 * 2 + 50"), v.say("$562.", "ok")]


def _reservations_looked_at_and_left(v: Voice) -> Steps:
    return [*_begin(v), *rounds(8, lambda n: [call("get_reservation_details", f'{{"reservation_id": "RES{n}A", "cabin": "basic_economy", "insurance": "no", "created_at": "2024-05-0{n + 1}T10:00:00"}}', reservation_id=f"RES{n}A"), call("cancel_reservation", "Error: reservation cannot be cancelled", reservation_id=f"RES{n}A")]), v.say("None of the eight can be cancelled.", "A pity.")]


def _tickets_closed(v: Voice) -> Steps:
    return [call("list_tickets", "30 open"), *[call("update_ticket", '{"ok": true}', ticket_id=4000 + n, status="closed") for n in range(30)], call("list_tickets", "0 open")]


def _invoices_audited(v: Voice) -> Steps:
    return [*[call("verify_invoice", '{"result": "no discrepancy"}', invoice=f"INV-{2024000 + n * 3}") for n in range(32)], call("verify_invoice", '{"result": "amount differs"}', invoice="INV-2024099"), call("write_report", "saved", text="1 of 33 differs")]


def _pages_of_tickets(v: Voice) -> Steps:
    return [call("search_tickets", f'{{"items": [], "next": "{hexes(n, 24)}"}}' if n % 3 else f'{{"items": [{{"id": {n}}}], "next": "{hexes(n, 24)}"}}', query="refund", cursor=hexes(n - 1, 24) if n else "") for n in range(16)] + [call("search_tickets", '{"items": [], "next": null}', query="refund", cursor=hexes(15, 24))]


def _questions_of_a_survey(v: Voice) -> Steps:
    topics = ("the food", "the room", "the staff", "the pool", "the wifi", "the price", "the location", "the breakfast", "the parking", "the noise")
    return [step for topic in topics for step in (v.say(f"From 1 to 5, how was {topic}?", "4"), call("store_answer", "stored", topic=topic, mark=4))]


def _free_slots(v: Voice) -> Steps:
    return [*[call("find_slots", '{"slots": []}', doctor="d-11", date=f"2026-03-{day:02}") for day in range(2, 24)], call("find_slots", '{"slots": ["10:30"]}', doctor="d-11", date="2026-03-24"), v.say("The first free one is on the 24th at 10:30.", "I take it.")]


def _reminders_of_invoices(v: Voice) -> Steps:
    return [call("send_email", '{"queued": true}', to="accounts@client.example", subject=f"Invoice {310 + n} is overdue", body=f"Please pay invoice {310 + n} of {90 + n} EUR.") for n in range(9)]


def _a_report_in_the_works(v: Voice) -> Steps:
    return [call("create_report", '{"report_id": "rp_1"}', kind="sales"), *[call("get_report", '{"report_id": "rp_1", "note": "we are putting it together"}', report_id="rp_1") for _ in range(13)], call("get_report", '{"report_id": "rp_1", "url": "https://x.example/r.pdf"}', report_id="rp_1")]


def _a_payment_that_settles(v: Voice) -> Steps:
    return [call("create_charge", '{"id": "ch_1", "phase": 1}', amount=100), *[call("charge_info", '{"id": "ch_1", "phase": 1}', id="ch_1") for _ in range(9)], call("charge_info", '{"id": "ch_1", "phase": 2}', id="ch_1"), v.say("It is paid.", "Good.")]


def _numbers_called(v: Voice) -> Steps:
    return [call("place_call", "no answer", number=f"+35191000{n:04}") for n in range(18)] + [call("place_call", "answered: yes, at nine", number="+351910009999")]


def _perguntas_em_portugues(v: Voice) -> Steps:
    coisas = ("o nome", "a morada", "o NIF", "o telefone", "o email", "a data de nascimento", "o IBAN")
    respostas = ("Rui Sá", "Rua do Sol 4", "501964843", "912", "rui@x.pt", "1/2/1980", "PT50")
    return [v.say(f"Pode indicar-me {coisa}, por favor?", resposta) for coisa, resposta in zip(coisas, respostas, strict=True)] + [call("create_customer", '{"id": 7}', name="Rui Sá"), v.say("Obrigado, está registado.", "Obrigado.")]


def _confirmacoes_em_portugues(v: Voice) -> Steps:
    return [step for n, name in enumerate(NAMES[:10]) for step in (v.say(f"Confirma a marcação de {name}?", "Sim"), call("confirm_booking", '{"status": "confirmed"}', booking_id=f"B{n}"))]


def _orders_created(v: Voice) -> Steps:
    return [call("create_order", f'{{"id": "{uuid(n)}", "status": "created"}}', sku="LAMP-1", quantity=1, customer=name) for n, name in enumerate(NAMES[:12])]


def _containers_started(v: Voice) -> Steps:
    return [*[v.sh("docker run -d --network mesh worker:2", hexes(n, 64)) for n in range(8)], v.sh("docker ps -q | wc -l", "8")]


def _pods_that_come_up(v: Voice) -> Steps:
    return [v.sh("kubectl apply -f d.yaml", "deployment.apps/web created"), *[v.sh("kubectl get pods", f"NAME                 READY   STATUS              RESTARTS   AGE\nweb-6d4cf56db6-x8k2p 0/1     ContainerCreating   0          {4 + n * 3}s") for n in range(9)], v.sh("kubectl get pods", "NAME READY STATUS\nweb-6d4cf56db6-x8k2p 1/1 Running")]


def _a_queue_of_a_cluster(v: Voice) -> Steps:
    return [v.sh("sbatch job.sh", "Submitted batch job 811"), *[v.sh("squeue -j 811 -h -o '%T %r'", "PENDING Priority") for _ in range(16)], v.sh("squeue -j 811 -h -o '%T %r'", ""), v.sh("cat slurm-811.out", "done")]


def _a_limit_that_passes(v: Voice) -> Steps:
    return [*[v.sh("terraform apply -auto-approve", "Error: error creating bucket: OperationAborted: A conflicting conditional operation is currently in progress", 1) for _ in range(3)], v.sh("sleep 60"), v.sh("terraform apply -auto-approve", "Apply complete! Resources: 1 added.")]


def _hosts_patched(v: Voice) -> Steps:
    return [step for n in range(14) for step in (v.sh(f"ssh web{n:02} 'sudo apt-get -qq upgrade'"), v.sh(f"ssh web{n:02} 'systemctl is-active app'", "active"))]


def _keys_rotated(v: Voice) -> Steps:
    return [v.sh(f"vault kv put secret/{name.lower()} token=$(openssl rand -hex 16)", f"======= Metadata =======\nversion 2\nrequest_id {uuid(name)}") for name in NAMES[:11]]


def _pages_of_a_shop(v: Voice) -> Steps:
    return [call("goto", "Results", url="https://shop.test/s?q=lamp"), *[call("click", f"Page {n + 2} of 12: lamp {'abcdefghijkl'[n]} {n * 13} EUR", element="Next") for n in range(11)], call("click", "Added to the cart", element="Add to cart")]


def _fields_of_a_form(v: Voice) -> Steps:
    return [call("goto", "Form with 9 fields", url="https://gov.test/form"), *[call("type", "ok", ref=f"e{n}", text=f"value {n}") for n in range(9)], call("click", "Thank you, your number is 5512", ref="e20")]


def _months_of_a_calendar(v: Voice) -> Steps:
    return [call("goto", "Calendar: January", url="https://cal.test"), *[call("click", f"Calendar: {month}", ref="next-month") for month in ("February", "March", "April", "May", "June", "July", "August", "September")], call("click", "Slot taken", ref="d12")]


def _cookies_on_each_site(v: Voice) -> Steps:
    return [step for n in range(8) for step in (call("goto", "This site uses cookies. Accept?", url=f"https://news{n}.test/today"), call("click", f"Headline {n}: {hexes(n, 9)}", element="Accept all"))]


def _a_page_scrolled(v: Voice) -> Steps:
    return [call("goto", "Section 1", url="https://doc.test/long"), *[call("scroll", f"Section {n + 2}: text {hexes(n, 12)}", direction="down") for n in range(14)], call("done", "", answer="42")]


def _issues_opened(v: Voice) -> Steps:
    return [call("create_issue", f'{{"number": {900 + n}, "state": "open"}}', title=f"Update {name}'s access", body="Please renew the access.", labels=["access"]) for n, name in enumerate(NAMES[:14])]


def _tables_described(v: Voice) -> Steps:
    return [call("query", "(id integer, created timestamp)", sql=f"describe {name}") for name in ("users", "orders", "items", "carts", "refunds", "stores", "staff", "shifts", "coupons", "taxes")] + [call("query", "41", sql="select count(*) from orders o join users u on u.id = o.user_id")]


def _files_read_over_a_bridge(v: Voice) -> Steps:
    return [call("mcp__drive__download", f"Contract with {name}. Signed.", file_id=hexes(name, 28)) for name in NAMES] + [call("mcp__drive__write", "ok", name="all.csv")]


def _one_text_for_each_language(v: Voice) -> Steps:
    return [call("translate", f"[{code}] {hexes(code, 8)}", text="The office is closed on Friday.", target=code) for code in ("pt", "es", "fr", "de", "it", "nl", "sv", "pl", "cs", "ja")]


def _rooms_whose_lights_go_off(v: Voice) -> Steps:
    return [call("set_light", "ok", room=room, on=False) for room in ("kitchen", "hall", "bath", "bed", "study", "garage", "attic", "cellar", "porch", "garden")]


# What does not get on.

def _wording_of_one_question(v: Voice) -> tuple[Steps, Steps]:
    ways = ("Could you please tell me your order id?", "I need the id of your order.", "What is your order id, please?", "Please give me the order id so that I can go on.", "May I have the id of the order?")
    return _begin(v), rounds(15, lambda n: [v.say(ways[n % 5], "I don't have it.")])


def _looked_up_between_the_same_words(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(9, lambda n: [*_order(0), v.say("Let me check that for you.", "Okay.")])


def _handed_over_again(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(10, lambda n: [call("transfer_to_human_agents", "Transfer successful", summary=("Wants a refund.", "The user asks for a refund.", "A refund is wanted.")[n % 3])])


def _an_amount_guessed(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(14, lambda n: [call("book_reservation", f"Error: payment amount does not add up, total price is 1204, but paid {900 + n * 11}", user_id="yusuf_rossi_9620", payment_methods=[{"payment_id": "credit_1", "amount": 900 + n * 11}])])


def _three_looks_in_turn(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(7, lambda n: [*_order(0), call("get_product_details", '{"name": "Lamp", "variants": {}}', product_id="4760268021"), call("get_user_details", '{"name": "Yusuf"}', user_id="yusuf_rossi_9620")])


def _thoughts_alone(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(14, lambda n: [call("think", "", thought=("I should check the refund policy first.", "First I should check the policy on refunds.", "The refund policy should be checked first.")[n % 3])])


def _an_event_made_and_removed(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(8, lambda n: [call("create_event", f'{{"id": "{hexes(n, 26)}"}}', title="Review", start="10:00"), call("delete_event", '{"deleted": true}', event_id=hexes(n, 26))])


def _words_shuffled_in_a_search(v: Voice) -> tuple[Steps, Steps]:
    words = ("python", "asyncio", "cancel", "scope", "leak")
    return [], rounds(16, lambda n: [call("web_search", f"1. Docs of asyncio\n2. A question on {'tasks' if n % 2 else 'scopes'}\n3. A blog", query=" ".join(sorted(words, key=lambda word: hexes((n, word)))) + (" 2024" if n % 3 == 0 else ""))])


def _a_button_that_does_nothing(v: Voice) -> tuple[Steps, Steps]:
    return [call("goto", "Checkout: one lamp, 24.90 EUR, to be sent to Rua do Sol 4. Button: Pay", url="https://shop.test/pay")], rounds(14, lambda n: [call("click", "Checkout: one lamp, 24.90 EUR, to be sent to Rua do Sol 4. Button: Pay", element="Pay", x=400 + n, y=300 - n)])


def _passwords_tried(v: Voice) -> tuple[Steps, Steps]:
    return [call("goto", "Log in", url="https://x.test/login")], rounds(26, lambda n: [call("type", "ok", ref="password", text=("admin", "admin123", "password", "letmein", "root")[n % 5] + str(n // 5)), call("click", "Log in to your account. The password that you entered is incorrect. Forgot it?", ref="submit")])


def _up_and_down_a_page(v: Voice) -> tuple[Steps, Steps]:
    return [call("goto", "Top of the page", url="https://doc.test")], rounds(10, lambda n: [call("scroll", "Bottom of the page", direction="down"), call("scroll", "Top of the page", direction="up")])


def _a_request_that_is_refused(v: Voice) -> tuple[Steps, Steps]:
    return [], rounds(12, lambda n: [call("create_invoice", f'{{"error": "field customer is required", "request_id": "{uuid(n)}", "trace": "{hexes(n, 16)}"}}', True, amount=100 + n, note=f"try {n}")])


def _flights_of_one_day_again(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(9, lambda n: [call("search_direct_flight", "[]", origin="JFK", destination="SEA", date="2024-05-20"), v.say("I am still looking for a direct flight on May 20.", "Okay, thanks.")])


GOOD, STUCK = kinds_of(globals())
