"""Pieces that several tools of this module share: finding rows of a world, and fragments of code."""

from envfactory_dagster.language.embedded.kit import Row, integer, number, row_of, text
from envfactory_dagster.language.embedded.world import View

# A condition begins: only what the signed-in person may see, of the device `d`; for queries with named parameters.
WHERE_VISIBLE = """
                #: if owned
                " WHERE d.$person_id = :me AND"
                #: end
                #: if !owned
                " WHERE"
                #: end
"""
FIND_DEVICE = (
    """
            device = env.one(
                "SELECT d.id, d.name, d.status, d.battery, k.name AS $kind_name, k.measures, k.lowest, k.highest"
                " FROM $devices d JOIN $kinds k ON k.id = d.$kind_id"
"""
    + WHERE_VISIBLE
    + """
                " d.id = :device",
                {"device": $device_id, "me": env.user_id},
            )
            if device is None:
                raise env.Error(f"you have no $Device {$device_id}")
"""
)
ALERT = row_of(
    "alert",
    "id",
    "severity",
    "status",
    "raised_at",
    "note",
    value=number(),
    **{"$device_id": integer(), "$device_name": text()},
)
SELECT_ALERT = """
                "SELECT a.id, a.severity, a.status, a.raised_at, a.note, r.value, d.id AS $device_id,"
                " d.name AS $device_name FROM $alerts a JOIN $readings r ON r.id = a.$reading_id"
                " JOIN $devices d ON d.id = r.$device_id"
"""
FIND_ALERT = (
    """
            alert = env.one("""
    + SELECT_ALERT
    + WHERE_VISIBLE
    + """
                " a.id = :alert",
                {"alert": $alert_id, "me": env.user_id},
            )
            if alert is None:
                raise env.Error(f"there is no $Alert {$alert_id} of yours")
"""
)


def visible(view: View) -> list[Row]:
    """Devices that user 1 sees and that work."""
    return view.select(
        "device", lambda row: row["status"] == "online" and (not view.has("owned") or row["person_id"] == 1)
    )


def alert_of(view: View, device_id: int) -> Row:
    """The unresolved alert of one of the first five devices."""
    readings = {row["id"] for row in view.select("reading", lambda row: row["device_id"] == device_id)}
    return view.need("alert", lambda row: row["reading_id"] in readings and row["status"] != "resolved")


def unresolved(view: View, status: str, severity: str | None = None) -> list[tuple[Row, Row]]:
    """Alerts in a status with their devices, of those user 1 sees."""
    found = [(alert_of(view, device_id), view.row("device", device_id)) for device_id in range(1, 6)]
    return [(a, d) for a, d in found if a["status"] == status and severity in (None, a["severity"])]
