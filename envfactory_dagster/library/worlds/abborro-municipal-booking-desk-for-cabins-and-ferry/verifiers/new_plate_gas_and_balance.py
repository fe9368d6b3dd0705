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


def _car(world):
    """The car on the Lokki booking."""
    return world.initial.one(
        "SELECT x.vehicle_id AS id FROM crossings x JOIN stays s ON s.id = x.stay_id JOIN cabins c ON c.id = s.cabin_id"
        " WHERE x.household_id = 1 AND x.status = 'booked' AND c.name = 'Lokki' AND s.arrives_on = ?"
        " AND s.status <> 'cancelled' ORDER BY x.id LIMIT 1", ["2026-07-16"])["id"]


def _out(world):
    """The outward crossing on 16 July."""
    return world.initial.one(
        "SELECT x.id FROM crossings x JOIN departures d ON d.id = x.departure_id WHERE x.household_id = 1"
        " AND x.status = 'booked' AND d.direction = 'out' AND substr(d.leaves_at, 1, 10) = ?", ["2026-07-16"])["id"]


def _ankkuri(world):
    """The stay in Ankkuri in August, with what is left to pay on it."""
    return world.initial.one(
        "SELECT s.id, s.price_cents"
        " + (SELECT coalesce(sum(x.price_cents), 0) FROM crossings x WHERE x.stay_id = s.id AND x.status = 'booked')"
        " + (SELECT coalesce(sum(d.price_cents), 0) FROM dogs d WHERE d.stay_id = s.id AND d.status = 'reported')"
        " + (SELECT coalesce(sum(t.price_cents), 0) FROM sauna_turns t WHERE t.stay_id = s.id AND t.status = 'booked')"
        " - (SELECT coalesce(sum(CASE WHEN p.kind = 'refund' THEN -p.amount_cents ELSE p.amount_cents END), 0)"
        " FROM payments p WHERE p.stay_id = s.id) AS balance FROM stays s JOIN cabins c ON c.id = s.cabin_id"
        " WHERE s.household_id = 1 AND c.name = 'Ankkuri' AND substr(s.arrives_on, 1, 7) = ?", ["2026-08"])


def _is_the_gas(world, row):
    return (row["household_id"] == 1 and row["crossing_id"] == _out(world) and row["kind"] == "gas_bottle"
            and row["kg_each"] == 11 and row["status"] == "reported")


def goal_corrects_the_plate(world) -> bool:
    """The car of the Lokki booking has the plate KLM-482."""
    return world.final.one("SELECT plate FROM vehicles WHERE id = ?", [_car(world)])["plate"] == "KLM-482"


def goal_reports_two_bottles(world) -> bool:
    """Two gas bottles of 11 kg are reported for the outward crossing on 16 July."""
    rows = _added(world, "dangerous_items")
    return all(_is_the_gas(world, row) for row in rows) and sum(row["bottles"] or 0 for row in rows) == 2


def goal_pays_off_ankkuri_by_card(world) -> bool:
    """What was left to pay on Ankkuri is paid by card."""
    rows = _added(world, "payments")
    stay = _ankkuri(world)
    return len(rows) == 1 and rows[0]["stay_id"] == stay["id"] and rows[0]["amount_cents"] == stay["balance"]


def goal_ankkuri_counts_as_paid(world) -> bool:
    """The stay in Ankkuri counts as paid."""
    return world.final.one("SELECT status FROM stays WHERE id = ?", [_ankkuri(world)["id"]])["status"] == "paid"


def guard_adds_nothing_else(world) -> bool:
    """Added no row but those bottles and that payment."""
    stay = _ankkuri(world)
    gas, payments = _added(world, "dangerous_items"), _added(world, "payments")
    return (sum(1 for change in world.changes if change["before"] is None) == len(gas) + len(payments)
            and all(_is_the_gas(world, row) for row in gas) and sum(row["bottles"] or 0 for row in gas) <= 2
            and len(payments) <= 1 and all(
                row["household_id"] == 1 and row["stay_id"] == stay["id"] and row["kind"] == "balance"
                and row["method"] == "card" and row["amount_cents"] == stay["balance"] for row in payments))


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the plate of that car and the status of that stay."""
    for change in world.changes:
        if change["before"] is None:
            continue
        plate = (change["table"] == "vehicles" and change["before"]["id"] == _car(world)
                 and _same_but(change, ("plate",)) and change["after"]["plate"] == "KLM-482")
        paid = (change["table"] == "stays" and change["before"]["id"] == _ankkuri(world)["id"]
                and _same_but(change, ("status",)) and change["after"]["status"] == "paid")
        if not plate and not paid:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
