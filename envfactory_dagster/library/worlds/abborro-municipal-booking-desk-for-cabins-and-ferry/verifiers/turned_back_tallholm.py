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


def _crossing(world):
    """The crossing out to Tallholm that was turned back."""
    return world.initial.one(
        "SELECT c.id, c.price_cents, c.adults + c.children + c.infants AS people FROM crossings c"
        " JOIN departures d ON d.id = c.departure_id WHERE c.household_id = 1 AND c.status = 'booked'"
        " AND d.direction = 'out' AND d.leaves_at = ?", ["2026-08-22T13:00:00"])


def _turn(world):
    """The sauna turn of that day."""
    return world.initial.one(
        "SELECT id FROM sauna_turns WHERE household_id = 1 AND status = 'booked' AND substr(starts_at, 1, 10) = ?",
        ["2026-08-22"])["id"]


def _new_turn(world):
    """The sauna and the start of the earliest free turn on Tallholm on 5 September."""
    for start in ("14:00:00", "16:00:00", "18:00:00", "20:00:00"):
        row = world.initial.one(
            "SELECT s.id FROM saunas s JOIN islands i ON i.id = s.island_id WHERE i.name = 'Tallholm' AND NOT EXISTS"
            " (SELECT 1 FROM sauna_turns t WHERE t.sauna_id = s.id AND t.status = 'booked' AND t.starts_at = ?)"
            " ORDER BY s.id LIMIT 1", ["2026-09-05T" + start])
        if row is not None:
            return row["id"], "2026-09-05T" + start
    return None


def goal_claims_the_fare(world) -> bool:
    """Filed one claim for the fare of that crossing, and it is settled."""
    rows = _added(world, "claims")
    return (len(rows) == 1 and rows[0]["crossing_id"] == _crossing(world)["id"] and rows[0]["kind"] == "fare"
            and rows[0]["amount_cents"] == _crossing(world)["price_cents"] and rows[0]["status"] == "settled")


def goal_has_the_meal_vouchers(world) -> bool:
    """Has a meal voucher of 12 euros for each of them."""
    rows = _added(world, "vouchers")
    return (len(rows) == _crossing(world)["people"]
            and all(row["household_id"] == 1 and row["amount_cents"] == 1200 and row["status"] == "open"
                    for row in rows))


def goal_moves_the_sauna_turn(world) -> bool:
    """Moved the sauna turn to the earliest free one on Tallholm on 5 September."""
    row = world.final.one("SELECT sauna_id, starts_at, status FROM sauna_turns WHERE id = ?", [_turn(world)])
    return (row["sauna_id"], row["starts_at"]) == _new_turn(world) and row["status"] == "booked"


def guard_adds_nothing_else(world) -> bool:
    """Added nothing but that claim with its refund and its vouchers."""
    crossing = _crossing(world)
    claims, payments, vouchers = (_added(world, table) for table in ("claims", "payments", "vouchers"))
    return (sum(1 for change in world.changes if change["before"] is None)
            == len(claims) + len(payments) + len(vouchers)
            and len(claims) <= 1 and all(
                row["household_id"] == 1 and row["crossing_id"] == crossing["id"] and row["kind"] == "fare"
                for row in claims)
            and len(payments) <= len(claims) and all(
                row["household_id"] == 1 and row["crossing_id"] == crossing["id"] and row["kind"] == "refund"
                and row["amount_cents"] == crossing["price_cents"] for row in payments)
            and len(vouchers) <= crossing["people"] and all(
                row["household_id"] == 1 and row["claim_id"] in [claim["id"] for claim in claims] for row in vouchers))


def guard_changes_that_turn_only(world) -> bool:
    """Changed nothing but the sauna, the start and the moving of that turn."""
    return all(
        change["table"] == "sauna_turns" and change["before"]["id"] == _turn(world)
        and _same_but(change, ("sauna_id", "starts_at", "moved_at"))
        and (change["after"]["sauna_id"], change["after"]["starts_at"]) == _new_turn(world)
        for change in world.changes if change["before"] is not None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
