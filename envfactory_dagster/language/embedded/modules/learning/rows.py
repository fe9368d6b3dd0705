"""What the learning module stores: its tables, its rules, and how their rows come about."""

from envfactory_dagster.language.embedded.kit import Entity, Row, Rule
from envfactory_dagster.language.embedded.world import View

LEVELS = ("beginner", "intermediate", "advanced")
_COURSES = (
    "First steps",
    "Foundations",
    "Working safely",
    "Everyday practice",
    "Materials and methods",
    "Planning a project",
    "Teamwork",
    "Quality and care",
    "Law and ethics",
    "Master class",
    "Evening workshop",
    "Refresher",
)
_EXERCISES = ("Reading questions", "First draft", "Group report", "Final test", "Field notes", "Case study")
_CHAPTERS = ("Where to begin", "Tools and terms", "Worked examples", "Common mistakes", "Going further")
_FIELDS = ("theory", "practice", "history", "safety", "methods", "projects")

ENTITIES = (
    Entity(
        "tutor",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        field TEXT NOT NULL,
        email TEXT NOT NULL UNIQUE
        """,
        "Who teaches.",
        when="full tutors",
    ),
    Entity(
        "course",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        level TEXT NOT NULL CHECK (level IN ('beginner', 'intermediate', 'advanced')),
        price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
        weeks INTEGER NOT NULL CHECK (weeks BETWEEN 1 AND 52),
        #: if !intakes
        places INTEGER NOT NULL CHECK (places >= 1),
        #: end
        #: if full tutors !intakes
        $tutor_id INTEGER NOT NULL REFERENCES $tutors(id),
        #: end
        #: if place
        $place_id INTEGER NOT NULL REFERENCES $places(id),
        #: end
        status TEXT NOT NULL CHECK (status IN ('open', 'closed'))
        """,
        "What can be learned.",
    ),
    Entity(
        "intake",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $course_id INTEGER NOT NULL REFERENCES $courses(id),
        #: if full tutors
        $tutor_id INTEGER NOT NULL REFERENCES $tutors(id),
        #: end
        starts_on TEXT NOT NULL,
        places INTEGER NOT NULL CHECK (places >= 1),
        UNIQUE ($course_id, starts_on)
        """,
        "When $aCourse begins, and for how many.",
        when="intakes",
    ),
    Entity(
        "need",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $course_id INTEGER NOT NULL REFERENCES $courses(id),
        required_id INTEGER NOT NULL REFERENCES $courses(id),
        CHECK (required_id <> $course_id),
        UNIQUE ($course_id, required_id)
        """,
        "Which $Course has to be completed before another.",
        when="full needs",
    ),
    Entity(
        "enrolment",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        #: if intakes
        $intake_id INTEGER NOT NULL REFERENCES $intakes(id),
        #: end
        #: if !intakes
        $course_id INTEGER NOT NULL REFERENCES $courses(id),
        #: end
        total_cents INTEGER NOT NULL CHECK (total_cents >= 0),
        status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'failed', 'cancelled')),
        enrolled_on TEXT NOT NULL
        """,
        "Who learns what.",
    ),
    Entity(
        "chapter",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $course_id INTEGER NOT NULL REFERENCES $courses(id),
        number INTEGER NOT NULL CHECK (number >= 1),
        title TEXT NOT NULL,
        minutes INTEGER NOT NULL CHECK (minutes BETWEEN 5 AND 240),
        UNIQUE ($course_id, number)
        """,
        "Parts of $aCourse, in order.",
        when="full chapters",
    ),
    Entity(
        "progress",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $enrolment_id INTEGER NOT NULL REFERENCES $enrolments(id),
        $chapter_id INTEGER NOT NULL REFERENCES $chapters(id),
        done_on TEXT NOT NULL,
        UNIQUE ($enrolment_id, $chapter_id)
        """,
        "Which $Chapters have been worked through.",
        when="full chapters",
    ),
    Entity(
        "exercise",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $course_id INTEGER NOT NULL REFERENCES $courses(id),
        title TEXT NOT NULL,
        due_on TEXT NOT NULL,
        points INTEGER NOT NULL CHECK (points BETWEEN 1 AND 100),
        UNIQUE ($course_id, title)
        """,
        "What has to be handed in.",
        when="full",
    ),
    Entity(
        "submission",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $exercise_id INTEGER NOT NULL REFERENCES $exercises(id),
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        #: if tutors
        $tutor_id INTEGER REFERENCES $tutors(id),
        #: end
        file_name TEXT NOT NULL,
        own_work INTEGER NOT NULL CHECK (own_work IN (0, 1)),
        status TEXT NOT NULL CHECK (status IN ('handed_in', 'graded', 'withdrawn')),
        handed_in_at TEXT NOT NULL,
        grade INTEGER CHECK (grade IS NULL OR grade BETWEEN 0 AND 100)
        """,
        "What was handed in, and its grade out of 100.",
        when="full",
    ),
    Entity(
        "certificate",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $enrolment_id INTEGER NOT NULL UNIQUE REFERENCES $enrolments(id),
        name_on_it TEXT NOT NULL,
        issued_on TEXT NOT NULL
        """,
        "Proof of completed $Courses.",
        when="full certificates",
    ),
)

