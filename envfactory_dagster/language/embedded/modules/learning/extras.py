"""What the options add: tutors, prerequisites, chapters, certificates."""

from envfactory_dagster.language.embedded.kit import Tool, ident, integer, many, row_of, text
from envfactory_dagster.language.embedded.modules.learning.fragments import (
    FIND_COURSE,
    FIND_MINE,
    JOIN_COURSE,
    active,
)
from envfactory_dagster.language.embedded.modules.learning.rows import course_of
from envfactory_dagster.language.embedded.world import View


def next_chapter(view: View) -> dict[str, int]:
    """An active enrolment of user 1 and a chapter of it that is not worked through."""
    enrolment = active(view)[0]
    done = {row["chapter_id"] for row in view.rows("progress") if row["enrolment_id"] == enrolment["id"]}
    course_id = course_of(view, enrolment)["id"]
    chapter = view.need("chapter", lambda row: row["course_id"] == course_id and row["id"] not in done)
    return {"enrolment_id": enrolment["id"], "chapter_id": chapter["id"]}


EXTRAS = (
    Tool(
        name="list_$tutors",
        about="List the $Tutors with how many have been graded by each.",
        effect="read",
        when="full tutors",
        params={},
        returns={"$tutors": many(row_of("tutor", "id", "name", "field", "email", graded=integer()))},
        code="""
            rows = env.query(
                "SELECT t.id, t.name, t.field, t.email, count(s.id) AS graded FROM $tutors t"
                " LEFT JOIN $submissions s ON s.$tutor_id = t.id AND s.status = 'graded'"
                " GROUP BY t.id ORDER BY t.name",
                [],
            )
            return {"$tutors": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="list_$needs",
        about="List which $Courses have to be completed before one $Course.",
        effect="read",
        when="full needs",
        params={"$course_id": ident("course")},
        returns={"$needs": many(row_of("need", "id", "required_id", name=text()))},
        code=FIND_COURSE
        + """
            rows = env.query(
                "SELECT n.id, n.required_id, r.name FROM $needs n JOIN $courses r ON r.id = n.required_id"
                " WHERE n.$course_id = ? ORDER BY r.name",
                [course["id"]],
            )
            return {"$needs": rows}
        """,
        good=lambda view: {"course_id": 5},
        bad=lambda view: {"course_id": view.missing("course")},
    ),
    Tool(
        name="list_my_$chapters",
        about="List the $Chapters of one of the signed-in $Person's $Enrolments, and when each was worked through.",
        effect="read",
        when="full chapters",
        params={"$enrolment_id": ident("enrolment")},
        returns={
            "$chapters": many(
                row_of("chapter", "id", "number", "title", "minutes", done_on={"type": ["string", "null"]})
            )
        },
        code=FIND_MINE
        + """
            rows = env.query(
                "SELECT h.id, h.number, h.title, h.minutes, p.done_on FROM $chapters h LEFT JOIN $progresss p"
                " ON p.$chapter_id = h.id AND p.$enrolment_id = ? WHERE h.$course_id = ? ORDER BY h.number",
                [$enrolment_id, row["course_id"]],
            )
            return {"$chapters": rows}
        """,
        good=lambda view: {"enrolment_id": active(view)[0]["id"]},
        bad=lambda view: {"enrolment_id": view.missing("enrolment")},
    ),
    Tool(
        name="record_$chapter",
        about="Record that the signed-in $Person has worked through a $Chapter of an active $Enrolment.",
        effect="create",
        when="full chapters",
        params={"$enrolment_id": ident("enrolment"), "$chapter_id": ident("chapter")},
        returns={"$progress_id": integer(), "done_on": text()},
        code=FIND_MINE
        + """
            chapter = env.one(
                "SELECT id FROM $chapters WHERE id = ? AND $course_id = ?", [$chapter_id, row["course_id"]]
            )
            if chapter is None or row["status"] != "active":
                raise env.Error("this $Chapter does not belong to an active $Enrolment of yours")
            known = env.one(
                "SELECT done_on FROM $progresss WHERE $enrolment_id = ? AND $chapter_id = ?",
                [$enrolment_id, $chapter_id],
            )
            if known is not None:
                raise env.Error(f"this has been recorded on {known['done_on']}")
            progress_id = env.insert(
                "INSERT INTO $progresss ($enrolment_id, $chapter_id, done_on) VALUES (?, ?, ?)",
                [$enrolment_id, $chapter_id, env.now[:10]],
            )
            return {"$progress_id": progress_id, "done_on": env.now[:10]}
        """,
        good=lambda view: {**next_chapter(view)},
        bad=lambda view: {"enrolment_id": active(view)[0]["id"], "chapter_id": view.missing("chapter")},
    ),
    Tool(
        name="list_$certificates",
        about="List the $Certificates that were issued for one $Course, latest first.",
        effect="read",
        when="full certificates",
        params={"$course_id": ident("course")},
        returns={"$certificates": many(row_of("certificate", "id", "name_on_it", "issued_on"))},
        code=FIND_COURSE
        + """
            rows = env.query(
                "SELECT z.id, z.name_on_it, z.issued_on FROM $certificates z JOIN $enrolments e"
                " ON e.id = z.$enrolment_id"
"""
        + JOIN_COURSE
        + """
                " WHERE c.id = ? ORDER BY z.issued_on DESC, z.id",
                [course["id"]],
            )
            return {"$certificates": rows}
        """,
        good=lambda view: {"course_id": 1},
        bad=lambda view: {"course_id": view.missing("course")},
    ),
    Tool(
        name="claim_$certificate",
        about="Have the $Certificate issued for a completed $Course of the signed-in $Person.",
        effect="create",
        when="full certificates",
        params={"$enrolment_id": ident("enrolment"), "name_on_it": text("The name to print on it.", 80)},
        returns={"$certificate_id": integer(), "issued_on": text()},
        code=FIND_MINE
        + """
            if row["status"] != "completed":
                raise env.Error(f"{row['name']} is {row['status']}, not completed")
            if env.one("SELECT id FROM $certificates WHERE $enrolment_id = ?", [$enrolment_id]):
                raise env.Error("this $Certificate has been issued already")
            certificate_id = env.insert(
                "INSERT INTO $certificates ($enrolment_id, name_on_it, issued_on) VALUES (?, ?, ?)",
                [$enrolment_id, name_on_it, env.now[:10]],
            )
            return {"$certificate_id": certificate_id, "issued_on": env.now[:10]}
        """,
        good=lambda view: {
            "enrolment_id": view.mine("enrolment", lambda row: row["status"] == "completed")[0]["id"],
            "name_on_it": view.person_name(),
        },
        bad=lambda view: {"enrolment_id": active(view)[0]["id"], "name_on_it": view.person_name()},
    ),
)
