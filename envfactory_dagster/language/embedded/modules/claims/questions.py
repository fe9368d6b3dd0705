"""What people want to know about claims, and what must be refused them."""

from envfactory_dagster.language.embedded.kit import Ask, Fact, Step, attempt
from envfactory_dagster.language.embedded.modules.claims.claiming import my_claims, unclaimed
from envfactory_dagster.language.embedded.vocabulary import words_for_date
from envfactory_dagster.language.embedded.world import View


def granted_so_far(view: View) -> Step | None:
    return Step(
        text="tell me how much (in cents) I was granted altogether for $Claims that are paid",
        values={},
        solve="""
            rows = tools.summarize_my_$claims()["by_status"]
            return sum(row["granted"] for row in rows if row["status"] == "paid")
        """,
        facts=(
            Fact(
                "what_was_granted",
                "SELECT sum(granted_cents) AS value FROM $claims WHERE $person_id = 1 AND status = 'paid'",
            ),
        ),
    )


def highest_open_claim(view: View) -> Step | None:
    filed = my_claims(view, "filed")
    if len({row["amount_cents"] for row in filed}) < len(filed):
        return None
    return Step(
        text="tell me the code of the $Claim for which I ask most among those filed and not decided",
        values={},
        solve="""
            filed = tools.list_my_$claims(status="filed")["$claims"]
            return max(filed, key=lambda c: c["amount_cents"])["code"]
        """,
        facts=(
            Fact(
                "its_code",
                "SELECT code AS value FROM $claims WHERE $person_id = 1 AND status = 'filed'"
                " ORDER BY amount_cents DESC LIMIT 1",
            ),
        ),
    )


def what_was_claimed_for(view: View) -> Step | None:
    claim = view.rng.choice(my_claims(view, "paid"))
    return Step(
        text="tell me on which day (YYYY-MM-DD) that happened for which I made $Claim {code}",
        values={"code": claim["code"]},
        solve="""
            found = next(c for c in tools.list_my_$claims(status="paid")["$claims"] if c["code"] == code)
            reported = tools.list_my_$incidents()["$incidents"]
            return next(i["happened_on"] for i in reported if i["id"] == found["$incident_id"])
        """,
        facts=(
            Fact(
                "its_day",
                "SELECT i.happened_on AS value FROM $claims c JOIN $incidents i ON i.id = c.$incident_id"
                " WHERE c.code = :code",
            ),
        ),
    )


def own_share(view: View) -> Step | None:
    cover = view.rng.choice(view.mine("cover"))
    return Step(
        text="tell me my own share (in cents) under my $Cover {cover}",
        values={"cover": cover["title"]},
        solve="""
            return next(v["own_share_cents"] for v in tools.list_my_$covers()["$covers"] if v["title"] == cover)
        """,
        facts=(
            Fact("the_share", "SELECT own_share_cents AS value FROM $covers WHERE $person_id = 1 AND title = :cover"),
        ),
    )


def dearest_loss(view: View) -> Step | None:
    claim = my_claims(view, "draft")[0]
    return Step(
        text="tell me which $Loss of my draft $Claim {code} is the dearest",
        values={"code": claim["code"], "claim_id": claim["id"]},
        solve="""
            found = next(c for c in tools.list_my_$claims(status="draft")["$claims"] if c["code"] == code)
            return tools.list_$losss($claim_id=found["id"])["$losss"][0]["what"]
        """,
        facts=(
            Fact(
                "the_dearest",
                "SELECT what AS value FROM $losss WHERE $claim_id = :claim_id ORDER BY amount_cents DESC LIMIT 1",
            ),
        ),
    )


def who_assesses(view: View) -> Step | None:
    claim = view.rng.choice(my_claims(view, "filed"))
    return Step(
        text="tell me the name of the $Assessor for my $Claim {code}, and what that person specialises in",
        values={"code": claim["code"], "claim_id": claim["id"]},
        solve="""
            found = next(c for c in tools.list_my_$claims()["$claims"] if c["code"] == code)
            visit = tools.get_$assessment($claim_id=found["id"])["$assessment"]
            person = next(a for a in tools.list_$assessors()["$assessors"] if a["id"] == visit["$assessor_id"])
            return person["name"], person["speciality"]
        """,
        facts=(
            Fact(
                "the_name",
                "SELECT a.name AS value FROM $assessments v JOIN $assessors a ON a.id = v.$assessor_id"
                " WHERE v.$claim_id = :claim_id",
            ),
            Fact(
                "the_speciality",
                "SELECT a.speciality AS value FROM $assessments v JOIN $assessors a ON a.id = v.$assessor_id"
                " WHERE v.$claim_id = :claim_id",
            ),
        ),
    )


