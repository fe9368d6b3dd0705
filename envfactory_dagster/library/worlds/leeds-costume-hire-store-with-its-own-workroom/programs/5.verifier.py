from datetime import date, timedelta


def _hire(world, title):
    return world.initial.one(
        "SELECT h.id, h.hold_lapses_at FROM hires h JOIN customers c ON c.id = h.customer_id"
        " WHERE c.name = 'Headingley Lamplight Players' AND h.status = 'held' AND h.show_title = ?",
        [title],
    )


def _value(world, title):
    return world.initial.one(
        "SELECT sum(p.replacement_value_cents) AS n FROM hire_lines l JOIN pieces p ON p.id = l.piece_id OR p.set_id = l.set_id"
        " WHERE l.hire_id = ? AND l.status = 'active'",
        [_hire(world, title)["id"]],
    )["n"]


def _dearer(world):
    return max(("The Rivals", "Lady Windermere's Fan"), key=lambda title: _value(world, title))


def _until(world):
    days_off = {r["day"] for r in world.initial.query("SELECT day FROM bank_holidays")}
    moving = date.fromisoformat(_hire(world, _dearer(world))["hold_lapses_at"][:10])
    count = 5
    while count > 0:
        moving += timedelta(days=1)
        if moving.weekday() < 5 and moving.isoformat() not in days_off:
            count -= 1
    return moving.isoformat()


def goal_renews_the_dearer_hold(world) -> bool:
    """The hold with the dearer pieces is renewed for 5 working days after its last one."""
    row = world.final.one(
        "SELECT status, hold_renewed_at, hold_lapses_at FROM hires WHERE id = ?", [_hire(world, _dearer(world))["id"]]
    )
    return row["status"] == "held" and row["hold_renewed_at"] is not None and row["hold_lapses_at"] == _until(world) + "T16:00:00"


def goal_says_value_of_the_rivals(world) -> bool:
    """Says what the pieces held for The Rivals would cost to replace."""
    return world.report.says("rivals_value", _value(world, "The Rivals"))


def goal_says_value_of_the_fan(world) -> bool:
    """Says what the pieces held for Lady Windermere's Fan would cost to replace."""
    return world.report.says("fan_value", _value(world, "Lady Windermere's Fan"))


def goal_says_which_was_renewed(world) -> bool:
    """Says which hold was renewed."""
    return world.report.says("renewed_show", _dearer(world))


def goal_says_until_when(world) -> bool:
    """Says on which day the renewed hold lapses."""
    return world.report.says("held_until", _until(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_one_hold_only(world) -> bool:
    """Changed nothing but the renewal of the dearer hold."""
    return len(world.changes) <= 1 and all(
        c["table"] == "hires"
        and c["before"] is not None
        and c["after"] is not None
        and c["before"]["id"] == _hire(world, _dearer(world))["id"]
        and {k for k in c["before"] if c["before"][k] != c["after"][k]} == {"hold_renewed_at", "hold_lapses_at"}
        for c in world.changes
    )
