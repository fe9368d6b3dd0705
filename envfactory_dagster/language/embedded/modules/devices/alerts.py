"""Alerts and the thresholds that raise them."""

from envfactory_dagster.language.embedded.kit import (
    Tool,
    choice,
    ident,
    integer,
    many,
    number,
    optional,
    row_of,
    text,
)
from envfactory_dagster.language.embedded.modules.devices.fragments import (
    ALERT,
    FIND_ALERT,
    FIND_DEVICE,
    SELECT_ALERT,
    WHERE_VISIBLE,
    alert_of,
    unresolved,
)
from envfactory_dagster.language.embedded.modules.devices.rows import SEVERITIES, value_within
from envfactory_dagster.language.embedded.world import View


def _bound_call(view: View, device_id: int) -> dict[str, object]:
    level = value_within(view, view.row("kind", view.row("device", 1)["kind_id"]), 0.1, 0.2)
    return {"device_id": device_id, "direction": "below", "level": level, "severity": "critical"}


ALERTS = (
    Tool(
        name="list_$alerts",
        about="List the $Alerts of the $Devices that the signed-in $Person can see, latest first.",
        effect="read",
        params={
            "status": optional(choice("Only $Alerts of this status.", "open", "acknowledged", "resolved")),
            "severity": optional(choice("Only $Alerts of this severity.", *SEVERITIES)),
        },
        returns={"$alerts": many(ALERT), "total": integer()},
        code="""
            rows = env.query("""
        + SELECT_ALERT
        + WHERE_VISIBLE
        + """
                " (:status IS NULL OR a.status = :status) AND (:severity IS NULL OR a.severity = :severity)"
                " ORDER BY a.raised_at DESC, a.id",
                {"status": status, "severity": severity, "me": env.user_id},
            )
            return {"$alerts": rows, "total": len(rows)}
        """,
        good=lambda view: {"status": "open"},
    ),
    Tool(
        name="acknowledge_$alert",
        about="Take charge of an open $Alert in the name of the signed-in $Person.",
        effect="change",
        params={"$alert_id": ident("alert")},
        returns={"$alert_id": integer(), "status": choice("", "acknowledged")},
        code=FIND_ALERT
        + """
            if alert["status"] != "open":
                raise env.Error(f"this $Alert is {alert['status']} already")
            env.execute(
                "UPDATE $alerts SET status = 'acknowledged', handled_by = ? WHERE id = ?", [env.user_id, $alert_id]
            )
            return {"$alert_id": $alert_id, "status": "acknowledged"}
        """,
        good=lambda view: {"alert_id": alert_of(view, 1)["id"]},
        bad=lambda view: {"alert_id": view.missing("alert")},
    ),
    Tool(
        name="resolve_$alert",
        about="Close $aAlert, with a note on what was found.",
        effect="change",
        params={"$alert_id": ident("alert"), "note": optional(text("What was found and done.", 300))},
        returns={"$alert_id": integer(), "status": choice("", "resolved")},
        code=FIND_ALERT
        + """
            if alert["status"] == "resolved":
                raise env.Error("this $Alert is resolved already")
            #: if alert_order
            if alert["status"] != "acknowledged":
                raise env.Error("this $Alert has to be acknowledged first")
            #: end
            #: if alert_note
            if alert["severity"] == "critical" and len((note or "").split()) < $notewords:
                raise env.Error("a critical $Alert needs a note of at least $notewords words")
            #: end
            env.execute(
                "UPDATE $alerts SET status = 'resolved', handled_by = ?, note = ? WHERE id = ?",
                [env.user_id, note, $alert_id],
            )
            return {"$alert_id": $alert_id, "status": "resolved"}
        """,
        good=lambda view: {
            "alert_id": unresolved(view, "acknowledged")[0][0]["id"],
            "note": "Cleaned and tested again.",
        },
        bad=lambda view: {"alert_id": view.need("alert", lambda row: row["status"] == "resolved")["id"]},
    ),
    Tool(
        name="list_$bounds",
        about="List the $Bounds of one $Device.",
        effect="read",
        when="full",
        params={"$device_id": ident("device")},
        returns={"$bounds": many(row_of("bound", "id", "direction", "level", "severity")), "unit": text()},
        code=FIND_DEVICE
        + """
            rows = env.query(
                "SELECT id, direction, level, severity FROM $bounds WHERE $device_id = ? ORDER BY direction",
                [$device_id],
            )
            return {"$bounds": rows, "unit": device["measures"]}
        """,
        good=lambda view: {"device_id": 1},
        bad=lambda view: {"device_id": view.missing("device")},
    ),
    Tool(
        name="set_$bound",
        about="Set above or below which value a $Device raises $aAlert; an earlier one is replaced.",
        effect="change",
        when="full",
        params={
            "$device_id": ident("device"),
            "direction": choice("On which side of the level.", "above", "below"),
            "level": number("The level, in the unit of the $Device."),
            "severity": choice("How grave it is.", *SEVERITIES),
        },
        returns={"$bound_id": integer(), "level": number()},
        code=FIND_DEVICE
        + """
            #: if device_range
            if not device["lowest"] <= level <= device["highest"]:
                raise env.Error(f"out of range: this $Device measures {device['lowest']} to {device['highest']}")
            #: end
            level = float(level)
            row = env.one("SELECT id FROM $bounds WHERE $device_id = ? AND direction = ?", [$device_id, direction])
            if row is None:
                bound_id = env.insert(
                    "INSERT INTO $bounds ($device_id, direction, level, severity) VALUES (?, ?, ?, ?)",
                    [$device_id, direction, level, severity],
                )
                return {"$bound_id": bound_id, "level": level}
            env.execute("UPDATE $bounds SET level = ?, severity = ? WHERE id = ?", [level, severity, row["id"]])
            return {"$bound_id": row["id"], "level": level}
        """,
        good=lambda view: _bound_call(view, 1),
        bad=lambda view: _bound_call(view, view.missing("device")),
    ),
)