def refuse_old_incident(view: View) -> Step | None:
    incident = unclaimed(view)[0]
    act = "open" if view.has("itemized") else "file"
    last = "" if view.has("itemized") else ", amount_cents=9000"
    cover = ', $cover_id=mine["id"]' if view.has("covers") else ""
    return Step(
        text="open $aClaim for what I reported as “{description}” of {date}"
        if view.has("itemized")
        else "file $aClaim of 90.00 for what I reported as “{description}” of {date}",
        values={"description": incident["description"], "date": words_for_date(incident["happened_on"])},
        solve=attempt(
            f'tools.{act}_$claim($incident_id=found["id"]{last}{cover})',
            first="""
                reported = tools.list_my_$incidents()["$incidents"]
                found = next(i for i in reported if i["description"] == description)
                #: if covers
                mine = next(v for v in tools.list_my_$covers()["$covers"] if v["status"] == "active")
                #: end
            """,
        ),
    )


def refuse_withdrawal(view: View) -> Step | None:
    claim = my_claims(view, "rejected")[-1]
    return Step(
        text="withdraw my $Claim {code}",
        values={"code": claim["code"]},
        solve=attempt(
            'tools.withdraw_$claim($claim_id=found["id"])',
            first="""
                found = next(c for c in tools.list_my_$claims()["$claims"] if c["code"] == code)
                tools.get_$claim($claim_id=found["id"])
            """,
        ),
    )


def refuse_above_limit(view: View) -> Step | None:
    cover = min(view.mine("cover", lambda row: row["status"] == "active"), key=lambda row: int(row["most_cents"]))
    incident = unclaimed(view)[-1]
    return Step(
        text="file $aClaim of {amount} cents under my $Cover {cover} for what I reported as “{description}”",
        values={
            "amount": cover["most_cents"] + 50_000,
            "cover": cover["title"],
            "description": incident["description"],
        },
        solve=attempt(
            'tools.file_$claim($incident_id=found["id"], $cover_id=mine["id"], amount_cents=amount)',
            first="""
                reported = tools.list_my_$incidents()["$incidents"]
                found = next(i for i in reported if i["description"] == description)
                mine = next(v for v in tools.list_my_$covers()["$covers"] if v["title"] == cover)
            """,
        ),
    )


def refuse_unproved(view: View) -> Step | None:
    draft = my_claims(view, "draft")[0]
    return Step(
        text="submit my draft $Claim {code} just as it is, without adding anything",
        values={"code": draft["code"]},
        solve=attempt(
            'tools.submit_$claim($claim_id=found["id"])',
            first="""
                found = next(c for c in tools.list_my_$claims(status="draft")["$claims"] if c["code"] == code)
                tools.get_$claim($claim_id=found["id"])
            """,
        ),
    )


def refuse_late_appeal(view: View) -> Step | None:
    claim = my_claims(view, "rejected")[0]
    return Step(
        text="lodge $aAppeal against the rejection of my $Claim {code} because of new evidence",
        values={"code": claim["code"]},
        solve=attempt(
            'tools.lodge_$appeal($claim_id=found["id"], reason="new evidence")',
            first="""
                found = next(c for c in tools.list_my_$claims()["$claims"] if c["code"] == code)
                tools.list_my_$appeals()
            """,
        ),
    )


def refuse_expired_offer(view: View) -> Step | None:
    claim = my_claims(view, "approved")[0]
    return Step(
        text="accept the $Offer with “repair instead” for my $Claim {code}",
        values={"code": claim["code"]},
        solve=attempt(
            'tools.accept_$offer($offer_id=wanted["id"])',
            first="""
                found = next(c for c in tools.list_my_$claims()["$claims"] if c["code"] == code)
                offers = tools.list_$offers($claim_id=found["id"])["$offers"]
                wanted = next(o for o in offers if o["terms"] == "repair instead")
            """,
        ),
    )


QUESTIONS = (
    Ask("granted_so_far", granted_so_far, when="full"),
    Ask("highest_open_claim", highest_open_claim),
    Ask("what_was_claimed_for", what_was_claimed_for),
    Ask("own_share_of_cover", own_share, when="covers"),
    Ask("dearest_loss", dearest_loss, when="full itemized"),
    Ask("who_assesses_claim", who_assesses, when="full assessed"),
    Ask("claim_for_old_incident", refuse_old_incident, rule="claim_deadline"),
    Ask("claim_withdrawn_late", refuse_withdrawal, rule="claim_withdraw_open"),
    Ask("claim_above_limit", refuse_above_limit, rule="claim_limit", when="!itemized covers"),
    Ask("claim_unproved", refuse_unproved, rule="claim_proof", when="itemized"),
    Ask("claim_appealed_late", refuse_late_appeal, rule="claim_appeal_days", when="full appeals"),
    Ask("claim_offer_expired", refuse_expired_offer, rule="claim_offer_valid", when="full offers"),
)
