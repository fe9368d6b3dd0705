"""What people want done about reviews."""

from envfactory_dagster.language.embedded.kit import Allow, Ask, Fact, Goal, Step, attempt
from envfactory_dagster.language.embedded.modules.reviews.fragments import (
    hidden_ruling,
    old,
    published_by_others,
    recent,
    unreviewed,
)
from envfactory_dagster.language.embedded.modules.reviews.rows import REPORT_REASONS, subject_name
from envfactory_dagster.language.embedded.world import View

_HEADLINES = ("Good value", "Pleasant surprise", "Solid and honest", "Worth the trip", "A happy afternoon")
_SENTENCES = (
    "Friendly people and no waiting at all.",
    "Everything was as described, and clean.",
    "A calm place, I will tell my neighbours.",
    "It rained, but they had thought of that.",
)


def write(view: View) -> Step | None:
    subjects = unreviewed(view)
    if not subjects:
        return None
    subject = view.rng.choice(subjects)
    return Step(
        text='review {subject} for me with {stars} stars, the title "{title}" and the text "{body}"',
        values={
            "subject": subject_name(view, subject["id"]),
            "stars": view.rng.randint(3, 5),
            "title": view.rng.choice(_HEADLINES),
            "body": view.rng.choice(_SENTENCES),
            "subject_id": subject["id"],
        },
        solve="""
            found = tools.list_$subjects(order="name")["$subjects"]
            page = next(s for s in found if s["name"] == subject)
            tools.list_my_$reviews()
            tools.write_$review($subject_id=page["id"], stars=stars, title=title, body=body)
        """,
        goals=(
            Goal(
                "written",
                "SELECT count(*) AS n FROM $reviews WHERE $subject_id = :subject_id AND $person_id = 1"
                " AND stars = :stars AND title = :title AND body = :body AND status IN ('pending', 'published')",
            ),
        ),
        allows=(Allow("review", created=1),),
    )


def write_about_any(view: View) -> Step | None:
    """A choice: any subject that user 1 has not reviewed will do."""
    if not unreviewed(view):
        return None
    return Step(
        text="pick any $Subject that I have never reviewed and that takes $Reviews, and give it four stars with the"
        ' title "{title}"; the text is up to you',
        values={"title": view.rng.choice(_HEADLINES)},
        solve="""
            done = {r["$subject_id"] for r in tools.list_my_$reviews()["$reviews"]}
            pages = tools.list_$subjects(order="best")["$subjects"]
            page = next(s for s in pages if s["accepting"] and s["id"] not in done)
            seen = tools.get_$subject($subject_id=page["id"])
            tools.write_$review($subject_id=page["id"], stars=4, title=title, body=f"{seen['name']} was very good.")
        """,
        goals=(
            Goal(
                "written_about_one",
                "SELECT count(*) AS n FROM $reviews r JOIN $subjects s ON s.id = r.$subject_id"
                " WHERE r.$person_id = 1 AND r.stars = 4 AND r.title = :title AND s.accepting = 1"
                " AND r.status IN ('pending', 'published') AND NOT EXISTS (SELECT 1 FROM $reviews o"
                " WHERE o.$person_id = 1 AND o.$subject_id = r.$subject_id AND o.id < r.id)",
            ),
        ),
        allows=(Allow("review", created=1),),
        otherwise=(("for s in pages if", "for s in pages[::-1] if"),),
    )


def change(view: View) -> Step | None:
    review = recent(view)
    stars = view.rng.choice([n for n in (3, 4, 5) if n != review["stars"]])
    return Step(
        text='change my $Review of {subject} to {stars} stars and the text to "{body}"',
        values={
            "subject": subject_name(view, review["subject_id"]),
            "stars": stars,
            "body": view.rng.choice(_SENTENCES),
            "review_id": review["id"],
        },
        solve="""
            mine = tools.list_my_$reviews(status="published")["$reviews"]
            review = next(r for r in mine if r["$subject_name"] == subject)
            tools.edit_$review($review_id=review["id"], stars=stars, body=body)
        """,
        goals=(
            Goal(
                "changed",
                "SELECT count(*) AS n FROM $reviews WHERE id = :review_id AND stars = :stars AND body = :body",
            ),
        ),
        allows=(Allow("review", changed=1, columns=("stars", "body", "edited_at"), ids=(review["id"],)),),
    )


