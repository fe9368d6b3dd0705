"""Maintenance windows, and what the options add: zones, routines, escalation, calibration."""

from envfactory_dagster.language.embedded.kit import Tool, choice, ident, integer, many, moment, number, row_of, text
from envfactory_dagster.language.embedded.modules.devices.fragments import (
    FIND_ALERT,
    FIND_DEVICE,
    WHERE_VISIBLE,
    alert_of,
)
from envfactory_dagster.language.embedded.world import View

_TIMES = "from datetime import datetime, timedelta"


def _routine_call(view: View, device_id: int) -> dict[str, object]:
    return {
        "name": "Quiet hours",
        "watched_id": 1,
        "direction": "below",
        "level": 20.5,
        "switched_id": device_id,
        "does": "off",
    }


EXTRAS = (
    Tool(
        name="list_$upkeeps",
        about="List the $Upkeeps of one $Device, latest first, with who planned each.",
        effect="read",
        when="full",
        params={"$device_id": ident("device")},
        returns={
            "$upkeeps": many(row_of("upkeep", "id", "starts_at", "ends_at", "purpose", "status", planned_by=text()))
        },
        code=FIND_DEVICE
        + """
            rows = env.query(
                "SELECT u.id, u.starts_at, u.ends_at, u.purpose, u.status, p.name AS planned_by FROM $upkeeps u"
                " JOIN $persons p ON p.id = u.$person_id WHERE u.$device_id = ? ORDER BY u.starts_at DESC, u.id",
                [device["id"]],
            )
            return {"$upkeeps": rows}
        """,
        good=lambda view: {"device_id": 1},
        bad=lambda view: {"device_id": view.missing("device")},
    ),
    Tool(
        name="plan_$upkeep",
        about="Plan a time in which a $Device is worked on.",
        effect="create",
        when="full",
        imports=_TIMES,
        params={
            "$device_id": ident("device"),
            "starts_at": moment("When it starts, as YYYY-MM-DDTHH:MM:SS."),
            "hours": integer("For how many hours.", 1, 48),
            "purpose": text("What is going to be done.", 100),
        },
        returns={"$upkeep_id": integer(), "ends_at": text()},
        code=FIND_DEVICE
        + """
            if starts_at <= env.now or device["status"] == "retired":
                raise env.Error("only what is in use, and only the future, can be planned for")
            #: if upkeep_length
            if hours > $longest:
                raise env.Error("$aUpkeep lasts at most $longest hours")
            #: end
            start = datetime.fromisoformat(starts_at)
            ends_at = (start + timedelta(hours=hours)).isoformat()
            pause = timedelta(hours=0)
            #: if upkeep_gap
            pause = timedelta(hours=$gap)
            #: end
            other = env.one(
                "SELECT starts_at, ends_at FROM $upkeeps WHERE $device_id = ? AND status = 'planned'"
                " AND starts_at < ? AND ends_at > ?",
                [$device_id, (start + timedelta(hours=hours) + pause).isoformat(), (start - pause).isoformat()],
            )
            if other is not None:
                raise env.Error(f"too close to another one, from {other['starts_at']} to {other['ends_at']}")
            upkeep_id = env.insert(
                "INSERT INTO $upkeeps ($device_id, $person_id, starts_at, ends_at, purpose, status)"
                " VALUES (?, ?, ?, ?, ?, 'planned')",
                [$device_id, env.user_id, starts_at, ends_at, purpose],
            )
            return {"$upkeep_id": upkeep_id, "ends_at": ends_at}
        """,
        good=lambda view: {"device_id": 3, "starts_at": view.moment(20, 9), "hours": 2, "purpose": "cleaning"},
        bad=lambda view: {"device_id": 3, "starts_at": view.moment(-2, 9), "hours": 2, "purpose": "cleaning"},
    ),
    Tool(
        name="cancel_$upkeep",
        about="Cancel $aUpkeep to come that the signed-in $Person planned.",
        effect="change",
        when="full",
        params={"$upkeep_id": ident("upkeep")},
        returns={"$upkeep_id": integer(), "status": choice("", "cancelled")},
        code="""
            row = env.one(
                "SELECT status, starts_at FROM $upkeeps WHERE id = ? AND $person_id = ?", [$upkeep_id, env.user_id]
            )
            if row is None or row["status"] != "planned" or row["starts_at"] <= env.now:
                raise env.Error(f"you have planned no $Upkeep {$upkeep_id} that is to come")
            env.execute("UPDATE $upkeeps SET status = 'cancelled' WHERE id = ?", [$upkeep_id])
            return {"$upkeep_id": $upkeep_id, "status": "cancelled"}
        """,
        good=lambda view: {"upkeep_id": 1},
        bad=lambda view: {"upkeep_id": view.need("upkeep", lambda row: row["person_id"] != 1)["id"]},
    ),
    Tool(
        name="list_$zones",
        about="List the $Zones with how many $Devices are in each, most first.",
        effect="read",
        when="full zones",
        params={},
        returns={"$zones": many(row_of("zone", "id", "name", "place_id", "notes", **{"$devices": integer()}))},
        code="""
            rows = env.query(
                "SELECT z.id, z.name, z.notes,"
                #: if place
                " z.$place_id,"
                #: end
                " count(d.id) AS $devices FROM $zones z LEFT JOIN $devices d ON d.$zone_id = z.id"
                #: if owned
                " AND d.$person_id = :me"
                #: end
                " GROUP BY z.id ORDER BY $devices DESC, z.name",
                {"me": env.user_id},
            )
            return {"$zones": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="list_my_$routines",
        about="List the signed-in $Person's $Routines by name.",
        effect="read",
        when="full routines",
        params={},
        returns={
            "$routines": many(
                row_of(
                    "routine", "id", "name", "direction", "level", "does", "enabled", watched=text(), switched=text()
                )
            )
        },
        code="""
            rows = env.query(
                "SELECT o.id, o.name, o.direction, o.level, o.does, o.enabled, w.name AS watched, s.name AS switched"
                " FROM $routines o JOIN $devices w ON w.id = o.watched_id JOIN $devices s ON s.id = o.switched_id"
                " WHERE o.$person_id = ? ORDER BY o.name",
                [env.user_id],
            )
            return {"$routines": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="add_$routine",
        about="Set up what happens to one $Device when another measures more or less than a level.",
        effect="create",
        when="full routines",
        params={
            "name": text("A name for it.", 60),
            "watched_id": ident("device", "Id of the $Device that measures."),
            "direction": choice("On which side of the level it happens.", "above", "below"),
            "level": number("The level, in the unit of the watched $Device."),
            "switched_id": ident("device", "Id of the $Device to which it happens."),
            "does": choice("What happens.", "on", "off", "notify"),
        },
        returns={"$routine_id": integer(), "enabled": integer()},
        code="""
            seen = env.query(
                "SELECT d.id FROM $devices d"
"""
        + WHERE_VISIBLE
        + """
                " d.id IN (:watched, :switched) AND d.status <> 'retired'",
                {"watched": watched_id, "switched": switched_id, "me": env.user_id},
            )
            if {row["id"] for row in seen} != {watched_id, switched_id}:
                raise env.Error("both must be $Devices of yours that are in use")
            if env.one("SELECT id FROM $routines WHERE $person_id = ? AND name = ?", [env.user_id, name]):
                raise env.Error(f"you have a $Routine called {name} already")
            routine_id = env.insert(
                "INSERT INTO $routines ($person_id, name, watched_id, direction, level, switched_id, does, enabled)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, 1)",
                [env.user_id, name, watched_id, direction, float(level), switched_id, does],
            )
            return {"$routine_id": routine_id, "enabled": 1}
        """,
        good=lambda view: _routine_call(view, 2),
        bad=lambda view: _routine_call(view, view.missing("device")),
    ),
    Tool(
        name="switch_$routine",
        about="Enable or disable one of the signed-in $Person's $Routines.",
        effect="change",
        when="full routines",
        params={"$routine_id": ident("routine"), "enabled": integer("1 to enable, 0 to disable.", 0, 1)},
        returns={"$routine_id": integer(), "enabled": integer()},
        code="""
            row = env.one("SELECT id FROM $routines WHERE id = ? AND $person_id = ?", [$routine_id, env.user_id])
            if row is None:
                raise env.Error(f"you have no $Routine {$routine_id}")
            env.execute("UPDATE $routines SET enabled = ? WHERE id = ?", [enabled, $routine_id])
            return {"$routine_id": $routine_id, "enabled": enabled}
        """,
        good=lambda view: {"routine_id": 1, "enabled": 0},
        bad=lambda view: {"routine_id": view.missing("routine"), "enabled": 0},
    ),
    Tool(
        name="list_$contacts",
        about="List who can be called about $aAlert, in order, and who has been called already.",
        effect="read",
        when="full escalations",
        params={"$alert_id": ident("alert")},
        returns={
            "$contacts": many(row_of("contact", "id", "step", "name", "phone", called_at={"type": ["string", "null"]}))
        },
        code=FIND_ALERT
        + """
            rows = env.query(
                "SELECT c.id, c.step, c.name, c.phone, x.called_at FROM $devices d"
                " JOIN $contacts c ON c.$kind_id = d.$kind_id"
                " LEFT JOIN $escalations x ON x.$contact_id = c.id AND x.$alert_id = ?"
                " WHERE d.id = ? ORDER BY c.step",
                [$alert_id, alert["$device_id"]],
            )
            return {"$contacts": rows}
        """,
        good=lambda view: {"alert_id": alert_of(view, 3)["id"]},
        bad=lambda view: {"alert_id": view.missing("alert")},
    ),
    Tool(
        name="escalate_$alert",
        about="Call the next $Contact about $aAlert that is not resolved.",
        effect="create",
        when="full escalations",
        params={"$alert_id": ident("alert")},
        returns={"$escalation_id": integer(), "called": text()},
        code=FIND_ALERT
        + """
            if alert["status"] == "resolved":
                raise env.Error("this $Alert is resolved already")
            #: if escalation_critical
            if alert["severity"] != "critical":
                raise env.Error(f"only a critical $Alert can be escalated, this one is {alert['severity']}")
            #: end
            following = env.one(
                "SELECT c.id, c.name FROM $devices d JOIN $contacts c ON c.$kind_id = d.$kind_id"
                " WHERE d.id = ? AND NOT EXISTS (SELECT 1 FROM $escalations x"
                " WHERE x.$contact_id = c.id AND x.$alert_id = ?) ORDER BY c.step",
                [alert["$device_id"], $alert_id],
            )
            if following is None:
                raise env.Error("everybody has been called about this already")
            escalation_id = env.insert(
                "INSERT INTO $escalations ($alert_id, $contact_id, called_at) VALUES (?, ?, ?)",
                [$alert_id, following["id"], env.now],
            )
            return {"$escalation_id": escalation_id, "called": following["name"]}
        """,
        good=lambda view: {"alert_id": alert_of(view, 3)["id"]},
        bad=lambda view: {"alert_id": view.missing("alert")},
    ),
    Tool(
        name="list_$calibrations",
        about="List the $Calibrations of one $Device, latest first.",
        effect="read",
        when="full calibrations",
        params={"$device_id": ident("device")},
        returns={"$calibrations": many(row_of("calibration", "id", "correction", "performed_on", performed_by=text()))},
        code=FIND_DEVICE
        + """
            rows = env.query(
                "SELECT b.id, b.correction, b.performed_on, p.name AS performed_by FROM $calibrations b"
                " JOIN $persons p ON p.id = b.$person_id WHERE b.$device_id = ? ORDER BY b.performed_on DESC, b.id",
                [device["id"]],
            )
            return {"$calibrations": rows}
        """,
        good=lambda view: {"device_id": 1},
        bad=lambda view: {"device_id": view.missing("device")},
    ),
    Tool(
        name="record_$calibration",
        about="Record that the signed-in $Person has adjusted a $Device today.",
        effect="create",
        when="full calibrations",
        params={"$device_id": ident("device"), "correction": number("By how much, in the unit of the $Device.")},
        returns={"$calibration_id": integer(), "performed_on": text()},
        code=FIND_DEVICE
        + """
            known = env.one(
                "SELECT id FROM $calibrations WHERE $device_id = ? AND performed_on = ?",
                [device["id"], env.now[:10]],
            )
            if known is not None:
                raise env.Error("this has been recorded today already")
            calibration_id = env.insert(
                "INSERT INTO $calibrations ($device_id, $person_id, correction, performed_on) VALUES (?, ?, ?, ?)",
                [$device_id, env.user_id, float(correction), env.now[:10]],
            )
            return {"$calibration_id": calibration_id, "performed_on": env.now[:10]}
        """,
        good=lambda view: {"device_id": 1, "correction": 0.5},
        bad=lambda view: {"device_id": view.missing("device"), "correction": 0.5},
    ),
)
