"""What the reviews module stores: its tables, its rules, and how their rows come about."""

from envfactory_dagster.language.embedded.kit import Entity, Row, Rule
from envfactory_dagster.language.embedded.world import View

REPORT_REASONS = ("spam", "insult", "off topic", "false claim")
CRITERIA = ("Value for money", "Friendliness", "Cleanliness", "Reliability", "Atmosphere")
_SUMMARIES = (
    "Open all year.",
    "New this season.",
    "A favourite of regulars.",
    "Recently renewed.",
    "Small, but well looked after.",
    "Under new management.",
)
_TITLES = {
    "good": (
        "Would come again",
        "A real find",
        "Better than expected",
        "Warmly recommended",
        "Lovely from start to end",
    ),
    "mixed": ("Not bad at all", "Fine, with a few flaws", "Does what it should", "Some good, some less so"),
    "bad": ("Never again", "A let-down", "Not what was promised", "Needs a lot of work", "Too much trouble"),
}
_BODIES = {
    "good": (
        "Everything worked and the people were kind.",
        "Well thought out, down to the small things.",
        "I brought a friend and we both enjoyed it.",
    ),
    "mixed": (
        "Good in the morning, crowded later in the day.",
        "Worth a try, although the directions were hard to follow.",
        "Some parts are excellent and some need a repair.",
    ),
    "bad": (
        "We waited for half an hour and nobody could tell us why.",
        "It was broken when we came and nobody had told us before.",
        "The description had little to do with what we found there.",
    ),
}
_RULING_REASONS = ("follows the house rules", "names a person", "sounds like advertising", "cannot be checked")

