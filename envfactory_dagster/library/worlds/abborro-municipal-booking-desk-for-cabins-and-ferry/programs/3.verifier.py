import datetime


def _sundays(world):
    """The crossings home at 13:00 on a Sunday still to come, with their new departure and whether the sauna is free."""
    rows = world.initial.query(
        "SELECT c.id, c.stay_id, substr(d.leaves_at, 1, 10) AS day, e.id AS evening_id, s.id AS sauna_id,"
        " EXISTS (SELECT 1 FROM sauna_turns t WHERE t.sauna_id = s.id AND t.status = 'booked'"
        " AND t.starts_at = substr(d.leaves_at, 1, 10) || 'T14:00:00') AS taken"
        " FROM crossings c JOIN departures d ON d.id = c.departure_id"
        " JOIN departures e ON e.direction = 'back' AND e.leaves_at = substr(d.leaves_at, 1, 10) || 'T17:30:00'"
        " JOIN saunas s ON s.name = 'Rantasauna'"
        " WHERE c.household_id = 1 AND c.status = 'booked' AND d.direction = 'back' AND d.status = 'scheduled'"
        " AND substr(d.leaves_at, 12) = '13:00:00' AND d.leaves_at > ? ORDER BY d.leaves_at, c.id",
        ["2026-07-07T09:00:00"])
    return [row for row in rows if datetime.date.fromisoformat(row["day"]).weekday() == 6]


def _price(world):
    return world.initial.one(
        "SELECT t.sauna_turn_cents AS n FROM households h JOIN tariffs t"
        " ON t.name = CASE WHEN h.standing = 'ordinary' THEN 'ordinary' ELSE 'resident' END WHERE h.id = 1")["n"]


def _new_turns(world):
    return [change["after"] for change in world.changes
            if change["table"] == "sauna_turns" and change["before"] is None]


def goal_moves_every_sunday_crossing(world) -> bool:
    """Moved every crossing home at 13:00 on a Sunday to the 17:30 of that day."""
    rows = _sundays(world)
    return bool(rows) and all(
        world.final.one("SELECT departure_id FROM crossings WHERE id = ?", [row["id"]])["departure_id"]
        == row["evening_id"] for row in rows)


def goal_books_the_sauna_on_each(world) -> bool:
    """Booked the 14:00 turn in the Rantasauna on each of those Sundays on which it was free, for the right stay."""
    wanted = sorted((row["day"] + "T14:00:00", row["sauna_id"], row["stay_id"])
                    for row in _sundays(world) if not row["taken"])
    booked = sorted((turn["starts_at"], turn["sauna_id"], turn["stay_id"] or 0) for turn in _new_turns(world)
                    if turn["household_id"] == 1 and turn["status"] == "booked")
    return bool(wanted) and booked == wanted


def goal_says_which_sundays(world) -> bool:
    """Says on which Sundays the household leaves later."""
    return world.report.says("later_sundays", [row["day"] for row in _sundays(world)])


def goal_says_what_the_sauna_costs(world) -> bool:
    """Says what the extra sauna turns cost altogether."""
    return world.report.says("sauna_cost", _price(world) * sum(1 for row in _sundays(world) if not row["taken"]))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_moves_no_other_crossing(world) -> bool:
    """Changed no crossing but those, and in them nothing but the departure."""
    new = {row["id"]: row["evening_id"] for row in _sundays(world)}
    return all(
        change["before"] is not None and change["after"] is not None and change["before"]["id"] in new
        and change["after"]["departure_id"] == new[change["before"]["id"]]
        and all(change["after"][column] == value for column, value in change["before"].items()
                if column != "departure_id")
        for change in world.changes if change["table"] == "crossings")


def guard_books_no_other_turn(world) -> bool:
    """Added no sauna turn but those, each once, and changed none."""
    free = [(row["sauna_id"], row["day"] + "T14:00:00", row["stay_id"]) for row in _sundays(world) if not row["taken"]]
    changes = [change for change in world.changes if change["table"] == "sauna_turns"]
    return len(changes) <= len(free) and all(
        change["before"] is None and change["after"]["household_id"] == 1 and change["after"]["status"] == "booked"
        and (change["after"]["sauna_id"], change["after"]["starts_at"], change["after"]["stay_id"]) in free
        for change in changes)


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing else, but that a stay with more to pay is no longer counted as paid."""
    stays = [row["stay_id"] for row in _sundays(world) if not row["taken"]]
    return all(
        change["table"] in ("crossings", "sauna_turns")
        or change["table"] == "stays" and change["before"] is not None and change["after"] is not None
        and change["before"]["id"] in stays and change["before"]["status"] == "paid"
        and change["after"]["status"] == "deposit_paid"
        and all(change["after"][column] == value for column, value in change["before"].items() if column != "status")
        for change in world.changes)
