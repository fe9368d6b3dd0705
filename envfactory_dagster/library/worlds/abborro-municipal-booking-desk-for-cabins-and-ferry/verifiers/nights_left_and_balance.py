import datetime


def _days(first, last):
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days


def _counted(world):
    """The nights that count for the household, in the high weeks and in the whole season."""
    high = season = 0
    for stay in world.initial.query(
            "SELECT arrives_on, leaves_on, status, booked_at, cancelled_at, cancelled_by, resold FROM stays"
            " WHERE household_id = 1 AND status <> 'lapsed' AND split_from_stay_id IS NULL ORDER BY id"):
        if stay["status"] == "cancelled" and (
                stay["cancelled_by"] == "desk" or stay["resold"] == 1
                or _days(stay["cancelled_at"][:10], stay["arrives_on"]) >= 14):
            continue
        arrival = datetime.datetime.fromisoformat(stay["arrives_on"] + "T00:00:00")
        if arrival - datetime.datetime.fromisoformat(stay["booked_at"]) <= datetime.timedelta(hours=72):
            continue
        for number in range(_days(stay["arrives_on"], stay["leaves_on"])):
            night = datetime.date.fromisoformat(stay["arrives_on"]) + datetime.timedelta(days=number)
            season += 1
            high += "06-15" <= night.isoformat()[5:] <= "08-09"
    return high, season


def _ankkuri(world):
    """The stay in Ankkuri in August, with what is left to pay on it."""
    return world.initial.one(
        "SELECT s.arrives_on, s.price_cents"
        " + (SELECT coalesce(sum(x.price_cents), 0) FROM crossings x WHERE x.stay_id = s.id AND x.status = 'booked')"
        " + (SELECT coalesce(sum(d.price_cents), 0) FROM dogs d WHERE d.stay_id = s.id AND d.status = 'reported')"
        " + (SELECT coalesce(sum(t.price_cents), 0) FROM sauna_turns t WHERE t.stay_id = s.id AND t.status = 'booked')"
        " - (SELECT coalesce(sum(CASE WHEN p.kind = 'refund' THEN -p.amount_cents ELSE p.amount_cents END), 0)"
        " FROM payments p WHERE p.stay_id = s.id) AS balance FROM stays s JOIN cabins c ON c.id = s.cabin_id"
        " WHERE s.household_id = 1 AND c.name = 'Ankkuri' AND substr(s.arrives_on, 1, 7) = ?", ["2026-08"])


def goal_says_nights_left_in_summer(world) -> bool:
    """Says how many nights can still be booked between 15 June and 9 August."""
    return world.report.says("nights_left_summer", 7 - _counted(world)[0])


def goal_says_nights_left_in_season(world) -> bool:
    """Says how many nights can still be booked in the whole season."""
    return world.report.says("nights_left_season", 21 - _counted(world)[1])


def goal_says_what_is_left_to_pay(world) -> bool:
    """Says what is still to be paid for Ankkuri."""
    return world.report.says("ankkuri_left", _ankkuri(world)["balance"])


def goal_says_by_when(world) -> bool:
    """Says by what date that has to be paid, 30 days before arrival."""
    arrival = datetime.date.fromisoformat(_ankkuri(world)["arrives_on"])
    return world.report.says("ankkuri_due_on", (arrival - datetime.timedelta(days=30)).isoformat())


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return world.changes == []


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