RULES = (
    Rule("learning_most", "$aPerson can be active in at most $mostcourses $Courses at a time."),
    Rule("learning_beginner", "An advanced $Course is open only to who has completed an intermediate one."),
    Rule("learning_deadline", "Nothing can be handed in after the due day of $aExercise.", when="full"),
    Rule("learning_attempts", "$aPerson can hand in each $Exercise at most $attempts times.", when="full"),
    Rule("learning_needs", "Who lacks $aNeed of $aCourse cannot enrol in it.", when="full needs"),
)


def course_of(view: View, enrolment: Row) -> Row:
    """The course of an enrolment."""
    if view.has("intakes"):
        return view.row("course", view.row("intake", enrolment["intake_id"])["course_id"])
    return view.row("course", enrolment["course_id"])


def generate(view: View) -> None:
    if view.has("full") and view.has("tutors"):
        for _ in range(6):
            name = view.person_name()
            email = f"{name.lower().replace(' ', '.')}.{len(view.rows('tutor')) + 1}@teaching.example"
            view.add("tutor", name=name, field=view.rng.choice(_FIELDS), email=email)
    _generate_courses(view)
    _generate_enrolments(view)
    if view.has("full"):
        _generate_exercises(view)
        _generate_extras(view)


def _generate_courses(view: View) -> None:
    """The first two are for beginners, the last but one is advanced, the last one is closed."""
    count = view.size(7, 10)
    prices = view.rng.sample(range(4, 60), count)
    for index, name in enumerate(view.names("course", count, _COURSES)):
        level = "beginner" if index < 2 else "advanced" if index == count - 2 else LEVELS[index % 2]
        view.add(
            "course",
            name=name,
            level=level,
            price_cents=prices[index] * 1000 + 500,
            weeks=view.rng.randint(2, 16),
            places=view.rng.randint(8, 20),
            tutor_id=view.rng.randint(1, 6),
            place_id=view.rng.randint(1, len(view.rows("place"))) if view.has("place") else None,
            status="closed" if index == count - 1 else "open",
        )
    if view.has("intakes"):
        for course in view.rows("course"):
            for offset in (-view.rng.randint(30, 60), view.rng.randint(20, 45)):
                view.add(
                    "intake",
                    course_id=course["id"],
                    tutor_id=view.rng.randint(1, 6),
                    starts_on=view.day(offset),
                    places=view.rng.randint(8, 16),
                )


def _generate_enrolments(view: View) -> None:
    """User 1 is active in the first and third course, has completed the second and failed the fourth."""
    for course, status in ((1, "active"), (3, "active"), (2, "completed"), (4, "failed")):
        _enrol(view, 1, course, status)
    for person in range(2, len(view.rows("person")) + 1):
        for course in view.rng.sample(range(1, len(view.rows("course")) + 1), 2):
            status = view.rng.choice(("active", "active", "completed", "failed", "cancelled"))
            _enrol(view, person, course, "completed" if person == 2 else status)


