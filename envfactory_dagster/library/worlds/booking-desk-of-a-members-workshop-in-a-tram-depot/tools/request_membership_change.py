from datetime import date, timedelta


def _list_calendar_days_show(env, day):
    """What the workshop is on a day: open or closed, its hours, dust or spark."""
    weekday = date.fromisoformat(day).weekday()
    closing = env.one("SELECT reason FROM closing_days WHERE day = ?", [day])
    swap = env.one("SELECT becomes FROM day_swaps WHERE day = ?", [day])
    if closing is not None or weekday == 0:
        reason = closing["reason"] if closing is not None else "Monday is maintenance"
        return {"day": day, "is_open": False, "closed_reason": reason, "opens_at": None,
                "closes_at": None, "day_kind": None, "swapped": False}
    usual = "dust" if weekday in (1, 3, 5) else "spark"
    opens, closes = ("10:00:00", "17:00:00") if weekday == 6 else ("09:00:00", "22:00:00")
    return {"day": day, "is_open": True, "closed_reason": None, "opens_at": day + "T" + opens,
            "closes_at": day + "T" + closes, "day_kind": usual if swap is None else swap["becomes"],
            "swapped": swap is not None}


def _get_membership_row(env):
    row = env.one(
        """SELECT m.id, m.number, m.membership_type_id, t.name AS type_name, t.monthly_fee_cents,
                  t.monthly_credit_cents, m.started_on
           FROM membership_members mm JOIN memberships m ON m.id = mm.membership_id
           JOIN membership_types t ON t.id = m.membership_type_id WHERE mm.member_id = ?""",
        [env.user_id])
    if row is None:
        raise env.Error("you have no membership")
    return row


def _list_membership_changes_show(env, membership_change_id):
    return env.one(
        """SELECT c.id AS membership_change_id, c.from_membership_type_id,
                  f.name AS from_membership_type_name, c.to_membership_type_id,
                  t.name AS to_membership_type_name, c.status, c.requested_at, c.effective_on,
                  c.fee_difference_cents
           FROM membership_changes c JOIN membership_types f ON f.id = c.from_membership_type_id
           JOIN membership_types t ON t.id = c.to_membership_type_id WHERE c.id = ?""",
        [membership_change_id])


def request_membership_change(env, *, membership_type_id: int) -> dict:
    """Changes the membership: upwards at once, downwards from the first of next month."""
    membership = _get_membership_row(env)
    target = env.one("SELECT * FROM membership_types WHERE id = ?", [membership_type_id])
    if target is None:
        raise env.Error("there is no membership type with the id " + str(membership_type_id))
    if target["id"] == membership["membership_type_id"]:
        raise env.Error("your membership is " + target["name"] + " already")
    if "Studio" in (target["name"], membership["type_name"]):
        raise env.Error("a change to or from Studio is made with the three members at the desk")
    if env.one("SELECT id FROM membership_changes WHERE membership_id = ? AND status = 'planned' LIMIT 1",
               [membership["id"]]) is not None:
        raise env.Error("another change of your membership is planned; withdraw it first")
    today = date.fromisoformat(env.now[:10])
    first = date(today.year + 1, 1, 1) if today.month == 12 else date(today.year, today.month + 1, 1)
    added = 0
    if target["monthly_fee_cents"] > membership["monthly_fee_cents"]:
        after = date(first.year + 1, 1, 1) if first.month == 12 else date(first.year, first.month + 1, 1)
        status, effective_on = "done", today.isoformat()
        difference = target["monthly_fee_cents"] - membership["monthly_fee_cents"]
        env.execute("UPDATE memberships SET membership_type_id = ? WHERE id = ?",
                    [membership_type_id, membership["id"]])
        added = max(0, target["monthly_credit_cents"] - membership["monthly_credit_cents"])
        if added > 0:
            env.insert("""INSERT INTO credit_entries (membership_id, kind, amount_cents, expires_on, entered_at)
                          VALUES (?, 'upgrade', ?, ?, ?)""",
                       [membership["id"], added, (after - timedelta(days=1)).isoformat(), env.now])
    else:
        limit = date(today.year, today.month, 20)
        while not _list_calendar_days_show(env, limit.isoformat())["is_open"]:
            limit = limit + timedelta(days=1)
        if today > limit:
            raise env.Error("a change downwards for next month had to be asked for by " + limit.isoformat())
        status, effective_on, difference = "planned", first.isoformat(), 0
    change_id = env.insert(
        """INSERT INTO membership_changes (membership_id, requested_by_member_id, from_membership_type_id,
               to_membership_type_id, status, requested_at, effective_on, fee_difference_cents)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        [membership["id"], env.user_id, membership["membership_type_id"], membership_type_id, status, env.now,
         effective_on, difference])
    return {"membership_change": _list_membership_changes_show(env, change_id), "credit_added_cents": added}
