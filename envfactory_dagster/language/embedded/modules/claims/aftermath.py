"""What follows a claim: looking at it, offers, appeals, payment, totals."""

from envfactory_dagster.language.embedded.kit import Row, Tool, choice, day, ident, integer, many, row_of, text
from envfactory_dagster.language.embedded.modules.claims.claiming import FIND_MINE, my_claims
from envfactory_dagster.language.embedded.modules.claims.rows import APPEAL_REASONS
from envfactory_dagster.language.embedded.world import View


def open_offers(view: View) -> list[Row]:
    """Offers to user 1 that can still be accepted."""
    approved = {row["id"] for row in my_claims(view, "approved")}
    return view.select(
        "offer",
        lambda row: row["claim_id"] in approved and row["status"] == "open" and row["valid_until"] >= view.today,
    )


_FIND_OFFER = """
            offer = env.one(
                "SELECT o.id, o.$claim_id, o.amount_cents, o.status, o.valid_until FROM $offers o"
                " JOIN $claims c ON c.id = o.$claim_id WHERE o.id = ? AND c.$person_id = ?",
                [$offer_id, env.user_id],
            )
            if offer is None:
                raise env.Error(f"you have no $Offer {$offer_id}")
            if offer["status"] != "open":
                raise env.Error(f"this $Offer was {offer['status']} already")
"""

