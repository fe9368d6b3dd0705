"""Finding courses, enrolling in them, leaving them."""

from envfactory_dagster.language.embedded.kit import (
    Tool,
    choice,
    ident,
    integer,
    many,
    nullable,
    optional,
    row_of,
    text,
)
from envfactory_dagster.language.embedded.modules.learning.fragments import (
    FIND_COURSE,
    FIND_MINE,
    JOIN_COURSE,
    MAY_ENROL,
    MINE,
    STATUSES,
    active,
    free_courses,
)
from envfactory_dagster.language.embedded.modules.learning.rows import LEVELS

COURSES = (
    Tool(
        name="search_$courses",
        about="Find open $Courses, cheapest first.",
        effect="read",
        params={
            "words": optional(text("Only $Courses whose name contains this.", 60)),
            "level": optional(choice("Only $Courses of this level.", *LEVELS)),
            "most_cents": optional(integer("Only $Courses that cost at most so much, in cents.", 0)),
            "limit": integer("At most so many $Courses.", 1, 50, default=20),
        },
        returns={
            "$courses": many(row_of("course", "id", "name", "level", "price_cents", "weeks", "tutor_id", "place_id"))
        },
        code="""
            rows = env.query(
                "SELECT id, name, level, price_cents, weeks"
                #: if full tutors !intakes
                ", $tutor_id"
                #: end
                #: if place
                ", $place_id"
                #: end
                " FROM $courses WHERE status = 'open' AND (:words IS NULL OR name LIKE '%' || :words || '%')"
                " AND (:level IS NULL OR level = :level) AND (:most IS NULL OR price_cents <= :most)"
                " ORDER BY price_cents, id LIMIT :limit",
                {"words": words, "level": level, "most": most_cents, "limit": limit},
            )
            return {"$courses": rows}
        """,
        good=lambda view: {"level": "beginner"},
    ),
    Tool(
        name="get_$course",
        about="Show one $Course, how many are active in it, and how many completed it.",
        effect="read",
        when="full",
        params={"$course_id": ident("course")},
        returns={
            "$course": row_of("course", "id", "name", "level", "price_cents", "status"),
            "active": integer(),
            "completed": integer(),
        },
        code=FIND_COURSE
        + """
            counts = env.one(
                "SELECT count(CASE WHEN e.status = 'active' THEN 1 END) AS active,"
                " count(CASE WHEN e.status = 'completed' THEN 1 END) AS completed FROM $enrolments e"
"""
        + JOIN_COURSE
        + """
                " WHERE c.id = ?",
                [$course_id],
            )
            return {"$course": course, **counts}
        """,
        good=lambda view: {"course_id": 1},
        bad=lambda view: {"course_id": view.missing("course")},
    ),
    Tool(
        name="list_$intakes",
        about="List the $Intakes of $aCourse that are still to begin, with the places left.",
        effect="read",
        when="intakes",
        params={"$course_id": ident("course")},
        returns={"$intakes": many(row_of("intake", "id", "starts_on", "places", "tutor_id", places_left=integer()))},
        code=FIND_COURSE
        + """
            rows = env.query(
                "SELECT i.id, i.starts_on, i.places,"
                #: if full tutors
                " i.$tutor_id,"
                #: end
                " i.places - (SELECT count(*) FROM $enrolments e WHERE e.$intake_id = i.id AND e.status = 'active')"
                " AS places_left FROM $intakes i WHERE i.$course_id = ? AND i.starts_on > ? ORDER BY i.starts_on",
                [course["id"], env.now[:10]],
            )
            return {"$intakes": rows}
        """,
        good=lambda view: {"course_id": 1},
        bad=lambda view: {"course_id": view.missing("course")},
    ),
    Tool(
        name="list_my_$enrolments",
        about="List the signed-in $Person's $Enrolments, latest first, optionally of one status.",
        effect="read",
        params={"status": optional(choice("Only $Enrolments of this status.", *STATUSES))},
        returns={"$enrolments": many(MINE), "total_cents": integer()},
        code="""
            rows = env.query(
                "SELECT e.id, e.total_cents, e.status, e.enrolled_on, c.name,"
                #: if intakes
                " e.$intake_id"
                #: end
                #: if !intakes
                " e.$course_id"
                #: end
                " FROM $enrolments e"
"""
        + JOIN_COURSE
        + """
                " WHERE e.$person_id = :me AND (:status IS NULL OR e.status = :status)"
                " ORDER BY e.enrolled_on DESC, e.id",
                {"me": env.user_id, "status": status},
            )
            return {"$enrolments": rows, "total_cents": sum(row["total_cents"] for row in rows)}
        """,
        good=lambda view: {"status": "active"},
    ),
    Tool(
        name="enrol_in_$course",
        about="Enrol the signed-in $Person in $aCourse.",
        effect="create",
        when="!intakes",
        params={"$course_id": ident("course")},
        returns={"$enrolment_id": integer(), "total_cents": integer()},
        code=FIND_COURSE
        + MAY_ENROL
        + """
            room = env.one(
                "SELECT places - (SELECT count(*) FROM $enrolments e WHERE e.$course_id = c.id"
                " AND e.status = 'active') AS left FROM $courses c WHERE c.id = ?",
                [$course_id],
            )
            if room["left"] < 1:
                raise env.Error("this $Course is full")
            enrolment_id = env.insert(
                "INSERT INTO $enrolments ($person_id, $course_id, total_cents, status, enrolled_on)"
                " VALUES (?, ?, ?, 'active', ?)",
                [env.user_id, $course_id, course["price_cents"], env.now[:10]],
            )
            return {"$enrolment_id": enrolment_id, "total_cents": course["price_cents"]}
        """,
        good=lambda view: {"course_id": free_courses(view)[0]["id"]},
        bad=lambda view: {"course_id": view.missing("course")},
    ),
    Tool(
        name="enrol_in_$intake",
        about="Enrol the signed-in $Person in one of the $Intakes of $aCourse that are still to begin.",
        effect="create",
        when="intakes",
        params={"$intake_id": ident("intake")},
        returns={"$enrolment_id": integer(), "total_cents": integer()},
        code="""
            intake = env.one("SELECT id, $course_id, starts_on, places FROM $intakes WHERE id = ?", [$intake_id])
            if intake is None or intake["starts_on"] <= env.now[:10]:
                raise env.Error(f"there is no $Intake {$intake_id} to come")
            $course_id = intake["$course_id"]
"""
        + FIND_COURSE
        + MAY_ENROL
        + """
            taken = env.one(
                "SELECT count(*) AS n FROM $enrolments WHERE $intake_id = ? AND status = 'active'", [$intake_id]
            )
            if taken["n"] >= intake["places"]:
                raise env.Error("this $Intake is full")
            enrolment_id = env.insert(
                "INSERT INTO $enrolments ($person_id, $intake_id, total_cents, status, enrolled_on)"
                " VALUES (?, ?, ?, 'active', ?)",
                [env.user_id, $intake_id, course["price_cents"], env.now[:10]],
            )
            return {"$enrolment_id": enrolment_id, "total_cents": course["price_cents"]}
        """,
        good=lambda view: {"intake_id": 2 * free_courses(view)[0]["id"]},
        bad=lambda view: {"intake_id": view.missing("intake")},
    ),
    Tool(
        name="leave_$course",
        about="End an active $Enrolment of the signed-in $Person.",
        effect="change",
        params={"$enrolment_id": ident("enrolment")},
        returns={"$enrolment_id": integer(), "status": choice("", "cancelled")},
        code=FIND_MINE
        + """
            if row["status"] != "active":
                raise env.Error(f"this $Enrolment is {row['status']} already")
            env.execute("UPDATE $enrolments SET status = 'cancelled' WHERE id = ?", [$enrolment_id])
            return {"$enrolment_id": $enrolment_id, "status": "cancelled"}
        """,
        good=lambda view: {"enrolment_id": active(view)[0]["id"]},
        bad=lambda view: {"enrolment_id": view.need("enrolment", lambda row: row["person_id"] != 1)["id"]},
    ),
    Tool(
        name="summarize_my_grades",
        about="Show for each $Course of the signed-in $Person how many grades there are, the best and the lowest.",
        effect="read",
        when="full",
        params={},
        returns={
            "by_$course": many(row_of("course", "name", grades=integer(), best=integer(), lowest=integer())),
            "best": nullable(integer()),
        },
        code="""
            rows = env.query(
                "SELECT c.name, count(s.grade) AS grades, max(s.grade) AS best, min(s.grade) AS lowest"
                " FROM $submissions s JOIN $exercises x ON x.id = s.$exercise_id"
                " JOIN $courses c ON c.id = x.$course_id WHERE s.$person_id = ? AND s.status = 'graded'"
                " GROUP BY c.id ORDER BY best DESC, c.name",
                [env.user_id],
            )
            return {"by_$course": rows, "best": rows[0]["best"] if rows else None}
        """,
        good=lambda view: {},
    ),
)
