"""What the payments module stores: its tables, its rules, and how their rows come about."""

from envfactory_dagster.language.embedded import vocabulary
from envfactory_dagster.language.embedded.kit import Entity, Row, Rule
from envfactory_dagster.language.embedded.world import View

KINDS = ("card", "bank", "voucher")
REASONS = ("charged twice", "not given", "wrong amount", "late cancellation")
_PURPOSES = ("annual fee", "late fee", "deposit", "handling fee", "replacement fee")
_LABELS = {"card": "Visa ending in {}", "bank": "Bank account {}", "voucher": "Voucher {}"}

ENTITIES = (
    Entity(
        "method",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        kind TEXT NOT NULL CHECK (kind IN ('card', 'bank', 'voucher')),
        label TEXT NOT NULL,
        expires_on TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('active', 'removed'))
        """,
        "How $Persons pay.",
    ),
    Entity(
        "invoice",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        #: if charge
        $charge_id INTEGER UNIQUE REFERENCES $charges(id),
        #: end
        purpose TEXT NOT NULL,
        amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
        status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'void')),
        issued_on TEXT NOT NULL,
        due_on TEXT NOT NULL CHECK (due_on >= issued_on)
        """,
        "What $Persons owe.",
    ),
    Entity(
        "payment",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $invoice_id INTEGER NOT NULL REFERENCES $invoices(id),
        $method_id INTEGER NOT NULL REFERENCES $methods(id),
        amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
        status TEXT NOT NULL CHECK (status IN ('pending', 'settled', 'failed')),
        paid_at TEXT NOT NULL
        """,
        "Every attempt to pay $aInvoice.",
    ),
    Entity(
        "refund",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $payment_id INTEGER NOT NULL UNIQUE REFERENCES $payments(id),
        amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
        reason TEXT NOT NULL CHECK (reason IN ('charged twice', 'not given', 'wrong amount', 'late cancellation')),
        status TEXT NOT NULL CHECK (status IN ('requested', 'granted', 'declined')),
        requested_at TEXT NOT NULL
        """,
        "Money asked back.",
        when="full refunds",
    ),
    Entity(
        "purse",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL UNIQUE REFERENCES $persons(id),
        balance_cents INTEGER NOT NULL CHECK (balance_cents >= 0)
        """,
        "Money $Persons keep with the house.",
        when="full purses",
    ),
    Entity(
        "entry",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $purse_id INTEGER NOT NULL REFERENCES $purses(id),
        $method_id INTEGER REFERENCES $methods(id),
        amount_cents INTEGER NOT NULL CHECK (amount_cents <> 0),
        kind TEXT NOT NULL CHECK (kind IN ('top_up', 'spending')),
        made_at TEXT NOT NULL
        """,
        "What went in and out of $aPurse.",
        when="full purses",
    ),
    Entity(
        "instalment",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $invoice_id INTEGER NOT NULL REFERENCES $invoices(id),
        number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 12),
        amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
        due_on TEXT NOT NULL,
        UNIQUE ($invoice_id, number)
        """,
        "The parts in which $aInvoice is to be paid.",
        when="full instalments",
    ),
)

RULES = (
    Rule("payment_expired_method", "$aMethod that has expired or was removed cannot be used."),
    Rule(
        "payment_confirmation",
        "$aPayment above $confirmcents cents stays pending until the $Person confirms it.",
    ),
    Rule(
        "payment_refund_days",
        "$aRefund can be asked for within $refunddays days of a $Payment, not later.",
        when="full refunds",
    ),
    Rule(
        "payment_small_split",
        "Only $aInvoice above 5000 cents can be split, into at most $mostparts parts.",
        when="full instalments",
    ),
)


def generate(view: View) -> None:
    _generate_methods(view)
    if view.has("charge"):
        _invoice_charges(view)
    for index in range(view.size(6, 9)):
        person = 1 if index in (0, 1, 2, 3) else view.rng.randint(2, len(view.rows("person")))
        amount = (12_500, 3_000, 2_500, 4_000)[index] if index < 4 else vocabulary.price_cents(view.rng, 900, 9000)
        age = (3, 6, 100, 8)[index] if index < 4 else view.rng.randint(1, 60)
        status = ("open", "open", "paid", "paid")[index] if index < 4 else view.rng.choice(("open", "paid", "void"))
        _add_invoice(view, person, None, _PURPOSES[index % len(_PURPOSES)], amount, status, age)
    _add_pending(view)
    if view.has("full"):
        _generate_extras(view)


def _generate_methods(view: View) -> None:
    """User 1 has a valid method and an expired one; everybody else has one."""
    for person in [1, *(row["id"] for row in view.rows("person"))]:
        first = not view.rows("method")
        kind = "card" if person == 1 else view.rng.choice(KINDS)
        view.add(
            "method",
            person_id=person,
            kind=kind,
            label=_LABELS[kind].format(4000 + 37 * len(view.rows("method")) + view.rng.randint(0, 30)),
            expires_on=view.day(-40) if first else view.day(view.rng.randint(200, 900)),
            status="active",
        )


def _invoice_charges(view: View) -> None:
    """An invoice for most of what was charged; the latest charges of user 1 are not billed yet."""
    charges = view.select("charge", lambda row: row["total_cents"] > 0 and row["status"] not in ("cancelled", "draft"))
    unbilled = [row["id"] for row in charges if row["person_id"] == 1][-2:]
    for index, charge in enumerate(charges):
        if charge["id"] not in unbilled and index % 4 != 3:
            status = view.rng.choice(("open", "paid", "paid"))
            age = view.rng.randint(4, 40)
            purpose = f"{view.noun('charge')} {charge['id']}"
            _add_invoice(view, charge["person_id"], charge["id"], purpose, charge["total_cents"], status, age)


def _add_invoice(view: View, person: int, charge: int | None, purpose: str, amount: int, status: str, age: int) -> None:
    invoice_id = view.add(
        "invoice",
        person_id=person,
        charge_id=charge,
        purpose=purpose,
        amount_cents=amount,
        status=status,
        issued_on=view.day(-age),
        due_on=view.day(30 - age),
    )
    if status == "paid":
        method = _method_of(view, person)["id"]
        paid_at = view.moment(1 - age, view.rng.randint(7, 21))
        view.add(
            "payment", invoice_id=invoice_id, method_id=method, amount_cents=amount, status="settled", paid_at=paid_at
        )


def _add_pending(view: View) -> None:
    """A large payment of user 1 that waits for confirmation."""
    invoice_id = view.add(
        "invoice",
        person_id=1,
        charge_id=None,
        purpose="season package",
        amount_cents=24_000,
        status="open",
        issued_on=view.day(-5),
        due_on=view.day(25),
    )
    method = _method_of(view, 1)["id"]
    view.add(
        "payment",
        invoice_id=invoice_id,
        method_id=method,
        amount_cents=24_000,
        status="pending",
        paid_at=view.moment(-1, 18),
    )


def _method_of(view: View, person: int) -> Row:
    return view.select("method", lambda row: row["person_id"] == person and row["expires_on"] > view.today)[0]


def _generate_extras(view: View) -> None:
    if view.has("refunds"):
        others = view.select("payment", lambda row: row["status"] == "settled")[:-1]
        for payment in others:
            if view.row("invoice", payment["invoice_id"])["person_id"] != 1:
                view.add(
                    "refund",
                    payment_id=payment["id"],
                    amount_cents=payment["amount_cents"] // 2,
                    reason=view.rng.choice(REASONS),
                    status=view.rng.choice(("requested", "granted", "declined")),
                    requested_at=view.moment(view.days_until(payment["paid_at"]) + 1, 11),
                )
        pending = view.rows("payment")[-1]
        view.add(
            "refund",
            payment_id=pending["id"],
            amount_cents=1_000,
            reason="wrong amount",
            status="declined",
            requested_at=view.moment(-1, 19),
        )
    if view.has("purses"):
        for person in range(1, 7):
            balance = view.rng.randrange(2_000, 9_000, 500)
            purse = view.add("purse", person_id=person, balance_cents=balance)
            for amount, kind in ((balance + 1_500, "top_up"), (-1_500, "spending")):
                method = _method_of(view, person)["id"] if kind == "top_up" else None
                made_at = view.moment(-20 if kind == "top_up" else -6, view.rng.randint(8, 20))
                view.add("entry", purse_id=purse, method_id=method, amount_cents=amount, kind=kind, made_at=made_at)
    if view.has("instalments"):
        for invoice in view.select("invoice", lambda row: row["person_id"] != 1)[:3]:
            half = invoice["amount_cents"] // 2
            for number, amount in enumerate((half, invoice["amount_cents"] - half), start=1):
                due_on = view.day(30 * number)
                view.add("instalment", invoice_id=invoice["id"], number=number, amount_cents=amount, due_on=due_on)
