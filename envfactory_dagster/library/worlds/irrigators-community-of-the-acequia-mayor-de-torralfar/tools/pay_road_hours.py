import datetime


ROAD_TAKINGS_A_SEASON = 5


def _road_takings(env):
    """Takings of the season that count: hours wholly lost do not."""
    return env.one(
        "SELECT COUNT(*) AS n FROM road_hours WHERE taken_by_member_id = ? AND status <> 'lost'", [env.user_id]
    )["n"]


def _refuse_cash(env, paid_by):
    if paid_by == "cash":
        raise env.Error("Cash is taken only by hand at the Thursday table; choose card or transfer.")
    if paid_by not in ("card", "transfer"):
        raise env.Error("Payment is by card or transfer.")


def pay_road_hours(env, *, road_hour_id: int, paid_by: str) -> dict:
    """Pays road's hours for which the member came out of the bag and makes them his."""
    row = env.one(
        "SELECT h.id, h.drawn_member_id, h.reserve_member_id, h.taken_by_member_id, h.price_cents, h.status, d.draw, d.thursday, t.turn, "
        "CASE t.turn WHEN 'T-04' THEN d.t04_on ELSE d.t23_on END AS water_on "
        "FROM road_hours h JOIN draws d ON d.id = h.draw_id JOIN turns t ON t.id = h.turn_id "
        "WHERE h.id = :hours AND (h.drawn_member_id = :member OR h.reserve_member_id = :member)",
        {"hours": road_hour_id, "member": env.user_id},
    )
    if row is None:
        raise env.Error("You came out of the bag for no hours " + str(road_hour_id) + ".")
    what = row["turn"] + " of " + row["draw"]
    if row["taken_by_member_id"] == env.user_id:
        raise env.Error(what + " is paid by you already.")
    if row["status"] != "unpaid":
        raise env.Error(what + " is no longer to be had.")
    thursday = datetime.date.fromisoformat(row["thursday"])
    friday = (thursday + datetime.timedelta(days=1)).isoformat() + "T13:00:00"
    monday = (thursday + datetime.timedelta(days=4)).isoformat() + "T13:00:00"
    if row["drawn_member_id"] == env.user_id:
        if env.now > friday:
            raise env.Error(what + " was to be paid by Friday 13:00; it is the reserve's now.")
    else:
        if env.now < friday:
            raise env.Error("You are the reserve for " + what + "; until Friday 13:00 it is for the name drawn to pay.")
        if env.now > monday:
            raise env.Error(what + " was to be paid by the reserve by Monday 13:00; the water is the Balsa's.")
    if _road_takings(env) >= ROAD_TAKINGS_A_SEASON:
        raise env.Error("You have five takings this season, and that is all.")
    _refuse_cash(env, paid_by)
    env.execute(
        "UPDATE road_hours SET taken_by_member_id = :member, status = 'paid', paid_at = :now, paid_by = :by WHERE id = :hours",
        {"member": env.user_id, "now": env.now, "by": paid_by, "hours": road_hour_id},
    )
    slip = env.one(
        "SELECT s.id FROM slips s JOIN draws d ON d.id = s.draw_id WHERE s.member_id = ? AND s.status = 'in_box' AND d.thursday > ? ORDER BY d.thursday, s.id LIMIT 1",
        [env.user_id, row["thursday"]],
    )
    if slip is not None:
        env.execute("UPDATE slips SET status = 'removed', closed_at = ? WHERE id = ?", [env.now, slip["id"]])
    return {
        "road_hour_id": road_hour_id,
        "draw": row["draw"],
        "turn": row["turn"],
        "water_on": row["water_on"],
        "status": "paid",
        "price_cents": row["price_cents"],
        "paid_at": env.now,
        "paid_by": paid_by,
        "removed_slip_id": slip["id"] if slip is not None else None,
    }
