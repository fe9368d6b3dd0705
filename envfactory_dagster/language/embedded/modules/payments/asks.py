"""What people want done about invoices and payments."""

from envfactory_dagster.language.embedded.kit import Allow, Ask, Fact, Goal, Step, attempt
from envfactory_dagster.language.embedded.modules.payments.extras import large_invoice, my_payments
from envfactory_dagster.language.embedded.modules.payments.paying import open_invoices, unbilled
from envfactory_dagster.language.embedded.vocabulary import money, words_for_date
from envfactory_dagster.language.embedded.world import View


def pay_small_invoice(view: View) -> Step | None:
    small = [row for row in open_invoices(view) if row["amount_cents"] <= 5_000]
    if not small:
        return None
    invoice = view.rng.choice(small)
    return Step(
        text="pay my $Invoice for the {purpose} ({amount}) with a $Method that has not expired",
        values={
            "purpose": invoice["purpose"],
            "amount": money(invoice["amount_cents"]),
            "invoice_id": invoice["id"],
            "today": view.today,
        },
        solve="""
            owed = tools.list_my_$invoices(status="open")["$invoices"]
            invoice = next(i for i in owed if i["purpose"] == purpose)
            methods = tools.list_my_$methods()["$methods"]
            method = next(m for m in methods if m["expires_on"] > today)
            tools.pay_$invoice($invoice_id=invoice["id"], $method_id=method["id"])
            tools.get_$invoice($invoice_id=invoice["id"])
        """,
        goals=(
            Goal("paid", "SELECT count(*) AS n FROM $invoices WHERE id = :invoice_id AND status = 'paid'"),
            Goal(
                "settled_with_a_valid_method",
                "SELECT count(*) AS n FROM $payments p JOIN $methods m ON m.id = p.$method_id"
                " WHERE p.$invoice_id = :invoice_id AND p.status = 'settled' AND m.expires_on > :today",
            ),
        ),
        allows=(
            Allow("payment", created=1),
            Allow("invoice", changed=1, columns=("status",), ids=(invoice["id"],)),
        ),
        otherwise=(("for m in methods if", "for m in methods[::-1] if"),),
    )


def bill_a_charge(view: View) -> Step | None:
    charges = unbilled(view)
    if not charges:
        return None
    charge = view.rng.choice(charges)
    return Step(
        text="issue the $Invoice for my $Charge number {charge_id}",
        values={"charge_id": charge["id"]},
        solve="""
            tools.list_my_$invoices()
            billed = tools.bill_$charge($charge_id=charge_id)
            tools.get_$invoice($invoice_id=billed["$invoice_id"])
        """,
        goals=(
            Goal(
                "billed",
                "SELECT count(*) AS n FROM $invoices i JOIN $charges c ON c.id = i.$charge_id"
                " WHERE c.id = :charge_id AND i.amount_cents = c.total_cents AND i.status = 'open'",
            ),
        ),
        allows=(Allow("invoice", created=1),),
    )


def drop_expired_method(view: View) -> Step | None:
    return Step(
        text="remove the $Method of mine that has expired",
        values={"today": view.today},
        solve="""
            methods = tools.list_my_$methods()["$methods"]
            tools.remove_$method($method_id=next(m["id"] for m in methods if m["expires_on"] < today))
        """,
        goals=(
            Goal(
                "removed",
                "SELECT count(*) AS n FROM $methods"
                " WHERE $person_id = 1 AND expires_on < :today AND status = 'removed'",
            ),
        ),
        allows=(Allow("method", changed=1, columns=("status",), ids=(1,)),),
    )


def ask_money_back(view: View) -> Step | None:
    payment = my_payments(view, 12, 0)[0]
    purpose = view.row("invoice", payment["invoice_id"])["purpose"]
    return Step(
        text="ask for my money back for the {purpose} I paid on {date}, the amount was wrong",
        values={"purpose": purpose, "date": words_for_date(payment["paid_at"][:10]), "payment_id": payment["id"]},
        solve="""
            tools.list_my_$refunds()
            paid = tools.list_my_$payments()["$payments"]
            payment = next(p for p in paid if p["purpose"] == purpose)
            tools.request_$refund($payment_id=payment["id"], reason="wrong amount")
        """,
        goals=(
            Goal(
                "asked_for",
                "SELECT count(*) AS n FROM $refunds WHERE $payment_id = :payment_id AND reason = 'wrong amount'"
                " AND status = 'requested'",
            ),
        ),
        allows=(Allow("refund", created=1),),
    )


