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
    """The stay in Ruffi until 8 September."""
    return world.initial.one(
        "SELECT s.*, t.cabin_other_cents AS night_cents FROM stays s JOIN cabins c ON c.id = s.cabin_id"
        " JOIN tariffs t ON t.id = s.tariff_id WHERE s.household_id = 1 AND c.name = 'Ruffi' AND s.leaves_on = ?"
        " AND s.status <> 'cancelled'", ["2026-09-08"])


def _home(world):
    """The crossing home of that stay."""
    return world.initial.one(
        "SELECT c.id FROM crossings c JOIN departures d ON d.id = c.departure_id WHERE c.stay_id = ?"
        " AND c.status = 'booked' AND d.direction = 'back'", [_stay(world)["id"]])["id"]


def _monday(world):
    """The 13:00 back on 7 September."""
    return world.initial.one("SELECT id FROM departures WHERE leaves_at = ? AND direction = 'back'",
                             ["2026-09-07T13:00:00"])["id"]


def _dog(world):
    """The dog reported for that stay."""
    return world.initial.one("SELECT id, price_cents FROM dogs WHERE stay_id = ? AND status = 'reported'",
                             [_stay(world)["id"]])


def goal_ends_on_monday(world) -> bool:
    """The stay in Ruffi ends on 7 September."""
    return world.final.one("SELECT leaves_on FROM stays WHERE id = ?", [_stay(world)["id"]])["leaves_on"] == "2026-09-07"


def goal_goes_home_on_monday(world) -> bool:
    """Goes home on the 13:00 of Monday 7 September, with the car."""
    row = world.final.one("SELECT departure_id, vehicle_id FROM crossings WHERE id = ? AND status = 'booked'",
                          [_home(world)])
    return row is not None and row["departure_id"] == _monday(world) and row["vehicle_id"] is not None


def goal_takes_the_dog_off(world) -> bool:
    """The dog is taken off the stay."""
    return world.final.one("SELECT status FROM dogs WHERE id = ?", [_dog(world)["id"]])["status"] == "dropped"


def goal_says_what_the_night_gives_back(world) -> bool:
    """Says that nothing comes back for a night given up less than 14 days before arrival."""
    return world.report.says("night_refund", 0)


def guard_adds_only_the_dropped_night_and_the_dogs_refund(world) -> bool:
    """Added nothing but the dropped night as a cancelled stay, and the refund of the dog's price."""
    stay, dog = _stay(world), _dog(world)
    nights, payments = _added(world, "stays"), _added(world, "payments")
    return (sum(1 for change in world.changes if change["before"] is None) == len(nights) + len(payments)
            and len(nights) <= 1 and all(
                row["household_id"] == 1 and row["split_from_stay_id"] == stay["id"]
                and row["cabin_id"] == stay["cabin_id"] and row["status"] == "cancelled"
                and row["cancelled_by"] == "household"
                and (row["arrives_on"], row["leaves_on"]) == ("2026-09-07", "2026-09-08") for row in nights)
            and len(payments) <= 1 and all(
                row["household_id"] == 1 and row["stay_id"] == stay["id"] and row["kind"] == "refund"
                and row["amount_cents"] == dog["price_cents"] for row in payments))


def guard_changes_only_what_was_asked(world) -> bool:
    """Changed only the end and price of the stay, the crossing home, the dog, and the dog's places on the ferry."""
    stay = _stay(world)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None:
            continue
        if change["table"] == "stays":
            fits = (before["id"] == stay["id"] and _same_but(change, ("leaves_on", "price_cents"))
                    and after["leaves_on"] == "2026-09-07"
                    and after["price_cents"] == stay["price_cents"] - stay["night_cents"])
        elif change["table"] == "crossings":
            fits = (before["stay_id"] == stay["id"] and _same_but(change, ("departure_id", "dogs"))
                    and before["dogs"] - 1 <= after["dogs"] <= before["dogs"]
                    and (after["departure_id"] == before["departure_id"]
                         or before["id"] == _home(world) and after["departure_id"] == _monday(world)))
        else:
            fits = (change["table"] == "dogs" and before["id"] == _dog(world)["id"]
                    and _same_but(change, ("status", "dropped_at")) and after["status"] == "dropped")
        if not fits:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