def take_back(view: View) -> Step | None:
    review = view.rng.choice((recent(view), old(view)))
    return Step(
        text="take back my $Review of {subject}",
        values={"subject": subject_name(view, review["subject_id"]), "review_id": review["id"]},
        solve="""
            mine = tools.list_my_$reviews(status="published")["$reviews"]
            review = next(r for r in mine if r["$subject_name"] == subject)
            tools.get_$review($review_id=review["id"])
            tools.withdraw_$review($review_id=review["id"])
        """,
        goals=(Goal("withdrawn", "SELECT count(*) AS n FROM $reviews WHERE id = :review_id AND status = 'withdrawn'"),),
        allows=(Allow("review", changed=1, columns=("status",), ids=(review["id"],)),),
    )


def score(view: View) -> Step | None:
    criterion = view.pick("criterion")
    if criterion is None:
        return None
    review = recent(view)
    return Step(
        text='add {points} points for the $Criterion "{criterion}" to my $Review of {subject}',
        values={
            "points": view.rng.randint(3, 9),
            "criterion": criterion["name"],
            "subject": subject_name(view, review["subject_id"]),
            "review_id": review["id"],
            "criterion_id": criterion["id"],
        },
        solve="""
            mine = tools.list_my_$reviews(status="published")["$reviews"]
            review = next(r for r in mine if r["$subject_name"] == subject)
            found = tools.list_$criterions($subject_id=review["$subject_id"])["$criterions"]
            wanted = next(c for c in found if c["name"] == criterion)
            tools.score_$criterion($review_id=review["id"], $criterion_id=wanted["id"], points=points)
        """,
        goals=(
            Goal(
                "scored",
                "SELECT count(*) AS n FROM $scores WHERE $review_id = :review_id AND $criterion_id = :criterion_id"
                " AND points = :points",
            ),
        ),
        allows=(Allow("score", created=1),),
    )


def find_helpful(view: View) -> Step | None:
    review = view.rng.choice(published_by_others(view))
    return Step(
        text='mark the $Review "{title}" of {subject} as helpful for me',
        values={
            "title": review["title"],
            "subject": subject_name(view, review["subject_id"]),
            "review_id": review["id"],
        },
        solve="""
            pages = tools.list_$subjects(order="name")["$subjects"]
            page = next(s for s in pages if s["name"] == subject)
            found = tools.search_$reviews($subject_id=page["id"])["$reviews"]
            review = next(r for r in found if r["title"] == title)
            tools.vote_for_$review($review_id=review["id"])
        """,
        goals=(Goal("voted_for", "SELECT count(*) AS n FROM $votes WHERE $review_id = :review_id AND $person_id = 1"),),
        allows=(Allow("vote", created=1),),
    )


def answer_newest(view: View) -> Step | None:
    subject_id = view.rng.randint(3, len(view.rows("subject")))
    found = [r for r in published_by_others(view) if r["subject_id"] == subject_id]
    if not found or any(r["subject_id"] == subject_id for r in view.mine("review")):
        return None
    newest = max(found, key=lambda row: row["written_at"])
    return Step(
        text='answer the newest $Review of {subject} with "{body}"',
        values={
            "subject": subject_name(view, subject_id),
            "body": view.rng.choice(("Thank you, that helped me decide.", "I would like to know more about this.")),
            "review_id": newest["id"],
        },
        solve="""
            pages = tools.list_$subjects(order="name")["$subjects"]
            page = next(s for s in pages if s["name"] == subject)
            newest = tools.search_$reviews($subject_id=page["id"], limit=1)["$reviews"][0]
            tools.list_$replys($review_id=newest["id"])
            tools.add_$reply($review_id=newest["id"], body=body)
        """,
        goals=(
            Goal(
                "answered",
                "SELECT count(*) AS n FROM $replys WHERE $review_id = :review_id AND $person_id = 1 AND body = :body",
            ),
        ),
        allows=(Allow("reply", created=1),),
    )


