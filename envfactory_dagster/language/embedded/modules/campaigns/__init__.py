"""Campaigns: what money is raised for, what people pledge to it, and what they get and hear in return.

With the option `rewards` a pledge may earn a reward of which there are only so many; with `standing` people also give
every month; with `audiences` campaigns address groups that people join. Provides `thing` (a campaign), `record` and
`charge` (a pledge).
"""

from envfactory_dagster.language.embedded.kit import Module
from envfactory_dagster.language.embedded.modules.campaigns.asks import ASKS
from envfactory_dagster.language.embedded.modules.campaigns.pledging import PLEDGING
from envfactory_dagster.language.embedded.modules.campaigns.questions import QUESTIONS
from envfactory_dagster.language.embedded.modules.campaigns.rows import ENTITIES, RULES, generate
from envfactory_dagster.language.embedded.modules.campaigns.support import SUPPORT

MODULE = Module(
    name="campaigns",
    about="$Persons back $aCampaign with $aPledge and follow how much it raises",
    roles={
        "organiser": ("organiser", "initiative", "project team"),
        "audience": ("supporter circle", "mailing list", "interest group"),
        "campaign": ("campaign", "fundraiser", "charity drive", "funding project"),
        "reward": ("reward", "perk", "thank-you present"),
        "pledge": ("pledge", "donation", "contribution"),
        "milestone": ("milestone", "stretch goal", "funding stage"),
        "post": ("progress post", "field report", "newsletter issue"),
        "joining": ("circle sign-up", "list sign-up", "group sign-up"),
        "standing": ("monthly gift", "standing gift", "recurring donation"),
    },
    entities=ENTITIES,
    rules=RULES,
    tools=(*PLEDGING, *SUPPORT),
    asks=(*ASKS, *QUESTIONS),
    generate=generate,
    provides={"thing": "campaign", "record": "pledge", "charge": "pledge"},
    links=("place",),
    options=("rewards", "milestones", "audiences", "posts", "standing"),
    settings={"canceldays": (7, 14, 21), "standingdays": (60, 90)},
    keywords=(
        "campaign",
        "charity",
        "donate",
        "donation",
        "donor",
        "fundraising",
        "fundraiser",
        "pledge",
        "crowdfunding",
        "volunteer",
        "nonprofit",
        "sponsor",
    ),
)
