import datetime


def _card(world):
    """Aino's season card that was valid on 12 September 2026."""
    return world.initial.one(
        "SELECT s.* FROM season_cards s JOIN customers c ON c.id = s.customer_id WHERE c.guardian_id = 1"
        " AND c.name LIKE 'Aino %' AND '2026-09-12' BETWEEN s.valid_from AND s.valid_to"
    )


def _entries(world):
    return world.initial.query(
        "SELECT entered_at FROM entries WHERE season_card_id = ? AND substr(entered_at, 1, 10) >= '2026-08-03'"
        " ORDER BY entered_at, id",
        [_card(world)["id"]],
    )


def _ten_visit_card(world):
    """The person's discount 10-visit card that has not expired, with the visits left on it."""
    return world.initial.one(
        "SELECT t.*, 10 - (SELECT count(*) FROM entries e WHERE e.ten_visit_card_id = t.id) AS visits_left"
        " FROM ten_visit_cards t WHERE t.customer_id = 1 AND t.discount = 1 AND t.expires_on >= '2026-09-14'"
    )


def goal_says_what_was_done_with_the_card(world) -> bool:
    """Has told whether the card has been kept at the desk or closed."""
    names = {"kept_at_desk": "kept at the desk", "closed": "closed"}
    return world.report.says("what_was_done", names.get(_card(world)["status"], "neither"))


def goal_says_on_what_date(world) -> bool:
    """Has told the date of it."""
    return world.report.says("done_on", _card(world)["misused_at"][:10])


def goal_says_why(world) -> bool:
    """Has told the reason as it was noted, whole or the part of it that is about this time."""
    whole = _card(world)["misuse_reason"]
    this_time = whole.split(" (first time")[0]
    what = this_time.split(",")[0]
    short = what.split(": ")[-1]
    forms = [whole, this_time, what, short, short.split(" on ")[0]]
    return any(world.report.says("why", form) for form in forms)


def goal_says_from_when_it_can_be_used(world) -> bool:
    """Has told the first day on which the card can be used again."""
    day = datetime.date.fromisoformat(_card(world)["closed_until"]) + datetime.timedelta(days=1)
    return world.report.says("usable_from", day.isoformat())


def goal_lists_the_days_of_the_entries(world) -> bool:
    """Has listed the days of all entries with the card since 3 August."""
    return world.report.says("entry_days", [e["entered_at"][:10] for e in _entries(world)])


def goal_lists_the_times_of_the_entries(world) -> bool:
    """Has listed the times of these entries."""
    return world.report.says("entry_times", [e["entered_at"][11:16] for e in _entries(world)])


def goal_says_the_visits_left(world) -> bool:
    """Has told how many visits the discount 10-visit card has left."""
    return world.report.says("visits_left", _ten_visit_card(world)["visits_left"])


def goal_says_when_the_ten_visit_card_expires(world) -> bool:
    """Has told when the discount 10-visit card expires."""
    return world.report.says("ten_visit_card_expires", _ten_visit_card(world)["expires_on"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
