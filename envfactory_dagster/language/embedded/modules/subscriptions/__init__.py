"""Subscriptions: plans, the contracts people have for them, and the months that are billed.

With the option `queued` a change of plan waits for the end of the month and for the person's confirmation; without it
it is made at once. Provides `record` (a contract) and `charge` (a month).
"""

from envfactory_dagster.language.embedded.kit import Module
from envfactory_dagster.language.embedded.modules.subscriptions.asks import ASKS
from envfactory_dagster.language.embedded.modules.subscriptions.contracts import CONTRACTS
from envfactory_dagster.language.embedded.modules.subscriptions.extras import EXTRAS
from envfactory_dagster.language.embedded.modules.subscriptions.rows import ENTITIES, RULES, generate

MODULE = Module(
    name="subscriptions",
    about="$Persons choose $aPlan, change or end their $Contracts and see every $Period",
    roles={
        "plan": ("subscription plan", "tariff", "bundle", "service plan"),
        "contract": ("subscription", "contract", "standing order", "service agreement"),
        "period": ("billing period", "billing month", "billing cycle"),
        "feeline": ("billing line", "bill item", "price line"),
        "pause": ("pause", "holiday stop", "delivery break"),
        "addon": ("add-on", "plan option", "booster"),
        "extra": ("booked add-on", "booked option"),
        "usage": ("usage record", "consumption record"),
        "switch": ("plan change", "tariff change", "change request"),
    },
    entities=ENTITIES,
    rules=RULES,
    tools=(*CONTRACTS, *EXTRAS),
    asks=ASKS,
    generate=generate,
    provides={"record": "contract", "charge": "period"},
    links=("place", "thing"),
    options=("itemized", "pauses", "addons", "metered", "queued"),
    settings={"changedays": (30, 60, 90), "pausedays": (14, 21, 28)},
    keywords=("subscribe", "subscription", "plan", "tariff", "contract", "renewal", "monthly", "upgrade", "recurring"),
)
