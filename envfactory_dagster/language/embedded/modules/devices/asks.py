"""What people want done about their devices."""

from envfactory_dagster.language.embedded.kit import Allow, Ask, Fact, Goal, Step
from envfactory_dagster.language.embedded.modules.devices.fragments import unresolved, visible
from envfactory_dagster.language.embedded.modules.devices.rows import value_within
from envfactory_dagster.language.embedded.vocabulary import words_for_date
from envfactory_dagster.language.embedded.world import View

_FINDINGS = (
    "A cable had come loose, fixed it.",
    "The window was open, now it is shut.",
    "Cleaned the probe and tested it again.",
    "The pump had stopped, it runs again.",
)
FIND_DEVICE = """
            listed = tools.list_$devices(words=device)["$devices"]
            wanted = next(d for d in listed if d["name"] == device)
"""


def take_charge(view: View) -> Step | None:
    found = unresolved(view, "open")
    if not found:
        return None
    alert, device = view.rng.choice(found)
    return Step(
        text="acknowledge the open $Alert of {device}",
        values={"device": device["name"], "alert_id": alert["id"]},
        solve=FIND_DEVICE
        + """
            alerts = tools.list_$alerts(status="open")["$alerts"]
            alert = next(a for a in alerts if a["$device_id"] == wanted["id"])
            tools.acknowledge_$alert($alert_id=alert["id"])
        """,
        goals=(
            Goal(
                "acknowledged",
                "SELECT count(*) AS n FROM $alerts WHERE id = :alert_id AND status = 'acknowledged' AND handled_by = 1",
            ),
        ),
        allows=(Allow("alert", changed=1, columns=("status", "handled_by"), ids=(alert["id"],)),),
    )


def resolve(view: View) -> Step | None:
    found = unresolved(view, "acknowledged")
    if not found:
        return None
    alert, device = view.rng.choice(found)
    return Step(
        text='close the acknowledged $Alert of {device} with the note "{note}"',
        values={"device": device["name"], "note": view.rng.choice(_FINDINGS), "alert_id": alert["id"]},
        solve=FIND_DEVICE
        + """
            alerts = tools.list_$alerts(status="acknowledged")["$alerts"]
            alert = next(a for a in alerts if a["$device_id"] == wanted["id"])
            tools.search_$readings($device_id=wanted["id"])
            tools.resolve_$alert($alert_id=alert["id"], note=note)
        """,
        goals=(
            Goal(
                "closed",
                "SELECT count(*) AS n FROM $alerts WHERE id = :alert_id AND status = 'resolved' AND note = :note",
            ),
        ),
        allows=(Allow("alert", changed=1, columns=("status", "handled_by", "note"), ids=(alert["id"],)),),
    )


def resolve_any(view: View) -> Step | None:
    """A choice: either of the acknowledged warnings will do."""
    found = unresolved(view, "acknowledged", "warning")
    if len(found) < 2:
        return None
    return Step(
        text='close any one of the acknowledged warnings with the note "{note}", I do not mind which',
        values={"note": view.rng.choice(_FINDINGS)},
        solve="""
            alerts = tools.list_$alerts(status="acknowledged", severity="warning")["$alerts"]
            tools.search_$readings($device_id=alerts[0]["$device_id"])
            tools.resolve_$alert($alert_id=alerts[0]["id"], note=note)
        """,
        goals=(
            Goal(
                "one_closed",
                "SELECT count(*) AS n FROM $alerts WHERE severity = 'warning' AND status = 'resolved' AND note = :note",
            ),
        ),
        allows=(
            Allow(
                "alert",
                changed=1,
                columns=("status", "handled_by", "note"),
                ids=tuple(alert["id"] for alert, _ in found),
            ),
        ),
        otherwise=(("alerts[0]", "alerts[-1]"),),
    )


def set_bound(view: View) -> Step | None:
    device = view.rng.choice(visible(view)[:5])
    kind = view.row("kind", device["kind_id"])
    return Step(
        text="let {device} raise a critical $Alert below {level} {unit}",
        values={
            "device": device["name"],
            "level": value_within(view, kind, 0.05, 0.2),
            "unit": kind["measures"],
            "device_id": device["id"],
        },
        solve=FIND_DEVICE
        + """
            tools.list_$bounds($device_id=wanted["id"])
            tools.set_$bound($device_id=wanted["id"], direction="below", level=level, severity="critical")
        """,
        goals=(
            Goal(
                "set",
                "SELECT count(*) AS n FROM $bounds WHERE $device_id = :device_id AND direction = 'below'"
                " AND level = :level AND severity = 'critical'",
            ),
        ),
        allows=(Allow("bound", created=1),),
    )


