import datetime

BOOK_SIMULATOR_SESSION_CENTS = 35000


def _book_driving_lesson_moment(env, text):
    """A moment as the service writes it."""
    try:
        moment = datetime.datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.isoformat() != text or len(text) != 19:
        raise env.Error("the start must be given like 2026-03-02T09:00:00")
    return moment


def _search_simulator_times_check_day(env, day):
    """Refuses a day on which the simulator does not run."""
    calendar = env.one("SELECT is_public_holiday, is_closed FROM calendar_days WHERE day = ?", [day])
    if calendar is None:
        raise env.Error(f"the calendar does not show {day}")
    if datetime.date.fromisoformat(day).weekday() == 6 or calendar["is_public_holiday"] or calendar["is_closed"]:
        raise env.Error(f"the simulator does not run on {day}: it is a Sunday, a public holiday or a closed day")


def book_simulator_session(env, *, starts_at: str) -> dict:
    """Books the simulator for one hour."""
    start = _book_driving_lesson_moment(env, starts_at)
    if start.minute or start.second or not 8 <= start.hour <= 19:
        raise env.Error("the simulator is booked on full hours from 8:00 to 19:00")
    if starts_at <= env.now:
        raise env.Error("the start must lie ahead")
    day = starts_at[:10]
    _search_simulator_times_check_day(env, day)
    mine = env.one(
        "SELECT COUNT(*) AS hours FROM simulator_sessions WHERE pupil_id = ? AND substr(starts_at, 1, 10) = ? AND status <> 'cancelled'",
        [env.user_id, day])["hours"]
    if mine >= 2:
        raise env.Error("you already have two simulator hours on that day")
    if env.one("SELECT id FROM simulator_sessions WHERE starts_at = ? AND status <> 'cancelled' ORDER BY id LIMIT 1", [starts_at]):
        raise env.Error("the simulator is taken at that hour")
    session_id = env.insert(
        "INSERT INTO simulator_sessions (pupil_id, starts_at, status, booked_at) VALUES (?, ?, 'booked', ?)",
        [env.user_id, starts_at, env.now])
    charge_id = env.insert(
        "INSERT INTO charges (pupil_id, kind, simulator_session_id, amount_cents, charged_at, due_on) VALUES (?, 'simulator', ?, ?, ?, ?)",
        [env.user_id, session_id, BOOK_SIMULATOR_SESSION_CENTS, env.now, day])
    session = env.one("SELECT id, starts_at, status, booked_at, cancelled_at FROM simulator_sessions WHERE id = ?", [session_id])
    return {"simulator_session": session, "charge_id": charge_id, "amount_cents": BOOK_SIMULATOR_SESSION_CENTS}
