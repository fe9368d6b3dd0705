"""Looking up what is reviewed and what was written."""

from envfactory_dagster.language.embedded.kit import (
    Tool,
    choice,
    day,
    ident,
    integer,
    many,
    number,
    optional,
    row_of,
    text,
)
from envfactory_dagster.language.embedded.modules.reviews.fragments import (
    JOIN_NAME,
    NAME,
    SELECT_SHOWN,
    SHOWN,
    STATUSES,
    recent,
)

READING = (
    Tool(
        name="list_$subjects",
        about="List the $Subjects with their average stars and how many published $Reviews they have.",
        effect="read",
        params={"order": {**choice("What comes first.", "best", "most_reviewed", "name"), "default": "best"}},
        returns={
            "$subjects": many(
                row_of("subject", "id", "thing_id", "accepting", name=text(), published=integer(), average=number())
            )
        },
        code="""
            rows = env.query(
                "SELECT s.id, s.accepting,"
                #: if thing
                " s.$thing_id,"
                #: end
                " count(r.id) AS published, round(coalesce(avg(r.stars), 0), 2) AS average,"
"""
        + NAME
        + """
                " FROM $subjects s LEFT JOIN $reviews r ON r.$subject_id = s.id AND r.status = 'published'"
"""
        + JOIN_NAME
        + """
                " GROUP BY s.id ORDER BY CASE WHEN :order = 'best' THEN coalesce(avg(r.stars), 0) END DESC,"
                " CASE WHEN :order = 'most_reviewed' THEN count(r.id) END DESC, name",
                {"order": order},
            )
            return {"$subjects": rows}
        """,
        good=lambda view: {"order": "best"},
    ),
    Tool(
        name="get_$subject",
        about="Show one $Subject: its summary, and how many published $Reviews gave it how many stars.",
        effect="read",
        params={"$subject_id": ident("subject")},
        returns={
            "name": text(),
            "summary": text(),
            "accepting": integer(),
            "by_stars": many(row_of("review", "stars", n=integer())),
        },
        code="""
            subject = env.one(
                "SELECT s.summary, s.accepting,"
"""
        + NAME
        + """
                " FROM $subjects s"
"""
        + JOIN_NAME
        + """
                " WHERE s.id = ?",
                [$subject_id],
            )
            if subject is None:
                raise env.Error(f"there is no $Subject {$subject_id}")
            rows = env.query(
                "SELECT stars, count(*) AS n FROM $reviews WHERE $subject_id = ? AND status = 'published'"
                " GROUP BY stars ORDER BY stars DESC",
                [$subject_id],
            )
            return {**subject, "by_stars": rows}
        """,
        good=lambda view: {"subject_id": 1},
        bad=lambda view: {"subject_id": view.missing("subject")},
    ),
    Tool(
        name="search_$reviews",
        about="Find published $Reviews, newest first.",
        effect="read",
        params={
            "$subject_id": optional(ident("subject", "Only $Reviews of this $Subject.")),
            "least_stars": integer("Only $Reviews with at least so many stars.", 1, 5, default=1),
            "most_stars": integer("Only $Reviews with at most so many stars.", 1, 5, default=5),
            "since": optional(day("Only $Reviews written on or after this day, as YYYY-MM-DD.")),
            "limit": integer("At most so many $Reviews.", 1, 100, default=50),
        },
        returns={"$reviews": many(SHOWN)},
        code="""
            if least_stars > most_stars:
                raise env.Error("least_stars must not be more than most_stars")
            rows = env.query("""
        + SELECT_SHOWN
        + """
                " WHERE r.status = 'published' AND r.stars BETWEEN :least AND :most"
                " AND (:subject IS NULL OR r.$subject_id = :subject)"
                " AND (:since IS NULL OR substr(r.written_at, 1, 10) >= :since)"
                " ORDER BY r.written_at DESC, r.id LIMIT :limit",
                {"least": least_stars, "most": most_stars, "subject": $subject_id, "since": since, "limit": limit},
            )
            return {"$reviews": rows}
        """,
        good=lambda view: {"subject_id": 1, "least_stars": 1},
        bad=lambda view: {"least_stars": 4, "most_stars": 2},
    ),
    Tool(
        name="list_my_$reviews",
        about="List the $Reviews that the signed-in $Person wrote, newest first, optionally of one status.",
        effect="read",
        params={"status": optional(choice("Only $Reviews of this status.", *STATUSES))},
        returns={"$reviews": many(SHOWN), "total": integer()},
        code="""
            rows = env.query("""
        + SELECT_SHOWN
        + """
                " WHERE r.$person_id = :me AND (:status IS NULL OR r.status = :status)"
                " ORDER BY r.written_at DESC, r.id",
                {"me": env.user_id, "status": status},
            )
            return {"$reviews": rows, "total": len(rows)}
        """,
        good=lambda view: {"status": "published"},
    ),
    Tool(
        name="get_$review",
        about="Get one $Review that is published, or that the signed-in $Person wrote.",
        effect="read",
        when="full",
        params={"$review_id": ident("review")},
        returns={"$review": SHOWN, "author": text()},
        code="""
            row = env.one("""
        + SELECT_SHOWN
        + """
                " WHERE r.id = ? AND (r.status = 'published' OR r.$person_id = ?)",
                [$review_id, env.user_id],
            )
            if row is None:
                raise env.Error(f"there is no $Review {$review_id} to show")
            author = env.one(
                "SELECT CASE WHEN r.shown_as = 'name' THEN p.name ELSE 'anonymous' END AS author"
                " FROM $reviews r JOIN $persons p ON p.id = r.$person_id WHERE r.id = ?",
                [$review_id],
            )
            return {"$review": row, "author": author["author"]}
        """,
        good=lambda view: {"review_id": recent(view)["id"]},
        bad=lambda view: {"review_id": view.missing("review")},
    ),
)