def top_up(view: View) -> Step | None:
    cents = view.rng.randrange(1_000, 6_000, 500)
    return Step(
        text="top up my $Purse by {amount} from a $Method that is still valid",
        values={
            "amount": money(cents),
            "cents": cents,
            "today": view.today,
            "before": view.mine("purse")[0]["balance_cents"],
        },
        solve="""
            tools.get_my_$purse()
            methods = tools.list_my_$methods()["$methods"]
            method = next(m for m in methods if m["expires_on"] > today)
            tools.top_up_$purse($method_id=method["id"], amount_cents=cents)
        """,
        goals=(
            Goal(
                "topped_up",
                "SELECT count(*) AS n FROM $entrys e JOIN $purses p ON p.id = e.$purse_id"
                " WHERE p.$person_id = 1 AND e.kind = 'top_up' AND e.amount_cents = :cents"
                " AND substr(e.made_at, 1, 10) = :today",
            ),
            Goal(
                "balance_grown",
                "SELECT count(*) AS n FROM $purses WHERE $person_id = 1 AND balance_cents = :before + :cents",
            ),
        ),
        allows=(Allow("entry", created=1), Allow("purse", changed=1, columns=("balance_cents",), ids=(1,))),
        otherwise=(("for m in methods if", "for m in methods[::-1] if"),),
    )


def split_large_invoice(view: View) -> Step | None:
    invoice = large_invoice(view)
    parts = view.rng.randint(2, 4)
    return Step(
        text="split my $Invoice for the {purpose} of {amount} into {parts} parts",
        values={
            "purpose": invoice["purpose"],
            "amount": money(invoice["amount_cents"]),
            "parts": parts,
            "invoice_id": invoice["id"],
        },
        solve="""
            owed = tools.list_my_$invoices(status="open")["$invoices"]
            invoice = next(i for i in owed if i["purpose"] == purpose)
            tools.split_$invoice($invoice_id=invoice["id"], parts=parts)
            tools.list_$instalments($invoice_id=invoice["id"])
        """,
        goals=(
            Goal(
                "split",
                "SELECT count(*) = :parts AS n FROM $instalments WHERE $invoice_id = :invoice_id",
            ),
        ),
        allows=(Allow("instalment", created=parts),),
    )


def what_is_owed(view: View) -> Step | None:
    return Step(
        text="tell me what all my open $Invoices add up to, in cents",
        values={},
        solve="""
            return tools.list_my_$invoices(status="open")["sum_cents"]
        """,
        facts=(
            Fact(
                "the_sum", "SELECT sum(amount_cents) AS value FROM $invoices WHERE $person_id = 1 AND status = 'open'"
            ),
        ),
    )


def purse_balance(view: View) -> Step | None:
    return Step(
        text="tell me the balance of my $Purse, in cents",
        values={},
        solve="""
            return tools.get_my_$purse()["$purse"]["balance_cents"]
        """,
        facts=(Fact("the_balance", "SELECT balance_cents AS value FROM $purses WHERE $person_id = 1"),),
    )


def refuse_expired_method(view: View) -> Step | None:
    invoice = next((row for row in open_invoices(view) if row["amount_cents"] <= 5_000), None)
    if invoice is None:
        return None
    return Step(
        text="pay my $Invoice for the {purpose} with {label}, nothing else",
        values={"purpose": invoice["purpose"], "label": view.row("method", 1)["label"]},
        solve=attempt(
            'tools.pay_$invoice($invoice_id=invoice["id"], $method_id=method["id"])',
            first="""
                owed = tools.list_my_$invoices(status="open")["$invoices"]
                invoice = next(i for i in owed if i["purpose"] == purpose)
                methods = tools.list_my_$methods()["$methods"]
                method = next(m for m in methods if m["label"] == label)
            """,
        ),
    )


def refuse_late_refund(view: View) -> Step | None:
    old = my_payments(view, 1000, view.setting("refunddays") + 1)
    if not old:
        return None
    purpose = view.row("invoice", old[-1]["invoice_id"])["purpose"]
    return Step(
        text="ask for my money back for the {purpose} of {date}, I was charged twice",
        values={"purpose": purpose, "date": words_for_date(old[-1]["paid_at"][:10]), "paid_at": old[-1]["paid_at"]},
        solve=attempt(
            'tools.request_$refund($payment_id=payment["id"], reason="charged twice")',
            first="""
                paid = tools.list_my_$payments()["$payments"]
                payment = next(p for p in paid if p["paid_at"] == paid_at)
            """,
        ),
    )


ASKS = (
    Ask("pay_small_invoice", pay_small_invoice),
    Ask("bill_a_charge", bill_a_charge, when="charge"),
    Ask("drop_expired_method", drop_expired_method, when="full"),
    Ask("ask_money_back", ask_money_back, when="full refunds"),
    Ask("top_up", top_up, when="full purses"),
    Ask("split_large_invoice", split_large_invoice, when="full instalments"),
    Ask("what_is_owed", what_is_owed),
    Ask("purse_balance", purse_balance, when="full purses"),
    Ask("expired_method", refuse_expired_method, rule="payment_expired_method"),
    Ask("late_refund", refuse_late_refund, rule="payment_refund_days", when="full refunds"),
)
