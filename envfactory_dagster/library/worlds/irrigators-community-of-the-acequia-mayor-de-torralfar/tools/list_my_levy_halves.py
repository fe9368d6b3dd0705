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


def list_my_levy_halves(env) -> dict:
    """The halves of the member's levy with what is to be paid today."""
    today = env.now[:10]
    halves = []
    for row in _levy_halves_of(env, None):
        half = dict(row)
        if half["status"] == "paid":
            half["to_pay_cents"] = 0
            half["overdue"] = 0
        else:
            half["surcharge_cents"] = _levy_surcharge(env, half)
            half["to_pay_cents"] = half["amount_cents"] + half["surcharge_cents"]
            kept = half["status"] == "instalments" and half["instalments_kept"] == 1 and half["instalments_until"] >= today
            half["overdue"] = 1 if half["due_on"] < today and not kept else 0
        halves.append(half)
    return {"levy_halves": halves}
