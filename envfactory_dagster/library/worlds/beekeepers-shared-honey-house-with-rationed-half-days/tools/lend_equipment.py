from datetime import date, timedelta


def lend_equipment(env, *, tag: str, due_on: str) -> dict:
    """Lends an available item to the user and charges its deposit."""
    item = env.one("SELECT id, tag, status, deposit_cents FROM equipment_items WHERE tag = ?", [tag])
    if item is None:
        raise env.Error("there is no equipment " + tag)
    if item["status"] != "in_service":
        raise env.Error("the item " + tag + " is in repair")
    out = env.one("SELECT id FROM loans WHERE equipment_item_id = ? AND status <> 'returned'", [item["id"]])
    if out is not None:
        raise env.Error("the item " + tag + " is lent out")
    today = date.fromisoformat(env.now[:10])
    due = date.fromisoformat(due_on)
    if due <= today:
        raise env.Error("the due day must lie after today")
    if due > today + timedelta(days=28):
        raise env.Error("equipment is lent for at most 28 days")
    if due.weekday() >= 5:
        raise env.Error("the due day must be from Monday to Friday")
    balance = env.one(
        "SELECT COALESCE(SUM(amount_cents), 0) AS n FROM ledger_entries WHERE member_id = ?",
        [env.user_id],
    )["n"]
    if balance < -4000:
        raise env.Error("you owe more than 40.00 EUR, so you cannot borrow")
    loan_id = env.insert(
        """INSERT INTO loans (loan_no, member_id, equipment_item_id, lent_on, due_on, deposit_cents, status)
           VALUES (?, ?, ?, ?, ?, ?, 'out')""",
        [env.new_id("LN"), env.user_id, item["id"], env.now[:10], due_on, item["deposit_cents"]],
    )
    env.insert(
        "INSERT INTO ledger_entries (member_id, kind, amount_cents, loan_id, entered_at) VALUES (?, 'deposit', ?, ?, ?)",
        [env.user_id, -item["deposit_cents"], loan_id, env.now],
    )
    row = env.one(
        """SELECT l.loan_no, e.tag, 'deposit' AS kind, e.name, l.lent_on, l.due_on, l.deposit_cents, l.status, l.returned_on,
                  l.condition, l.kept_cents
           FROM loans l JOIN equipment_items e ON e.id = l.equipment_item_id
           WHERE l.id = ?""",
        [loan_id],
    )
    return dict(row)
