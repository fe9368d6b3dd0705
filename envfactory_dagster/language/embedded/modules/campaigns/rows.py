"""What the campaigns module stores: its tables, its rules, and how their rows come about."""

from envfactory_dagster.language.embedded import vocabulary
from envfactory_dagster.language.embedded.kit import Entity, Row, Rule
from envfactory_dagster.language.embedded.world import View

_TOPICS = ("nature", "children", "health", "heritage", "education", "neighbourhood")
_CAMPAIGN_NAMES = (
    "A roof before winter",
    "Light for the old pier",
    "Instruments for all",
    "The travelling library",
    "Trees along the ring road",
    "A warm kitchen",
    "Back on the water",
    "Open doors",
    "The long table",
    "Second spring",
)
_AUDIENCES = ("Early birds", "Neighbours", "Old friends", "Families", "Night owls", "Volunteers", "Alumni", "Press")
_STAGES = ("First steps", "Half way", "All materials", "Opening day")
_REWARDS = ("Postcard", "Name on the wall", "Guided tour", "Signed print", "Dinner with the team")
_NEWS = ("We have begun", "Half of it is there", "A visit on site", "Thank you all", "What comes next", "New partners")
_MESSAGES = ("Keep it up!", "In memory of my grandmother", "Good luck", "For the children", None, None)

