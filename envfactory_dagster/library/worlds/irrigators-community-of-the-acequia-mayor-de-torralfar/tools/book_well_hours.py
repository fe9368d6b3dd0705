import datetime


WELL_OPENS = 8
WELL_SHUTS = 22


def _well_season(env, day):
    """Refuses a day on which the well does not run."""
    season = env.one("SELECT from_day, to_day FROM calendar_entries WHERE entry = 'well'", [])
    if day < season["from_day"] or day > season["to_day"]:
        raise env.Error("The well runs from 1 May to 30 September.")


def _well_price(env, day):
    """The price row that holds for water on that day."""
    return env.one(
        "SELECT id, price_cents FROM prices WHERE section = 'Pozo San Roque' AND applies_from <= ? ORDER BY applies_from DESC, id DESC LIMIT 1",
        [day],
    )


def _levy_overdue(env):
    row = env.one(
        "SELECT COUNT(*) AS n FROM levy_halves l JOIN calendar_entries c ON c.id = l.calendar_entry_id "
        "WHERE l.member_id = :member AND COALESCE(c.to_day, c.from_day) < :today "
        "AND (l.status = 'due' OR (l.status = 'instalments' AND (l.instalments_kept = 0 OR l.instalments_until < :today)))",
        {"member": env.user_id, "today": env.now[:10]},
    )
    return row["n"] > 0


def _refuse_cash(env, paid_by):
    if paid_by == "cash":
        raise env.Error("Cash is taken only by hand at the Thursday table; choose card or transfer.")
    if paid_by not in ("card", "transfer"):
        raise env.Error("Payment is by card or transfer.")


BOOK_WELL_HOURS_LEAST = 2
BOOK_WELL_HOURS_A_WEEK = 4
BOOK_WELL_HOURS_WITH_NOTE = 6
BOOK_WELL_HOURS_NOTICE = 24
BOOK_WELL_HOURS_DAYS = "MonTueWedThuFriSatSun"


def _book_well_hours_own_water(env, number, monday, begins, ends):
    """Refuses hours that fall in the member's own turns or in road's hours he has taken."""
    turns = env.query(
        "SELECT t.turn, t.start_day, t.starts_at, t.hours FROM turns t JOIN plots p ON p.id = t.plot_id WHERE p.holder = ? ORDER BY t.turn",
        [number],
    )
    for turn in turns:
        offset = BOOK_WELL_HOURS_DAYS.index(turn["start_day"]) // 3
        for week in (-7, 0):
            start = monday + datetime.timedelta(days=offset + week, hours=int(turn["starts_at"][:2]), minutes=int(turn["starts_at"][3:5]))
            if begins < start + datetime.timedelta(hours=turn["hours"]) and start < ends:
                raise env.Error("These hours fall in your own turn " + turn["turn"] + ".")
    taken = env.query(
        "SELECT t.turn, t.starts_at, t.hours, CASE t.turn WHEN 'T-04' THEN d.t04_on ELSE d.t23_on END AS water_on "
        "FROM road_hours h JOIN draws d ON d.id = h.draw_id JOIN turns t ON t.id = h.turn_id "
        "WHERE h.taken_by_member_id = ? AND h.status <> 'lost' ORDER BY d.thursday, t.turn",
        [env.user_id],
    )
    for row in taken:
        start = datetime.datetime.fromisoformat(row["water_on"] + "T" + row["starts_at"] + ":00")
        if begins < start + datetime.timedelta(hours=row["hours"]) and start < ends:
            raise env.Error("These hours fall in the road's hours " + row["turn"] + " that you have taken.")


