"""What the options add: scores by criterion, helpful votes, replies, reports, and rulings of moderators."""

from envfactory_dagster.language.embedded.kit import Tool, choice, ident, integer, many, number, row_of, text
from envfactory_dagster.language.embedded.modules.reviews.fragments import (
    FIND_MINE,
    FIND_PUBLISHED,
    hidden_ruling,
    published_by_others,
    recent,
)
from envfactory_dagster.language.embedded.modules.reviews.rows import REPORT_REASONS

EXTRAS = (
    Tool(
        name="list_$criterions",
        about="List the $Criterions with the points that one $Subject got for each, on average.",
        effect="read",
        when="full aspects",
        params={"$subject_id": ident("subject")},
        returns={"$criterions": many(row_of("criterion", "id", "name", "weight", points=number(), n=integer()))},
        code="""
            if env.one("SELECT id FROM $subjects WHERE id = ?", [$subject_id]) is None:
                raise env.Error(f"there is no $Subject {$subject_id}")
            rows = env.query(
                "SELECT c.id, c.name, c.weight, round(coalesce(avg(x.points), 0), 2) AS points, count(x.id) AS n"
                " FROM $criterions c LEFT JOIN ($scores x JOIN $reviews r"
                " ON r.id = x.$review_id AND r.$subject_id = ? AND r.status = 'published') ON x.$criterion_id = c.id"
                " GROUP BY c.id ORDER BY c.weight DESC, c.id",
                [$subject_id],
            )
            return {"$criterions": rows}
        """,
        good=lambda view: {"subject_id": 1},
        bad=lambda view: {"subject_id": view.missing("subject")},
    ),
    Tool(
        name="score_$criterion",
        about="Give points for one $Criterion in one of the signed-in $Person's $Reviews.",
        effect="create",
        when="full aspects",
        params={
            "$review_id": ident("review"),
            "$criterion_id": ident("criterion"),
            "points": integer("How many points, 10 is best.", 1, 10),
        },
        returns={"$score_id": integer(), "points": integer()},
        code=FIND_MINE
        + """
            if env.one("SELECT id FROM $criterions WHERE id = ?", [$criterion_id]) is None:
                raise env.Error(f"there is no $Criterion {$criterion_id}")
            given = env.one(
                "SELECT points FROM $scores WHERE $review_id = ? AND $criterion_id = ?", [$review_id, $criterion_id]
            )
            if given is not None:
                raise env.Error(f"this $Review gives {given['points']} points for it already")
            score_id = env.insert(
                "INSERT INTO $scores ($review_id, $criterion_id, points) VALUES (?, ?, ?)",
                [$review_id, $criterion_id, points],
            )
            return {"$score_id": score_id, "points": points}
        """,
        good=lambda view: {"review_id": recent(view)["id"], "criterion_id": 1, "points": 7},
        bad=lambda view: {"review_id": recent(view)["id"], "criterion_id": view.missing("criterion"), "points": 7},
    ),
    Tool(
        name="list_helpful_$reviews",
        about="List the published $Reviews of $aSubject with how many found them helpful, most helpful first.",
        effect="read",
        when="full votes",
        params={"$subject_id": ident("subject")},
        returns={"$reviews": many(row_of("review", "id", "title", "stars", helpful=integer()))},
        code="""
            if env.one("SELECT id FROM $subjects WHERE id = ?", [$subject_id]) is None:
                raise env.Error(f"there is no $Subject {$subject_id}")
            rows = env.query(
                "SELECT r.id, r.title, r.stars, count(v.id) AS helpful FROM $reviews r"
                " LEFT JOIN $votes v ON v.$review_id = r.id WHERE r.$subject_id = ? AND r.status = 'published'"
                " GROUP BY r.id ORDER BY helpful DESC, r.id",
                [$subject_id],
            )
            return {"$reviews": rows}
        """,
        good=lambda view: {"subject_id": 1},
        bad=lambda view: {"subject_id": view.missing("subject")},
    ),
    Tool(
        name="vote_for_$review",
        about="Say for the signed-in $Person that a published $Review was helpful.",
        effect="create",
        when="full votes",
        params={"$review_id": ident("review")},
        returns={"$vote_id": integer(), "helpful": integer()},
        code=FIND_PUBLISHED
        + """
            #: if review_own_vote
            if row["$person_id"] == env.user_id:
                raise env.Error("this $Review is your own: nobody can vote for a $Review of their own")
            #: end
            if env.one("SELECT id FROM $votes WHERE $review_id = ? AND $person_id = ?", [$review_id, env.user_id]):
                raise env.Error("you have voted for this $Review already")
            vote_id = env.insert(
                "INSERT INTO $votes ($review_id, $person_id, cast_at) VALUES (?, ?, ?)",
                [$review_id, env.user_id, env.now],
            )
            helpful = env.one("SELECT count(*) AS n FROM $votes WHERE $review_id = ?", [$review_id])
            return {"$vote_id": vote_id, "helpful": helpful["n"]}
        """,
        good=lambda view: {"review_id": published_by_others(view)[-1]["id"]},
        bad=lambda view: {"review_id": view.missing("review")},
    ),
    Tool(
        name="list_$replys",
        about="List what was answered to a published $Review, oldest first.",
        effect="read",
        when="full replies",
        params={"$review_id": ident("review")},
        returns={"$replys": many(row_of("reply", "id", "body", "posted_at", author=text()))},
        code=FIND_PUBLISHED
        + """
            rows = env.query(
                "SELECT a.id, a.body, a.posted_at, p.name AS author FROM $replys a"
                " JOIN $persons p ON p.id = a.$person_id WHERE a.$review_id = ? ORDER BY a.posted_at, a.id",
                [row["id"]],
            )
            return {"$replys": rows}
        """,
        good=lambda view: {"review_id": published_by_others(view)[0]["id"]},
        bad=lambda view: {"review_id": view.missing("review")},
    ),
    Tool(
        name="add_$reply",
        about="Answer a published $Review in the name of the signed-in $Person.",
        effect="create",
        when="full replies",
        params={"$review_id": ident("review"), "body": text("The answer.", 500)},
        returns={"$reply_id": integer(), "posted_at": text()},
        code=FIND_PUBLISHED
        + """
            reply_id = env.insert(
                "INSERT INTO $replys ($review_id, $person_id, body, posted_at) VALUES (?, ?, ?, ?)",
                [row["id"], env.user_id, body, env.now],
            )
            return {"$reply_id": reply_id, "posted_at": env.now}
        """,
        good=lambda view: {"review_id": published_by_others(view)[0]["id"], "body": "Thank you, this helped me."},
        bad=lambda view: {"review_id": view.missing("review"), "body": "Thank you."},
    ),
    Tool(
        name="list_my_$reports",
        about="List the $Reports the signed-in $Person made, newest first.",
        effect="read",
        when="full reports",
        params={},
        returns={"$reports": many(row_of("report", "id", "review_id", "reason", "status", "reported_at"))},
        code="""
            rows = env.query(
                "SELECT id, $review_id, reason, status, reported_at FROM $reports WHERE $person_id = ?"
                " ORDER BY reported_at DESC, id",
                [env.user_id],
            )
            return {"$reports": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="file_$report",
        about="Complain about a published $Review for the signed-in $Person.",
        effect="create",
        when="full reports",
        params={"$review_id": ident("review"), "reason": choice("What is wrong with it.", *REPORT_REASONS)},
        returns={"$report_id": integer(), "status": choice("", "open")},
        code=FIND_PUBLISHED
        + """
            mine = env.one("SELECT id FROM $reports WHERE $review_id = ? AND $person_id = ?", [row["id"], env.user_id])
            if mine is not None:
                raise env.Error("you have complained about this $Review already")
            report_id = env.insert(
                "INSERT INTO $reports ($review_id, $person_id, reason, status, reported_at)"
                " VALUES (?, ?, ?, 'open', ?)",
                [row["id"], env.user_id, reason, env.now],
            )
            return {"$report_id": report_id, "status": "open"}
        """,
        good=lambda view: {"review_id": published_by_others(view)[-1]["id"], "reason": "off topic"},
        bad=lambda view: {"review_id": view.missing("review"), "reason": "spam"},
    ),
    Tool(
        name="list_my_$rulings",
        about="List what was decided about the signed-in $Person's $Reviews, newest first.",
        effect="read",
        when="full moderated",
        params={},
        returns={
            "$rulings": many(
                row_of(
                    "ruling",
                    "id",
                    "review_id",
                    "outcome",
                    "reason",
                    "decided_at",
                    "appeal",
                    title=text(),
                    decided_by=text(),
                )
            )
        },
        code="""
            rows = env.query(
                "SELECT d.id, d.$review_id, d.outcome, d.reason, d.decided_at, d.appeal, r.title, m.name AS decided_by"
                " FROM $rulings d JOIN $reviews r ON r.id = d.$review_id"
                #: if staff
                " JOIN $staffs m ON m.id = d.$staff_id"
                #: end
                #: if !staff
                " JOIN $moderators m ON m.id = d.$moderator_id"
                #: end
                " WHERE r.$person_id = ? ORDER BY d.decided_at DESC, d.id",
                [env.user_id],
            )
            return {"$rulings": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="appeal_$ruling",
        about="Contest the decision to hide one of the signed-in $Person's $Reviews.",
        effect="change",
        when="full moderated",
        params={"$ruling_id": ident("ruling"), "appeal": text("Why the decision is wrong.", 500)},
        returns={"$ruling_id": integer(), "appeal": text()},
        code="""
            ruling = env.one(
                "SELECT d.id, d.outcome, d.appeal FROM $rulings d JOIN $reviews r ON r.id = d.$review_id"
                " WHERE d.id = ? AND r.$person_id = ?",
                [$ruling_id, env.user_id],
            )
            if ruling is None:
                raise env.Error(f"there is no $Ruling {$ruling_id} about $aReview of yours")
            if ruling["outcome"] != "hidden" or ruling["appeal"] is not None:
                raise env.Error("only a decision to hide can be contested, and only once")
            env.execute("UPDATE $rulings SET appeal = ? WHERE id = ?", [appeal, $ruling_id])
            return {"$ruling_id": $ruling_id, "appeal": appeal}
        """,
        good=lambda view: {"ruling_id": hidden_ruling(view), "appeal": "Nobody is named in it."},
        bad=lambda view: {"ruling_id": view.missing("ruling"), "appeal": "Nobody is named in it."},
    ),
)
