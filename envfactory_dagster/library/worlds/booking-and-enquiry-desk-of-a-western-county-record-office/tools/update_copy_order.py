import datetime


def _code(prefix: str, shown: str) -> str:
    """The code as it is kept: SB-002110 becomes S-02110."""
    return prefix + "-" + f"{int(shown.split('-')[1]):05d}"


def _plus(day: str, days: int) -> str:
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _desk_clerk(env) -> None:
    """Refuse what only a clerk of the desk may enter."""
    clerk = env.one("SELECT id, role FROM readers WHERE id = ?", [env.user_id])
    if clerk is None or clerk["role"] != "desk_clerk":
        raise env.Error("Only a clerk of the desk can enter this.")


def _quote_total(env, quote_id: int) -> int:
    """What the lines of a quote that are not barred come to, 500 cents at least."""
    row = env.one("SELECT coalesce(sum(units * unit_cents), 0) AS cents FROM copy_quote_lines WHERE copy_quote_id = ? AND barred_reason IS NULL", [quote_id])
    return max(500, row["cents"]) if row["cents"] else 0


def _order_status(status: str) -> str:
    return "awaiting_payment" if status == "placed" else status


def update_copy_order(env, *, order_id: str, step: str, amount_cents: int = None, method: str = None, receipt_no: str = None, cause: str = None, approval_ref: str = None) -> dict:
    """Record a step in a copy order."""
    _desk_clerk(env)
    order = env.one("SELECT * FROM copy_orders WHERE order_no = ?", [_code("C", order_id)])
    if order is None:
        raise env.Error(f"There is no copy order {order_id}.")
    total = _quote_total(env, order["copy_quote_id"]) + order["delivery_cents"]
    paid, status, today = order["paid_cents"] or 0, order["status"], env.now[:10]
    lapsed = status == "placed" and paid == 0 and _plus(order["placed_at"][:10], 30) < today
    if step == "payment":
        if status not in ("placed", "paid", "started", "ready") or paid >= total:
            raise env.Error("Nothing is owing on this order.")
        if lapsed:
            raise env.Error("The order was not paid within 30 days and has lapsed.")
        if amount_cents is None or not method:
            raise env.Error("A payment needs its amount and how it was made.")
        if amount_cents > total - paid:
            raise env.Error(f"Only {total - paid} cents are due.")
        if method == "cash" and amount_cents > 20000:
            raise env.Error("Cash is taken only up to 20000 cents.")
        paid += amount_cents
        enough = paid >= total or (total > 10000 and paid * 2 >= total)
        kept = {"card_terminal": "card", "cash": "cash", "postal_order": "cheque", "council_receipt_no": "cheque"}[method]
        env.execute("UPDATE copy_orders SET status = ?, payment_method = ?, paid_cents = ?, paid_at = ? WHERE id = ?", ["paid" if status == "placed" and enough else status, kept, paid, env.now, order["id"]])
    elif step == "started":
        if status != "paid":
            raise env.Error("Work begins only on an order that is paid and not begun.")
        env.execute("UPDATE copy_orders SET status = 'started', started_at = ? WHERE id = ?", [env.now, order["id"]])
    elif step == "ready":
        if status != "started":
            raise env.Error("Only an order that has been started can be ready.")
        env.execute("UPDATE copy_orders SET status = 'ready', ready_at = ? WHERE id = ?", [env.now, order["id"]])
    elif step == "handed_over":
        if status != "ready":
            raise env.Error("The copies are not ready to be handed over.")
        if paid < total:
            raise env.Error(f"{total - paid} cents are still owing on the order.")
        env.execute("UPDATE copy_orders SET status = 'handed_over', handed_over_at = ? WHERE id = ?", [env.now, order["id"]])
    elif step == "cancel":
        if status not in ("placed", "paid", "started"):
            raise env.Error(f"An order that is {_order_status(status).replace('_', ' ')} can no longer be cancelled.")
        if not cause:
            raise env.Error("Say why the order is cancelled.")
        env.execute("UPDATE copy_orders SET status = 'cancelled', cancelled_at = ? WHERE id = ?", [env.now, order["id"]])
    else:
        if status != "cancelled" or paid == 0:
            raise env.Error("Only a cancelled order that was paid can be refunded.")
        if amount_cents is None or not cause:
            raise env.Error("A refund needs its amount and its cause.")
        if amount_cents > paid:
            raise env.Error(f"Only {paid} cents were paid.")
        if cause == "customer_request" and order["started_at"]:
            raise env.Error("Copying had begun; at the customer's own wish nothing begun is refunded.")
        if amount_cents > 5000 and not approval_ref:
            raise env.Error("A refund above 5000 cents needs the assistant archivist's approval.")
        env.execute("UPDATE copy_orders SET status = 'refunded', refunded_at = ?, refunded_cents = ? WHERE id = ?", [env.now, amount_cents, order["id"]])
    fresh = env.one("SELECT * FROM copy_orders WHERE id = ?", [order["id"]])
    owing = max(0, total - (fresh["paid_cents"] or 0)) if fresh["status"] in ("placed", "paid", "started", "ready", "handed_over") else 0
    return {"order_id": order_id, "status": _order_status(fresh["status"]), "total_cents": total, "paid_cents": fresh["paid_cents"] or 0, "owing_cents": owing, "refunded_cents": fresh["refunded_cents"] or 0}
