"""What people want done about claims."""

from typing import Any

from envfactory_dagster.language.embedded.kit import Allow, Ask, Goal, Row, Step
from envfactory_dagster.language.embedded.modules.claims.aftermath import open_offers
from envfactory_dagster.language.embedded.modules.claims.claiming import my_claims, unclaimed
from envfactory_dagster.language.embedded.modules.claims.rows import APPEAL_REASONS
from envfactory_dagster.language.embedded.vocabulary import money, words_for_date
from envfactory_dagster.language.embedded.world import View

_NEWS = (
    ("damage", "dented lid"),
    ("loss", "strap missing"),
    ("accident", "slipped on the ramp"),
    ("delay", "a day late"),
)
_FIND_INCIDENT = """
            reported = tools.list_my_$incidents()["$incidents"]
            found = next(i for i in reported if i["description"] == description)
"""
_FIND_CODE = """
            found = next(c for c in tools.list_my_$claims()["$claims"] if c["code"] == code)
"""
_UNDER = """
                #: if covers
                AND c.$cover_id = :cover_id
                #: end
"""


def _happened(incident: Row) -> dict[str, Any]:
    return {
        "description": incident["description"],
        "date": words_for_date(incident["happened_on"]),
        "incident_id": incident["id"],
    }


def _cover(view: View) -> dict[str, Any]:
    """An active cover of user 1, by the title a person knows."""
    if not view.has("covers"):
        return {}
    cover = view.rng.choice(view.mine("cover", lambda row: row["status"] == "active"))
    return {"cover": cover["title"], "cover_id": cover["id"]}


def _under(cover: dict[str, Any]) -> str:
    return " under my $Cover {cover}" if cover else ""


def report_incident(view: View) -> Step | None:
    happened_on = view.day(-view.rng.randint(1, 6))
    records = view.mine("record") if view.has("record") else []
    about = {"record_number": view.rng.choice(records)["id"]} if records else {}
    kind, description = view.rng.choice(
        (
            ("damage", "dented lid"),
            ("loss", "strap missing"),
            ("accident", "slipped on the ramp"),
            ("delay", "a day late"),
        )
    )
    return Step(
        text="report “{description}” of {date} as a case of {kind}"
        + (", it happened to my $Record number {record_number}" if about else ""),
        values={
            "kind": kind,
            "description": description,
            "date": words_for_date(happened_on),
            "happened_on": happened_on,
            **about,
        },
        solve="""
            tools.list_my_$incidents(since=happened_on)
            tools.report_$incident(kind=kind, description=description, happened_on=happened_on"""
        + (", $record_id=record_number)" if about else ")")
        + """
            tools.list_my_$incidents(kind=kind)
        """,
        goals=(
            Goal(
                "reported",
                "SELECT count(*) AS n FROM $incidents WHERE $person_id = 1 AND kind = :kind"
                " AND lower(description) = :description AND happened_on = :happened_on"
                + (" AND $record_id = :record_number" if about else ""),
            ),
        ),
        allows=(Allow("incident", created=1),),
    )


def file_claim(view: View) -> Step | None:
    cover = _cover(view)
    cents = view.rng.randrange(8_000, 80_000, 250)
    return Step(
        text="file $aClaim of {amount}" + _under(cover) + " for what I reported as “{description}” of {date}",
        values={"amount": money(cents), "cents": cents, **_happened(unclaimed(view)[-1]), **cover},
        solve=_FIND_INCIDENT
        + """
            #: if covers
            mine = next(v for v in tools.list_my_$covers()["$covers"] if v["title"] == cover)
            #: end
            filed = tools.file_$claim(
                $incident_id=found["id"],
                amount_cents=cents,
                #: if covers
                $cover_id=mine["id"],
                #: end
            )
            tools.get_$claim($claim_id=filed["$claim_id"])
        """,
        goals=(
            Goal(
                "filed",
                """
                SELECT count(*) AS n FROM $claims c WHERE c.$person_id = 1 AND c.$incident_id = :incident_id
                AND c.amount_cents = :cents AND c.status = 'filed'
                """
                + _UNDER,
            ),
        ),
        allows=(Allow("claim", created=1),),
    )


def file_under_any_cover(view: View) -> Step | None:
    """A choice: any active cover."""
    cents = view.rng.randrange(8_000, 80_000, 250)
    return Step(
        text="file $aClaim of {amount} for what I reported as “{description}” of {date}, under any of my $Covers that "
        "is active",
        values={"amount": money(cents), "cents": cents, **_happened(unclaimed(view)[1])},
        solve=_FIND_INCIDENT
        + """
            mine = next(v for v in tools.list_my_$covers()["$covers"] if v["status"] == "active")
            filed = tools.file_$claim($incident_id=found["id"], $cover_id=mine["id"], amount_cents=cents)
            tools.get_$claim($claim_id=filed["$claim_id"])
        """,
        goals=(
            Goal(
                "filed_under_an_active_one",
                "SELECT count(*) AS n FROM $claims c JOIN $covers v ON v.id = c.$cover_id WHERE c.$person_id = 1"
                " AND c.$incident_id = :incident_id AND c.amount_cents = :cents AND c.status = 'filed'"
                " AND v.status = 'active'",
            ),
        ),
        allows=(Allow("claim", created=1),),
        otherwise=(('["$covers"] if', '["$covers"][::-1] if'),),
    )


