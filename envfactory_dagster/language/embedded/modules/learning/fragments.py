"""Pieces that several tools of this module share: finding rows of a world, and fragments of code."""

from envfactory_dagster.language.embedded.kit import Row, row_of, text
from envfactory_dagster.language.embedded.modules.learning.rows import course_of
from envfactory_dagster.language.embedded.world import View

STATUSES = ("active", "completed", "failed", "cancelled")

# From an enrolment `e` to its course `c`.
JOIN_COURSE = """
                #: if intakes
                " JOIN $intakes i ON i.id = e.$intake_id JOIN $courses c ON c.id = i.$course_id"
                #: end
                #: if !intakes
                " JOIN $courses c ON c.id = e.$course_id"
                #: end
"""
MINE = row_of("enrolment", "id", "intake_id", "course_id", "total_cents", "status", "enrolled_on", name=text())
FIND_COURSE = """
            course = env.one("SELECT id, name, level, price_cents, status FROM $courses WHERE id = ?", [$course_id])
            if course is None:
                raise env.Error(f"there is no $Course {$course_id}")
"""
MAY_ENROL = (
    """
            if course["status"] != "open":
                raise env.Error("this $Course is closed")
            mine = env.query(
                "SELECT c.id, c.level, e.status FROM $enrolments e"
"""
    + JOIN_COURSE
    + """
                " WHERE e.$person_id = ? AND e.status IN ('active', 'completed')",
                [env.user_id],
            )
            if any(other["id"] == course["id"] for other in mine):
                raise env.Error("you are in this $Course already, or have completed it")
            #: if learning_most
            if sum(other["status"] == "active" for other in mine) >= $mostcourses:
                raise env.Error("you are active in $mostcourses $Courses already, the most allowed")
            #: end
            #: if learning_beginner
            completed = {other["level"] for other in mine if other["status"] == "completed"}
            if course["level"] == "advanced" and "intermediate" not in completed:
                raise env.Error("this $Course is advanced: complete an intermediate one first")
            #: end
            #: if learning_needs
            done = {other["id"] for other in mine if other["status"] == "completed"}
            needed = env.query(
                "SELECT r.id, r.name FROM $needs n JOIN $courses r ON r.id = n.required_id WHERE n.$course_id = ?",
                [course["id"]],
            )
            for required in needed:
                if required["id"] not in done:
                    raise env.Error(f"{required['name']} has to be completed first, it is required")
            #: end
"""
)
FIND_MINE = (
    """
            row = env.one(
                "SELECT e.id, e.status, c.id AS course_id, c.name FROM $enrolments e"
"""
    + JOIN_COURSE
    + """
                " WHERE e.id = ? AND e.$person_id = ?",
                [$enrolment_id, env.user_id],
            )
            if row is None:
                raise env.Error(f"you have no $Enrolment {$enrolment_id}")
"""
)


def active(view: View) -> list[Row]:
    return view.mine("enrolment", lambda row: row["status"] == "active")


def free_courses(view: View) -> list[Row]:
    """Courses that user 1 may enrol in."""
    known = {course_of(view, row)["id"] for row in view.mine("enrolment") if row["status"] in ("active", "completed")}
    closed = {5, 8} if view.has("full") and view.has("needs") else set()
    return view.select(
        "course",
        lambda row: row["status"] == "open" and row["level"] != "advanced" and row["id"] not in known | closed,
    )


def to_hand_in(view: View) -> list[Row]:
    """Exercises of user 1's courses that are to come and have not been handed in."""
    done = {row["exercise_id"] for row in view.mine("submission")}
    courses = {course_of(view, row)["id"] for row in active(view)}
    return view.select(
        "exercise",
        lambda row: row["course_id"] in courses and row["due_on"] > view.today and row["id"] not in done,
    )


def withdrawable(view: View) -> Row:
    """The ungraded submission of user 1 for the third course."""
    exercises = {row["id"] for row in view.select("exercise", lambda row: row["course_id"] == 3)}
    return view.mine("submission", lambda row: row["status"] == "handed_in" and row["exercise_id"] in exercises)[0]
