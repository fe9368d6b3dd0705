"""Exercises: what is due, handing in, taking back."""

from envfactory_dagster.language.embedded.kit import Tool, choice, ident, integer, many, optional, row_of, text
from envfactory_dagster.language.embedded.modules.learning.fragments import (
    FIND_COURSE,
    JOIN_COURSE,
    to_hand_in,
    withdrawable,
)

_FIND_SUBMISSION = """
            row = env.one(
                "SELECT id, status FROM $submissions WHERE id = ? AND $person_id = ?", [$submission_id, env.user_id]
            )
            if row is None:
                raise env.Error(f"you have no $Submission {$submission_id}")
            if row["status"] != "handed_in":
                raise env.Error(f"this $Submission is {row['status'].replace('_', ' ')} already")
"""

HOMEWORK = (
    Tool(
        name="list_$exercises",
        about="List the $Exercises of $aCourse in the order in which they are due.",
        effect="read",
        when="full",
        params={"$course_id": ident("course")},
        returns={"$exercises": many(row_of("exercise", "id", "title", "due_on", "points"))},
        code=FIND_COURSE
        + """
            rows = env.query(
                "SELECT id, title, due_on, points FROM $exercises WHERE $course_id = ? ORDER BY due_on, id",
                [course["id"]],
            )
            return {"$exercises": rows}
        """,
        good=lambda view: {"course_id": 1},
        bad=lambda view: {"course_id": view.missing("course")},
    ),
    Tool(
        name="list_my_due_$exercises",
        about="List the $Exercises to come of the signed-in $Person's active $Courses that are not handed in yet.",
        effect="read",
        when="full",
        params={},
        returns={"$exercises": many(row_of("exercise", "id", "title", "due_on", "points", **{"$course_name": text()}))},
        code="""
            rows = env.query(
                "SELECT x.id, x.title, x.due_on, x.points, c.name AS $course_name FROM $enrolments e"
"""
        + JOIN_COURSE
        + """
                " JOIN $exercises x ON x.$course_id = c.id"
                " WHERE e.$person_id = :me AND e.status = 'active' AND x.due_on >= :today"
                " AND NOT EXISTS (SELECT 1 FROM $submissions s WHERE s.$exercise_id = x.id"
                " AND s.$person_id = :me AND s.status <> 'withdrawn') ORDER BY x.due_on, x.id",
                {"me": env.user_id, "today": env.now[:10]},
            )
            return {"$exercises": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="list_my_$submissions",
        about="List what the signed-in $Person handed in, latest first, with grades.",
        effect="read",
        when="full",
        params={"$course_id": optional(ident("course", "Only what belongs to this $Course."))},
        returns={
            "$submissions": many(
                row_of(
                    "submission",
                    "id",
                    "exercise_id",
                    "file_name",
                    "status",
                    "handed_in_at",
                    "grade",
                    title=text(),
                    **{"$course_name": text()},
                )
            )
        },
        code="""
            rows = env.query(
                "SELECT s.id, s.$exercise_id, s.file_name, s.status, s.handed_in_at, s.grade, x.title,"
                " c.name AS $course_name FROM $submissions s JOIN $exercises x ON x.id = s.$exercise_id"
                " JOIN $courses c ON c.id = x.$course_id WHERE s.$person_id = :me"
                " AND (:course IS NULL OR c.id = :course) ORDER BY s.handed_in_at DESC, s.id",
                {"me": env.user_id, "course": $course_id},
            )
            return {"$submissions": rows}
        """,
        good=lambda view: {"course_id": 1},
    ),
    Tool(
        name="hand_in_$exercise",
        about="Hand in a file for $aExercise of a $Course in which the signed-in $Person is active.",
        effect="create",
        when="full",
        params={"$exercise_id": ident("exercise"), "file_name": text("Name of the file.", 80)},
        returns={"$submission_id": integer(), "attempt": integer()},
        code="""
            exercise = env.one("SELECT id, $course_id, due_on FROM $exercises WHERE id = ?", [$exercise_id])
            if exercise is None:
                raise env.Error(f"there is no $Exercise {$exercise_id}")
            active = env.one(
                "SELECT e.id FROM $enrolments e"
"""
        + JOIN_COURSE
        + """
                " WHERE e.$person_id = ? AND e.status = 'active' AND c.id = ?",
                [env.user_id, exercise["$course_id"]],
            )
            if active is None:
                raise env.Error("you are not active in the $Course of this $Exercise")
            #: if learning_deadline
            if exercise["due_on"] < env.now[:10]:
                raise env.Error(f"too late: this was due on {exercise['due_on']}")
            #: end
            earlier = env.one(
                "SELECT count(*) AS n FROM $submissions WHERE $exercise_id = ? AND $person_id = ?",
                [$exercise_id, env.user_id],
            )
            #: if learning_attempts
            if earlier["n"] >= $attempts:
                raise env.Error("you have handed this in $attempts times, there are no more attempts")
            #: end
            submission_id = env.insert(
                "INSERT INTO $submissions ($exercise_id, $person_id, file_name, own_work, status, handed_in_at)"
                " VALUES (?, ?, ?, 0, 'handed_in', ?)",
                [$exercise_id, env.user_id, file_name, env.now],
            )
            return {"$submission_id": submission_id, "attempt": earlier["n"] + 1}
        """,
        good=lambda view: {"exercise_id": to_hand_in(view)[0]["id"], "file_name": "answers.pdf"},
        bad=lambda view: {"exercise_id": view.missing("exercise"), "file_name": "answers.pdf"},
    ),
    Tool(
        name="withdraw_$submission",
        about="Take back something the signed-in $Person handed in that has no grade yet.",
        effect="change",
        when="full",
        params={"$submission_id": ident("submission")},
        returns={"$submission_id": integer(), "status": choice("", "withdrawn")},
        code=_FIND_SUBMISSION
        + """
            env.execute("UPDATE $submissions SET status = 'withdrawn' WHERE id = ?", [$submission_id])
            return {"$submission_id": $submission_id, "status": "withdrawn"}
        """,
        good=lambda view: {"submission_id": withdrawable(view)["id"]},
        bad=lambda view: {"submission_id": view.missing("submission")},
    ),
    Tool(
        name="declare_own_work",
        about="Declare that something one handed in is one's own work.",
        effect="change",
        principal="user",
        when="full",
        params={"$submission_id": ident("submission")},
        returns={"$submission_id": integer(), "own_work": integer()},
        code=_FIND_SUBMISSION
        + """
            env.execute("UPDATE $submissions SET own_work = 1 WHERE id = ?", [$submission_id])
            return {"$submission_id": $submission_id, "own_work": 1}
        """,
        good=lambda view: {"submission_id": withdrawable(view)["id"]},
        bad=lambda view: {"submission_id": view.missing("submission")},
    ),
)
