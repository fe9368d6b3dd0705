def _card(world):
    """The seniors' morning card for 2026."""
    return world.initial.one(
        "SELECT * FROM season_cards WHERE customer_id = 1 AND card_type = 'seniors_morning' AND valid_from = '2026-01-01'"
    )


def _tickets(world):
    """The person's entries on a paid ticket since 1 January 2026, without those to Rantasauna alone."""
    return world.initial.query(
        "SELECT id FROM entries WHERE customer_id = 1 AND basis = 'ticket' AND place <> 'rantasauna'"
        " AND substr(entered_at, 1, 10) >= '2026-01-01' ORDER BY id"
    )


def _paid(world):
    """What has been paid for the card and those tickets altogether."""
    entries = {e["id"] for e in _tickets(world)}
    card = _card(world)["id"]
    rows = world.initial.query(
        "SELECT p.kind, p.amount_cents, p.entry_id, p.season_card_id, r.code FROM payments p JOIN prices r ON r.id = p.price_id"
        " WHERE p.entry_id IS NOT NULL OR p.season_card_id IS NOT NULL"
    )
    return sum(
        p["amount_cents"] if p["kind"] == "payment" else -p["amount_cents"]
        for p in rows
        if p["entry_id"] in entries or (p["season_card_id"] == card and p["code"] == "season_card_seniors_morning")
    )


def goal_says_how_often_on_the_morning_card(world) -> bool:
    """Has told how many times the person came on the morning card."""
    row = world.initial.one(
        "SELECT count(*) AS n FROM entries WHERE season_card_id = ? AND used_by_holder = 1"
        " AND substr(entered_at, 1, 10) >= '2026-01-01'",
        [_card(world)["id"]],
    )
    return world.report.says("times_on_morning_card", row["n"])


def goal_says_how_often_on_a_ticket(world) -> bool:
    """Has told how many times the person came on a paid ticket."""
    return world.report.says("times_on_ticket", len(_tickets(world)))


def goal_says_what_was_paid(world) -> bool:
    """Has told what the card and those tickets cost altogether."""
    return world.report.says("paid_altogether", _paid(world))


def goal_says_whether_the_other_card_were_cheaper(world) -> bool:
    """Has told whether a 4-month card at 80 euros would have been cheaper."""
    return world.report.says("four_month_card_cheaper", 8000 < _paid(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