def open_and_submit(view: View) -> Step | None:
    cover = _cover(view)
    cents = view.rng.randrange(2_000, 25_000, 250)
    what = view.rng.choice(("umbrella", "bicycle lamp", "hotel night", "window pane"))
    return Step(
        text="open $aClaim" + _under(cover) + " for what I reported as “{description}” of {date}, with one $Loss, "
        "{what} at {amount}, and submit it",
        values={"amount": money(cents), "cents": cents, "what": what, **_happened(unclaimed(view)[-1]), **cover},
        solve=_FIND_INCIDENT
        + """
            #: if covers
            mine = next(v for v in tools.list_my_$covers()["$covers"] if v["title"] == cover)
            #: end
            opened = tools.open_$claim(
                $incident_id=found["id"],
                #: if covers
                $cover_id=mine["id"],
                #: end
            )
            tools.add_$loss($claim_id=opened["$claim_id"], what=what, amount_cents=cents)
            tools.submit_$claim($claim_id=opened["$claim_id"])
        """,
        goals=(
            Goal(
                "submitted",
                """
                SELECT count(*) AS n FROM $claims c WHERE c.$person_id = 1 AND c.$incident_id = :incident_id
                AND c.status = 'filed' AND c.amount_cents = :cents
                """
                + _UNDER,
            ),
            Goal(
                "with_its_one_item",
                "SELECT count(*) AS n FROM $losss l JOIN $claims c ON c.id = l.$claim_id"
                " WHERE c.$incident_id = :incident_id AND l.what = :what AND l.amount_cents = :cents",
            ),
        ),
        allows=(Allow("claim", created=1), Allow("loss", created=1)),
    )


def prove_and_submit(view: View) -> Step | None:
    draft = my_claims(view, "draft")[0]
    return Step(
        text="attach a receipt titled “{title}” to my draft $Claim {code} and submit it",
        values={
            "title": view.rng.choice(("Repair bill", "Shop receipt", "Invoice of the workshop")),
            "code": draft["code"],
            "claim_id": draft["id"],
        },
        solve="""
            drafts = tools.list_my_$claims(status="draft")["$claims"]
            found = next(c for c in drafts if c["code"] == code)
            tools.attach_$proof($claim_id=found["id"], kind="receipt", title=title)
            tools.submit_$claim($claim_id=found["id"])
        """,
        goals=(
            Goal(
                "proved",
                "SELECT count(*) AS n FROM $proofs WHERE $claim_id = :claim_id AND kind = 'receipt' AND title = :title",
            ),
            Goal("submitted", "SELECT count(*) AS n FROM $claims WHERE id = :claim_id AND status = 'filed'"),
        ),
        allows=(Allow("proof", created=1), Allow("claim", changed=1, columns=("status",), ids=(draft["id"],))),
    )


def attach_photo(view: View) -> Step | None:
    claim = view.rng.choice(my_claims(view, "filed"))
    return Step(
        text="attach a photo titled “{title}” to my $Claim {code}",
        values={
            "title": view.rng.choice(("View from the street", "Close-up", "Serial number", "Room after the event")),
            "code": claim["code"],
            "claim_id": claim["id"],
        },
        solve=_FIND_CODE
        + """
            tools.get_$claim($claim_id=found["id"])
            tools.attach_$proof($claim_id=found["id"], kind="photo", title=title)
        """,
        goals=(
            Goal(
                "attached",
                "SELECT count(*) AS n FROM $proofs WHERE $claim_id = :claim_id AND kind = 'photo' AND title = :title",
            ),
        ),
        allows=(Allow("proof", created=1),),
    )


def withdraw_claim(view: View) -> Step | None:
    claim = view.rng.choice(my_claims(view, "filed"))
    return Step(
        text="withdraw my $Claim {code}",
        values={"code": claim["code"], "claim_id": claim["id"]},
        solve=_FIND_CODE
        + """
            tools.get_$claim($claim_id=found["id"])
            tools.withdraw_$claim($claim_id=found["id"])
        """,
        goals=(Goal("withdrawn", "SELECT count(*) AS n FROM $claims WHERE id = :claim_id AND status = 'withdrawn'"),),
        allows=(Allow("claim", changed=1, columns=("status",), ids=(claim["id"],)),),
    )