def plan_upkeep(view: View) -> Step | None:
    device = view.rng.choice(visible(view)[:5])
    starts_at = view.moment(view.rng.randint(20, 28), view.rng.randint(8, 15))
    return Step(
        text='plan $aUpkeep of {hours} hours for {device} on {date} at {time}, for "{purpose}"',
        values={
            "hours": view.rng.randint(2, 4),
            "device": device["name"],
            "date": words_for_date(starts_at[:10]),
            "time": starts_at[11:16],
            "purpose": view.rng.choice(("new battery", "cleaning the probe", "tightening the mount")),
            "starts_at": starts_at,
            "device_id": device["id"],
        },
        solve=FIND_DEVICE
        + """
            tools.list_$upkeeps($device_id=wanted["id"])
            tools.plan_$upkeep($device_id=wanted["id"], starts_at=starts_at, hours=hours, purpose=purpose)
        """,
        goals=(
            Goal(
                "planned",
                "SELECT count(*) AS n FROM $upkeeps WHERE $device_id = :device_id AND $person_id = 1"
                " AND starts_at = :starts_at AND purpose = :purpose AND status = 'planned'"
                " AND CAST(substr(ends_at, 12, 2) AS INTEGER) - CAST(substr(starts_at, 12, 2) AS INTEGER) = :hours",
            ),
        ),
        allows=(Allow("upkeep", created=1),),
    )


def cancel_upkeep(view: View) -> Step | None:
    upkeep = view.row("upkeep", view.rng.randint(1, 2))
    return Step(
        text="call off the $Upkeep of {device} on {date}",
        values={
            "device": view.row("device", upkeep["device_id"])["name"],
            "date": words_for_date(upkeep["starts_at"][:10]),
            "day": upkeep["starts_at"][:10],
            "upkeep_id": upkeep["id"],
        },
        solve=FIND_DEVICE
        + """
            planned = tools.list_$upkeeps($device_id=wanted["id"])["$upkeeps"]
            upkeep = next(u for u in planned if u["starts_at"][:10] == day)
            tools.cancel_$upkeep($upkeep_id=upkeep["id"])
        """,
        goals=(
            Goal("called_off", "SELECT count(*) AS n FROM $upkeeps WHERE id = :upkeep_id AND status = 'cancelled'"),
        ),
        allows=(Allow("upkeep", changed=1, columns=("status",), ids=(upkeep["id"],)),),
    )


def add_routine(view: View) -> Step | None:
    watched, switched = view.rng.sample(visible(view)[:5], 2)
    kind = view.row("kind", watched["kind_id"])
    return Step(
        text='set up $aRoutine "{name}": when {device} goes above {level} {unit}, switch {other} off',
        values={
            "name": view.rng.choice(("Safety stop", "Evening watch", "Cool down")),
            "device": watched["name"],
            "level": value_within(view, kind, 0.6, 0.8),
            "unit": kind["measures"],
            "other": switched["name"],
            "watched_id": watched["id"],
            "switched_id": switched["id"],
        },
        solve=FIND_DEVICE
        + """
            target = next(d for d in tools.list_$devices(words=other)["$devices"] if d["name"] == other)
            tools.list_my_$routines()
            tools.add_$routine(
                name=name,
                watched_id=wanted["id"],
                direction="above",
                level=level,
                switched_id=target["id"],
                does="off",
            )
        """,
        goals=(
            Goal(
                "set_up",
                "SELECT count(*) AS n FROM $routines WHERE $person_id = 1 AND name = :name AND watched_id = :watched_id"
                " AND switched_id = :switched_id AND direction = 'above' AND level = :level AND does = 'off'"
                " AND enabled = 1",
            ),
        ),
        allows=(Allow("routine", created=1),),
    )


def disable_routine(view: View) -> Step | None:
    routine = view.row("routine", view.rng.randint(1, 2))
    return Step(
        text='disable my $Routine "{name}"',
        values={"name": routine["name"], "routine_id": routine["id"]},
        solve="""
            mine = tools.list_my_$routines()["$routines"]
            tools.switch_$routine($routine_id=next(o["id"] for o in mine if o["name"] == name), enabled=0)
        """,
        goals=(Goal("disabled", "SELECT count(*) AS n FROM $routines WHERE id = :routine_id AND enabled = 0"),),
        allows=(Allow("routine", changed=1, columns=("enabled",), ids=(routine["id"],)),),
    )


def escalate(view: View) -> Step | None:
    alert, device = (unresolved(view, "open", "critical") + unresolved(view, "acknowledged", "critical"))[0]
    return Step(
        text="have the first person on the list called about the critical $Alert of {device}",
        values={"device": device["name"], "alert_id": alert["id"]},
        solve=FIND_DEVICE
        + """
            alerts = tools.list_$alerts(severity="critical")["$alerts"]
            alert = next(a for a in alerts if a["$device_id"] == wanted["id"] and a["status"] != "resolved")
            tools.list_$contacts($alert_id=alert["id"])
            tools.escalate_$alert($alert_id=alert["id"])
        """,
        goals=(
            Goal(
                "called",
                "SELECT count(*) AS n FROM $escalations x JOIN $contacts c ON c.id = x.$contact_id"
                " WHERE x.$alert_id = :alert_id AND c.step = 1",
            ),
        ),
        allows=(Allow("escalation", created=1),),
    )


