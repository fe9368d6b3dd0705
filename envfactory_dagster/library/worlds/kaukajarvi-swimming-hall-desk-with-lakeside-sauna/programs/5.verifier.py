import datetime


def _card(world):
    """The season card with the Rantasauna add-on that is valid today."""
    return world.initial.one(
        "SELECT * FROM season_cards WHERE customer_id = 1 AND card_type = '12_months' AND rantasauna_addon = 1"
        " AND '2026-09-14' BETWEEN valid_from AND valid_to"
    )


def _visits(world):
    return world.initial.one(
        "SELECT count(*) AS n FROM entries WHERE season_card_id = ? AND place <> 'hall' AND used_by_holder = 1",
        [_card(world)["id"]],
    )["n"]


def _addon(world):
    """What was paid for the add-on."""
    return world.initial.one(
        "SELECT sum(CASE p.kind WHEN 'payment' THEN p.amount_cents ELSE -p.amount_cents END) AS n"
        " FROM payments p JOIN prices r ON r.id = p.price_id"
        " WHERE p.customer_id = 1 AND p.season_card_id = ? AND r.code = 'rantasauna_addon'",
        [_card(world)["id"]],
    )["n"]


def _ticket(world):
    """What a single ticket to Rantasauna costs this person."""
    return world.initial.one(
        "SELECT CASE c.price_group WHEN 'adult' THEN r.price_cents ELSE r.discount_price_cents END AS n"
        " FROM prices r, customers c WHERE r.code = 'ticket_rantasauna' AND c.id = 1"
    )["n"]


def _more(world):
    """How many more visits it takes until the tickets for all visits would have cost as much as the add-on."""
    return max(0, -(-_addon(world) // _ticket(world)) - _visits(world))


def _months(world):
    """Whole months from today to the last day of the card."""
    end = datetime.date.fromisoformat(_card(world)["valid_to"])
    return (end.year - 2026) * 12 + end.month - 9 - (1 if end.day < 14 else 0)


def goal_says_how_many_more_visits(world) -> bool:
    """Says how many more visits it takes until the add-on has paid."""
    return world.report.says("visits_still_needed", _more(world))


def goal_says_until_when_the_card_is_good(world) -> bool:
    """Says the last day of the card."""
    return world.report.says("last_day", _card(world)["valid_to"])


def goal_says_whether_once_a_month_is_enough(world) -> bool:
    """Says whether one visit a month until the last day is enough for that."""
    return world.report.says("once_a_month_enough", _more(world) <= _months(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return not world.changes