def move_the_visit(view: View) -> Step | None:
    """A choice: any day of a span."""
    claim = view.rng.choice(my_claims(view, "filed"))
    visit = view.need("assessment", lambda row: row["claim_id"] == claim["id"])
    first = view.day(view.rng.randint(8, 12))
    last = view.day(view.rng.randint(14, 18))
    return Step(
        text="move the $Assessment of my $Claim {code} to any day from {from_day} to {to_day}",
        values={
            "code": claim["code"],
            "from_day": words_for_date(first),
            "to_day": words_for_date(last),
            "first": first,
            "last": last,
            "claim_id": claim["id"],
        },
        solve=_FIND_CODE
        + """
            tools.get_$assessment($claim_id=found["id"])
            tools.move_$assessment($claim_id=found["id"], visit_on=first)
        """,
        goals=(
            Goal(
                "moved",
                "SELECT count(*) AS n FROM $assessments WHERE $claim_id = :claim_id AND status = 'planned'"
                " AND visit_on BETWEEN :first AND :last",
            ),
        ),
        allows=(Allow("assessment", changed=1, columns=("visit_on",), ids=(visit["id"],)),),
        otherwise=(("visit_on=first", "visit_on=last"),),
    )


def accept_best_offer(view: View) -> Step | None:
    best = max(open_offers(view), key=lambda row: int(row["amount_cents"]))
    claim = view.row("claim", best["claim_id"])
    return Step(
        text="accept the highest $Offer for my $Claim {code} that is still valid",
        values={
            "code": claim["code"],
            "today": view.today,
            "offer_id": best["id"],
            "claim_id": claim["id"],
            "amount": best["amount_cents"],
        },
        solve=_FIND_CODE
        + """
            offers = tools.list_$offers($claim_id=found["id"])["$offers"]
            best = next(o for o in offers if o["status"] == "open" and o["valid_until"] >= today)
            tools.accept_$offer($offer_id=best["id"])
        """,
        goals=(Goal("accepted", "SELECT count(*) AS n FROM $offers WHERE id = :offer_id AND status = 'accepted'"),),
        allows=(
            Allow("offer", changed=1, columns=("status",), ids=(best["id"],)),
            Allow("claim", changed=1, columns=("granted_cents",), ids=(claim["id"],)),
        ),
    )


def decline_terms(view: View) -> Step | None:
    offer = view.rng.choice(open_offers(view))
    claim = view.row("claim", offer["claim_id"])
    return Step(
        text="decline the $Offer with {terms} for my $Claim {code}",
        values={"terms": offer["terms"], "code": claim["code"], "offer_id": offer["id"]},
        solve=_FIND_CODE
        + """
            offers = tools.list_$offers($claim_id=found["id"])["$offers"]
            unwanted = next(o for o in offers if o["terms"] == terms)
            tools.decline_$offer($offer_id=unwanted["id"])
        """,
        goals=(Goal("declined", "SELECT count(*) AS n FROM $offers WHERE id = :offer_id AND status = 'declined'"),),
        allows=(Allow("offer", changed=1, columns=("status",), ids=(offer["id"],)),),
    )


def appeal_rejection(view: View) -> Step | None:
    claim = my_claims(view, "rejected")[-1]
    return Step(
        text="lodge $aAppeal against the rejection of my $Claim {code}, on the ground “{reason}”",
        values={"code": claim["code"], "reason": view.rng.choice(APPEAL_REASONS), "claim_id": claim["id"]},
        solve="""
            tools.list_my_$appeals()
            rejected = tools.list_my_$claims(status="rejected")["$claims"]
            found = next(c for c in rejected if c["code"] == code)
            tools.lodge_$appeal($claim_id=found["id"], reason=reason)
        """,
        goals=(
            Goal(
                "appealed",
                "SELECT count(*) AS n FROM $appeals WHERE $claim_id = :claim_id AND reason = :reason"
                " AND status = 'lodged'",
            ),
        ),
        allows=(Allow("appeal", created=1),),
    )


ASKS = (
    Ask("report_incident", report_incident),
    Ask("file_claim", file_claim, when="!itemized"),
    Ask("file_under_any_cover", file_under_any_cover, when="!itemized covers"),
    Ask("open_and_submit_claim", open_and_submit, when="itemized"),
    Ask("prove_and_submit_claim", prove_and_submit, when="itemized"),
    Ask("attach_photo_to_claim", attach_photo),
    Ask("withdraw_claim", withdraw_claim),
    Ask("move_the_visit", move_the_visit, when="full assessed"),
    Ask("accept_best_offer", accept_best_offer, when="full offers"),
    Ask("decline_offer_terms", decline_terms, when="full offers"),
    Ask("appeal_rejection", appeal_rejection, when="full appeals"),
)
