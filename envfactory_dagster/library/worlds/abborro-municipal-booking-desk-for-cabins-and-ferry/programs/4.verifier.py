import datetime


def _days(first, last):
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days


def _last(world):
    """The day of leaving when all nights still allowed are used from 14 September on."""
    counted = 0
    for stay in world.initial.query(
            "SELECT s.arrives_on, s.leaves_on, s.status, s.booked_at, s.cancelled_at, s.cancelled_by, s.resold,"
            " coalesce(o.arrives_on, s.arrives_on) AS arrival FROM stays s"
            " LEFT JOIN stays o ON o.id = s.split_from_stay_id"
            " WHERE s.household_id = 1 AND s.status <> 'lapsed' ORDER BY s.id"):
        if stay["status"] == "cancelled" and (
                stay["cancelled_by"] == "desk" or stay["resold"] == 1
                or _days(stay["cancelled_at"][:10], stay["arrival"]) >= 14):
            continue
        arrival = datetime.datetime.fromisoformat(stay["arrival"] + "T00:00:00")
        if arrival - datetime.datetime.fromisoformat(stay["booked_at"]) <= datetime.timedelta(hours=72):
            continue
        counted += _days(stay["arrives_on"], stay["leaves_on"])
    return (datetime.date(2026, 9, 14) + datetime.timedelta(days=21 - counted)).isoformat()


def _cabin(world):
    """The cabin to be booked: Kajuta if it is free, else Ruffi."""
    taken = world.initial.one(
        "SELECT count(*) AS n FROM cabins c WHERE c.name = 'Kajuta' AND (EXISTS (SELECT 1 FROM stays s"
        " WHERE s.cabin_id = c.id AND s.status NOT IN ('lapsed', 'cancelled') AND s.arrives_on < :last"
        " AND s.leaves_on > :first) OR EXISTS (SELECT 1 FROM closures x WHERE x.cabin_id = c.id"
        " AND x.closes_on < :last AND x.reopens_on > :first))", {"first": "2026-09-14", "last": _last(world)})["n"]
    return world.initial.one("SELECT id, name FROM cabins WHERE name = ?", ["Ruffi" if taken else "Kajuta"])


def _mooring(world):
    """The mooring to be booked, or None where the household does not come by boat."""
    if _cabin(world)["name"] != "Kajuta":
        return None
    return world.initial.one(
        "SELECT m.id, m.number FROM moorings m JOIN islands i ON i.id = m.island_id WHERE i.name = 'Hamnskär'"
        " AND m.max_length_m >= 9.4 AND NOT EXISTS (SELECT 1 FROM mooring_bookings b WHERE b.mooring_id = m.id"
        " AND b.status = 'booked' AND b.arrives_on < :last AND b.leaves_on > :first) ORDER BY m.number LIMIT 1",
        {"first": "2026-09-14", "last": _last(world)})


def _cost(world):
    """What all of it costs at the prices of the household, in weeks that are no high weeks."""
    prices = world.initial.one(
        "SELECT t.cabin_other_cents, t.mooring_small_cents, t.dog_cents FROM households h JOIN tariffs t"
        " ON t.name = CASE WHEN h.standing = 'ordinary' THEN 'ordinary' ELSE 'resident' END WHERE h.id = 1")
    nights = _days("2026-09-14", _last(world))
    berth = prices["mooring_small_cents"] if _mooring(world) else 0
    return nights * (prices["cabin_other_cents"] + berth) + prices["dog_cents"]


def _added(world, table):
    return [change["after"] for change in world.changes if change["table"] == table and change["before"] is None]


def _is_the_stay(world, row):
    return (row["household_id"] == 1 and row["cabin_id"] == _cabin(world)["id"] and row["arrives_on"] == "2026-09-14"
            and row["leaves_on"] == _last(world) and row["adults"] == 2 and row["children"] == 0
            and row["infants"] == 0 and row["status"] == "held"
            and row["own_boat"] == (1 if _cabin(world)["name"] == "Kajuta" else 0))


def _is_the_mooring(world, row):
    mooring = _mooring(world)
    return (mooring is not None and row["household_id"] == 1 and row["mooring_id"] == mooring["id"]
            and row["arrives_on"] == "2026-09-14" and row["leaves_on"] == _last(world)
            and row["boat_length_m"] == 9.4 and row["boat_name"].strip(" .").lower() == "havsörn"
            and row["status"] == "booked")


def goal_books_the_cabin(world) -> bool:
    """Booked the right cabin for all the nights still allowed."""
    rows = _added(world, "stays")
    return len(rows) == 1 and _is_the_stay(world, rows[0])


def goal_puts_tessa_down(world) -> bool:
    """Reported Tessa for that stay."""
    stays, dogs = _added(world, "stays"), _added(world, "dogs")
    return (len(stays) == 1 and len(dogs) == 1 and dogs[0]["stay_id"] == stays[0]["id"]
            and dogs[0]["name"].strip(" .").lower() == "tessa" and dogs[0]["is_assistance"] == 0)


def goal_books_the_mooring(world) -> bool:
    """Booked the lowest mooring that is free and long enough, or none where the household does not come by boat."""
    rows = _added(world, "mooring_bookings")
    if _mooring(world) is None:
        return bool(_added(world, "stays")) and not rows
    return len(rows) == 1 and _is_the_mooring(world, rows[0])


def goal_says_which_cabin(world) -> bool:
    """Says which cabin was booked."""
    return world.report.says("cabin", _cabin(world)["name"])


def goal_says_when_to_leave(world) -> bool:
    """Says on which day the household has to leave."""
    return world.report.says("leaves_on", _last(world))


def goal_says_which_mooring(world) -> bool:
    """Says the number of the mooring, and leaves it empty where there is none."""
    mooring = _mooring(world)
    return world.report.outcome is not None and world.report.says("mooring_number", mooring and mooring["number"])


def goal_says_what_it_costs(world) -> bool:
    """Says what cabin, dog and mooring cost together."""
    return world.report.says("total_cost", _cost(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_no_other_rows(world) -> bool:
    """Added nothing but that stay, one dog for it and that mooring booking, and changed nothing."""
    stays, dogs, berths = (_added(world, table) for table in ("stays", "dogs", "mooring_bookings"))
    return (len(world.changes) == len(stays) + len(dogs) + len(berths)
            and len(stays) <= 1 and len(dogs) <= 1 and len(berths) <= 1
            and all(_is_the_stay(world, row) for row in stays)
            and all(_is_the_mooring(world, row) for row in berths)
            and all(row["household_id"] == 1 and row["status"] == "reported"
                    and row["stay_id"] in [stay["id"] for stay in stays] for row in dogs))
