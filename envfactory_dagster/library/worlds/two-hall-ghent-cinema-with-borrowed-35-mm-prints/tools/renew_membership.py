from datetime import date, timedelta


def _get_screening_membership(env, day):
    """The user's membership that is valid on a day, or None."""
    return env.one(
        "SELECT id, kind, starts_on, ends_on FROM memberships WHERE account_id = ? AND starts_on <= ? AND ends_on >= ? ORDER BY ends_on DESC, id LIMIT 1",
        [env.user_id, day, day],
    )


def _buy_tickets_blocked(env):
    account = env.one("SELECT block_reason, kansentarief FROM accounts WHERE id = ?", [env.user_id])
    if account["block_reason"] is not None:
        raise env.Error("Your account is blocked, so you can only look things up and return tickets: " + account["block_reason"] + ".")
    return account


def _buy_tickets_payment(env, cents, method):
    """Takes money and gives the payment's id and structured communication."""
    day = env.now[2:4] + env.now[5:7] + env.now[8:10]
    number = 1
    while True:
        body = "0" + day + str(number).zfill(3)
        body += str(int(body) % 97 or 97).zfill(2)
        code = "+++" + body[:3] + "/" + body[3:7] + "/" + body[7:] + "+++"
        if env.one("SELECT id FROM payments WHERE structured_communication = ?", [code]) is None:
            break
        number += 1
    payment_id = env.insert(
        "INSERT INTO payments (account_id, amount_cents, method, structured_communication, paid_at, refunded_cents) VALUES (?, ?, ?, ?, ?, 0)",
        [env.user_id, cents, method, code, env.now],
    )
    return {"payment_id": payment_id, "structured_communication": code}


def renew_membership(env, *, kind: str, payment_method: str, second_name: str | None = None) -> dict:
    """Buys a membership of 12 months that follows the running one."""
    _buy_tickets_blocked(env)
    today = env.now[:10]
    account = env.one("SELECT date_of_birth, second_name FROM accounts WHERE id = ?", [env.user_id])
    coming = env.one("SELECT starts_on FROM memberships WHERE account_id = ? AND starts_on > ? ORDER BY starts_on LIMIT 1", [env.user_id, today])
    if coming is not None:
        raise env.Error("A following membership has been bought already; it starts on " + coming["starts_on"] + ".")
    running = _get_screening_membership(env, today)
    starts = date.fromisoformat(today) if running is None else date.fromisoformat(running["ends_on"]) + timedelta(days=1)
    born = account["date_of_birth"]
    age = int(today[:4]) - int(born[:4]) - (1 if today[5:10] < born[5:10] else 0)
    if kind == "under_26" and age > 25:
        raise env.Error("The membership under 26 is for people of 25 at most.")
    if kind == "duo" and account["second_name"] is None:
        if second_name is None:
            raise env.Error("A duo needs the name of the second person.")
        env.execute("UPDATE accounts SET second_name = ? WHERE id = ?", [second_name, env.user_id])
    next_year = date(starts.year + 1, starts.month, 28 if (starts.month, starts.day) == (2, 29) else starts.day)
    ends = (next_year - timedelta(days=1)).isoformat()
    price = 5500 if kind == "duo" else (2000 if kind == "under_26" else 3500)
    paid = _buy_tickets_payment(env, price, payment_method)
    membership_id = env.insert(
        "INSERT INTO memberships (account_id, kind, starts_on, ends_on, paid_on, payment_id, discount_enjoyed_cents) VALUES (?, ?, ?, ?, ?, ?, 0)",
        [env.user_id, kind, starts.isoformat(), ends, today, paid["payment_id"]],
    )
    return {"membership_id": membership_id, "kind": kind, "starts_on": starts.isoformat(), "ends_on": ends, "price_cents": price, **paid}