def complain(view: View) -> Step | None:
    done = {row["review_id"] for row in view.mine("report")}
    found = [r for r in published_by_others(view) if r["id"] not in done]
    if not found:
        return None
    review = view.rng.choice(found)
    return Step(
        text='complain about the $Review "{title}" of {subject}, it is {reason}',
        values={
            "title": review["title"],
            "subject": subject_name(view, review["subject_id"]),
            "reason": view.rng.choice(REPORT_REASONS[:1] + REPORT_REASONS[2:3]),
            "review_id": review["id"],
        },
        solve="""
            pages = tools.list_$subjects(order="name")["$subjects"]
            page = next(s for s in pages if s["name"] == subject)
            found = tools.search_$reviews($subject_id=page["id"])["$reviews"]
            review = next(r for r in found if r["title"] == title)
            tools.list_my_$reports()
            tools.file_$report($review_id=review["id"], reason=reason)
        """,
        goals=(
            Goal(
                "complained_about",
                "SELECT count(*) AS n FROM $reports WHERE $review_id = :review_id AND $person_id = 1"
                " AND reason = :reason AND status = 'open'",
            ),
        ),
        allows=(Allow("report", created=1),),
    )


def contest(view: View) -> Step | None:
    return Step(
        text='contest the decision to hide my $Review, with the words "{appeal}"',
        values={
            "appeal": view.rng.choice(
                ("Nobody is named in it.", "I paid for this myself.", "It is true, word by word.")
            ),
            "ruling_id": hidden_ruling(view),
        },
        solve="""
            tools.list_my_$reviews(status="hidden")
            rulings = tools.list_my_$rulings()["$rulings"]
            ruling = next(d for d in rulings if d["outcome"] == "hidden")
            tools.appeal_$ruling($ruling_id=ruling["id"], appeal=appeal)
        """,
        goals=(Goal("contested", "SELECT count(*) AS n FROM $rulings WHERE id = :ruling_id AND appeal = :appeal"),),
        allows=(Allow("ruling", changed=1, columns=("appeal",), ids=(hidden_ruling(view),)),),
    )


def how_many_stars(view: View) -> Step | None:
    subject_id = view.rng.randint(1, len(view.rows("subject")))
    return Step(
        text="tell me how many published $Reviews of {subject} have at least four stars",
        values={"subject": subject_name(view, subject_id), "subject_id": subject_id},
        solve="""
            pages = tools.list_$subjects(order="name")["$subjects"]
            page = next(s for s in pages if s["name"] == subject)
            by_stars = tools.get_$subject($subject_id=page["id"])["by_stars"]
            return sum(row["n"] for row in by_stars if row["stars"] >= 4)
        """,
        facts=(
            Fact(
                "the_number_of_good_ones",
                "SELECT count(*) AS value FROM $reviews"
                " WHERE $subject_id = :subject_id AND stars >= 4 AND status = 'published'",
            ),
        ),
    )


def newest_title(view: View) -> Step | None:
    newest = max(published_by_others(view), key=lambda row: row["written_at"])
    subject = newest["subject_id"]
    if any(row["subject_id"] == subject for row in view.mine("review")):
        return None
    return Step(
        text="tell me the title of the newest $Review of {subject}",
        values={"subject": subject_name(view, subject), "subject_id": subject},
        solve="""
            pages = tools.list_$subjects(order="most_reviewed")["$subjects"]
            page = next(s for s in pages if s["name"] == subject)
            return tools.search_$reviews($subject_id=page["id"], limit=1)["$reviews"][0]["title"]
        """,
        facts=(
            Fact(
                "its_title",
                "SELECT title AS value FROM $reviews WHERE $subject_id = :subject_id AND status = 'published'"
                " ORDER BY written_at DESC, id LIMIT 1",
            ),
        ),
    )


