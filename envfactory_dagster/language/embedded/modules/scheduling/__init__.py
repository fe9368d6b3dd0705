"""Scheduling: shifts that people take, give up and swap; leave, availability, qualifications, time clock.

The person here works or helps: every assignment is theirs to a shift of a duty. Provides `record` (an assignment) and,
with the option `leads`, `staff` (a team's lead).
"""

from envfactory_dagster.language.embedded.kit import Module
from envfactory_dagster.language.embedded.modules.scheduling.asks import ASKS
from envfactory_dagster.language.embedded.modules.scheduling.extras import EXTRAS
from envfactory_dagster.language.embedded.modules.scheduling.refusals import REFUSALS
from envfactory_dagster.language.embedded.modules.scheduling.rows import ENTITIES, RULES, generate
from envfactory_dagster.language.embedded.modules.scheduling.shifts import SHIFTS
from envfactory_dagster.language.embedded.modules.scheduling.swapping import SWAPPING

MODULE = Module(
    name="scheduling",
    about="$Persons take $Shifts on a roster and give up or pass on what they cannot do",
    roles={
        "lead": ("shift lead", "supervisor", "coordinator", "foreman|foremen"),
        "duty": ("duty", "position", "post", "task type"),
        "shift": ("shift", "turn", "watch"),
        "stint": ("shift assignment", "roster entry", "placement"),
        "swap": ("swap offer", "swap request", "exchange offer"),
        "leave": ("leave request", "absence", "day-off request"),
        "window": ("availability window", "free window", "availability"),
        "skill": ("qualification", "skill", "permit"),
        "holding": ("qualification record", "skill record", "permit record"),
        "clocking": ("time stamp", "clock entry", "time record"),
    },
    entities=ENTITIES,
    rules=RULES,
    tools=(*SHIFTS, *SWAPPING, *EXTRAS),
    asks=(*ASKS, *REFUSALS),
    generate=generate,
    provides={"record": "stint", "staff": "lead"},
    links=("place",),
    options=("leads", "swaps", "leaves", "windows", "skills", "clock"),
    settings={"rest": (8, 10, 11), "shiftnotice": (12, 24, 48), "mostshifts": (6, 7, 8)},
    keywords=("shift", "roster", "rota", "schedule", "staffing", "swap", "volunteer", "crew", "availability"),
)
