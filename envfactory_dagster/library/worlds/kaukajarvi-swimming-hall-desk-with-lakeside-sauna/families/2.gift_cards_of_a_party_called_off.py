import datetime


def instances(world, rng):
    """Gift cards of one value that the person has bought over some weeks, of which some are used or too old."""
    today = datetime.date.fromisoformat(world.clock[:10])
    guests = [
        r["id"]
        for r in world.query("SELECT u.id FROM customers u WHERE u.id > 1 AND u.price_group = 'adult' ORDER BY u.id")
    ]
    line = world.one("SELECT k.id FROM prices k WHERE k.category = 'gift_card'")["id"]
    ticket = world.one("SELECT k.id, k.price_cents FROM prices k WHERE k.code = 'ticket_hall'")
    top = world.one(
        "SELECT max(g.id) AS card, (SELECT max(y.id) FROM payments y) AS payment, (SELECT max(e.id) FROM entries e) AS entry"
        " FROM gift_cards g"
    )
    for _ in range(1000):
        value = rng.choice([1500, 2000, 2500, 3500, 4500])
        start = today - datetime.timedelta(days=rng.randint(17, 27))
        same = world.one(
            "SELECT count(*) AS n FROM gift_cards g WHERE g.buyer_id = 1 AND g.value_cents = ? AND g.sold_at >= ?",
            [value, start.isoformat()],
        )
        if same["n"]:
            continue
        old, used, good = rng.randint(1, 2), rng.randint(0, 2), rng.randint(2, 4)
        ages = [rng.randint(15, (today - start).days) for _i in range(old)]
        fresh = [rng.randint(1, 14) for _i in range(used + good)]
        if 14 not in fresh and rng.random() < 0.4:
            fresh[-1] = 14
        kinds = [("old", a) for a in ages] + [("used", a) for a in fresh[:used]] + [("good", a) for a in fresh[used:]]
        kinds = sorted(((k, a, rng.random()) for k, a in kinds), key=lambda x: (-x[1], x[2]))
        cards, payments, entries, refunds, left = [], [], [], [], []
        for kind, age, _r in kinds:
            day = today - datetime.timedelta(days=age)
            moment = f"{day.isoformat()}T{12 + len(cards)}:{rng.choice(('08', '22', '47'))}:00"
            card = top["card"] + 1 + len(cards)
            guest = rng.choice(guests)
            cards.append(
                {
                    "id": card,
                    "code": f"GC-{42011 + 13 * len(cards)}",
                    "buyer_id": 1,
                    "holder_id": guest if kind == "used" else 1,
                    "value_cents": value,
                    "sold_at": moment,
                    "expires_on": f"{day.year + 2}-{day.isoformat()[5:]}",
                    "status": "valid",
                }
            )
            method = rng.choice(["bank_card", "bank_card", "cash"])
            payments.append(
                {
                    "id": top["payment"] + 1 + len(payments),
                    "receipt_number": f"R-0{9100 + len(payments)}",
                    "customer_id": 1,
                    "price_id": line,
                    "kind": "payment",
                    "method": method,
                    "amount_cents": value,
                    "paid_at": moment,
                    "sold_gift_card_id": card,
                }
            )
            if kind == "good":
                refunds.append({"card": card, "payment": payments[-1]["id"], "method": method})
            else:
                left.append(cards[-1]["code"])
            if kind == "used":
                when = today - datetime.timedelta(days=rng.randint(0, age - 1) if age > 1 else 0)
                at = f"{when.isoformat()}T12:{10 + len(entries)}:00" if when == today else f"{when.isoformat()}T16:{10 + len(entries)}:00"
                entries.append(
                    {
                        "id": top["entry"] + 1 + len(entries),
                        "customer_id": guest,
                        "place": "hall",
                        "basis": "ticket",
                        "entered_at": at,
                    }
                )
                payments.append(
                    {
                        "id": top["payment"] + 1 + len(payments),
                        "receipt_number": f"R-0{9100 + len(payments)}",
                        "customer_id": guest,
                        "price_id": ticket["id"],
                        "kind": "payment",
                        "method": "gift_card",
                        "gift_card_id": card,
                        "amount_cents": ticket["price_cents"],
                        "paid_at": at,
                        "entry_id": entries[-1]["id"],
                    }
                )
        given = {"gift_cards": cards, "entries": entries, "payments": payments}
        yield {
            "p": {"value": value, "first": start.isoformat(), "refunds": refunds, "left": left},
            "given": {t: rows for t, rows in given.items() if rows},
        }


def solve(tools, p):
    me = tools.get_my_profile()["customer"]["id"]
    cards = [
        g
        for g in tools.list_gift_cards()["gift_cards"]
        if g["buyer_id"] == me and g["value_cents"] == p["value"] and g["sold_at"][:10] >= p["first"] and g["status"] == "valid"
    ]
    back, left = 0, []
    for g in sorted(cards, key=lambda g: g["sold_at"]):
        if g["balance_cents"] < g["value_cents"]:
            left.append(g["code"])
            continue
        try:
            back += sum(r["amount_cents"] for r in tools.refund_gift_card(gift_card_id=g["id"])["payments"])
        except tools.Error:
            left.append(g["code"])
    return {
        "outcome": "done",
        "answers": {"amount_back": back, "cards_left": left},
        "reason": None,
        "message": f"{back / 100:.2f} euros come back; these cards cannot be given back: {', '.join(left)}.",
    }


def goal_refunds_every_card_that_can_be(world, p):
    """Every card that is unused and was bought no more than 14 days ago is refunded."""
    for r in p["refunds"]:
        row = world.final.one("SELECT status, refunded_at FROM gift_cards WHERE id = ?", [r["card"]])
        if row["status"] != "refunded" or row["refunded_at"] is None:
            return False
    return True


def goal_pays_each_back_as_it_was_paid(world, p):
    """Each of them is paid back once, in full, by the method it was paid with."""
    new = [c["after"] for c in world.changes if c["table"] == "payments" and c["before"] is None]
    given = sorted((r["sold_gift_card_id"] or 0, r["refunded_payment_id"] or 0, r["method"], r["amount_cents"]) for r in new)
    return given == sorted((r["card"], r["payment"], r["method"], p["value"]) for r in p["refunds"])


def goal_says_what_comes_back(world, p):
    """Says how much money comes back."""
    return world.report.says("amount_back", p["value"] * len(p["refunds"]))


def goal_says_which_cards_are_left(world, p):
    """Says which of the cards cannot be given back."""
    return world.report.says("cards_left", p["left"])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_refunds_nothing_else(world, p):
    """Changed nothing but these gift cards and one refund for each."""
    ids, refunds = {r["card"] for r in p["refunds"]}, 0
    for c in world.changes:
        before, after = c["before"], c["after"]
        if after is None:
            return False
        if c["table"] == "payments":
            refunds += 1
            if before is not None or after["kind"] != "refund" or after["customer_id"] != 1 or after["sold_gift_card_id"] not in ids:
                return False
        elif c["table"] != "gift_cards" or before is None or before["id"] not in ids:
            return False
        elif any(before[k] != after[k] for k in before if k not in ("status", "refunded_at")):
            return False
    return refunds <= len(ids)