def most_helpful(view: View) -> Step | None:
    counts = {row["id"]: 0 for row in view.select("review", lambda row: row["status"] == "published")}
    for vote in view.rows("vote"):
        counts[vote["review_id"]] += 1
    subject_id = view.rng.randint(1, len(view.rows("subject")))
    ranked = sorted(
        (n for key, n in counts.items() if view.row("review", key)["subject_id"] == subject_id), reverse=True
    )
    if len(ranked) < 2 or ranked[0] == ranked[1]:
        return None
    return Step(
        text="tell me how many people found the most helpful $Review of {subject} helpful, and its title",
        values={"subject": subject_name(view, subject_id), "subject_id": subject_id},
        solve="""
            pages = tools.list_$subjects(order="name")["$subjects"]
            page = next(s for s in pages if s["name"] == subject)
            best = tools.list_helpful_$reviews($subject_id=page["id"])["$reviews"][0]
            return best["title"], best["helpful"]
        """,
        facts=tuple(
            Fact(
                name,
                f"SELECT {column} AS value FROM $reviews r JOIN $votes v ON v.$review_id = r.id"
                " WHERE r.$subject_id = :subject_id AND r.status = 'published' GROUP BY r.id"
                " ORDER BY count(v.id) DESC LIMIT 1",
            )
            for name, column in (("its_title", "r.title"), ("its_votes", "count(v.id)"))
        ),
    )


def refuse_second(view: View) -> Step | None:
    review = old(view)
    return Step(
        text='write another $Review of {subject}, five stars, title "Still great", text "{body}"',
        values={"subject": subject_name(view, review["subject_id"]), "body": view.rng.choice(_SENTENCES)},
        solve=attempt(
            'tools.write_$review($subject_id=page["id"], stars=5, title="Still great", body=body)',
            first="""
                tools.list_my_$reviews()
                pages = tools.list_$subjects(order="name")["$subjects"]
                page = next(s for s in pages if s["name"] == subject)
            """,
        ),
    )


def refuse_late_edit(view: View) -> Step | None:
    review = old(view)
    return Step(
        text='give my old $Review of {subject} five stars and the text "{body}"',
        values={"subject": subject_name(view, review["subject_id"]), "body": view.rng.choice(_SENTENCES)},
        solve=attempt(
            'tools.edit_$review($review_id=review["id"], stars=5, body=body)',
            first="""
                mine = tools.list_my_$reviews(status="published")["$reviews"]
                review = next(r for r in mine if r["$subject_name"] == subject)
            """,
        ),
    )


def refuse_short_complaint(view: View) -> Step | None:
    subjects = unreviewed(view)
    if not subjects:
        return None
    return Step(
        text='give {subject} one star, with the title "Bad" and no more text than "Just bad."',
        values={"subject": subject_name(view, view.rng.choice(subjects)["id"])},
        solve=attempt(
            'tools.write_$review($subject_id=page["id"], stars=1, title="Bad", body="Just bad.")',
            first="""
                pages = tools.list_$subjects(order="name")["$subjects"]
                page = next(s for s in pages if s["name"] == subject)
            """,
        ),
    )


def refuse_own_vote(view: View) -> Step | None:
    review = view.rng.choice((recent(view), old(view)))
    return Step(
        text="mark my own $Review of {subject} as helpful",
        values={"subject": subject_name(view, review["subject_id"])},
        solve=attempt(
            'tools.vote_for_$review($review_id=review["id"])',
            first="""
                mine = tools.list_my_$reviews(status="published")["$reviews"]
                review = next(r for r in mine if r["$subject_name"] == subject)
            """,
        ),
    )


ASKS = (
    Ask("write_review", write),
    Ask("review_any", write_about_any),
    Ask("change_review", change),
    Ask("take_back_review", take_back, when="full"),
    Ask("score_review", score, when="full aspects"),
    Ask("find_helpful", find_helpful, when="full votes"),
    Ask("answer_newest_review", answer_newest, when="full replies"),
    Ask("complain_about_review", complain, when="full reports"),
    Ask("contest_ruling", contest, when="full moderated"),
    Ask("how_many_stars", how_many_stars),
    Ask("newest_review", newest_title),
    Ask("most_helpful_review", most_helpful, when="full votes"),
    Ask("second_review", refuse_second, rule="review_once"),
    Ask("late_edit", refuse_late_edit, rule="review_edit_days"),
    Ask("short_complaint", refuse_short_complaint, rule="review_low_words"),
    Ask("own_vote", refuse_own_vote, rule="review_own_vote", when="full votes"),
)
