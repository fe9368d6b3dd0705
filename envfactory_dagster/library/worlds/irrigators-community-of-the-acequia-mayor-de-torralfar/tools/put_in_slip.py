import datetime


ROAD_TAKINGS_A_SEASON = 5


def _road_takings(env):
    """Takings of the season that count: hours wholly lost do not."""
    return env.one(
        "SELECT COUNT(*) AS n FROM road_hours WHERE taken_by_member_id = ? AND status <> 'lost'", [env.user_id]
    )["n"]


def _levy_overdue(env):
    row = env.one(
        "SELECT COUNT(*) AS n FROM levy_halves l JOIN calendar_entries c ON c.id = l.calendar_entry_id "
        "WHERE l.member_id = :member AND COALESCE(c.to_day, c.from_day) < :today "
        "AND (l.status = 'due' OR (l.status = 'instalments' AND (l.instalments_kept = 0 OR l.instalments_until < :today)))",
        {"member": env.user_id, "today": env.now[:10]},
    )
    return row["n"] > 0


def _slip_box(draw):
    """When the box opens and shuts for a draw, as two moments."""
    thursday = datetime.date.fromisoformat(draw["thursday"])
    opens = (thursday - datetime.timedelta(days=6)).isoformat() + "T13:00:00"
    shut_day = thursday - datetime.timedelta(days=1) if draw["box_shuts"] == "Wednesday 13:00" else thursday
    return opens, shut_day.isoformat() + "T13:00:00"


def _slip_shown(env, slip_id):
    return env.one(
        "SELECT s.id AS slip_id, s.draw_id, d.draw, s.choice, s.status, s.put_in_at, s.changed_at, s.closed_at "
        "FROM slips s JOIN draws d ON d.id = s.draw_id WHERE s.id = ?",
        [slip_id],
    )


PUT_IN_SLIP_DAYS_IN_PADRON = 30
PUT_IN_SLIP_MOST_HOURS = 8
PUT_IN_SLIP_LEASE_TO = "2026-09-27"
PUT_IN_SLIP_TAKER_SITS = 2
PUT_IN_SLIP_UNPAID_SITS = 4


def _put_in_slip_who(env):
    """Refuses a member whom slip_who_may_enter shuts out."""
    today = env.now[:10]
    me = env.one(
        "SELECT m.number, m.in_padron_since, k.class_code, o.shut_out_by FROM members m JOIN member_classes k ON k.id = m.member_class_id "
        "LEFT JOIN offices o ON o.id = m.office_id WHERE m.id = ?",
        [env.user_id],
    )
    if me["class_code"] not in ("O", "T"):
        raise env.Error("Only classes O and T may put in a slip; class L may not.")
    if me["shut_out_by"] is not None:
        raise env.Error("The members of the Board may not put in a slip.")
    since = datetime.date.fromisoformat(me["in_padron_since"])
    if (datetime.date.fromisoformat(today) - since).days < PUT_IN_SLIP_DAYS_IN_PADRON:
        raise env.Error("You have to be 30 days in the padrón first.")
    hours = env.one("SELECT COALESCE(SUM(hours_week), 0) AS n FROM plots WHERE holder = ?", [me["number"]])["n"]
    if hours > PUT_IN_SLIP_MOST_HOURS:
        raise env.Error("Your own turns are " + str(hours) + " hours a week; at most 8 are allowed.")
    if _levy_overdue(env):
        raise env.Error("The levy that is due has to be paid first.")
    if env.one("SELECT id FROM fines WHERE member_id = ? AND status = 'open' AND due_on < ? LIMIT 1", [env.user_id, today]) is not None:
        raise env.Error("You have a fine past its date; it has to be paid first.")
    season = env.one("SELECT from_day FROM calendar_entries WHERE entry = 'season'", [])
    if env.one(
        "SELECT f.id FROM fines f JOIN prices p ON p.id = f.price_id WHERE f.member_id = ? AND p.price_code = 'F2' AND f.fined_on >= ? LIMIT 1",
        [env.user_id, season["from_day"]],
    ) is not None:
        raise env.Error("You are fined under F2 this season: no more draws.")
    if me["class_code"] == "T":
        lease = env.one(
            "SELECT MAX(l.ends_on) AS ends_on FROM leases l JOIN plots p ON p.id = l.plot_id WHERE l.member_id = ? AND p.holder = ?",
            [env.user_id, me["number"]],
        )
        if lease["ends_on"] is None or lease["ends_on"] < PUT_IN_SLIP_LEASE_TO:
            raise env.Error("The lease on file has to run to 27 September 2026 or later.")


def _put_in_slip_sits_out(env, thursday):
    """Refuses a member who sits out the draw of that Thursday, or has his five takings."""
    rows = env.query(
        "SELECT h.drawn_member_id, h.taken_by_member_id, h.status, x.thursday, "
        "(SELECT COUNT(*) FROM draws d WHERE d.thursday > x.thursday AND d.thursday <= :target) AS later "
        "FROM road_hours h JOIN draws x ON x.id = h.draw_id "
        "WHERE x.thursday < :target AND (h.drawn_member_id = :member OR h.taken_by_member_id = :member) ORDER BY x.thursday, h.id",
        {"target": thursday, "member": env.user_id},
    )
    for row in rows:
        if row["taken_by_member_id"] == env.user_id:
            if row["later"] <= PUT_IN_SLIP_TAKER_SITS:
                raise env.Error("You took hours of the draw of " + row["thursday"] + " and sit out the next two Thursdays.")
        elif row["later"] <= PUT_IN_SLIP_UNPAID_SITS:
            friday = (datetime.date.fromisoformat(row["thursday"]) + datetime.timedelta(days=1)).isoformat() + "T13:00:00"
            if row["status"] != "unpaid" or env.now > friday:
                raise env.Error("You did not pay the hours of the draw of " + row["thursday"] + " and sit out the next four Thursdays.")
    if _road_takings(env) >= ROAD_TAKINGS_A_SEASON:
        raise env.Error("You have five takings this season, and that is all.")


def put_in_slip(env, *, draw_id: int, choice: str) -> dict:
    """Puts a slip of the member in the box for the next draw."""
    draw = env.one("SELECT id, draw, thursday, box_shuts FROM draws WHERE id = ?", [draw_id])
    if draw is None:
        raise env.Error("There is no draw " + str(draw_id) + ".")
    opens, shuts = _slip_box(draw)
    if env.now < opens:
        raise env.Error("Slips are for the next draw only; the box for " + draw["draw"] + " opens on Friday " + opens[:10] + " at 13:00.")
    if env.now > shuts:
        raise env.Error("The box for " + draw["draw"] + " shut on " + shuts[:10] + " at 13:00.")
    _put_in_slip_who(env)
    _put_in_slip_sits_out(env, draw["thursday"])
    if env.one(
        "SELECT id FROM slips WHERE member_id = ? AND draw_id = ? AND status NOT IN ('taken_out', 'removed') LIMIT 1",
        [env.user_id, draw_id],
    ) is not None:
        raise env.Error("You have a slip for " + draw["draw"] + " already; one each.")
    slip_id = env.insert(
        "INSERT INTO slips (member_id, draw_id, choice, status, put_in_at) VALUES (:member, :draw, :choice, 'in_box', :now)",
        {"member": env.user_id, "draw": draw_id, "choice": choice, "now": env.now},
    )
    return _slip_shown(env, slip_id)
