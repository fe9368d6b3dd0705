import datetime

DAY = "2026-10-10"
FOUR = (
    ("Pedro", "Ahumada Ríos"),
    ("Nelson", "Vidal Cárcamo"),
    ("Gladys", "Pinto Aravena"),
    ("Iris", "Cornejo Soto"),
)


def _plus(day, days):
    """The day so many days later."""
    return (datetime.date.fromisoformat(day[:10]) + datetime.timedelta(days=days)).isoformat()


def _stand(world, given, surnames):
    """Whether somebody may give whole blood on 10 October, what stands in the way, and from when they may."""
    donor = world.initial.one("SELECT * FROM donors WHERE given_names = ? AND surnames = ?", [given, surnames])
    last = world.initial.one(
        "SELECT MAX(given_on) AS day FROM donations WHERE donor_id = ? AND kind = 'whole_blood'"
        " AND NOT (failed = 1 AND volume_ml < 50)",
        [donor["id"]],
    )["day"]
    if last is not None:
        free = _plus(last, 90 if donor["sex"] == "M" else 120)
        if free > DAY:
            return False, "time since the last donation", free
    held = world.initial.one(
        "SELECT cause, until_on FROM deferrals WHERE donor_id = ? AND status = 'active' AND defers_whole_blood = 1"
        " AND from_on <= ? AND (until_on IS NULL OR until_on > ?) ORDER BY until_on IS NULL DESC, until_on DESC LIMIT 1",
        [donor["id"], DAY, DAY],
    )
    if held is not None:
        return False, held["cause"], held["until_on"]
    weight = world.initial.one(
        "SELECT kg, weighed_at FROM weighings WHERE donor_id = ? ORDER BY weighed_at DESC LIMIT 1", [donor["id"]]
    )
    if weight is None or _plus(weight["weighed_at"], 180) < DAY:
        return False, "no recent weight", None
    if weight["kg"] < 50:
        return False, "weight too low", None
    return True, None, None


def goal_says_pedro_may(world) -> bool:
    """Says whether Pedro may give."""
    return world.report.says("pedro_may", _stand(world, "Pedro", "Ahumada Ríos")[0])


def goal_says_pedro_hindered_by(world) -> bool:
    """Says what stands in the way for Pedro."""
    return world.report.says("pedro_hindered_by", _stand(world, "Pedro", "Ahumada Ríos")[1])


def goal_says_pedro_from(world) -> bool:
    """Says from what day Pedro may give."""
    return world.report.says("pedro_from", _stand(world, "Pedro", "Ahumada Ríos")[2])


def goal_says_nelson_may(world) -> bool:
    """Says whether Nelson may give."""
    return world.report.says("nelson_may", _stand(world, "Nelson", "Vidal Cárcamo")[0])


def goal_says_nelson_hindered_by(world) -> bool:
    """Says what stands in the way for Nelson."""
    return world.report.says("nelson_hindered_by", _stand(world, "Nelson", "Vidal Cárcamo")[1])


def guard_says_no_nelson_from(world) -> bool:
    """Leaves empty from what day Nelson may give, which is not due."""
    return world.report.outcome is None or world.report.says("nelson_from", _stand(world, "Nelson", "Vidal Cárcamo")[2])


def goal_says_gladys_may(world) -> bool:
    """Says whether Gladys may give."""
    return world.report.says("gladys_may", _stand(world, "Gladys", "Pinto Aravena")[0])


def guard_says_no_gladys_hindered_by(world) -> bool:
    """Leaves empty what stands in the way for Gladys, which is not due."""
    return world.report.outcome is None or world.report.says("gladys_hindered_by", _stand(world, "Gladys", "Pinto Aravena")[1])


def guard_says_no_gladys_from(world) -> bool:
    """Leaves empty from what day Gladys may give, which is not due."""
    return world.report.outcome is None or world.report.says("gladys_from", _stand(world, "Gladys", "Pinto Aravena")[2])


def goal_says_iris_may(world) -> bool:
    """Says whether Iris may give."""
    return world.report.says("iris_may", _stand(world, "Iris", "Cornejo Soto")[0])


def goal_says_iris_hindered_by(world) -> bool:
    """Says what stands in the way for Iris."""
    return world.report.says("iris_hindered_by", _stand(world, "Iris", "Cornejo Soto")[1])


def guard_says_no_iris_from(world) -> bool:
    """Leaves empty from what day Iris may give, which is not due."""
    return world.report.outcome is None or world.report.says("iris_from", _stand(world, "Iris", "Cornejo Soto")[2])


def goal_says_whom_to_weigh(world) -> bool:
    """Says who is just missing a recent weight."""
    names = [g + " " + s for g, s in FOUR if _stand(world, g, s)[1] == "no recent weight"]
    return world.report.says("to_weigh", names)


def goal_says_how_many_places_are_free(world) -> bool:
    """Says how many places are free at Portales on 10 October before 11:00."""
    rows = world.initial.query(
        "SELECT s.places - (SELECT COUNT(*) FROM appointments a WHERE a.slot_id = s.id AND a.cancelled_at IS NULL)"
        " AS places_left FROM slots s JOIN sites t ON t.id = s.site_id WHERE t.site_code = 'um_portales'"
        " AND s.starts_at >= '2026-10-10T00:00:00' AND s.starts_at < '2026-10-10T11:00:00' AND s.state = 'free'"
    )
    return world.report.says("free_places", sum(r["places_left"] for r in rows))


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return world.changes == []


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_names_no_rule(world) -> bool:
    """Names no rule as a reason."""
    return world.report.reason is None
