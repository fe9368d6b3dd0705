"""Invoices and payments: what people owe, how they pay it, what they get back.

Invoices are for whatever another module charges (`charge`), or for services of the house when there is none. Payments
above a limit wait until the user confirms them. Provides `record` (an invoice).
"""

from envfactory_dagster.language.embedded.kit import Module
from envfactory_dagster.language.embedded.modules.payments.asks import ASKS
from envfactory_dagster.language.embedded.modules.payments.extras import EXTRAS
from envfactory_dagster.language.embedded.modules.payments.paying import PAYING
from envfactory_dagster.language.embedded.modules.payments.rows import ENTITIES, RULES, generate

MODULE = Module(
    name="payments",
    about="$Persons pay $Invoices with a $Method of theirs",
    roles={
        "method": ("payment method", "payment card|payment cards", "payment account"),
        "invoice": ("invoice", "bill", "statement", "fee"),
        "payment": ("payment", "settlement", "remittance"),
        "refund": ("refund", "reimbursement", "chargeback"),
        "purse": ("wallet", "balance account", "credit account"),
        "entry": ("wallet entry", "balance entry", "ledger entry"),
        "instalment": ("instalment", "rate", "payment part"),
    },
    entities=ENTITIES,
    rules=RULES,
    tools=(*PAYING, *EXTRAS),
    asks=ASKS,
    generate=generate,
    provides={"record": "invoice"},
    links=("charge",),
    options=("refunds", "purses", "instalments"),
    settings={"confirmcents": (5000, 8000, 10000), "refunddays": (14, 30, 45), "mostparts": (4, 6)},
    keywords=(
        "pay",
        "payment",
        "invoice",
        "bill",
        "billing",
        "refund",
        "wallet",
        "balance",
        "fee",
        "ledger",
        "transfer",
    ),
)
