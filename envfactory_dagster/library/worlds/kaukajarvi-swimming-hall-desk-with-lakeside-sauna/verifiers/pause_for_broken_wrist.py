def _card(world):
    """The person's 12-month season card that was valid in those days and has never been paused."""
    return world.initial.one(
        "SELECT * FROM season_cards s WHERE s.customer_id = 1 AND s.card_type = '12_months'"
        " AND s.valid_from <= '2026-08-03' AND s.valid_to >= '2026-08-30'"
        " AND NOT EXISTS (SELECT 1 FROM card_pauses p WHERE p.season_card_id = s.id)"
    )


def _last_day(world):
    """Its last day, later by the 28 days."""
    return world.initial.one("SELECT date(?, '+28 days') AS d", [_card(world)["valid_to"]])["d"]


def goal_pauses_the_card(world) -> bool:
    """The card has one pause for an injury, from 3 to 30 August, on the certificate of 4 August."""
    rows = world.final.query("SELECT * FROM card_pauses WHERE season_card_id = ?", [_card(world)["id"]])
    return [(r["reason"], r["certificate_on"], r["starts_on"], r["ends_on"], r["requested_by_id"]) for r in rows] == [
        ("injury", "2026-08-04", "2026-08-03", "2026-08-30", 1)
    ]


def goal_extends_the_card(world) -> bool:
    """The last day of the card is 28 days later."""
    row = world.final.one("SELECT valid_to FROM season_cards WHERE id = ?", [_card(world)["id"]])
    return row is not None and row["valid_to"] == _last_day(world)


def goal_says_the_new_last_day(world) -> bool:
    """Has told the new last day."""
    return world.report.says("new_last_day", _last_day(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but one new pause of this card and the last day of the card."""
    card, pauses = _card(world)["id"], 0
    for c in world.changes:
        before, after = c["before"], c["after"]
        if after is None:
            return False
        if c["table"] == "card_pauses":
            pauses += 1
            if before is not None or after["season_card_id"] != card or pauses > 1:
                return False
        elif c["table"] == "season_cards":
            if before is None or before["id"] != card or any(before[k] != after[k] for k in before if k != "valid_to"):
                return False
        else:
            return False
    return True