AFTERMATH = (
    Tool(
        name="list_$losss",
        about="List the $Losss of one of the signed-in $Person's $Claims, dearest first.",
        effect="read",
        when="full itemized",
        params={"$claim_id": ident("claim")},
        returns={"$losss": many(row_of("loss", "id", "what", "amount_cents"))},
        code=FIND_MINE
        + """
            rows = env.query(
                "SELECT id, what, amount_cents FROM $losss WHERE $claim_id = ? ORDER BY amount_cents DESC, id",
                [$claim_id],
            )
            return {"$losss": rows}
        """,
        good=lambda view: {"claim_id": my_claims(view, "draft")[0]["id"]},
        bad=lambda view: {"claim_id": view.missing("claim")},
    ),
    Tool(
        name="list_$assessors",
        about="List the $Assessors with their speciality and how many visits each has ahead.",
        effect="read",
        when="full assessed",
        params={},
        returns={"$assessors": many(row_of("assessor", "id", "name", "speciality", "phone", planned=integer()))},
        code="""
            rows = env.query(
                "SELECT a.id, a.name, a.speciality, a.phone, count(v.id) AS planned FROM $assessors a"
                " LEFT JOIN $assessments v ON v.$assessor_id = a.id AND v.status = 'planned'"
                " GROUP BY a.id, a.name, a.speciality, a.phone ORDER BY a.name",
                [],
            )
            return {"$assessors": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="get_$assessment",
        about="Get when one of the signed-in $Person's $Claims was or will be looked at, by whom, and what was found.",
        effect="read",
        when="full assessed",
        params={"$claim_id": ident("claim")},
        returns={
            "$assessment": row_of(
                "assessment",
                "id",
                "assessor_id",
                "visit_on",
                "found_cents",
                "status",
                **{"$assessor_name": text(), "$assessor_phone": text()},
            )
        },
        code=FIND_MINE
        + """
            row = env.one(
                "SELECT v.id, v.$assessor_id, v.visit_on, v.found_cents, v.status, a.name AS $assessor_name,"
                " a.phone AS $assessor_phone FROM $assessments v JOIN $assessors a ON a.id = v.$assessor_id"
                " WHERE v.$claim_id = ?",
                [$claim_id],
            )
            if row is None:
                raise env.Error("this $Claim has no $Assessment")
            return {"$assessment": row}
        """,
        good=lambda view: {"claim_id": my_claims(view, "filed")[0]["id"]},
        bad=lambda view: {"claim_id": my_claims(view, "withdrawn")[0]["id"]},
    ),
    Tool(
        name="move_$assessment",
        about="Move the planned $Assessment of one of the signed-in $Person's $Claims to another day.",
        effect="change",
        when="full assessed",
        imports="from datetime import date",
        params={
            "$claim_id": ident("claim"),
            "visit_on": day("The new day, as YYYY-MM-DD, from tomorrow on, within 30 days."),
        },
        returns={"$claim_id": integer(), "visit_on": text()},
        code=FIND_MINE
        + """
            planned = env.one(
                "SELECT id FROM $assessments WHERE $claim_id = ? AND status = 'planned'", [$claim_id]
            )
            if planned is None:
                raise env.Error("this $Claim has no $Assessment ahead")
            days = (date.fromisoformat(visit_on) - date.fromisoformat(env.now[:10])).days
            if not 1 <= days <= 30:
                raise env.Error("the new day must be one of the next 30 days")
            env.execute("UPDATE $assessments SET visit_on = ? WHERE $claim_id = ?", [visit_on, $claim_id])
            return {"$claim_id": $claim_id, "visit_on": visit_on}
        """,
        good=lambda view: {"claim_id": my_claims(view, "filed")[0]["id"], "visit_on": view.day(9)},
        bad=lambda view: {"claim_id": my_claims(view, "paid")[0]["id"], "visit_on": view.day(9)},
    ),
    Tool(
        name="list_$offers",
        about="List the $Offers for one of the signed-in $Person's $Claims, highest first.",
        effect="read",
        when="full offers",
        params={"$claim_id": ident("claim")},
        returns={"$offers": many(row_of("offer", "id", "amount_cents", "terms", "status", "made_on", "valid_until"))},
        code=FIND_MINE
        + """
            rows = env.query(
                "SELECT id, amount_cents, terms, status, made_on, valid_until FROM $offers WHERE $claim_id = ?"
                " ORDER BY amount_cents DESC, id",
                [$claim_id],
            )
            return {"$offers": rows}
        """,
        good=lambda view: {"claim_id": my_claims(view, "approved")[0]["id"]},
        bad=lambda view: {"claim_id": view.missing("claim")},
    ),
    Tool(
        name="accept_$offer",
        about="Accept an open $Offer to the signed-in $Person; its amount is what the $Claim is granted.",
        effect="change",
        when="full offers",
        params={"$offer_id": ident("offer")},
        returns={"$claim_id": integer(), "granted_cents": integer()},
        code=_FIND_OFFER
        + """
            #: if claim_offer_valid
            if offer["valid_until"] < env.now[:10]:
                raise env.Error(f"this $Offer was valid until {offer['valid_until']}, it has expired")
            #: end
            if env.one("SELECT id FROM $offers WHERE $claim_id = ? AND status = 'accepted'", [offer["$claim_id"]]):
                raise env.Error("another $Offer was accepted already")
            env.execute("UPDATE $offers SET status = 'accepted' WHERE id = ?", [$offer_id])
            env.execute(
                "UPDATE $claims SET granted_cents = ? WHERE id = ?", [offer["amount_cents"], offer["$claim_id"]]
            )
            return {"$claim_id": offer["$claim_id"], "granted_cents": offer["amount_cents"]}
        """,
        good=lambda view: {"offer_id": open_offers(view)[0]["id"]},
        bad=lambda view: {"offer_id": view.missing("offer")},
    ),
    Tool(
        name="decline_$offer",
        about="Decline an open $Offer to the signed-in $Person.",
        effect="change",
        when="full offers",
        params={"$offer_id": ident("offer")},
        returns={"$offer_id": integer(), "status": choice("", "declined")},
        code=_FIND_OFFER
        + """
            env.execute("UPDATE $offers SET status = 'declined' WHERE id = ?", [$offer_id])
            return {"$offer_id": $offer_id, "status": "declined"}
        """,
        good=lambda view: {"offer_id": open_offers(view)[0]["id"]},
        bad=lambda view: {"offer_id": view.need("offer", lambda row: row["status"] != "open")["id"]},
    ),
    Tool(
        name="lodge_$appeal",
        about="Lodge $aAppeal against the rejection of one of the signed-in $Person's $Claims.",
        effect="create",
        when="full appeals",
        imports="from datetime import date",
        params={"$claim_id": ident("claim"), "reason": choice("On what ground.", *APPEAL_REASONS)},
        returns={"$appeal_id": integer()},
        code=FIND_MINE
        + """
            if claim["status"] != "rejected":
                raise env.Error(f"this $Claim is {claim['status']}, not rejected")
            #: if claim_appeal_days
            days = (date.fromisoformat(env.now[:10]) - date.fromisoformat(claim["decided_on"])).days
            if days > $appealdays:
                raise env.Error(f"this was decided {days} days ago, more than the $appealdays allowed")
            #: end
            if env.one("SELECT id FROM $appeals WHERE $claim_id = ?", [$claim_id]):
                raise env.Error("$aAppeal was lodged already")
            appeal_id = env.insert(
                "INSERT INTO $appeals ($claim_id, reason, status, lodged_at) VALUES (?, ?, 'lodged', ?)",
                [$claim_id, reason, env.now],
            )
            return {"$appeal_id": appeal_id}
        """,
        good=lambda view: {"claim_id": my_claims(view, "rejected")[-1]["id"], "reason": "facts wrong"},
        bad=lambda view: {"claim_id": my_claims(view, "filed")[0]["id"], "reason": "facts wrong"},
    ),
    Tool(
        name="list_my_$appeals",
        about="List the signed-in $Person's $Appeals with the code of each $Claim, newest first.",
        effect="read",
        when="full appeals",
        params={},
        returns={"$appeals": many(row_of("appeal", "id", "claim_id", "reason", "status", "lodged_at", code=text()))},
        code="""
            rows = env.query(
                "SELECT a.id, a.$claim_id, a.reason, a.status, a.lodged_at, c.code FROM $appeals a"
                " JOIN $claims c ON c.id = a.$claim_id WHERE c.$person_id = ? ORDER BY a.lodged_at DESC, a.id",
                [env.user_id],
            )
            return {"$appeals": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="summarize_my_$claims",
        about="Count the signed-in $Person's $Claims by status, with what was asked for and granted in cents.",
        effect="read",
        when="full",
        params={},
        returns={"by_status": many(row_of("claim", "status", n=integer(), asked=integer(), granted=integer()))},
        code="""
            rows = env.query(
                "SELECT status, count(*) AS n, sum(amount_cents) AS asked, coalesce(sum(granted_cents), 0) AS granted"
                " FROM $claims WHERE $person_id = ? GROUP BY status ORDER BY status",
                [env.user_id],
            )
            return {"by_status": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="confirm_$claim_payment",
        about="Confirm that the money for one's own approved $Claim has arrived.",
        effect="change",
        when="full",
        principal="user",
        params={"$claim_id": ident("claim")},
        returns={"$claim_id": integer(), "status": choice("", "paid")},
        code=FIND_MINE
        + """
            if claim["status"] != "approved":
                raise env.Error(f"this $Claim is {claim['status']}, not approved")
            env.execute("UPDATE $claims SET status = 'paid' WHERE id = ?", [$claim_id])
            return {"$claim_id": $claim_id, "status": "paid"}
        """,
        good=lambda view: {"claim_id": my_claims(view, "approved")[0]["id"]},
        bad=lambda view: {"claim_id": my_claims(view, "filed")[0]["id"]},
    ),
)
