"""What people want done about their courses."""

from envfactory_dagster.language.embedded.kit import Allow, Ask, Fact, Goal, Row, Step, attempt
from envfactory_dagster.language.embedded.modules.learning.extras import next_chapter
from envfactory_dagster.language.embedded.modules.learning.fragments import (
    active,
    free_courses,
    to_hand_in,
    withdrawable,
)
from envfactory_dagster.language.embedded.modules.learning.rows import course_of
from envfactory_dagster.language.embedded.vocabulary import money
from envfactory_dagster.language.embedded.world import View

# From an enrolment `e` to its course `c`, in goals.
_OF_COURSE = """
    #: if intakes
    JOIN $intakes i ON i.id = e.$intake_id JOIN $courses c ON c.id = i.$course_id
    #: end
    #: if !intakes
    JOIN $courses c ON c.id = e.$course_id
    #: end
"""
_ENROLLED = f"""
    SELECT count(*) AS n FROM $enrolments e
    {_OF_COURSE}
    WHERE e.$person_id = 1 AND e.status = 'active'
"""
_FIND_COURSE = """
            found = tools.search_$courses(words=course)["$courses"]
            course_id = next(c["id"] for c in found if c["name"] == course)
"""
_ENROL = """
            #: if intakes
            coming = tools.list_$intakes($course_id=course_id)["$intakes"]
            tools.enrol_in_$intake($intake_id=coming[0]["id"])
            #: end
            #: if !intakes
            tools.enrol_in_$course($course_id=course_id)
            #: end
"""


def enrol(view: View) -> Step | None:
    courses = free_courses(view)
    if not courses:
        return None
    return Step(
        text="enrol me in {course}",
        values={"course": view.rng.choice(courses)["name"]},
        solve=_FIND_COURSE
        + """
            tools.list_my_$enrolments(status="active")
"""
        + _ENROL,
        goals=(Goal("enrolled", _ENROLLED + " AND c.name = :course"),),
        allows=(Allow("enrolment", created=1),),
    )


def enrol_cheaply(view: View) -> Step | None:
    """A choice: any course that is not too dear will do."""
    known = {course_of(view, row)["id"] for row in view.mine("enrolment")}
    courses = [row for row in free_courses(view) if row["id"] not in known]
    if not courses:
        return None
    prices = sorted(row["price_cents"] for row in courses)
    most = view.rng.choice(prices[1:] or prices)
    return Step(
        text="enrol me in any one $Course that is new to me, that I may take, and that costs at most {amount}",
        values={"amount": money(most), "most": most, "today": view.today},
        solve="""
            known = {e["name"] for e in tools.list_my_$enrolments()["$enrolments"]}
            fitting = tools.search_$courses(most_cents=most)["$courses"]
            for course_id in [c["id"] for c in fitting if c["name"] not in known]:
                try:
                    #: if intakes
                    coming = tools.list_$intakes($course_id=course_id)["$intakes"]
                    tools.enrol_in_$intake($intake_id=coming[0]["id"])
                    #: end
                    #: if !intakes
                    tools.enrol_in_$course($course_id=course_id)
                    #: end
                    return None
                except tools.Error:
                    continue
        """,
        goals=(
            Goal(
                "enrolled_in_a_new_one",
                _ENROLLED
                + f"""
                AND e.total_cents <= :most AND e.enrolled_on = :today AND c.id NOT IN
                (SELECT c.id FROM $enrolments e {_OF_COURSE} WHERE e.$person_id = 1 AND e.enrolled_on < :today)
                """,
            ),
        ),
        allows=(Allow("enrolment", created=1),),
        otherwise=(('if c["name"] not in known]:', 'if c["name"] not in known][::-1]:'),),
    )


def leave(view: View) -> Step | None:
    enrolment = view.rng.choice(active(view))
    return Step(
        text="take me out of {course}",
        values={"course": course_of(view, enrolment)["name"], "enrolment_id": enrolment["id"]},
        solve="""
            mine = tools.list_my_$enrolments(status="active")["$enrolments"]
            enrolment = next(e for e in mine if e["name"] == course)
            tools.leave_$course($enrolment_id=enrolment["id"])
        """,
        goals=(
            Goal("left", "SELECT count(*) AS n FROM $enrolments WHERE id = :enrolment_id AND status = 'cancelled'"),
        ),
        allows=(Allow("enrolment", changed=1, columns=("status",), ids=(enrolment["id"],)),),
    )


