from datetime import date, datetime, timedelta


GET_SCREENING_STANDARD = 1100


GET_SCREENING_MEMBER = 800


GET_SCREENING_UNDER_26 = 750


GET_SCREENING_UNDER_12 = 600


GET_SCREENING_KANSENTARIEF = 220


GET_SCREENING_35MM = 150


def _get_screening_price(tariff, carrier):
    extra = GET_SCREENING_35MM if carrier == "35mm" else 0
    if tariff == "member":
        return GET_SCREENING_MEMBER
    if tariff == "kansentarief":
        return GET_SCREENING_KANSENTARIEF
    if tariff == "under_26":
        return GET_SCREENING_UNDER_26 + extra
    if tariff == "under_12":
        return GET_SCREENING_UNDER_12 + extra
    return GET_SCREENING_STANDARD + extra


def _get_screening_membership(env, day):
    """The user's membership that is valid on a day, or None."""
    return env.one(
        "SELECT id, kind, starts_on, ends_on FROM memberships WHERE account_id = ? AND starts_on <= ? AND ends_on >= ? ORDER BY ends_on DESC, id LIMIT 1",
        [env.user_id, day, day],
    )


def _buy_tickets_discount(env, day, cents):
    """Adds what was saved by the member price on a day to the membership of that day."""
    membership = _get_screening_membership(env, day)
    if membership is not None and cents != 0:
        env.execute(
            "UPDATE memberships SET discount_enjoyed_cents = MAX(0, discount_enjoyed_cents + ?) WHERE id = ?",
            [cents, membership["id"]],
        )


def _get_ticket_refund_at(ticket, memberships, at):
    """What a valid ticket brings back at a moment."""
    result = {"refund_percent": 0, "money_cents": 0, "new_voucher_cents": 0, "same_voucher_cents": 0, "pass_rides": 0}
    now = datetime.fromisoformat(at)
    start = datetime.fromisoformat(ticket["starts_at"])
    if start - now < timedelta(hours=2):
        return result
    if ticket["pass_id"] is not None:
        result["refund_percent"] = 100
        result["pass_rides"] = 1
        return result
    member = any(m["starts_on"] <= at[:10] <= m["ends_on"] for m in memberships)
    days = (now.date() - datetime.fromisoformat(ticket["bought_at"]).date()).days
    money = ticket["price_cents"] - ticket["voucher_cents"]
    if start - now > timedelta(hours=24):
        percent = 100 if days <= 60 else 80
        in_money = days <= 14
    elif member:
        percent = 80
        in_money = False
    else:
        return result
    result["refund_percent"] = percent
    result["same_voucher_cents"] = ticket["voucher_cents"] * percent // 100
    if in_money:
        result["money_cents"] = max(0, money - (0 if member else 100))
    else:
        result["new_voucher_cents"] = money * percent // 100
    return result


def _get_ticket_refund_ticket(env, ticket_id):
    """A valid ticket of the user for a coming screening."""
    ticket = env.one(
        """
        SELECT k.id, k.screening_id, k.tariff, k.holder_age, k.price_cents, k.pass_id, k.voucher_id, k.voucher_cents, k.payment_id, k.swap_payment_id,
               k.bought_at, k.swapped, k.status, s.starts_at, c.carrier, s.kind
        FROM tickets k JOIN screenings s ON s.id = k.screening_id JOIN copies c ON c.id = s.copy_id
        WHERE k.id = ? AND k.account_id = ?
        """,
        [ticket_id, env.user_id],
    )
    if ticket is None:
        raise env.Error("You have no ticket " + str(ticket_id) + ".")
    if ticket["status"] == "returned":
        raise env.Error("Ticket " + str(ticket_id) + " has been returned already.")
    if ticket["status"] == "used" or ticket["starts_at"] <= env.now:
        raise env.Error("The screening of ticket " + str(ticket_id) + " has begun, so nothing can be done with it any more.")
    return ticket


def _get_ticket_refund_memberships(env):
    return env.query("SELECT starts_on, ends_on FROM memberships WHERE account_id = ? ORDER BY starts_on, id", [env.user_id])