def record_calibration(view: View) -> Step | None:
    device = view.rng.choice(visible(view)[:5])
    return Step(
        text="record that I adjusted {device} today by {correction}",
        values={
            "device": device["name"],
            "correction": view.rng.randint(1, 9) / 10,
            "device_id": device["id"],
            "today": view.today,
        },
        solve=FIND_DEVICE
        + """
            tools.list_$calibrations($device_id=wanted["id"])
            tools.record_$calibration($device_id=wanted["id"], correction=correction)
        """,
        goals=(
            Goal(
                "recorded",
                "SELECT count(*) AS n FROM $calibrations WHERE $device_id = :device_id AND $person_id = 1"
                " AND correction = :correction AND performed_on = :today",
            ),
        ),
        allows=(Allow("calibration", created=1),),
    )


def highest_reading(view: View) -> Step | None:
    device = view.rng.choice(visible(view)[:5])
    since = view.day(-view.rng.randint(4, 9))
    return Step(
        text="tell me the highest $Reading of {device} since {date}",
        values={"device": device["name"], "date": words_for_date(since), "since": since, "device_id": device["id"]},
        solve=FIND_DEVICE
        + """
            found = tools.search_$readings($device_id=wanted["id"], since=since)["$readings"]
            return max(r["value"] for r in found)
        """,
        facts=(
            Fact(
                "the_highest",
                "SELECT max(value) AS value FROM $readings WHERE $device_id = :device_id AND taken_at >= :since",
            ),
        ),
    )


def lowest_battery(view: View) -> Step | None:
    device = min(visible(view), key=lambda row: row["battery"])
    return Step(
        text="tell me which of the $Devices that are online has the lowest battery, and how many percent it has left",
        values={"device_id": device["id"]},
        solve="""
            weakest = tools.list_$devices(status="online")["$devices"][0]
            return weakest["name"], weakest["battery"]
        """,
        facts=(
            Fact("its_name", "SELECT name AS value FROM $devices WHERE id = :device_id"),
            Fact("its_battery", "SELECT battery AS value FROM $devices WHERE id = :device_id"),
        ),
    )


def how_many_open(view: View) -> Step | None:
    count = len(unresolved(view, "open"))
    return Step(
        text="tell me how many $Alerts are open at the moment",
        values={"count": count},
        solve="""
            return tools.list_$alerts(status="open")["total"]
        """,
        facts=(Fact("how_many", "SELECT :count AS value"),),
    )


def what_was_found(view: View) -> Step | None:
    """What the last maintenance of a device was for."""
    device = view.rng.choice(visible(view)[:5])
    return Step(
        text="tell me what was done in the last finished $Upkeep of {device}, and by which day, as YYYY-MM-DD",
        values={"device": device["name"], "device_id": device["id"]},
        solve=FIND_DEVICE
        + """
            tools.get_$device($device_id=wanted["id"])
            known = tools.list_$upkeeps($device_id=wanted["id"])["$upkeeps"]
            last = next(u for u in known if u["status"] == "done")
            return last["purpose"], last["starts_at"][:10]
        """,
        facts=tuple(
            Fact(
                name,
                f"SELECT {column} AS value FROM $upkeeps WHERE $device_id = :device_id AND status = 'done'"
                " ORDER BY starts_at DESC LIMIT 1",
            )
            for name, column in (("its_purpose", "purpose"), ("its_day", "substr(starts_at, 1, 10)"))
        ),
    )


def fullest_zone(view: View) -> Step | None:
    counts = [0] * len(view.rows("zone"))
    for device in view.rows("device"):
        if not view.has("owned") or device["person_id"] == 1:
            counts[device["zone_id"] - 1] += 1
    if counts.count(max(counts)) > 1:
        return None
    return Step(
        text="tell me in which $Zone most of my $Devices are"
        if view.has("owned")
        else "tell me which $Zone has most $Devices",
        values={"zone_id": counts.index(max(counts)) + 1},
        solve="""
            return tools.list_$zones()["$zones"][0]["name"]
        """,
        facts=(Fact("the_zone", "SELECT name AS value FROM $zones WHERE id = :zone_id"),),
    )


ASKS = (
    Ask("take_charge", take_charge),
    Ask("resolve_alert", resolve),
    Ask("resolve_any_alert", resolve_any),
    Ask("set_bound", set_bound, when="full"),
    Ask("plan_upkeep", plan_upkeep, when="full"),
    Ask("cancel_upkeep", cancel_upkeep, when="full"),
    Ask("add_routine", add_routine, when="full routines"),
    Ask("disable_routine", disable_routine, when="full routines"),
    Ask("escalate_alert", escalate, when="full escalations"),
    Ask("record_calibration", record_calibration, when="full calibrations"),
    Ask("highest_reading", highest_reading),
    Ask("lowest_battery", lowest_battery),
    Ask("how_many_open_alerts", how_many_open),
    Ask("last_upkeep", what_was_found, when="full"),
    Ask("fullest_zone", fullest_zone, when="full zones"),
)