def hand_in(view: View) -> Step | None:
    exercises = to_hand_in(view)
    if not exercises:
        return None
    exercise = view.rng.choice(exercises)
    course = view.row("course", exercise["course_id"])["name"]
    return Step(
        text='hand in "{file_name}" for the $Exercise "{title}" of {course}',
        values={
            "file_name": f"{exercise['title'].lower().replace(' ', '_')}_{view.rng.randint(2, 9)}.pdf",
            "title": exercise["title"],
            "course": course,
            "exercise_id": exercise["id"],
        },
        solve="""
            due = tools.list_my_due_$exercises()["$exercises"]
            exercise = next(x for x in due if x["title"] == title and x["$course_name"] == course)
            tools.hand_in_$exercise($exercise_id=exercise["id"], file_name=file_name)
            tools.list_my_$submissions()
        """,
        goals=(
            Goal(
                "handed_in",
                "SELECT count(*) AS n FROM $submissions WHERE $exercise_id = :exercise_id AND $person_id = 1"
                " AND file_name = :file_name AND status = 'handed_in'",
            ),
        ),
        allows=(Allow("submission", created=1),),
    )


def take_back_paper(view: View) -> Step | None:
    submission = withdrawable(view)
    exercise = view.row("exercise", submission["exercise_id"])
    return Step(
        text='take back what I handed in for "{title}" of {course}',
        values={
            "title": exercise["title"],
            "course": view.row("course", exercise["course_id"])["name"],
            "submission_id": submission["id"],
        },
        solve=_FIND_COURSE
        + """
            mine = tools.list_my_$submissions($course_id=course_id)["$submissions"]
            wanted = next(s for s in mine if s["title"] == title and s["status"] == "handed_in")
            tools.withdraw_$submission($submission_id=wanted["id"])
        """,
        goals=(
            Goal(
                "taken_back",
                "SELECT count(*) AS n FROM $submissions WHERE id = :submission_id AND status = 'withdrawn'",
            ),
        ),
        allows=(Allow("submission", changed=1, columns=("status",), ids=(submission["id"],)),),
    )


def record_chapter(view: View) -> Step | None:
    found = next_chapter(view)
    chapter = view.row("chapter", found["chapter_id"])
    return Step(
        text='record that I have worked through "{title}" in {course}',
        values={"title": chapter["title"], "course": view.row("course", chapter["course_id"])["name"], **found},
        solve="""
            mine = tools.list_my_$enrolments(status="active")["$enrolments"]
            enrolment = next(e for e in mine if e["name"] == course)
            chapters = tools.list_my_$chapters($enrolment_id=enrolment["id"])["$chapters"]
            chapter = next(h for h in chapters if h["title"] == title)
            tools.record_$chapter($enrolment_id=enrolment["id"], $chapter_id=chapter["id"])
        """,
        goals=(
            Goal(
                "recorded",
                "SELECT count(*) AS n FROM $progresss WHERE $enrolment_id = :enrolment_id"
                " AND $chapter_id = :chapter_id",
            ),
        ),
        allows=(Allow("progress", created=1),),
    )


def claim(view: View) -> Step | None:
    enrolment = view.mine("enrolment", lambda row: row["status"] == "completed")[0]
    return Step(
        text='have my $Certificate for {course} issued, with the name "{name}" on it',
        values={
            "course": course_of(view, enrolment)["name"],
            "name": view.row("person", 1)["name"],
            "enrolment_id": enrolment["id"],
        },
        solve="""
            mine = tools.list_my_$enrolments(status="completed")["$enrolments"]
            enrolment = next(e for e in mine if e["name"] == course)
            tools.claim_$certificate($enrolment_id=enrolment["id"], name_on_it=name)
        """,
        goals=(
            Goal(
                "issued",
                "SELECT count(*) AS n FROM $certificates WHERE $enrolment_id = :enrolment_id AND name_on_it = :name",
            ),
        ),
        allows=(Allow("certificate", created=1),),
    )


def best_grade(view: View) -> Step | None:
    return Step(
        text="tell me my best grade so far",
        values={},
        solve="""
            return tools.summarize_my_grades()["best"]
        """,
        facts=(
            Fact(
                "the_best_grade",
                "SELECT max(grade) AS value FROM $submissions WHERE $person_id = 1 AND status = 'graded'",
            ),
        ),
    )


def what_is_due(view: View) -> Step | None:
    exercises = sorted(to_hand_in(view), key=lambda row: row["due_on"])
    if len(exercises) < 2 or exercises[0]["due_on"] == exercises[1]["due_on"]:
        return None
    return Step(
        text="tell me which $Exercise I have to hand in next, and by which day, as YYYY-MM-DD",
        values={"exercise_id": exercises[0]["id"]},
        solve="""
            due = tools.list_my_due_$exercises()["$exercises"][0]
            return due["title"], due["due_on"]
        """,
        facts=(
            Fact("its_title", "SELECT title AS value FROM $exercises WHERE id = :exercise_id"),
            Fact("its_day", "SELECT due_on AS value FROM $exercises WHERE id = :exercise_id"),
        ),
    )