def _enrol(view: View, person: int, course: int, status: str) -> None:
    intake = 2 * course - 1 if view.has("intakes") else None
    view.add(
        "enrolment",
        person_id=person,
        intake_id=intake,
        course_id=course,
        total_cents=view.row("course", course)["price_cents"],
        status=status,
        enrolled_on=view.day(-view.rng.randint(61, 100)),
    )


def _generate_exercises(view: View) -> None:
    """Two are past and two are to come in each course; user 1 handed in what was due and one that is to come."""
    for course in view.rows("course"):
        for index, title in enumerate(view.rng.sample(_EXERCISES, 4)):
            due = (-20, -6, 12, 30)[index] + view.rng.randint(0, 4)
            view.add(
                "exercise",
                course_id=course["id"],
                title=title,
                due_on=view.day(due),
                points=view.rng.choice((10, 20, 30, 50)),
            )
    grades = iter(view.rng.sample(range(41, 99), 30))
    for enrolment in view.select("enrolment", lambda row: row["status"] == "active"):
        course_id = course_of(view, enrolment)["id"]
        mine = enrolment["person_id"] == 1
        exercises = [row for row in view.rows("exercise") if row["course_id"] == course_id]
        for exercise in exercises[: 2 if mine else view.rng.randint(0, 2)]:
            _hand_in(view, exercise, enrolment["person_id"], next(grades, 75))
    late = view.select("exercise", lambda row: row["due_on"] > view.day(25))
    for _ in range(view.setting("attempts")):
        _hand_in(view, next(row for row in late if row["course_id"] == 1), 1, None)
    _hand_in(view, next(row for row in late if row["course_id"] == 3), 1, None)


def _hand_in(view: View, exercise: Row, person: int, grade: int | None) -> None:
    number = len(view.rows("submission")) + 1
    offset = min(view.days_until(exercise["due_on"]) - 1, -1)
    view.add(
        "submission",
        exercise_id=exercise["id"],
        person_id=person,
        tutor_id=None if grade is None else view.rng.randint(1, 6),
        file_name=f"{exercise['title'].lower().replace(' ', '-')}-{number}.pdf",
        own_work=0 if grade is None else 1,
        status="handed_in" if grade is None else "graded",
        handed_in_at=view.moment(offset, view.rng.randint(8, 20), number % 60),
        grade=grade,
    )


def _generate_extras(view: View) -> None:
    if view.has("needs"):
        for course_id, required_id in ((5, 1), (6, 2), (8, 3), (9, 2), (10, 3)):
            view.add("need", course_id=course_id, required_id=required_id)
    if view.has("chapters"):
        for course in view.rows("course"):
            for number, title in enumerate(_CHAPTERS[: view.rng.randint(3, 5)], start=1):
                minutes = view.rng.randrange(15, 95, 5)
                view.add("chapter", course_id=course["id"], number=number, title=title, minutes=minutes)
        for enrolment in view.select("enrolment", lambda row: row["status"] in ("active", "completed"))[:10]:
            course_id = course_of(view, enrolment)["id"]
            chapters = [row for row in view.rows("chapter") if row["course_id"] == course_id]
            for chapter in chapters[: 1 if enrolment["person_id"] == 1 else 2]:
                done_on = view.day(-view.rng.randint(1, 25))
                view.add("progress", enrolment_id=enrolment["id"], chapter_id=chapter["id"], done_on=done_on)
    if view.has("certificates"):
        _generate_certificates(view)


def _generate_certificates(view: View) -> None:
    """Everybody who completed a course has one, but user 1 may still claim hers."""
    for enrolment in view.select("enrolment", lambda row: row["status"] == "completed" and row["person_id"] != 1):
        view.add(
            "certificate",
            enrolment_id=enrolment["id"],
            name_on_it=view.row("person", enrolment["person_id"])["name"],
            issued_on=view.day(-view.rng.randint(1, 20)),
        )