def _return_tickets_pass_on(env, screening_id):
    """Offers seats that came free to those who wait: members first until 48 hours before, then by time."""
    if not "08:00:00" <= env.now[11:19] < "22:00:00":
        return
    place = env.one(
        """
        SELECT s.starts_at, h.seats - s.seats_held
               - (SELECT COUNT(*) FROM tickets k WHERE k.screening_id = s.id AND k.status <> 'returned')
               - (SELECT COALESCE(SUM(w.seats_offered), 0) FROM waiting_list_entries w
                  WHERE w.screening_id = s.id AND w.status = 'offered' AND w.offer_lapses_at >= :now) AS free
        FROM screenings s JOIN halls h ON h.id = s.hall_id WHERE s.id = :id AND s.status = 'scheduled' AND s.starts_at > :now
        """,
        {"id": screening_id, "now": env.now},
    )
    if place is None:
        return
    now = datetime.fromisoformat(env.now)
    start = datetime.fromisoformat(place["starts_at"])
    waiting = env.query(
        """
        SELECT w.id, w.seats_wanted FROM waiting_list_entries w
        WHERE w.screening_id = :id AND w.status = 'waiting'
        ORDER BY CASE WHEN :members_first = 1 AND EXISTS (SELECT 1 FROM memberships m WHERE m.account_id = w.account_id
                 AND m.starts_on <= :today AND m.ends_on >= :today) THEN 0 ELSE 1 END, w.since, w.id
        """,
        {"id": screening_id, "members_first": 1 if start - now > timedelta(hours=48) else 0, "today": env.now[:10]},
    )
    free = place["free"]
    lapses = (now + (timedelta(minutes=30) if start.date() == now.date() else timedelta(hours=3))).isoformat()
    for entry in waiting:
        if free <= 0:
            break
        offered = min(free, entry["seats_wanted"])
        env.execute(
            "UPDATE waiting_list_entries SET status = 'offered', seats_offered = ?, offer_sent_at = ?, offer_lapses_at = ? WHERE id = ?",
            [offered, env.now, lapses, entry["id"]],
        )
        free -= offered


def return_tickets(env, *, ticket_ids: list) -> dict:
    """Returns tickets of one screening for what they bring back at this moment."""
    tickets = [_get_ticket_refund_ticket(env, i) for i in ticket_ids]
    if len({t["id"] for t in tickets}) < len(ticket_ids):
        raise env.Error("A ticket is named twice.")
    if len({t["screening_id"] for t in tickets}) > 1:
        raise env.Error("Return the tickets of one screening at a time.")
    memberships = _get_ticket_refund_memberships(env)
    refunds = [_get_ticket_refund_at(t, memberships, env.now) for t in tickets]
    for ticket, refund in zip(tickets, refunds):
        if refund["refund_percent"] == 0:
            raise env.Error("return_and_swap_deadlines: ticket " + str(ticket["id"]) + " brings back nothing any more; only members can return one within 24 hours of the start, and nobody within 2 hours.")
    today = env.now[:10]
    result = {"ticket_ids": list(ticket_ids), "refund_voucher_id": None, "refund_voucher_code": None}
    for key in ("money_cents", "new_voucher_cents", "same_voucher_cents", "pass_rides"):
        result[key] = sum(r[key] for r in refunds)
    if result["new_voucher_cents"] > 0:
        day = date.fromisoformat(today)
        until = (date(day.year + 1, day.month, 28 if (day.month, day.day) == (2, 29) else day.day) - timedelta(days=1)).isoformat()
        last = env.one("SELECT COALESCE(MAX(id), 0) AS id FROM vouchers", [])
        code = "VB-" + str(50001 + last["id"])
        result["refund_voucher_code"] = code
        result["refund_voucher_id"] = env.insert(
            "INSERT INTO vouchers (code, account_id, origin, value_cents, left_cents, issued_on, expires_on) VALUES (?, ?, 'refund', ?, ?, ?, ?)",
            [code, env.user_id, result["new_voucher_cents"], result["new_voucher_cents"], today, until],
        )
    for ticket, refund in zip(tickets, refunds):
        if refund["pass_rides"] > 0:
            env.execute("UPDATE passes SET rides_left = rides_left + 1 WHERE id = ?", [ticket["pass_id"]])
        if refund["same_voucher_cents"] > 0:
            env.execute(
                "UPDATE vouchers SET left_cents = left_cents + ?, expires_on = MAX(expires_on, ?) WHERE id = ?",
                [refund["same_voucher_cents"], (date.fromisoformat(today) + timedelta(days=30)).isoformat(), ticket["voucher_id"]],
            )
        money = refund["money_cents"]
        for payment_id in (ticket["payment_id"], ticket["swap_payment_id"]):
            if payment_id is not None and money > 0:
                payment = env.one("SELECT amount_cents - refunded_cents AS left FROM payments WHERE id = ?", [payment_id])
                part = min(money, payment["left"])
                env.execute("UPDATE payments SET refunded_cents = refunded_cents + ? WHERE id = ?", [part, payment_id])
                money -= part
        env.execute(
            "UPDATE tickets SET status = 'returned', returned_at = ?, refunded_money_cents = ?, refund_voucher_id = ? WHERE id = ?",
            [env.now, refund["money_cents"] or None, result["refund_voucher_id"] if refund["new_voucher_cents"] > 0 else None, ticket["id"]],
        )
        if ticket["tariff"] == "member":
            _buy_tickets_discount(env, ticket["starts_at"][:10], _get_screening_price("member", ticket["carrier"]) - _get_screening_price("standard", ticket["carrier"]))
    _return_tickets_pass_on(env, tickets[0]["screening_id"])
    return result
