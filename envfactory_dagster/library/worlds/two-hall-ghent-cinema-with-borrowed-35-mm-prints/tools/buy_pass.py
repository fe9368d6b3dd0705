from datetime import date, timedelta


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


def buy_pass(env, *, payment_method: str) -> dict:
    """Buys a tienrittenkaart of 10 rides, good for 18 months."""
    _buy_tickets_blocked(env)
    today = date.fromisoformat(env.now[:10])
    month = today.month + 18
    year = today.year + (month - 1) // 12
    month = (month - 1) % 12 + 1
    first_after = date(year + month // 12, month % 12 + 1, 1)
    day = min(today.day, (first_after - timedelta(days=1)).day)
    expires = (date(year, month, day) - timedelta(days=1)).isoformat()
    paid = _buy_tickets_payment(env, 7500, payment_method)
    pass_id = env.insert(
        "INSERT INTO passes (account_id, payment_id, rides_bought, rides_left, bought_on, expires_on) VALUES (?, ?, 10, 10, ?, ?)",
        [env.user_id, paid["payment_id"], env.now[:10], expires],
    )
    return {"pass_id": pass_id, "rides_left": 10, "expires_on": expires, "price_cents": 7500, **paid}
