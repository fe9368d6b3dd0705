"""Devices: readings, thresholds and alerts, maintenance windows, routines, calibrations.

With the option `owned` everybody sees their own devices only, without it all share them. Provides `thing` (a device).
"""

from envfactory_dagster.language.embedded.kit import Module
from envfactory_dagster.language.embedded.modules.devices.alerts import ALERTS
from envfactory_dagster.language.embedded.modules.devices.asks import ASKS
from envfactory_dagster.language.embedded.modules.devices.extras import EXTRAS
from envfactory_dagster.language.embedded.modules.devices.readings import READINGS
from envfactory_dagster.language.embedded.modules.devices.refusals import REFUSALS
from envfactory_dagster.language.embedded.modules.devices.rows import ENTITIES, RULES, generate

MODULE = Module(
    name="devices",
    about="$Devices send $Readings, raise $Alerts and are looked after in $Upkeeps",
    roles={
        "zone": ("zone", "area", "section"),
        "kind": ("device type", "sensor type", "device model"),
        "device": ("device", "sensor", "machine", "meter", "unit"),
        "reading": ("reading", "measurement", "sample value"),
        "bound": ("threshold", "alarm limit", "set point"),
        "alert": ("alert", "alarm", "incident"),
        "upkeep": ("maintenance window", "service visit", "upkeep slot"),
        "routine": ("routine", "automation", "scene"),
        "contact": ("on-call contact", "emergency contact", "alert contact"),
        "escalation": ("escalation", "alert call", "escalation step"),
        "calibration": ("calibration", "adjustment", "tuning record"),
    },
    entities=ENTITIES,
    rules=RULES,
    tools=(*READINGS, *ALERTS, *EXTRAS),
    asks=(*ASKS, *REFUSALS),
    generate=generate,
    provides={"thing": "device"},
    links=("place",),
    options=("owned", "zones", "routines", "escalations", "calibrations"),
    settings={"notewords": (3, 4, 5), "gap": (2, 4, 6), "longest": (4, 6, 8)},
    keywords=(
        "device",
        "sensor",
        "reading",
        "alert",
        "alarm",
        "monitor",
        "monitoring",
        "meter",
        "smart",
        "maintenance",
    ),
)
