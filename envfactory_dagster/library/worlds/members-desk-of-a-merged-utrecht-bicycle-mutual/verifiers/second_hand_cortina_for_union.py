import datetime


def _union_cover(world):
    """The running cover on the Union of 2008."""
    return world.initial.one(
        "SELECT c.id FROM covers c JOIN bicycles b ON b.id = c.bicycle_id JOIN policies p ON p.id = b.policy_id"
        " WHERE p.member_id = 1 AND b.make = 'Union' AND substr(b.first_sold_on, 1, 4) = '2008'"
        " AND c.ends_on IS NULL"
    )


def _last_day():
    """The last day of the calendar month after that of 15 June 2026."""
    return (datetime.date(2026, 8, 1) - datetime.timedelta(days=1)).isoformat()


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def _cortina(world):
    """The new bicycle as the person told it, or None."""
    policy = world.initial.one("SELECT id FROM policies WHERE member_id = 1 AND ends_on IS NULL")
    rows = _new(world, "bicycles")
    if len(rows) != 1:
        return None
    row = rows[0]
    fits = (
        row["policy_id"] == policy["id"]
        and "bouazzati" in row["rider_name"].lower()
        and row["kind"] == "city_bicycle"
        and world.same_text(row["make"], "Cortina")
        and row["model"] is None
        and row["colour"] is None
        and row["frame_number"] == "CT1944812"
        and row["first_sold_on"] == "2019-05-20"
        and row["acquired_on"] == "2026-06-14"
        and row["price_cents"] == 32500
        and row["battery_wh"] is None
    )
    return row if fits else None


def goal_cortina_is_on_the_policy(world) -> bool:
    """The Cortina is on the policy as a city bicycle, with its dates, price and frame number."""
    return _cortina(world) is not None


def goal_its_lock_is_down(world) -> bool:
    """Its AXA ring lock of category 2 is down."""
    bicycles, locks = _new(world, "bicycles"), _new(world, "locks")
    return (
        len(bicycles) == 1
        and len(locks) == 1
        and locks[0]["bicycle_id"] == bicycles[0]["id"]
        and world.same_text(locks[0]["make"], "AXA")
        and locks[0]["kind"] == "ring"
        and locks[0]["category"] == 2
    )


def goal_it_is_covered_from_16_june(world) -> bool:
    """It has a city bicycle cover for what was paid, from 16 June 2026."""
    bicycles, covers = _new(world, "bicycles"), _new(world, "covers")
    return (
        len(bicycles) == 1
        and len(covers) == 1
        and covers[0]["bicycle_id"] == bicycles[0]["id"]
        and covers[0]["kind"] == "city_bicycle"
        and covers[0]["insured_value_cents"] == 32500
        and covers[0]["starts_on"] == "2026-06-16"
        and covers[0]["ends_on"] is None
        and covers[0]["cancelled_at"] is None
    )


def goal_union_cover_is_cancelled(world) -> bool:
    """The cover on the Union is cancelled and ends on the last day of next month."""
    row = world.final.one("SELECT ends_on, cancelled_at FROM covers WHERE id = ?", [_union_cover(world)["id"]])
    return row["ends_on"] == _last_day() and row["cancelled_at"] is not None


def goal_says_when_the_union_cover_ends(world) -> bool:
    """Says on what day the cover on the Union ends."""
    return world.report.says("union_cover_ends", _last_day())


def goal_says_the_own_risk_of_the_cortina(world) -> bool:
    """Says which own risk the Cortina, seven years old, would have this summer."""
    fund = world.initial.one("SELECT old_fund FROM members WHERE id = 1")["old_fund"]
    homes = world.initial.one("SELECT count(*) AS n FROM addresses WHERE member_id = 1 AND kind = 'home'")["n"]
    return world.report.says("cortina_own_risk", 5000 if fund == "lombok" and homes <= 1 else 8500)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_one_bicycle_lock_and_cover_and_cancels_one_cover(world) -> bool:
    """Changed nothing but one new bicycle with lock and cover, and the end of the cover on the Union."""
    bicycles = _new(world, "bicycles")
    ids = [bicycle["id"] for bicycle in bicycles]
    policy = world.initial.one("SELECT id FROM policies WHERE member_id = 1 AND ends_on IS NULL")
    if len(bicycles) > 1 or len(_new(world, "locks")) > 1 or len(_new(world, "covers")) > 1:
        return False
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None and change["table"] == "bicycles":
            if after["policy_id"] != policy["id"]:
                return False
        elif before is None and change["table"] in ("locks", "covers"):
            if after["bicycle_id"] not in ids:
                return False
        elif before is not None and change["table"] == "covers" and before["id"] == _union_cover(world)["id"]:
            if any(after[c] != before[c] for c in before if c not in ("ends_on", "cancelled_at")):
                return False
        else:
            return False
    return True
