import datetime


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


def take_out_slip(env, *, slip_id: int) -> dict:
    """Takes a slip of the member out of the box."""
    slip = env.one(
        "SELECT s.id, s.status, d.draw, d.thursday, d.box_shuts FROM slips s JOIN draws d ON d.id = s.draw_id WHERE s.id = ? AND s.member_id = ?",
        [slip_id, env.user_id],
    )
    if slip is None:
        raise env.Error("You have no slip " + str(slip_id) + ".")
    if slip["status"] != "in_box":
        raise env.Error("This slip for " + slip["draw"] + " does not lie in the box.")
    opens, shuts = _slip_box(slip)
    if env.now > shuts:
        raise env.Error("The box for " + slip["draw"] + " shut on " + shuts[:10] + " at 13:00.")
    env.execute("UPDATE slips SET status = 'taken_out', closed_at = ? WHERE id = ?", [env.now, slip_id])
    return _slip_shown(env, slip_id)
