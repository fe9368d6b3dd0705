"""Claims: what went wrong, what is asked for it, how it is proved, assessed, offered, paid and appealed.

With the option `itemized` a claim is a draft of losses that is then submitted; without it a claim is one amount. With
`covers` it is made under a policy of the person. Provides `record` (a claim) and, with `assessed`, `staff`.
"""

from envfactory_dagster.language.embedded.kit import Module
from envfactory_dagster.language.embedded.modules.claims.aftermath import AFTERMATH
from envfactory_dagster.language.embedded.modules.claims.asks import ASKS
from envfactory_dagster.language.embedded.modules.claims.claiming import CLAIMING
from envfactory_dagster.language.embedded.modules.claims.questions import QUESTIONS
from envfactory_dagster.language.embedded.modules.claims.rows import ENTITIES, RULES, generate

MODULE = Module(
    name="claims",
    about="$Persons report $aIncident, make $aClaim for it and follow what becomes of it",
    roles={
        "incident": ("incident", "loss report", "damage report", "mishap"),
        "cover": ("policy", "insurance cover", "protection plan", "guarantee"),
        "claim": ("claim", "compensation claim", "damage claim", "compensation case"),
        "loss": ("loss item", "damage item", "claimed item"),
        "proof": ("exhibit", "piece of evidence|pieces of evidence", "supporting document"),
        "assessor": ("assessor", "adjuster", "case examiner", "surveyor"),
        "assessment": ("assessment", "damage inspection", "survey visit"),
        "offer": ("settlement offer", "compensation offer", "payout offer"),
        "appeal": ("appeal", "objection", "review request"),
    },
    entities=ENTITIES,
    rules=RULES,
    tools=(*CLAIMING, *AFTERMATH),
    asks=(*ASKS, *QUESTIONS),
    generate=generate,
    provides={"record": "claim", "staff": "assessor"},
    links=("record",),
    options=("covers", "itemized", "assessed", "offers", "appeals"),
    settings={"claimdays": (30, 45, 60), "proofcents": (30_000, 50_000), "appealdays": (14, 21, 30)},
    keywords=(
        "claim",
        "insurance",
        "policy",
        "damage",
        "accident",
        "compensation",
        "settlement",
        "dispute",
        "appeal",
        "evidence",
        "warranty",
    ),
)