ENTITIES = (
    Entity(
        "organiser",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        city TEXT NOT NULL,
        contact TEXT NOT NULL
        """,
        "Who runs $Campaigns.",
        when="full",
    ),
    Entity(
        "audience",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        topic TEXT NOT NULL
        """,
        "Groups of $Persons that $Campaigns address.",
        when="full audiences",
    ),
    Entity(
        "campaign",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        #: if full
        $organiser_id INTEGER NOT NULL REFERENCES $organisers(id),
        #: end
        #: if full audiences
        $audience_id INTEGER NOT NULL REFERENCES $audiences(id),
        #: end
        #: if place
        $place_id INTEGER NOT NULL REFERENCES $places(id),
        #: end
        target_cents INTEGER NOT NULL CHECK (target_cents > 0),
        least_cents INTEGER NOT NULL CHECK (least_cents >= 100),
        starts_on TEXT NOT NULL,
        ends_on TEXT NOT NULL CHECK (ends_on > starts_on),
        status TEXT NOT NULL CHECK (status IN ('planned', 'running', 'funded', 'closed'))
        """,
        "What money is raised for.",
    ),
    Entity(
        "reward",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $campaign_id INTEGER NOT NULL REFERENCES $campaigns(id),
        title TEXT NOT NULL,
        price_cents INTEGER NOT NULL CHECK (price_cents > 0),
        pieces INTEGER NOT NULL CHECK (pieces >= 1),
        UNIQUE ($campaign_id, title)
        """,
        "What those who give enough get in return.",
        when="rewards",
    ),
    Entity(
        "pledge",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        $campaign_id INTEGER NOT NULL REFERENCES $campaigns(id),
        #: if rewards
        $reward_id INTEGER REFERENCES $rewards(id),
        #: end
        total_cents INTEGER NOT NULL CHECK (total_cents > 0),
        anonymous INTEGER NOT NULL CHECK (anonymous IN (0, 1)),
        message TEXT,
        status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'cancelled')),
        pledged_at TEXT NOT NULL
        """,
        "Who gives how much to what.",
    ),
    Entity(
        "milestone",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $campaign_id INTEGER NOT NULL REFERENCES $campaigns(id),
        number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 9),
        title TEXT NOT NULL,
        at_cents INTEGER NOT NULL CHECK (at_cents > 0),
        UNIQUE ($campaign_id, number)
        """,
        "What becomes possible at which sum.",
        when="full milestones",
    ),
    Entity(
        "post",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $campaign_id INTEGER NOT NULL REFERENCES $campaigns(id),
        title TEXT NOT NULL,
        posted_at TEXT NOT NULL
        """,
        "What supporters are told about $aCampaign.",
        when="full posts",
    ),
    Entity(
        "joining",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $audience_id INTEGER NOT NULL REFERENCES $audiences(id),
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        joined_on TEXT NOT NULL,
        UNIQUE ($audience_id, $person_id)
        """,
        "Who belongs to which $Audience.",
        when="full audiences",
    ),
    Entity(
        "standing",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        $campaign_id INTEGER NOT NULL REFERENCES $campaigns(id),
        monthly_cents INTEGER NOT NULL CHECK (monthly_cents > 0),
        day_of_month INTEGER NOT NULL CHECK (day_of_month BETWEEN 1 AND 28),
        started_on TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('active', 'ended'))
        """,
        "What $Persons give every month.",
        when="full standing",
    ),
)

RULES = (
    Rule("pledge_running", "Only $aCampaign that is running takes $Pledges."),
    Rule("pledge_least", "Every $Campaign has a least amount for $aPledge."),
    Rule("pledge_cancel_days", "$aPledge can be cancelled or lowered within $canceldays days, not later."),
    Rule("pledge_reward_left", "$aReward of which none is left cannot be chosen.", when="rewards"),
    Rule("pledge_standing_days", "$aStanding runs for at least $standingdays days.", when="full standing"),
)

# Status, when it began, when it ends, in days from today: the first two have pledges of user 1, then three without.
_CAMPAIGNS = (
    ("running", -60, 24),
    ("running", -90, 40),
    ("running", -12, 18),
    ("running", -30, 30),
    ("running", -6, 55),
    ("closed", -200, -90),
    ("funded", -150, -30),
    ("planned", 9, 70),
)


def generate(view: View) -> None:
    full = view.has("full")
    if full:
        for family, city in zip(
            view.rng.sample(vocabulary.FAMILY_NAMES, 5), vocabulary.cities(view.rng, 5), strict=True
        ):
            name = view.rng.choice(("Friends of {}", "{} Foundation", "{} Trust")).format(family)
            view.add("organiser", name=name, city=city, contact=view.person_name())
    if full and view.has("audiences"):
        for name, topic in zip(view.names("audience", 6, _AUDIENCES), _TOPICS, strict=True):
            view.add("audience", name=name, topic=topic)
    for index, (name, (status, starts, ends)) in enumerate(
        zip(view.names("campaign", 8, _CAMPAIGN_NAMES), _CAMPAIGNS, strict=True)
    ):
        view.add(
            "campaign",
            name=name,
            organiser_id=index % 5 + 1,
            audience_id=view.rng.randint(1, 6),
            place_id=view.rng.randint(1, len(view.rows("place"))) if view.has("place") else None,
            target_cents=view.rng.randrange(200_000, 900_000, 25_000),
            least_cents=view.rng.choice((500, 1_000, 1_500)),
            starts_on=view.day(starts),
            ends_on=view.day(ends),
            status=status,
        )
    if view.has("rewards"):
        _generate_rewards(view)
    _generate_pledges(view)
    if full:
        _generate_company(view)


def _generate_rewards(view: View) -> None:
    """Two of each campaign that has begun, a cheap one of which there are many and a dear one that is rare."""
    for campaign in view.select("campaign", lambda row: row["status"] != "planned"):
        cheap, dear = sorted(view.rng.sample(range(len(_REWARDS)), 2))
        least = campaign["least_cents"]
        for title, price, pieces in ((_REWARDS[cheap], 2 * least, 40), (_REWARDS[dear], 6 * least, 1)):
            view.add("reward", campaign_id=campaign["id"], title=title, price_cents=price, pieces=pieces)


def _generate_pledges(view: View) -> None:
    """User 1 has a fresh one and an old one that are open, some that are paid, one that was cancelled."""
    others = range(2, len(view.rows("person")) + 1)
    mine = [(6, "paid", 120), (7, "paid", 80), (5, "cancelled", 5), (2, "open", 62), (1, "open", 3)]
    plans = [(1, *entry) for entry in mine]
    plans += [(view.rng.choice(others), campaign, "paid", 4) for campaign in (3, 4, 5)]
    for _ in range(view.size(6, 10)):
        campaign = view.rng.randint(1, 7)
        started = -view.days_until(view.row("campaign", campaign)["starts_on"])
        plans.append((view.rng.choice(others), campaign, view.rng.choice(("open", "paid", "paid")), started - 2))
    for person, campaign, status, age in sorted(plans, key=lambda plan: -plan[3]):
        reward = _reward_for(view, person, campaign, status)
        least = reward["price_cents"] if reward else view.row("campaign", campaign)["least_cents"]
        view.add(
            "pledge",
            person_id=person,
            campaign_id=campaign,
            reward_id=reward["id"] if reward else None,
            total_cents=least + view.rng.randrange(0, 6_000, 250),
            anonymous=view.rng.choice((0, 0, 1)),
            message=view.rng.choice(_MESSAGES),
            status=status,
            pledged_at=view.moment(-age, view.rng.randint(6, 8), view.rng.choice((5, 25, 45))),
        )


def _reward_for(view: View, person: int, campaign: int, status: str) -> Row | None:
    """Others take the rare reward first, so that none is left of it."""
    if not view.has("rewards") or person == 1 or status != "paid":
        return None
    cheap, dear = view.select("reward", lambda row: row["campaign_id"] == campaign)
    taken = view.select("pledge", lambda row: row["reward_id"] == dear["id"])
    return cheap if taken else dear


def _generate_company(view: View) -> None:
    begun = view.select("campaign", lambda row: row["status"] != "planned")
    if view.has("milestones"):
        for campaign in begun:
            for number in range(1, view.rng.randint(3, 4)):
                title = _STAGES[number - 1]
                at_cents = campaign["target_cents"] * number // 4
                view.add("milestone", campaign_id=campaign["id"], number=number, title=title, at_cents=at_cents)
    if view.has("posts"):
        for campaign in begun:
            age = -view.days_until(campaign["starts_on"])
            for day, title in zip(
                sorted(view.rng.sample(range(1, age), 2), reverse=True), view.rng.sample(_NEWS, 2), strict=True
            ):
                view.add("post", campaign_id=campaign["id"], title=title, posted_at=view.moment(-day, 10))
    if view.has("audiences"):
        for person in range(1, 7):
            for audience in view.rng.sample(range(1, 7), 2):
                joined_on = view.day(-view.rng.randint(10, 300))
                view.add("joining", audience_id=audience, person_id=person, joined_on=joined_on)
    if view.has("standing"):
        _generate_standing(view)


def _generate_standing(view: View) -> None:
    """User 1 has an old one and one that has just begun; nobody has one for the third campaign."""
    plans = [(1, 1, 210, "active"), (1, 2, 12, "active"), (1, 4, 300, "ended")]
    plans += [(person, view.rng.choice((1, 2, 4, 5)), view.rng.randint(20, 200), "active") for person in range(2, 7)]
    for person, campaign, age, status in sorted(plans, key=lambda plan: -plan[2]):
        view.add(
            "standing",
            person_id=person,
            campaign_id=campaign,
            monthly_cents=view.rng.randrange(500, 4_000, 250),
            day_of_month=view.rng.randint(1, 28),
            started_on=view.day(-age),
            status=status,
        )