def book_well_hours(env, *, plot_id: int, starts_at: str, hours: int, paid_by: str) -> dict:
    """Books and pays hours of the well for a plot of the member."""
    try:
        begins = datetime.datetime.fromisoformat(starts_at)
    except ValueError:
        raise env.Error("That is not a moment such as 2026-07-16T15:00:00.")
    if begins.tzinfo is not None:
        begins = begins.replace(tzinfo=None)
    me = env.one(
        "SELECT m.number, m.note_plot_id, m.note_until, k.class_code FROM members m JOIN member_classes k ON k.id = m.member_class_id WHERE m.id = ?",
        [env.user_id],
    )
    plot = env.one(
        "SELECT p.id, p.plot, s.sluice, s.well_pipe FROM plots p JOIN sluices s ON s.id = p.sluice_id WHERE p.id = ? AND p.holder = ?",
        [plot_id, me["number"]],
    )
    if plot is None:
        raise env.Error("You hold no plot " + str(plot_id) + " in the padrón.")
    if plot["well_pipe"] != 1:
        raise env.Error("The pipe of the well does not reach " + plot["sluice"] + "; it is had only at S-08 to S-14 except S-10.")
    day = begins.date().isoformat()
    _well_season(env, day)
    if begins.minute or begins.second or begins.microsecond:
        raise env.Error("The well is booked in whole hours.")
    if hours < BOOK_WELL_HOURS_LEAST:
        raise env.Error("At least two hours in a piece are booked.")
    if begins.hour < WELL_OPENS or begins.hour + hours > WELL_SHUTS:
        raise env.Error("The well runs from 08:00 to 22:00.")
    ends = begins + datetime.timedelta(hours=hours)
    now = datetime.datetime.fromisoformat(env.now)
    if begins - now < datetime.timedelta(hours=BOOK_WELL_HOURS_NOTICE):
        raise env.Error("The well has to be booked and paid at least 24 hours before.")
    if _levy_overdue(env):
        raise env.Error("Your levy is overdue; it has to be paid first.")
    if env.one("SELECT id FROM fines WHERE member_id = ? AND status = 'open' AND due_on < ? LIMIT 1", [env.user_id, env.now[:10]]) is not None:
        raise env.Error("You have a fine that is overdue; it has to be paid first.")
    if me["class_code"] == "T":
        lease = env.one("SELECT MAX(ends_on) AS ends_on FROM leases WHERE member_id = ? AND plot_id = ?", [env.user_id, plot_id])
        if lease["ends_on"] is None or day > lease["ends_on"]:
            raise env.Error("That is after the last day of your lease on file.")
    monday = datetime.datetime(begins.year, begins.month, begins.day) - datetime.timedelta(days=begins.weekday())
    sunday = monday + datetime.timedelta(days=6)
    booked = env.one(
        "SELECT COALESCE(SUM(hours), 0) AS n FROM well_bookings WHERE member_id = ? AND status <> 'cancelled' AND substr(starts_at, 1, 10) BETWEEN ? AND ?",
        [env.user_id, monday.date().isoformat(), sunday.date().isoformat()],
    )["n"]
    noted = me["note_plot_id"] == plot_id and me["note_until"] >= day
    most = BOOK_WELL_HOURS_WITH_NOTE if noted else BOOK_WELL_HOURS_A_WEEK
    if booked + hours > most:
        raise env.Error("You have " + str(booked) + " hours of the well in that week; at most " + str(most) + " are allowed.")
    _book_well_hours_own_water(env, me["number"], monday, begins, ends)
    start_text = begins.strftime("%Y-%m-%dT%H:%M:%S")
    end_text = ends.strftime("%Y-%m-%dT%H:%M:%S")
    if env.one(
        "SELECT id FROM well_bookings WHERE status <> 'cancelled' AND starts_at < ? AND ends_at > ? LIMIT 1", [end_text, start_text]
    ) is not None:
        raise env.Error("These hours of the well are not all free.")
    _refuse_cash(env, paid_by)
    price = _well_price(env, day)
    booking_id = env.insert(
        "INSERT INTO well_bookings (code, member_id, plot_id, price_id, starts_at, ends_at, hours, price_cents, status, booked_at, paid_by, kept_cents) "
        "VALUES (:code, :member, :plot, :price, :starts, :ends, :hours, :cents, 'booked', :now, :by, :cents)",
        {
            "code": env.new_id("W"),
            "member": env.user_id,
            "plot": plot_id,
            "price": price["id"],
            "starts": start_text,
            "ends": end_text,
            "hours": hours,
            "cents": price["price_cents"] * hours,
            "now": env.now,
            "by": paid_by,
        },
    )
    return env.one(
        "SELECT w.id AS well_booking_id, w.code, w.plot_id, p.plot, w.starts_at, w.ends_at, w.hours, w.price_cents, w.status, w.booked_at, w.paid_by, "
        "w.cancelled_at, w.kept_cents FROM well_bookings w JOIN plots p ON p.id = w.plot_id WHERE w.id = ?",
        [booking_id],
    )
