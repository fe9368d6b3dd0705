"""Tickets: what people report or ask for, the teams that solve it, and how far it has come.

With the option `routed` the topic of a ticket decides which team gets it; without it whoever opens one says so.
Provides `record` (a ticket) and `staff` (who works on tickets).
"""

from envfactory_dagster.language.embedded.kit import Module
from envfactory_dagster.language.embedded.modules.tickets.asks import ASKS
from envfactory_dagster.language.embedded.modules.tickets.extras import EXTRAS
from envfactory_dagster.language.embedded.modules.tickets.handling import HANDLING
from envfactory_dagster.language.embedded.modules.tickets.rows import ENTITIES, RULES, generate

MODULE = Module(
    name="tickets",
    about="$Persons open $Tickets, follow how $aQueue deals with them and reopen what is not settled",
    roles={
        "queue": ("service team", "help desk", "support queue", "repair crew"),
        "topic": ("topic", "fault type", "request type"),
        "agent": ("technician", "support agent", "handler", "caretaker"),
        "ticket": ("ticket", "work order", "service request", "service ticket", "fault report"),
        "note": ("ticket note", "remark", "case note"),
        "escalation": ("escalation", "step up|steps up"),
        "visit": ("site visit", "call-out", "home visit"),
        "estimate": ("estimate", "quote", "cost proposal"),
    },
    entities=ENTITIES,
    rules=RULES,
    tools=(*HANDLING, *EXTRAS),
    asks=ASKS,
    generate=generate,
    provides={"record": "ticket", "staff": "agent"},
    links=("thing", "place"),
    options=("routed", "assigned", "levels", "visits", "estimates"),
    settings={"reopendays": (7, 14, 21), "escalatehours": (24, 36)},
    keywords=("support", "helpdesk", "ticket", "repair", "fault", "complaint", "maintenance", "issue", "escalate"),
)
