"""Looking up devices and what they measured."""

from envfactory_dagster.language.embedded.kit import (
    Tool,
    choice,
    day,
    ident,
    integer,
    many,
    nullable,
    number,
    optional,
    row_of,
    text,
)
from envfactory_dagster.language.embedded.modules.devices.fragments import FIND_DEVICE, WHERE_VISIBLE

READINGS = (
    Tool(
        name="list_$devices",
        about="List the $Devices the signed-in $Person can see, lowest battery first.",
        effect="read",
        params={
            "status": optional(choice("Only $Devices of this status.", "online", "offline", "retired")),
            "words": optional(text("Only $Devices whose name contains this.", 60)),
        },
        returns={
            "$devices": many(
                row_of("device", "id", "name", "zone_id", "place_id", "status", "battery", **{"$kind_name": text()})
            )
        },
        code="""
            rows = env.query(
                "SELECT d.id, d.name, d.status, d.battery, k.name AS $kind_name"
                #: if full zones
                ", d.$zone_id"
                #: end
                #: if full place !zones
                ", d.$place_id"
                #: end
                " FROM $devices d JOIN $kinds k ON k.id = d.$kind_id"
"""
        + WHERE_VISIBLE
        + """
                " (:status IS NULL OR d.status = :status)"
                " AND (:words IS NULL OR d.name LIKE '%' || :words || '%')"
                " ORDER BY d.battery, d.id",
                {"status": status, "words": words, "me": env.user_id},
            )
            return {"$devices": rows}
        """,
        good=lambda view: {"status": "online"},
    ),
    Tool(
        name="get_$device",
        about="Show one $Device: its kind, unit and range, its battery, and its latest $Reading.",
        effect="read",
        when="full",
        params={"$device_id": ident("device")},
        returns={
            "$device": row_of(
                "device",
                "id",
                "name",
                "status",
                "battery",
                measures=text(),
                lowest=number(),
                highest=number(),
                **{"$kind_name": text()},
            ),
            "latest": nullable(number()),
        },
        code=FIND_DEVICE
        + """
            latest = env.one(
                "SELECT value FROM $readings WHERE $device_id = ? ORDER BY taken_at DESC, id LIMIT 1", [$device_id]
            )
            return {"$device": device, "latest": latest["value"] if latest else None}
        """,
        good=lambda view: {"device_id": 1},
        bad=lambda view: {"device_id": view.missing("device")},
    ),
    Tool(
        name="search_$readings",
        about="Find the $Readings of one $Device, latest first.",
        effect="read",
        params={
            "$device_id": ident("device"),
            "since": optional(day("Only $Readings on or after this day, as YYYY-MM-DD.")),
            "least": optional(number("Only $Readings of at least this value.")),
            "limit": integer("At most so many $Readings.", 1, 100, default=50),
        },
        returns={"$readings": many(row_of("reading", "id", "value", "source", "taken_at")), "unit": text()},
        code=FIND_DEVICE
        + """
            rows = env.query(
                "SELECT id, value, source, taken_at FROM $readings WHERE $device_id = :device"
                " AND (:since IS NULL OR substr(taken_at, 1, 10) >= :since) AND (:least IS NULL OR value >= :least)"
                " ORDER BY taken_at DESC, id LIMIT :limit",
                {"device": $device_id, "since": since, "least": least, "limit": limit},
            )
            return {"$readings": rows, "unit": device["measures"]}
        """,
        good=lambda view: {"device_id": 1, "since": view.day(-10)},
        bad=lambda view: {"device_id": view.missing("device")},
    ),
    Tool(
        name="summarize_$readings",
        about="Show the lowest, mean and highest $Reading of one $Device since a day.",
        effect="read",
        when="full",
        params={"$device_id": ident("device"), "since": day("From this day on, as YYYY-MM-DD.")},
        returns={
            "n": integer(),
            "lowest": nullable(number()),
            "mean": nullable(number()),
            "highest": nullable(number()),
        },
        code=FIND_DEVICE
        + """
            return env.one(
                "SELECT count(*) AS n, min(value) AS lowest, round(avg(value), 2) AS mean, max(value) AS highest"
                " FROM $readings WHERE $device_id = ? AND substr(taken_at, 1, 10) >= ?",
                [device["id"], since],
            )
        """,
        good=lambda view: {"device_id": 1, "since": view.day(-10)},
        bad=lambda view: {"device_id": view.missing("device"), "since": view.day(-10)},
    ),
    Tool(
        name="enter_$reading",
        about="Enter $aReading that one has taken by hand.",
        effect="create",
        principal="user",
        when="full",
        params={"$device_id": ident("device"), "value": number("What one has read off.")},
        returns={"$reading_id": integer(), "taken_at": text()},
        code=FIND_DEVICE
        + """
            if not device["lowest"] <= value <= device["highest"]:
                raise env.Error(f"this $Device measures {device['lowest']} to {device['highest']} only")
            reading_id = env.insert(
                "INSERT INTO $readings ($device_id, value, source, taken_at) VALUES (?, ?, 'manual', ?)",
                [$device_id, float(value), env.now],
            )
            return {"$reading_id": reading_id, "taken_at": env.now}
        """,
        good=lambda view: {"device_id": 1, "value": view.row("kind", 1)["highest"]},
        bad=lambda view: {"device_id": view.missing("device"), "value": 5.5},
    ),
)
