"""People and their memberships: who the service knows, what tier they are on, where they belong.

Part of every environment; other modules refer to its `person`. Provides `person` and, with the option `places`,
`place`.
"""

from envfactory_dagster.language.embedded.kit import Module
from envfactory_dagster.language.embedded.modules.people.asks import ASKS
from envfactory_dagster.language.embedded.modules.people.rows import ENTITIES, RULES, generate
from envfactory_dagster.language.embedded.modules.people.tools import TOOLS

MODULE = Module(
    name="people",
    about="every $Person has a profile with contact details",
    roles={
        "place": ("branch", "site", "location", "centre"),
        "tier": ("plan tier", "level", "membership level", "package"),
        "person": ("member", "customer", "client", "guest", "patron", "subscriber", "resident", "participant"),
        "membership": ("membership", "enrolment", "sign-up record|sign-up records"),
    },
    entities=ENTITIES,
    rules=RULES,
    tools=TOOLS,
    asks=ASKS,
    generate=generate,
    provides={"person": "person", "place": "place"},
    options=("places", "referrals"),
    settings={"pauses": (1, 2, 3)},
    keywords=("membership", "profile", "subscriber", "referral"),
)
