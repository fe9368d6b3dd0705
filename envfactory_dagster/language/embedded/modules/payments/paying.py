"""Seeing what is owed, and paying it."""

from envfactory_dagster.language.embedded.kit import (
    Row,
    Tool,
    choice,
    ident,
    integer,
    many,
    optional,
    row_of,
    text,
)
from envfactory_dagster.language.embedded.world import View


def valid_method(view: View) -> Row:
    return view.mine("method", lambda row: row["expires_on"] > view.today)[0]


def open_invoices(view: View) -> list[Row]:
    """Open invoices of user 1 without a payment on its way."""
    pending = {row["invoice_id"] for row in view.rows("payment") if row["status"] == "pending"}
    return view.mine("invoice", lambda row: row["status"] == "open" and row["id"] not in pending)


def unbilled(view: View) -> list[Row]:
    """Charges of user 1 that could be billed; the generator leaves one at least."""
    billed = {row["charge_id"] for row in view.rows("invoice")}
    return view.mine(
        "charge",
        lambda row: row["id"] not in billed and row["total_cents"] > 0 and row["status"] not in ("cancelled", "draft"),
    )


FIND_MY_INVOICE = """
            invoice = env.one(
                "SELECT id, purpose, amount_cents, status, issued_on, due_on FROM $invoices"
                " WHERE id = ? AND $person_id = ?",
                [$invoice_id, env.user_id],
            )
            if invoice is None:
                raise env.Error(f"you have no $Invoice {$invoice_id}")
"""
FIND_MY_METHOD = """
            method = env.one(
                "SELECT id, status, expires_on FROM $methods WHERE id = ? AND $person_id = ?",
                [$method_id, env.user_id],
            )
            if method is None:
                raise env.Error(f"you have no $Method {$method_id}")
            #: if payment_expired_method
            if method["status"] != "active" or method["expires_on"] < env.now[:10]:
                raise env.Error("this $Method has expired or was removed")
            #: end
"""
_INVOICE = row_of("invoice", "id", "purpose", "amount_cents", "status", "issued_on", "due_on")

