def _added(world, table):
    """The new rows of a table."""
    return [change["after"] for change in world.changes if change["table"] == table and change["before"] is None]


def _changed(world, table):
    """The changes of rows that a table held already."""
    return [change for change in world.changes if change["table"] == table and change["before"] is not None]


def _same_but(change, columns):
    """Whether a row is still there and differs in these columns at most."""
    return change["after"] is not None and all(
        change["after"][column] == value for column, value in change["before"].items() if column not in columns)


def _stay(world):
    """The stay in Lokki until 19 July."""
    return world.initial.one(
        "SELECT s.id, s.price_cents, t.cabin_high_cents FROM stays s JOIN cabins c ON c.id = s.cabin_id"
        " JOIN tariffs t ON t.id = s.tariff_id WHERE s.household_id = 1 AND c.name = 'Lokki' AND s.leaves_on = ?"
        " AND s.status <> 'cancelled'", ["2026-07-19"])


def _home(world):
    """The crossing home of that stay."""
    return world.initial.one(
        "SELECT c.id FROM crossings c JOIN departures d ON d.id = c.departure_id WHERE c.stay_id = ?"
        " AND c.status = 'booked' AND d.direction = 'back'", [_stay(world)["id"]])["id"]


def _monday(world):
    """The 13:00 back on 20 July."""
    return world.initial.one("SELECT id FROM departures WHERE leaves_at = ? AND direction = 'back'",
                             ["2026-07-20T13:00:00"])["id"]


def _is_the_turn(world, row):
    """A sauna turn on Storlandet on the Sunday evening, for that stay or alone."""
    island = world.initial.one("SELECT i.name FROM saunas s JOIN islands i ON i.id = s.island_id WHERE s.id = ?",
                               [row["sauna_id"]])["name"]
    return (row["household_id"] == 1 and island == "Storlandet" and row["starts_at"][:10] == "2026-07-19"
            and row["starts_at"] >= "2026-07-19T18:00:00" and row["status"] == "booked"
            and row["stay_id"] in (None, _stay(world)["id"]))


def goal_stays_until_monday(world) -> bool:
    """Has Lokki until Monday 20 July."""
    return world.final.one("SELECT leaves_on FROM stays WHERE id = ?", [_stay(world)["id"]])["leaves_on"] == "2026-07-20"


def goal_goes_home_on_monday(world) -> bool:
    """Goes home on the 13:00 of Monday 20 July."""
    row = world.final.one("SELECT departure_id FROM crossings WHERE id = ? AND status = 'booked'", [_home(world)])
    return row is not None and row["departure_id"] == _monday(world)


def goal_has_a_sauna_turn(world) -> bool:
    """Has one more sauna turn on Storlandet on Sunday evening."""
    rows = _added(world, "sauna_turns")
    return len(rows) == 1 and _is_the_turn(world, rows[0])


def guard_adds_one_such_turn_only(world) -> bool:
    """Added no row but one such sauna turn."""
    rows = [change for change in world.changes if change["before"] is None]
    return len(rows) <= 1 and all(
        change["table"] == "sauna_turns" and _is_the_turn(world, change["after"]) for change in rows)


def guard_changes_only_that_stay_and_crossing(world) -> bool:
    """Changed only the end, price and payment status of the stay, and the departure of the crossing home."""
    stay = _stay(world)
    for change in world.changes:
        if change["before"] is None:
            continue
        if change["table"] == "stays":
            fits = (change["before"]["id"] == stay["id"] and _same_but(change, ("leaves_on", "price_cents", "status"))
                    and change["after"]["status"] in ("paid", "deposit_paid")
                    and (change["after"]["leaves_on"], change["after"]["price_cents"]) in (
                        ("2026-07-19", stay["price_cents"]),
                        ("2026-07-20", stay["price_cents"] + stay["cabin_high_cents"])))
        else:
            fits = (change["table"] == "crossings" and change["before"]["id"] == _home(world)
                    and _same_but(change, ("departure_id",)) and change["after"]["departure_id"] == _monday(world))
        if not fits:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
