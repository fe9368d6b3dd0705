"""Shipments and tracking: what people send, who carries it, where it was scanned, when it is brought.

With the option `pieces` a shipment is filled piece by piece; without it a shipment is one thing with one weight.
Provides `record` and `charge` (a shipment).
"""

from envfactory_dagster.language.embedded.kit import Module
from envfactory_dagster.language.embedded.modules.shipments.asks import ASKS
from envfactory_dagster.language.embedded.modules.shipments.extras import EXTRAS
from envfactory_dagster.language.embedded.modules.shipments.questions import QUESTIONS
from envfactory_dagster.language.embedded.modules.shipments.rows import ENTITIES, RULES, generate
from envfactory_dagster.language.embedded.modules.shipments.sending import SENDING

MODULE = Module(
    name="shipments",
    about="$Persons send $Shipments with $aCarrier of their choice and follow every $Event",
    roles={
        "carrier": ("carrier", "courier", "haulier", "transport partner"),
        "hub": ("depot", "sorting hub", "freight terminal", "parcel point"),
        "shipment": ("shipment", "parcel", "consignment", "freight job"),
        "piece": ("package", "crate", "pallet", "parcel piece"),
        "leg": ("leg", "transport leg", "route section"),
        "event": ("tracking event", "scan", "status scan"),
        "attempt": ("delivery attempt", "drop-off attempt", "doorstep visit"),
        "declaration": ("customs declaration", "goods declaration", "export form"),
    },
    entities=ENTITIES,
    rules=RULES,
    tools=(*SENDING, *EXTRAS),
    asks=(*ASKS, *QUESTIONS),
    generate=generate,
    provides={"record": "shipment", "charge": "shipment"},
    links=("charge",),
    options=("pieces", "legs", "attempts", "declarations"),
    settings={"mostredirects": (1, 2), "mosttries": (2, 3), "keepdays": (10, 14)},
    keywords=(
        "ship",
        "shipping",
        "shipment",
        "parcel",
        "courier",
        "delivery",
        "deliver",
        "freight",
        "tracking",
        "logistics",
        "cargo",
        "customs",
    ),
)