PAYING = (
    Tool(
        name="list_my_$invoices",
        about="List the signed-in $Person's $Invoices, the earliest due first, optionally of one status.",
        effect="read",
        params={"status": optional(choice("Only $Invoices of this status.", "open", "paid", "void"))},
        returns={"$invoices": many(_INVOICE), "sum_cents": integer()},
        code="""
            rows = env.query(
                "SELECT id, purpose, amount_cents, status, issued_on, due_on FROM $invoices"
                " WHERE $person_id = :me AND (:status IS NULL OR status = :status) ORDER BY due_on, id",
                {"me": env.user_id, "status": status},
            )
            return {"$invoices": rows, "sum_cents": sum(row["amount_cents"] for row in rows)}
        """,
        good=lambda view: {"status": "open"},
    ),
    Tool(
        name="get_$invoice",
        about="Get one of the signed-in $Person's $Invoices with every attempt to pay it.",
        effect="read",
        params={"$invoice_id": ident("invoice")},
        returns={
            "$invoice": _INVOICE,
            "$payments": many(row_of("payment", "id", "method_id", "amount_cents", "status", "paid_at")),
        },
        code=FIND_MY_INVOICE
        + """
            payments = env.query(
                "SELECT id, $method_id, amount_cents, status, paid_at FROM $payments"
                " WHERE $invoice_id = ? ORDER BY paid_at, id",
                [$invoice_id],
            )
            return {"$invoice": invoice, "$payments": payments}
        """,
        good=lambda view: {"invoice_id": open_invoices(view)[0]["id"]},
        bad=lambda view: {"invoice_id": view.need("invoice", lambda row: row["person_id"] != 1)["id"]},
    ),
    Tool(
        name="bill_$charge",
        about="Issue $aInvoice for one of the signed-in $Person's $Charges that has none yet, due in 30 days.",
        effect="create",
        when="charge",
        imports="from datetime import datetime, timedelta",
        params={"$charge_id": ident("charge")},
        returns={"$invoice_id": integer(), "amount_cents": integer(), "due_on": text()},
        code="""
            charge = env.one(
                "SELECT id, status, total_cents FROM $charges WHERE id = ? AND $person_id = ?",
                [$charge_id, env.user_id],
            )
            if charge is None:
                raise env.Error(f"you have no $Charge {$charge_id}")
            if charge["status"] in ("cancelled", "draft") or charge["total_cents"] == 0:
                raise env.Error("there is nothing to pay for this $Charge")
            if env.one("SELECT id FROM $invoices WHERE $charge_id = ?", [$charge_id]):
                raise env.Error("this $Charge has been billed already")
            due_on = (datetime.fromisoformat(env.now) + timedelta(days=30)).date().isoformat()
            invoice_id = env.insert(
                "INSERT INTO $invoices ($person_id, $charge_id, purpose, amount_cents, status, issued_on, due_on)"
                " VALUES (?, ?, ?, ?, 'open', ?, ?)",
                [env.user_id, $charge_id, f"$Charge {$charge_id}", charge["total_cents"], env.now[:10], due_on],
            )
            return {"$invoice_id": invoice_id, "amount_cents": charge["total_cents"], "due_on": due_on}
        """,
        good=lambda view: {"charge_id": unbilled(view)[0]["id"]},
        bad=lambda view: {"charge_id": view.missing("charge")},
    ),
    Tool(
        name="list_my_$methods",
        about="List the signed-in $Person's active $Methods with the day each expires.",
        effect="read",
        params={},
        returns={"$methods": many(row_of("method", "id", "kind", "label", "expires_on"))},
        code="""
            rows = env.query(
                "SELECT id, kind, label, expires_on FROM $methods WHERE $person_id = ? AND status = 'active'"
                " ORDER BY expires_on DESC, id",
                [env.user_id],
            )
            return {"$methods": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="remove_$method",
        about="Take one of the signed-in $Person's $Methods out of use.",
        effect="change",
        when="full",
        params={"$method_id": ident("method")},
        returns={"$method_id": integer(), "status": choice("", "removed")},
        code="""
            changed = env.execute(
                "UPDATE $methods SET status = 'removed' WHERE id = ? AND $person_id = ? AND status = 'active'",
                [$method_id, env.user_id],
            )
            if changed == 0:
                raise env.Error(f"you have no active $Method {$method_id}")
            return {"$method_id": $method_id, "status": "removed"}
        """,
        good=lambda view: {"method_id": valid_method(view)["id"]},
        bad=lambda view: {"method_id": view.need("method", lambda row: row["person_id"] != 1)["id"]},
    ),
    Tool(
        name="pay_$invoice",
        about="Pay one of the signed-in $Person's open $Invoices in full. A large $Payment waits for confirmation.",
        effect="create",
        params={"$invoice_id": ident("invoice"), "$method_id": ident("method")},
        returns={"$payment_id": integer(), "amount_cents": integer(), "status": choice("", "pending", "settled")},
        code=FIND_MY_INVOICE
        + FIND_MY_METHOD
        + """
            if invoice["status"] != "open":
                raise env.Error(f"this $Invoice is {invoice['status']} already")
            if env.one("SELECT id FROM $payments WHERE $invoice_id = ? AND status = 'pending'", [$invoice_id]):
                raise env.Error("a $Payment of this $Invoice waits for confirmation already")
            status = "settled"
            #: if payment_confirmation
            if invoice["amount_cents"] > $confirmcents:
                status = "pending"
            #: end
            payment_id = env.insert(
                "INSERT INTO $payments ($invoice_id, $method_id, amount_cents, status, paid_at)"
                " VALUES (?, ?, ?, ?, ?)",
                [$invoice_id, $method_id, invoice["amount_cents"], status, env.now],
            )
            if status == "settled":
                env.execute("UPDATE $invoices SET status = 'paid' WHERE id = ?", [$invoice_id])
            return {"$payment_id": payment_id, "amount_cents": invoice["amount_cents"], "status": status}
        """,
        good=lambda view: {"invoice_id": open_invoices(view)[0]["id"], "method_id": valid_method(view)["id"]},
        bad=lambda view: {"invoice_id": view.missing("invoice"), "method_id": valid_method(view)["id"]},
    ),
    Tool(
        name="confirm_$payment",
        about="Confirm one's own pending $Payment, which settles it.",
        effect="change",
        principal="user",
        params={"$payment_id": ident("payment")},
        returns={"$payment_id": integer(), "status": choice("", "settled")},
        code="""
            payment = env.one(
                "SELECT p.id, p.status, p.$invoice_id FROM $payments p JOIN $invoices i ON i.id = p.$invoice_id"
                " WHERE p.id = ? AND i.$person_id = ?",
                [$payment_id, env.user_id],
            )
            if payment is None:
                raise env.Error(f"you have no $Payment {$payment_id}")
            if payment["status"] != "pending":
                raise env.Error(f"this $Payment is {payment['status']} already")
            env.execute("UPDATE $payments SET status = 'settled' WHERE id = ?", [$payment_id])
            env.execute("UPDATE $invoices SET status = 'paid' WHERE id = ?", [payment["$invoice_id"]])
            return {"$payment_id": $payment_id, "status": "settled"}
        """,
        good=lambda view: {"payment_id": view.need("payment", lambda row: row["status"] == "pending")["id"]},
        bad=lambda view: {"payment_id": view.missing("payment")},
    ),
)
