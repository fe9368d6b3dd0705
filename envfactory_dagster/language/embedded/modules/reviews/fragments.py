"""Pieces that several tools of this module share: finding rows of a world, and fragments of code."""

from envfactory_dagster.language.embedded.kit import Row, row_of, text
from envfactory_dagster.language.embedded.world import View

STATUSES = ("pending", "published", "hidden", "withdrawn")

NAME = """
                #: if thing
                " t.name AS name"
                #: end
                #: if !thing
                " s.name AS name"
                #: end
"""
JOIN_NAME = """
                #: if thing
                " JOIN $things t ON t.id = s.$thing_id"
                #: end
"""
SHOWN = row_of(
    "review", "id", "subject_id", "stars", "title", "body", "status", "written_at", **{"$subject_name": text()}
)
SELECT_SHOWN = """
                "SELECT r.id, r.$subject_id, r.stars, r.title, r.body, r.status, r.written_at,"
                #: if thing
                " t.name AS $subject_name"
                " FROM $reviews r JOIN $subjects s ON s.id = r.$subject_id JOIN $things t ON t.id = s.$thing_id"
                #: end
                #: if !thing
                " s.name AS $subject_name FROM $reviews r JOIN $subjects s ON s.id = r.$subject_id"
                #: end
"""
FIND_MINE = """
            row = env.one(
                "SELECT id, stars, status, written_at FROM $reviews WHERE id = ? AND $person_id = ?",
                [$review_id, env.user_id],
            )
            if row is None:
                raise env.Error(f"you have written no $Review {$review_id}")
            if row["status"] == "withdrawn":
                raise env.Error("this $Review has been withdrawn")
"""
FIND_PUBLISHED = """
            row = env.one(
                "SELECT id, $person_id FROM $reviews WHERE id = ? AND status = 'published'", [$review_id]
            )
            if row is None:
                raise env.Error(f"there is no published $Review {$review_id}")
"""
LONG_ENOUGH = """
            #: if review_low_words
            if stars <= 2 and len(body.split()) < $words:
                raise env.Error("$aReview of one or two stars must say why, in at least $words words")
            #: end
"""


def recent(view: View) -> Row:
    """The review of user 1 that can still be changed."""
    return view.mine("review", lambda row: row["subject_id"] == 1)[0]


def old(view: View) -> Row:
    """The review of user 1 that cannot be changed any more."""
    return view.mine("review", lambda row: row["subject_id"] == 2)[0]


def unreviewed(view: View) -> list[Row]:
    """Subjects that accept reviews and have none by user 1."""
    mine = {row["subject_id"] for row in view.mine("review")}
    return view.select("subject", lambda row: row["accepting"] == 1 and row["id"] not in mine)


def published_by_others(view: View) -> list[Row]:
    return view.select("review", lambda row: row["status"] == "published" and row["person_id"] != 1)


def hidden_ruling(view: View) -> int:
    """The decision that hid a review of user 1."""
    mine = {row["id"] for row in view.mine("review", lambda row: row["status"] == "hidden")}
    ruling_id: int = view.need("ruling", lambda row: row["review_id"] in mine)["id"]
    return ruling_id
