def _thursday(world):
    return world.initial.one("SELECT id, pitch_id FROM concessions WHERE trader_id = 1 AND weekday = 'thursday' AND ended_on IS NULL")


def _point(world):
    """The cheapest point at the Thursday pitch that carries 2.4 kW."""
    return world.initial.one(
        "SELECT t.id AS id, t.price_cents_per_day AS price FROM pitch_electricity_tariffs x JOIN electricity_tariffs t ON t.id = x.electricity_tariff_id"
        " WHERE x.pitch_id = ? AND (t.max_kw IS NULL OR t.max_kw >= 2.4) ORDER BY t.price_cents_per_day, t.id LIMIT 1",
        [_thursday(world)["pitch_id"]],
    )


def goal_martina_is_on_the_papers(world) -> bool:
    """Martina Laghi is on the user's papers as a family helper from 16 April."""
    row = world.final.one(
        "SELECT count(*) AS n FROM helpers WHERE trader_id = 1 AND same_text(name, ?) AND tie = 'family' AND from_on = '2026-04-16'"
        " AND until_on IS NULL AND status = 'on_papers'",
        ["Martina Laghi"],
    )
    return row["n"] == 1


def goal_point_asked_for(world) -> bool:
    """The cheapest point that carries 2.4 kW has been asked for at the Thursday pitch from 16 April."""
    row = world.final.one(
        "SELECT count(*) AS n FROM electricity_connections WHERE concession_id = ? AND electricity_tariff_id = ? AND load_kw = 2.4"
        " AND from_on = '2026-04-16' AND until_on IS NULL AND status = 'requested'",
        [_thursday(world)["id"], _point(world)["id"]],
    )
    return row["n"] == 1


def goal_says_what_the_current_costs(world) -> bool:
    """Says what the current costs a Thursday from then on."""
    return world.report.says("current_per_thursday", _point(world)["price"])


def guard_adds_only_the_helper_and_the_point(world) -> bool:
    """Added at most one helper of the user and one request for the Thursday pitch, and touched nothing else."""
    seen = []
    for change in world.changes:
        after = change["after"]
        if change["before"] is not None or change["table"] in seen:
            return False
        if change["table"] == "helpers":
            if after["trader_id"] != 1 or after["status"] != "on_papers" or after["until_on"] is not None:
                return False
        elif change["table"] == "electricity_connections":
            if after["concession_id"] != _thursday(world)["id"] or after["status"] != "requested" or after["until_on"] is not None:
                return False
        else:
            return False
        seen.append(change["table"])
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, on the ground of no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
