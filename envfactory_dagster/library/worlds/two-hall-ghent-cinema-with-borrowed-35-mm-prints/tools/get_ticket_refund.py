from datetime import date, datetime, timedelta


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


def get_ticket_refund(env, *, ticket_id: int) -> dict:
    """Tells what a valid ticket brings back now and when that gets worse."""
    ticket = _get_ticket_refund_ticket(env, ticket_id)
    memberships = _get_ticket_refund_memberships(env)
    now = _get_ticket_refund_at(ticket, memberships, env.now)
    start = datetime.fromisoformat(ticket["starts_at"])
    bought = datetime.fromisoformat(ticket["bought_at"]).date()
    moments = [(start - timedelta(hours=24)).isoformat(), (start - timedelta(hours=2)).isoformat()]
    moments += [(bought + timedelta(days=n)).isoformat() + "T00:00:00" for n in (15, 61)]
    moments += [(date.fromisoformat(m["ends_on"]) + timedelta(days=1)).isoformat() + "T00:00:00" for m in memberships]
    worsens_at = None
    after_that = None
    for moment in sorted(moments):
        if moment < env.now or worsens_at is not None:
            continue
        then = _get_ticket_refund_at(ticket, memberships, (datetime.fromisoformat(moment) + timedelta(seconds=1)).isoformat())
        worth_now = now["money_cents"] + now["new_voucher_cents"] + now["same_voucher_cents"] + now["pass_rides"]
        worth_then = then["money_cents"] + then["new_voucher_cents"] + then["same_voucher_cents"] + then["pass_rides"]
        if worth_then < worth_now or then["money_cents"] < now["money_cents"]:
            worsens_at = moment
            after_that = then
    can_swap = not ticket["swapped"] and start - datetime.fromisoformat(env.now) >= timedelta(hours=2)
    return {"ticket_id": ticket_id, **now, "can_swap": can_swap, "worsens_at": worsens_at, "after_that": after_that}
