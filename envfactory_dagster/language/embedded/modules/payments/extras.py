"""What the options add: refunds, a balance kept with the house, paying in parts."""

from envfactory_dagster.language.embedded.kit import Row, Tool, choice, ident, integer, many, row_of, text
from envfactory_dagster.language.embedded.modules.payments.paying import (
    FIND_MY_INVOICE,
    FIND_MY_METHOD,
    open_invoices,
    valid_method,
)
from envfactory_dagster.language.embedded.modules.payments.rows import REASONS
from envfactory_dagster.language.embedded.world import View


def my_payments(view: View, oldest: int, newest: int) -> list[Row]:
    """Settled payments of user 1 made that many days ago, latest first, none of them refunded."""
    mine = {row["id"] for row in view.mine("invoice")}
    refunded = {row["payment_id"] for row in view.rows("refund")}
    found = view.select(
        "payment",
        lambda row: (
            row["invoice_id"] in mine
            and row["id"] not in refunded
            and row["status"] == "settled"
            and newest <= -view.days_until(row["paid_at"]) <= oldest
        ),
    )
    return sorted(found, key=lambda row: str(row["paid_at"]), reverse=True)


def large_invoice(view: View) -> Row:
    """The open invoice of user 1 that is large enough to be split."""
    return next(row for row in open_invoices(view) if row["amount_cents"] > 5_000)


