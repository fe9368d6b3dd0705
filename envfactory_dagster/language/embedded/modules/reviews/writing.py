"""Writing, changing and taking back one's own reviews."""

from envfactory_dagster.language.embedded.kit import Tool, choice, ident, integer, text
from envfactory_dagster.language.embedded.modules.reviews.fragments import (
    FIND_MINE,
    LONG_ENOUGH,
    recent,
    unreviewed,
)

_BODY = "We waited for half an hour before anybody could tell us where to go next."

WRITING = (
    Tool(
        name="write_$review",
        about="Write $aReview of $aSubject in the name of the signed-in $Person.",
        effect="create",
        params={
            "$subject_id": ident("subject"),
            "stars": integer("How many stars, 5 is best.", 1, 5),
            "title": text("A short headline.", 80),
            "body": text("What the $Person has to say.", 1000),
        },
        returns={"$review_id": integer(), "status": choice("", "pending", "published")},
        code="""
            subject = env.one("SELECT accepting FROM $subjects WHERE id = ?", [$subject_id])
            if subject is None:
                raise env.Error(f"there is no $Subject {$subject_id}")
            if not subject["accepting"]:
                raise env.Error("this $Subject takes no new $Reviews")
            #: if review_once
            earlier = env.one(
                "SELECT id FROM $reviews WHERE $subject_id = ? AND $person_id = ? AND status <> 'withdrawn'",
                [$subject_id, env.user_id],
            )
            if earlier is not None:
                raise env.Error(f"you have reviewed this already, in number {earlier['id']}: only one is allowed")
            #: end
"""
        + LONG_ENOUGH
        + """
            #: if moderated
            status = "pending"
            #: end
            #: if !moderated
            status = "published"
            #: end
            review_id = env.insert(
                "INSERT INTO $reviews ($subject_id, $person_id, stars, title, body, shown_as, status, written_at)"
                " VALUES (?, ?, ?, ?, ?, 'name', ?, ?)",
                [$subject_id, env.user_id, stars, title, body, status, env.now],
            )
            return {"$review_id": review_id, "status": status}
        """,
        good=lambda view: {"subject_id": unreviewed(view)[0]["id"], "stars": 2, "title": "Slow", "body": _BODY},
        bad=lambda view: {"subject_id": view.missing("subject"), "stars": 2, "title": "Slow", "body": _BODY},
    ),
    Tool(
        name="edit_$review",
        about="Give one of the signed-in $Person's $Reviews other stars and another text.",
        effect="change",
        imports="from datetime import datetime, timedelta",
        params={
            "$review_id": ident("review"),
            "stars": integer("The new number of stars.", 1, 5),
            "body": text("The new text.", 1000),
        },
        returns={"$review_id": integer(), "stars": integer()},
        code=FIND_MINE
        + """
            #: if review_edit_days
            latest = (datetime.fromisoformat(row["written_at"]) + timedelta(days=$editdays)).isoformat()
            if env.now > latest:
                raise env.Error("this $Review is too old: it can be changed for $editdays days only")
            #: end
"""
        + LONG_ENOUGH
        + """
            env.execute(
                "UPDATE $reviews SET stars = ?, body = ?, edited_at = ? WHERE id = ?",
                [stars, body, env.now, $review_id],
            )
            return {"$review_id": $review_id, "stars": stars}
        """,
        good=lambda view: {"review_id": recent(view)["id"], "stars": 1, "body": _BODY},
        bad=lambda view: {"review_id": view.missing("review"), "stars": 1, "body": _BODY},
    ),
    Tool(
        name="withdraw_$review",
        about="Take back one of the signed-in $Person's $Reviews, so that nobody sees it any more.",
        effect="change",
        when="full",
        params={"$review_id": ident("review")},
        returns={"$review_id": integer(), "status": choice("", "withdrawn")},
        code=FIND_MINE
        + """
            env.execute("UPDATE $reviews SET status = 'withdrawn' WHERE id = ?", [$review_id])
            return {"$review_id": $review_id, "status": "withdrawn"}
        """,
        good=lambda view: {"review_id": recent(view)["id"]},
        bad=lambda view: {"review_id": view.need("review", lambda row: row["person_id"] != 1)["id"]},
    ),
    Tool(
        name="sign_$review",
        about="Decide whether one's own $Review shows one's name or is anonymous.",
        effect="change",
        principal="user",
        when="full",
        params={"$review_id": ident("review"), "shown_as": choice("What readers see.", "name", "anonymous")},
        returns={"$review_id": integer(), "shown_as": choice("", "name", "anonymous")},
        code=FIND_MINE
        + """
            env.execute("UPDATE $reviews SET shown_as = ? WHERE id = ?", [shown_as, $review_id])
            return {"$review_id": $review_id, "shown_as": shown_as}
        """,
        good=lambda view: {"review_id": recent(view)["id"], "shown_as": "anonymous"},
        bad=lambda view: {"review_id": view.missing("review"), "shown_as": "anonymous"},
    ),
)
