def _unused(world):
    """The gift cards of 50 euros that the person bought on 24 February 2026 and of which nothing has been used."""
    return world.initial.query(
        "SELECT g.*, p.id AS payment_id, p.method, p.amount_cents FROM gift_cards g JOIN payments p ON p.sold_gift_card_id = g.id"
        " AND p.kind = 'payment' WHERE g.buyer_id = 1 AND substr(g.sold_at, 1, 10) = '2026-02-24' AND g.value_cents = 5000"
        " AND g.status = 'valid' AND NOT EXISTS (SELECT 1 FROM payments u WHERE u.gift_card_id = g.id) ORDER BY g.id"
    )


def _price(world):
    return world.initial.one("SELECT id, discount_price_cents FROM prices WHERE code = 'ten_visit_card'")


def _last_day(world):
    """24 months from today."""
    return world.initial.one("SELECT date('2026-03-02', '+24 months') AS d")["d"]


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_refunds_one_unused_gift_card(world) -> bool:
    """One of the gift cards that were wholly unused is refunded."""
    refunded = 0
    for card in _unused(world):
        now = world.final.one("SELECT status, refunded_at FROM gift_cards WHERE id = ?", [card["id"]])
        if now is not None and now["status"] == "refunded" and now["refunded_at"] is not None:
            refunded += 1
    return refunded == 1


def goal_pays_it_back_to_the_bank_card(world) -> bool:
    """The whole price of that card goes back to the bank card, once."""
    refunds = [p for p in _new(world, "payments") if p["kind"] == "refund"]
    if len(refunds) != 1:
        return False
    refund = refunds[0]
    return any(
        (refund["sold_gift_card_id"], refund["refunded_payment_id"], refund["amount_cents"], refund["method"])
        == (card["id"], card["payment_id"], card["amount_cents"], "bank_card")
        for card in _unused(world)
    )


def goal_buys_a_discount_ten_visit_card(world) -> bool:
    """The person has one new discount 10-visit card, valid 24 months."""
    rows = [(r["customer_id"], r["discount"], r["expires_on"]) for r in _new(world, "ten_visit_cards")]
    return rows == [(1, 1, _last_day(world))]


def goal_pays_it_with_the_bank_card(world) -> bool:
    """That card has been paid once, at the discount price, with the bank card."""
    cards = [r["id"] for r in _new(world, "ten_visit_cards")]
    paid = [
        (p["ten_visit_card_id"], p["method"], p["price_id"], p["amount_cents"])
        for p in _new(world, "payments")
        if p["kind"] == "payment"
    ]
    return len(cards) == 1 and paid == [(cards[0], "bank_card", _price(world)["id"], _price(world)["discount_price_cents"])]


def goal_says_until_when_it_is_valid(world) -> bool:
    """Has told until when the new card is valid."""
    return world.report.says("ten_visit_card_valid_until", _last_day(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but one unused gift card, one new 10-visit card and the two payments; the other gift card is as it was."""
    unused = {card["id"] for card in _unused(world)}
    cards = {r["id"] for r in _new(world, "ten_visit_cards")}
    count = {"gift_cards": 0, "ten_visit_cards": 0, "payments": 0}
    for c in world.changes:
        before, after = c["before"], c["after"]
        if c["table"] not in count or after is None:
            return False
        count[c["table"]] += 1
        if c["table"] == "gift_cards":
            if before is None or before["id"] not in unused:
                return False
            if any(before[k] != after[k] for k in before if k not in ("status", "refunded_at")):
                return False
        elif before is not None or after["customer_id"] != 1:
            return False
        elif c["table"] == "payments" and after["sold_gift_card_id"] not in unused and after["ten_visit_card_id"] not in cards:
            return False
    return count["gift_cards"] <= 1 and count["ten_visit_cards"] <= 1 and count["payments"] <= 2