EXTRAS = (
    Tool(
        name="list_my_$payments",
        about="List the signed-in $Person's $Payments, newest first, with what each was for.",
        effect="read",
        when="full",
        params={"limit": integer("At most so many $Payments.", 1, 100, default=50)},
        returns={
            "$payments": many(
                row_of("payment", "id", "invoice_id", "amount_cents", "status", "paid_at", purpose=text())
            )
        },
        code="""
            rows = env.query(
                "SELECT p.id, p.$invoice_id, p.amount_cents, p.status, p.paid_at, i.purpose FROM $payments p"
                " JOIN $invoices i ON i.id = p.$invoice_id WHERE i.$person_id = ?"
                " ORDER BY p.paid_at DESC, p.id DESC LIMIT ?",
                [env.user_id, limit],
            )
            return {"$payments": rows}
        """,
        good=lambda view: {"limit": 10},
    ),
    Tool(
        name="request_$refund",
        about="Ask for a $Refund of one of the signed-in $Person's settled $Payments, in full.",
        effect="create",
        when="full refunds",
        imports="from datetime import datetime",
        params={"$payment_id": ident("payment"), "reason": choice("Why the money is asked back.", *REASONS)},
        returns={"$refund_id": integer(), "amount_cents": integer()},
        code="""
            payment = env.one(
                "SELECT p.id, p.status, p.amount_cents, p.paid_at FROM $payments p"
                " JOIN $invoices i ON i.id = p.$invoice_id WHERE p.id = ? AND i.$person_id = ?",
                [$payment_id, env.user_id],
            )
            if payment is None:
                raise env.Error(f"you have no $Payment {$payment_id}")
            if payment["status"] != "settled":
                raise env.Error(f"this $Payment is {payment['status']}, not settled")
            #: if payment_refund_days
            days = (datetime.fromisoformat(env.now) - datetime.fromisoformat(payment["paid_at"])).days
            if days > $refunddays:
                raise env.Error(f"this $Payment was made {days} days ago, more than the $refunddays allowed")
            #: end
            if env.one("SELECT id FROM $refunds WHERE $payment_id = ?", [$payment_id]):
                raise env.Error("a $Refund of this $Payment was asked for already")
            refund_id = env.insert(
                "INSERT INTO $refunds ($payment_id, amount_cents, reason, status, requested_at)"
                " VALUES (?, ?, ?, 'requested', ?)",
                [$payment_id, payment["amount_cents"], reason, env.now],
            )
            return {"$refund_id": refund_id, "amount_cents": payment["amount_cents"]}
        """,
        good=lambda view: {"payment_id": my_payments(view, 12, 0)[0]["id"], "reason": "wrong amount"},
        bad=lambda view: {"payment_id": view.missing("payment"), "reason": "wrong amount"},
    ),
    Tool(
        name="list_my_$refunds",
        about="List the $Refunds that the signed-in $Person asked for, newest first.",
        effect="read",
        when="full refunds",
        params={},
        returns={
            "$refunds": many(row_of("refund", "id", "payment_id", "amount_cents", "reason", "status", "requested_at"))
        },
        code="""
            rows = env.query(
                "SELECT r.id, r.$payment_id, r.amount_cents, r.reason, r.status, r.requested_at FROM $refunds r"
                " JOIN $payments p ON p.id = r.$payment_id JOIN $invoices i ON i.id = p.$invoice_id"
                " WHERE i.$person_id = ? ORDER BY r.requested_at DESC, r.id",
                [env.user_id],
            )
            return {"$refunds": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="get_my_$purse",
        about="Get the signed-in $Person's $Purse with its latest $Entrys.",
        effect="read",
        when="full purses",
        params={},
        returns={
            "$purse": row_of("purse", "id", "balance_cents"),
            "$entrys": many(row_of("entry", "id", "method_id", "amount_cents", "kind", "made_at")),
        },
        code="""
            purse = env.one("SELECT id, balance_cents FROM $purses WHERE $person_id = ?", [env.user_id])
            if purse is None:
                raise env.Error("you have no $Purse")
            entries = env.query(
                "SELECT id, $method_id, amount_cents, kind, made_at FROM $entrys WHERE $purse_id = ?"
                " ORDER BY made_at DESC, id DESC LIMIT 20",
                [purse["id"]],
            )
            return {"$purse": purse, "$entrys": entries}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="top_up_$purse",
        about="Put money from $aMethod into the signed-in $Person's $Purse.",
        effect="create",
        when="full purses",
        params={"$method_id": ident("method"), "amount_cents": integer("How much, in cents.", 500, 50_000)},
        returns={"$entry_id": integer(), "balance_cents": integer()},
        code=FIND_MY_METHOD
        + """
            purse = env.one("SELECT id, balance_cents FROM $purses WHERE $person_id = ?", [env.user_id])
            if purse is None:
                raise env.Error("you have no $Purse")
            env.execute(
                "UPDATE $purses SET balance_cents = balance_cents + ? WHERE id = ?", [amount_cents, purse["id"]]
            )
            entry_id = env.insert(
                "INSERT INTO $entrys ($purse_id, $method_id, amount_cents, kind, made_at)"
                " VALUES (?, ?, ?, 'top_up', ?)",
                [purse["id"], $method_id, amount_cents, env.now],
            )
            return {"$entry_id": entry_id, "balance_cents": purse["balance_cents"] + amount_cents}
        """,
        good=lambda view: {"method_id": valid_method(view)["id"], "amount_cents": 2500},
        bad=lambda view: {"method_id": view.missing("method"), "amount_cents": 2500},
    ),
    Tool(
        name="list_$instalments",
        about="List the $Instalments of one of the signed-in $Person's $Invoices.",
        effect="read",
        when="full instalments",
        params={"$invoice_id": ident("invoice")},
        returns={"$instalments": many(row_of("instalment", "id", "number", "amount_cents", "due_on"))},
        code=FIND_MY_INVOICE
        + """
            rows = env.query(
                "SELECT id, number, amount_cents, due_on FROM $instalments WHERE $invoice_id = ? ORDER BY number",
                [invoice["id"]],
            )
            return {"$instalments": rows}
        """,
        good=lambda view: {"invoice_id": open_invoices(view)[0]["id"]},
        bad=lambda view: {"invoice_id": view.missing("invoice")},
    ),
    Tool(
        name="split_$invoice",
        about="Split one of the signed-in $Person's open $Invoices into equal monthly $Instalments.",
        effect="create",
        when="full instalments",
        imports="from datetime import datetime, timedelta",
        params={"$invoice_id": ident("invoice"), "parts": integer("Into how many parts.", 2, 12)},
        returns={"parts": integer(), "first_cents": integer()},
        code=FIND_MY_INVOICE
        + """
            if invoice["status"] != "open":
                raise env.Error(f"this $Invoice is {invoice['status']} already")
            #: if payment_small_split
            if invoice["amount_cents"] <= 5000:
                raise env.Error("only $aInvoice above 5000 cents can be split")
            if parts > $mostparts:
                raise env.Error("$aInvoice can be split into at most $mostparts parts")
            #: end
            if env.one("SELECT id FROM $instalments WHERE $invoice_id = ?", [$invoice_id]):
                raise env.Error("this $Invoice is split already")
            each = invoice["amount_cents"] // parts
            first = invoice["amount_cents"] - each * (parts - 1)
            for number in range(1, parts + 1):
                due = datetime.fromisoformat(env.now) + timedelta(days=30 * number)
                env.insert(
                    "INSERT INTO $instalments ($invoice_id, number, amount_cents, due_on) VALUES (?, ?, ?, ?)",
                    [$invoice_id, number, first if number == 1 else each, due.date().isoformat()],
                )
            return {"parts": parts, "first_cents": first}
        """,
        good=lambda view: {"invoice_id": large_invoice(view)["id"], "parts": 3},
        bad=lambda view: {"invoice_id": view.missing("invoice"), "parts": 3},
    ),
)
