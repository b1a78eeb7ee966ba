"""The kinds of services, with the words they are told in and what shows them done.

Refunds; cancellations; bookings; exchanges; discounts and credits; payments; records; accounts and cards; orders,
claims and tickets; hand-overs; renewals; fees.
"""

from typing import Final

from .service_forms import NO_END, kind

_ORDER: Final = (
    r"orders?|purchases?|pedidos?|compras?|bookings?|reservations?|reservas?|tickets?|passage(?:m|ns)|trips?"
    r"|viage(?:m|ns)"
)
_ID: Final = r"(?-i:(?<![\w-])(?=[A-Z-]{1,24}\d)[A-Z][A-Z\d-]{3,24}(?![\w-]))"
SERVICES: Final = (
    kind(
        verbs=r"refunded|reimbursed|credited(?: back)?",
        nouns=r"refunds?|reimbursements?|chargebacks?|reembolsos?|estornos?|ressarcimentos?",
        things=rf"{_ORDER}|payments?|amount|money|difference|balance|diferença|saldo|fees?|card|pagamentos?|valor|dinheiro|taxas?|cartão",
        eu=r"reembolsei|reembolsamos|estornei|estornamos|ressarci|ressarcimos",
        ado=r"reembolsad|estornad|ressarcid|devolvid",
        by=r"refund|reimburs|reembols|estorn|ressarc|cancel|return|devol|credit|void|chargeback",
        stands=r"refunded|reimbursed|credited|reembolsad|estornad|ressarcid"
        r"|\brefunds?\b.{0,20}(?:issued|processed|complete|approved|sent)|['\"]refund['\"]",
    ),
    kind(
        verbs=r"cancell?ed",
        nouns=r"cancell?ations?|cancelamentos?",
        things=rf"{_ORDER}|flights?|subscriptions?|appointments?|memberships?|plans?|cards?|voos?|assinaturas?|consultas?|visitas?"
        r"|planos?|cartão|cartões",
        eu=r"cancelei|cancelamos|desmarquei",
        ado=r"cancelad|desmarcad",
        also=rf"\b(?:your|his|her|their|the|this|that)(?: [\w-]+){{0,2}}? (?:{_ORDER}|flights?|subscriptions?"
        rf"|appointments?|memberships?|plans?)(?: #?[A-Z]*\d[\w-]*)? (?:is|are) cancell?ed\b{NO_END}"
        rf"|{_ID} (?:is|are|was|were|has been|have been)(?: now)? cancell?ed\b{NO_END}",
        by=r"cancel|void|terminat|unsubscri|encerr|desmarc|close|delet",
        stands=r"cancell?ed|cancelad|cancellation|desmarcad",
    ),
    kind(
        verbs=r"booked|rebooked|reserved|scheduled|rescheduled|confirmed|arranged",
        nouns=r"bookings?|rebookings?|reservations?|appointments?|agendamentos?|remarcaç(?:ão|ões)|reservas?",
        things=r"flights?|tables?|rooms?|hotels?|seats?|meetings?|visits?|trips?|slots?|voos?|mesas?|quartos?|assentos?"
        r"|reuni(?:ão|ões)|visitas?|consultas?|viage(?:m|ns)|horários?|passage(?:m|ns)|bilhetes?|pickup|delivery|exchange|técnicos?",
        eu=r"reservei|reservamos|agendei|agendamos|marquei|marcamos|remarquei|remarcamos",
        ado=r"reservad|agendad|marcad|remarcad|confirmad|emitid",
        also=rf"{_ID} (?:is|are|was|were|has been|have been)(?: now)? (?:booked|reserved|rebooked)\b{NO_END}",
        by=r"cron|book|reserv|schedul|appointment|agend|marc|calendar|confirm|event|exchange|checkout|purchase|visit|pickup",
        stands=r"booked|confirmed|reserved|scheduled|reservation|booking|appointment|agendad|marcad|confirmad|reserva",
    ),
    kind(
        verbs=r"exchanged|swapped",
        nouns=r"exchanges?|returns?|replacements?|trocas?|devoluç(?:ão|ões)|substituiç(?:ão|ões)",
        things=r"items?|products?|lamps?|shirts?|shoes?|produtos?|ite(?:m|ns)|peças?",
        eu=r"troquei|trocamos",
        ado=r"trocad",
        by=r"exchang|return|troc|devol|replac|rma|modif",
        stands=r"exchang|returned|return requested|troc|devolvid|replac",
    ),
    kind(
        nouns=r"discounts?|coupons?|promo(?:tion)?s?(?: codes?)?|vouchers?|certificates?|credits?|waivers?|gift cards?"
        r"|points|descontos?|cupo(?:m|ns)|certificados?|créditos?|vales?|bônus|pontos",
        by=r"discount|coupon|promo|voucher|certificate|credit|points|gift|waive|price|desconto|cupo|certificado|vale|bonus|pontos",
        stands=r"discount|coupon|voucher|certificate|credit|points|promo|desconto|cupo|vale|pontos",
    ),
    kind(
        verbs=r"charged|billed",
        nouns=r"payments?|charges?|pagamentos?|cobranças?",
        things=r"cards?|account|invoices?|bills?|cartão|cartões|conta|faturas?|boletos?",
        eu=r"cobrei|cobramos|paguei|pagamos",
        ado=r"cobrad|pag",
        by=r"pay|charg|bill|invoice|pag|cobr|checkout|order|book|purchas|transfer|exchang|modif",
        stands=r"paid|charged|billed|pag[oa]\b|cobrad|payment|pagamento|charge",
    ),
    kind(
        verbs=r"updated|changed|corrected|modified|upgraded|downgraded|switched|moved",
        nouns=r"(?:address|email|phone|name|account|profile|plan|seat|cabin) (?:change|update|upgrade)s?|upgrades?",
        things=r"(?:shipping |delivery |billing |e-?mail )?address(?:es)?|e-?mail|phone(?: number)?|payment method"
        r"|profile|stays?|reservations?|bookings?|flights?|trips?|appointments?"
        r"|account|passengers?|bag(?:s|gage)|cabin|plan|preferences?|membership|endereços?|telefone|cadastro|conta|plano"
        r"|forma de pagamento|bagage(?:m|ns)|perfil|reservas?|voos?|viage(?:m|ns)|hospedagem|estadia",
        eu=r"atualizei|atualizamos|alterei|alteramos|mudei|mudamos",
        ado=r"atualizad|alterad|mudad|adicionad|incluíd",
        also=r"\b(?:reservation|booking|trip|order|reserva|pedido|viagem)(?: [A-Z\d-]+)? (?:now (?:includes|has)"
        r"|agora (?:inclui|tem))\b"
        r"|\bbag(?:s|gage)\b[^.;:?!\n]{0,30}? (?:was|were|has been|have been) added\b",
        by=r"config|book|resched|updat|modif|(?<!ex)chang|edit|\bset|alter|atualiz|patch|put|save|address|profile|account|upgrad|switch|mud",
        stands=r"updated|changed|modified|upgraded|atualizad|alterad",
    ),
    kind(
        verbs=r"closed|deactivated|deleted|blocked|unblocked|unlocked|suspended|reactivated|reset",
        nouns=r"(?:account|password|card) (?:closure|deletion|reset|block)s?",
        things=r"accounts?|(?:credit |debit )?cards?|passwords?|profile|contas?|cartão|cartões|senhas?",
        eu=r"encerrei|bloqueei|desbloqueei|redefini|desativei|reativei",
        ado=r"encerrad|bloquead|desbloquead|redefinid|desativad|reativad|excluíd",
        by=r"clos|deactiv|delet|block|lock|suspend|activ|reset|encerr|bloque|redefin|exclu|card|account|password",
        stands=r"closed|deactivated|deleted|locked|suspended|active|reset|encerrad|bloquead|excluíd|ativ",
    ),
    kind(
        verbs=r"placed|ordered|shipped|dispatched|reordered",
        nouns=r"(?:replacement |new )?orders?|claims?|return labels?|(?:support )?tickets?|pedidos?|chamados?"
        r"|etiquetas?",
        things=r"items?|replacements?|packages?|parcels?|produtos?|pacotes?",
        eu=r"despachei|encomendei",
        ado=r"despachad|encomendad",
        by=r"order|place|submit|creat|ship|replac|claim|ticket|case|purchas|checkout|return|exchang|label|pedido|chamado",
        stands=r"order|claim|label|ticket|placed|shipped|delivered|transit|pedido|chamado|enviad",
    ),
    kind(
        verbs=r"transferred|escalated|handed over|forwarded",
        nouns=r"escalations?|hand-?overs?|encaminhamentos?",
        things=r"(?:human |live )?agents?|specialists?|supervisors?|managers?|teams?|departments?|case|atendentes?"
        r"|especialistas?|supervisor(?:es)?|setor|equipe",
        eu=r"transferi|transferimos|encaminhei|encaminhamos|escalei",
        ado=r"transferid|encaminhad|escalad",
        by=r"transfer|escalat|hand|human|agent|ticket|case|message|mail|encaminh|forward|notif",
        stands=r"transferred|escalated|transferid|encaminhad",
    ),
    kind(
        verbs=r"extended|renewed|prolonged",
        nouns=r"renewals?|extensions?|renovaç(?:ão|ões)|prorrogaç(?:ão|ões)",
        things=r"subscriptions?|memberships?|deadlines?|warrant(?:y|ies)|assinaturas?|prazos?|vencimentos?|garantias?",
        eu=r"renovei|renovamos|prorroguei|prorrogamos|estendi",
        ado=r"renovad|prorrogad|estendid",
        by=r"extend|renew|prolong|renov|prorrog|estend|subscri|updat|modif",
        stands=r"extended|renewed|renovad|prorrogad|estendid",
    ),
    kind(
        verbs=r"waived|removed|dropped",
        nouns=r"fee waivers?|isenç(?:ão|ões)",
        things=r"fees?|penalt(?:y|ies)|surcharges?|taxas?|multas?|tarifas?",
        eu=r"removi|isentei|retirei",
        ado=r"removid|isentad|retirad",
        by=r"waiv|fee|remov|refund|credit|taxa|multa|isen|discount|cancel",
        stands=r"waived|removed|removid|isent",
    ),
)