ENTITIES = (
    Entity(
        "subject",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        #: if thing
        $thing_id INTEGER NOT NULL UNIQUE REFERENCES $things(id),
        #: end
        #: if !thing
        name TEXT NOT NULL UNIQUE,
        #: end
        summary TEXT NOT NULL,
        accepting INTEGER NOT NULL CHECK (accepting IN (0, 1))
        """,
        "What can be reviewed, and whether it takes new $Reviews.",
    ),
    Entity(
        "review",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $subject_id INTEGER NOT NULL REFERENCES $subjects(id),
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
        title TEXT NOT NULL,
        body TEXT NOT NULL,
        shown_as TEXT NOT NULL CHECK (shown_as IN ('name', 'anonymous')),
        status TEXT NOT NULL CHECK (status IN ('pending', 'published', 'hidden', 'withdrawn')),
        written_at TEXT NOT NULL,
        edited_at TEXT CHECK (edited_at IS NULL OR edited_at >= written_at)
        """,
        "What $Persons think of $aSubject.",
    ),
    Entity(
        "criterion",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        weight INTEGER NOT NULL CHECK (weight BETWEEN 1 AND 5)
        """,
        "What can be scored on its own in $aReview.",
        when="full aspects",
    ),
    Entity(
        "score",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $review_id INTEGER NOT NULL REFERENCES $reviews(id) ON DELETE CASCADE,
        $criterion_id INTEGER NOT NULL REFERENCES $criterions(id),
        points INTEGER NOT NULL CHECK (points BETWEEN 1 AND 10),
        UNIQUE ($review_id, $criterion_id)
        """,
        "Points that $aReview gives for one $Criterion.",
        when="full aspects",
    ),
    Entity(
        "reply",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $review_id INTEGER NOT NULL REFERENCES $reviews(id) ON DELETE CASCADE,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        body TEXT NOT NULL,
        posted_at TEXT NOT NULL
        """,
        "What others answered to $aReview.",
        when="full replies",
    ),
    Entity(
        "vote",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $review_id INTEGER NOT NULL REFERENCES $reviews(id) ON DELETE CASCADE,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        cast_at TEXT NOT NULL,
        UNIQUE ($review_id, $person_id)
        """,
        "Who found which $Review helpful.",
        when="full votes",
    ),
    Entity(
        "report",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $review_id INTEGER NOT NULL REFERENCES $reviews(id),
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        reason TEXT NOT NULL CHECK (reason IN ('spam', 'insult', 'off topic', 'false claim')),
        status TEXT NOT NULL CHECK (status IN ('open', 'upheld', 'rejected')),
        reported_at TEXT NOT NULL
        """,
        "Complaints about $Reviews.",
        when="full reports",
    ),
    Entity(
        "moderator",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        since TEXT NOT NULL
        """,
        "Who decides what is published.",
        when="full moderated !staff",
    ),
    Entity(
        "ruling",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $review_id INTEGER NOT NULL REFERENCES $reviews(id),
        #: if staff
        $staff_id INTEGER NOT NULL REFERENCES $staffs(id),
        #: end
        #: if !staff
        $moderator_id INTEGER NOT NULL REFERENCES $moderators(id),
        #: end
        outcome TEXT NOT NULL CHECK (outcome IN ('published', 'hidden')),
        reason TEXT NOT NULL,
        decided_at TEXT NOT NULL,
        appeal TEXT
        """,
        "Decisions on $Reviews, with the author's appeal if there is one.",
        when="full moderated",
    ),
)

RULES = (
    Rule("review_once", "$aPerson can write one $Review of $aSubject only; withdrawn ones do not count."),
    Rule("review_edit_days", "$aReview can be changed for $editdays days after it was written, not later."),
    Rule("review_low_words", "$aReview of one or two stars must say why, in at least $words words."),
    Rule("review_own_vote", "Nobody can vote for a $Review of their own.", when="full votes"),
)


def subject_name(view: View, subject_id: int) -> str:
    subject = view.row("subject", subject_id)
    name: str = view.row("thing", subject["thing_id"])["name"] if view.has("thing") else subject["name"]
    return name


def generate(view: View) -> None:
    _generate_subjects(view)
    _generate_reviews(view)
    if view.has("full"):
        _generate_opinions(view)
        _generate_judgements(view)


def _generate_subjects(view: View) -> None:
    """The last one takes no reviews; names are all different."""
    if view.has("thing"):
        things = list({row["name"]: row["id"] for row in view.rows("thing")}.items())[:8]
    else:
        things = [(name, 0) for name in view.names("subject", view.size(5, 8))]
    for name, thing_id in things:
        view.add("subject", name=name, thing_id=thing_id, summary=view.rng.choice(_SUMMARIES), accepting=1)
    view.rows("subject")[-1]["accepting"] = 0


def _generate_reviews(view: View) -> None:
    """User 1 wrote a recent review of the first subject, an old one of the second, and nothing of the others."""
    others = len(view.rows("person"))
    for subject in view.rows("subject"):
        authors = view.rng.sample(range(2, others + 1), view.rng.randint(2, view.size(2, 4)))
        titles = {mood: view.rng.sample(names, len(names)) for mood, names in _TITLES.items()}
        for author in authors:
            _add_review(view, subject, author, view.rng.randint(15, 200), titles)
        if subject["id"] <= 2:
            _add_review(view, subject, 1, 2 if subject["id"] == 1 else 90, titles)
    if view.has("full") and view.has("moderated"):
        hidden = _add_review(view, view.row("subject", 3), 1, 30, {"good": ["Ask for Pat"]}, stars=5)
        view.row("review", hidden)["status"] = "hidden"


def _add_review(
    view: View, subject: Row, author: int, age: int, titles: dict[str, list[str]], stars: int | None = None
) -> int:
    stars = stars or (view.rng.randint(3, 4) if author == 1 else view.rng.choice((1, 2, 3, 4, 4, 5, 5)))
    mood = "bad" if stars <= 2 else "mixed" if stars == 3 else "good"
    return view.add(
        "review",
        subject_id=subject["id"],
        person_id=author,
        stars=stars,
        title=titles[mood].pop(),
        body=view.rng.choice(_BODIES[mood]),
        shown_as="name" if author == 1 else view.rng.choice(("name", "name", "anonymous")),
        status="published" if author == 1 or view.rng.random() < 0.85 else "withdrawn",
        written_at=view.moment(-age, view.rng.randint(8, 21), view.rng.randint(0, 59)),
        edited_at=view.moment(1 - age, 12) if age > 40 and view.rng.random() < 0.3 else None,
    )


def _generate_opinions(view: View) -> None:
    persons = range(2, len(view.rows("person")) + 1)
    if view.has("aspects"):
        for name in CRITERIA[: view.rng.randint(4, 5)]:
            view.add("criterion", name=name, weight=view.rng.randint(1, 5))
        for review in view.select("review", lambda row: row["status"] == "published" and row["id"] % 2 == 0):
            for criterion in view.rng.sample(range(1, 5), 2):
                if review["person_id"] != 1:
                    points = view.rng.randint(2, 10)
                    view.add("score", review_id=review["id"], criterion_id=criterion, points=points)
    if view.has("votes"):
        for review in view.rows("review"):
            for person in view.rng.sample(persons, view.rng.randint(0, 3)):
                if review["status"] == "published" and person != review["person_id"]:
                    age = view.days_until(review["written_at"])
                    view.add(
                        "vote",
                        review_id=review["id"],
                        person_id=person,
                        cast_at=view.moment(view.rng.randint(min(age + 1, -1), -1), 18),
                    )
    if view.has("replies"):
        for review in view.select("review", lambda row: row["status"] == "published")[::2]:
            age = view.days_until(review["written_at"])
            view.add(
                "reply",
                review_id=review["id"],
                person_id=view.rng.choice(persons),
                body=view.rng.choice(("Thank you for telling us.", "I saw it the same way.", "That has been mended.")),
                posted_at=view.moment(min(age + 1, -1), view.rng.randint(9, 20)),
            )


def _generate_judgements(view: View) -> None:
    if view.has("reports"):
        reported = view.select("review", lambda row: row["stars"] <= 3 and row["person_id"] != 1)[::2]
        for index, review in enumerate([view.need("review", lambda row: row["person_id"] != 1), *reported]):
            view.add(
                "report",
                review_id=review["id"],
                person_id=1 if index == 0 else view.rng.randint(2, len(view.rows("person"))),
                reason=view.rng.choice(REPORT_REASONS),
                status=view.rng.choice(("open", "upheld", "rejected")),
                reported_at=view.moment(min(view.days_until(review["written_at"]) + 2, -1), 10),
            )
    if view.has("moderated"):
        _generate_rulings(view)


def _generate_rulings(view: View) -> None:
    if not view.has("staff"):
        for _ in range(4):
            view.add("moderator", name=view.person_name(), since=view.day(-view.rng.randint(200, 900)))
    judges = len(view.rows("staff" if view.has("staff") else "moderator"))
    for review in view.select("review", lambda row: row["status"] in ("published", "hidden"))[-9:]:
        judge = view.rng.randint(1, judges)
        hidden = review["status"] == "hidden"
        view.add(
            "ruling",
            review_id=review["id"],
            staff_id=judge,
            moderator_id=judge,
            outcome=review["status"],
            reason=view.rng.choice(_RULING_REASONS[1:]) if hidden else _RULING_REASONS[0],
            decided_at=view.moment(min(view.days_until(review["written_at"]) + 1, -1), 15),
            appeal=None,
        )