def cheapest_course(view: View) -> Step | None:
    level = view.rng.choice(("beginner", "intermediate"))
    return Step(
        text="tell me which {level} $Course costs least",
        values={"level": level},
        solve="""
            return tools.search_$courses(level=level)["$courses"][0]["name"]
        """,
        facts=(
            Fact(
                "the_cheapest",
                "SELECT name AS value FROM $courses WHERE level = :level AND status = 'open'"
                " ORDER BY price_cents LIMIT 1",
            ),
        ),
    )


def how_many_completed(view: View) -> Step | None:
    course = view.rng.choice(view.select("course", lambda row: row["status"] == "open"))
    return Step(
        text="tell me how many $Persons have completed {course}",
        values={"course": course["name"]},
        solve=_FIND_COURSE
        + """
            return tools.get_$course($course_id=course_id)["completed"]
        """,
        facts=(
            Fact(
                "how_many",
                f"""
                SELECT count(*) AS value FROM $enrolments e {_OF_COURSE}
                WHERE e.status = 'completed' AND c.name = :course
                """,
            ),
        ),
    )


def _refused_enrolment(view: View, course: Row, reason: tuple[str, ...]) -> Step:
    return Step(
        text="enrol me in {course}",
        values={"course": course["name"]},
        solve=attempt(
            'tools.enrol_in_$intake($intake_id=coming[0]["id"])'
            if view.has("intakes")
            else "tools.enrol_in_$course($course_id=course_id)",
            first=_FIND_COURSE
            + """
            tools.list_my_$enrolments(status="completed")
            #: if intakes
            coming = tools.list_$intakes($course_id=course_id)["$intakes"]
            #: end
            """,
        ),
    )


def refuse_advanced(view: View) -> Step | None:
    course = view.need("course", lambda row: row["level"] == "advanced")
    return _refused_enrolment(view, course, ("advanced", "intermediate"))


def refuse_lacking_need(view: View) -> Step | None:
    return _refused_enrolment(view, view.row("course", 5), ("required", "first", "requires", "prerequisite"))


def refuse_late_paper(view: View) -> Step | None:
    course_id = view.rng.choice((1, 3))
    exercise = view.need("exercise", lambda row: row["course_id"] == course_id and row["due_on"] < view.day(-3))
    return Step(
        text='hand in "better.pdf" for the $Exercise "{title}" of {course}, it is an improved version',
        values={"title": exercise["title"], "course": view.row("course", course_id)["name"]},
        solve=attempt(
            'tools.hand_in_$exercise($exercise_id=exercise["id"], file_name="better.pdf")',
            first=_FIND_COURSE
            + """
            listed = tools.list_$exercises($course_id=course_id)["$exercises"]
            exercise = next(x for x in listed if x["title"] == title)
            """,
        ),
    )


def refuse_more_attempts(view: View) -> Step | None:
    exercise = view.need("exercise", lambda row: row["course_id"] == 1 and row["due_on"] > view.day(25))
    return Step(
        text='hand in "once-more.pdf" for the $Exercise "{title}" of {course}',
        values={"title": exercise["title"], "course": view.row("course", 1)["name"]},
        solve=attempt(
            'tools.hand_in_$exercise($exercise_id=exercise["id"], file_name="once-more.pdf")',
            first=_FIND_COURSE
            + """
            tools.list_my_$submissions($course_id=course_id)
            listed = tools.list_$exercises($course_id=course_id)["$exercises"]
            exercise = next(x for x in listed if x["title"] == title)
            """,
        ),
    )


ASKS = (
    Ask("enrol", enrol),
    Ask("enrol_cheaply", enrol_cheaply),
    Ask("leave_course", leave),
    Ask("hand_in", hand_in, when="full"),
    Ask("take_back_paper", take_back_paper, when="full"),
    Ask("record_chapter", record_chapter, when="full chapters"),
    Ask("claim_certificate", claim, when="full certificates"),
    Ask("best_grade", best_grade, when="full"),
    Ask("what_is_due", what_is_due, when="full"),
    Ask("cheapest_course", cheapest_course),
    Ask("how_many_completed", how_many_completed, when="full"),
    Ask("advanced_course", refuse_advanced, rule="learning_beginner"),
    Ask("lacking_need", refuse_lacking_need, rule="learning_needs", when="full needs"),
    Ask("late_paper", refuse_late_paper, rule="learning_deadline", when="full"),
    Ask("more_attempts", refuse_more_attempts, rule="learning_attempts", when="full"),
)
