import datetime


LEVY_FIRST_DAYS = 30
LEVY_FIRST_PERCENT = 10
LEVY_LATER_PERCENT = 20


def _levy_surcharge(env, half):
    """What a half that is not paid bears today; `half` has due_on and the columns of levy_halves."""
    today = env.now[:10]
    late = (datetime.date.fromisoformat(today) - datetime.date.fromisoformat(half["due_on"])).days
    if late <= 0:
        return 0
    if half["status"] == "instalments" and half["instalments_kept"] == 1 and half["instalments_until"] >= today:
        return 0
    percent = LEVY_FIRST_PERCENT if late <= LEVY_FIRST_DAYS else LEVY_LATER_PERCENT
    return half["amount_cents"] * percent // 100


def _levy_halves_of(env, levy_half_id):
    return env.query(
        "SELECT l.id AS levy_half_id, l.calendar_entry_id, c.entry, COALESCE(c.to_day, c.from_day) AS due_on, l.hanegadas, l.amount_cents, "
        "l.status, l.instalments_until, l.instalments_kept, l.surcharge_cents, l.paid_at, l.paid_by "
        "FROM levy_halves l JOIN calendar_entries c ON c.id = l.calendar_entry_id "
        "WHERE l.member_id = :member AND (:half IS NULL OR l.id = :half) ORDER BY c.to_day, l.id",
        {"member": env.user_id, "half": levy_half_id},
    )


def _levy_overdue(env):
    row = env.one(
        "SELECT COUNT(*) AS n FROM levy_halves l JOIN calendar_entries c ON c.id = l.calendar_entry_id "
        "WHERE l.member_id = :member AND COALESCE(c.to_day, c.from_day) < :today "
        "AND (l.status = 'due' OR (l.status = 'instalments' AND (l.instalments_kept = 0 OR l.instalments_until < :today)))",
        {"member": env.user_id, "today": env.now[:10]},
    )
    return row["n"] > 0


def _refuse_cash(env, paid_by):
    if paid_by == "cash":
        raise env.Error("Cash is taken only by hand at the Thursday table; choose card or transfer.")
    if paid_by not in ("card", "transfer"):
        raise env.Error("Payment is by card or transfer.")


def pay_levy_half(env, *, levy_half_id: int, paid_by: str) -> dict:
    """Pays a half levy of the member whole, with the surcharge of the day."""
    found = _levy_halves_of(env, levy_half_id)
    if not found:
        raise env.Error("You have no half levy " + str(levy_half_id) + ".")
    half = found[0]
    if half["status"] == "paid":
        raise env.Error("This half levy is paid already.")
    _refuse_cash(env, paid_by)
    surcharge = _levy_surcharge(env, half)
    env.execute(
        "UPDATE levy_halves SET status = 'paid', surcharge_cents = :surcharge, paid_at = :now, paid_by = :by WHERE id = :half",
        {"surcharge": surcharge, "now": env.now, "by": paid_by, "half": levy_half_id},
    )
    back = []
    if not _levy_overdue(env):
        today = datetime.date.fromisoformat(env.now[:10])
        monday = (today + datetime.timedelta(days=7 - today.weekday())).isoformat()
        rows = env.query(
            "SELECT x.id, t.turn, x.suspended_from FROM turn_suspensions x JOIN levy_halves l ON l.id = x.levy_half_id JOIN turns t ON t.id = x.turn_id "
            "WHERE l.member_id = ? AND x.back_from IS NULL ORDER BY t.turn, x.id",
            [env.user_id],
        )
        for row in rows:
            if row["suspended_from"] >= monday:
                continue
            env.execute("UPDATE turn_suspensions SET back_from = ? WHERE id = ?", [monday, row["id"]])
            back.append({"turn": row["turn"], "back_from": monday})
    return {
        "levy_half_id": levy_half_id,
        "status": "paid",
        "amount_cents": half["amount_cents"],
        "surcharge_cents": surcharge,
        "paid_cents": half["amount_cents"] + surcharge,
        "paid_at": env.now,
        "paid_by": paid_by,
        "turns_back": back,
    }
