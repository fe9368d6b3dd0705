"""Reporting what happened, claiming for it, proving it, withdrawing."""

from typing import Any

from envfactory_dagster.language.embedded.kit import (
    Row,
    Tool,
    choice,
    day,
    ident,
    integer,
    many,
    optional,
    row_of,
    text,
)
from envfactory_dagster.language.embedded.modules.claims.rows import KINDS, PROOFS
from envfactory_dagster.language.embedded.world import View

STATUSES = ("draft", "filed", "approved", "rejected", "paid", "withdrawn")


def my_claims(view: View, status: str) -> list[Row]:
    """Claims of user 1 in a status, oldest first; the generator makes at least one of each."""
    return view.mine("claim", lambda row: row["status"] == status)


def unclaimed(view: View) -> list[Row]:
    """Incidents of user 1 nothing was claimed for, the one that is too old first."""
    claimed = {row["incident_id"] for row in view.rows("claim")}
    found = view.mine("incident", lambda row: row["id"] not in claimed)
    return sorted(found, key=lambda row: str(row["happened_on"]))


FIND_MINE = """
            claim = env.one(
                "SELECT id, status, amount_cents, decided_on FROM $claims WHERE id = ? AND $person_id = ?",
                [$claim_id, env.user_id],
            )
            if claim is None:
                raise env.Error(f"you have no $Claim {$claim_id}")
"""
_FIND_INCIDENT = """
            incident = env.one(
                "SELECT happened_on FROM $incidents WHERE id = ? AND $person_id = ?", [$incident_id, env.user_id]
            )
            if incident is None:
                raise env.Error(f"you have reported no $Incident {$incident_id}")
            #: if claim_deadline
            days = (date.fromisoformat(env.now[:10]) - date.fromisoformat(incident["happened_on"])).days
            if days > $claimdays:
                raise env.Error(f"this happened {days} days ago, more than the $claimdays allowed")
            #: end
            #: if covers
            cover = env.one(
                "SELECT title, status, most_cents FROM $covers WHERE id = ? AND $person_id = ?",
                [$cover_id, env.user_id],
            )
            if cover is None:
                raise env.Error(f"you have no $Cover {$cover_id}")
            if cover["status"] != "active":
                raise env.Error(f"{cover['title']} has lapsed")
            #: end
"""
_CLAIM = row_of(
    "claim", "id", "code", "incident_id", "cover_id", "amount_cents", "granted_cents", "status", "decided_on"
)
_COVER = {"$cover_id": ident("cover", "Id of the $Cover it is made under.")}
_INCIDENT = {"$incident_id": ident("incident", "Id of the $Incident it is for.")}
_AMOUNT = integer("How much, in cents.", 1, 10_000_000)


def claim_call(view: View) -> dict[str, Any]:
    """Good arguments for a new claim, apart from its amount."""
    cover = {"cover_id": view.mine("cover")[0]["id"]} if view.has("covers") else {}
    return {"incident_id": unclaimed(view)[-1]["id"], **cover}


def reporting_tool(when: str, concerns: dict[str, Any]) -> Tool:
    return Tool(
        name="report_$incident",
        about="Report $aIncident of the signed-in $Person.",
        effect="create",
        when=when,
        params={
            "kind": choice("What kind of thing happened.", *KINDS),
            "description": text("What happened, in a few words.", 200),
            "happened_on": day("The day it happened, as YYYY-MM-DD; not in the future."),
            **concerns,
        },
        returns={"$incident_id": integer()},
        code="""
            if happened_on > env.now[:10]:
                raise env.Error("this day has not come yet")
            #: if record
            if $record_id is not None:
                mine = env.one("SELECT id FROM $records WHERE id = ? AND $person_id = ?", [$record_id, env.user_id])
                if mine is None:
                    raise env.Error(f"you have no $Record {$record_id}")
            incident_id = env.insert(
                "INSERT INTO $incidents ($person_id, $record_id, kind, description, happened_on, reported_at)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                [env.user_id, $record_id, kind, description, happened_on, env.now],
            )
            #: end
            #: if !record
            incident_id = env.insert(
                "INSERT INTO $incidents ($person_id, kind, description, happened_on, reported_at)"
                " VALUES (?, ?, ?, ?, ?)",
                [env.user_id, kind, description, happened_on, env.now],
            )
            #: end
            return {"$incident_id": incident_id}
        """,
        good=lambda view: {"kind": "damage", "description": "dented lid", "happened_on": view.day(-2)},
        bad=lambda view: {"kind": "damage", "description": "dented lid", "happened_on": view.day(2)},
    )


def filing_tool(when: str, cover: dict[str, Any]) -> Tool:
    """Filing a claim of one amount."""
    return Tool(
        name="file_$claim",
        about="File $aClaim of the signed-in $Person for $aIncident that was reported.",
        effect="create",
        when=f"!itemized {when}",
        imports="from datetime import date",
        params={**_INCIDENT, **cover, "amount_cents": _AMOUNT},
        returns={"$claim_id": integer(), "code": text()},
        code=_FIND_INCIDENT
        + """
            #: if covers claim_limit
            if amount_cents > cover["most_cents"]:
                raise env.Error(f"{cover['title']} has a limit of {cover['most_cents']} cents")
            #: end
            code = env.new_id("CLM")
            claim_id = env.insert(
                #: if covers
                "INSERT INTO $claims (code, $person_id, $incident_id, $cover_id, amount_cents, status, opened_at)"
                " VALUES (?, ?, ?, ?, ?, 'filed', ?)",
                [code, env.user_id, $incident_id, $cover_id, amount_cents, env.now],
                #: end
                #: if !covers
                "INSERT INTO $claims (code, $person_id, $incident_id, amount_cents, status, opened_at)"
                " VALUES (?, ?, ?, ?, 'filed', ?)",
                [code, env.user_id, $incident_id, amount_cents, env.now],
                #: end
            )
            return {"$claim_id": claim_id, "code": code}
        """,
        good=lambda view: {**claim_call(view), "amount_cents": 12_000},
        bad=lambda view: {**claim_call(view), "amount_cents": 12_000, "incident_id": view.missing("incident")},
    )


def opening_tool(when: str, cover: dict[str, Any]) -> Tool:
    """Opening a draft that losses are then added to."""
    return Tool(
        name="open_$claim",
        about="Open a draft $Claim of the signed-in $Person for $aIncident; $Losss are added one by one.",
        effect="create",
        when=f"itemized {when}",
        imports="from datetime import date",
        params={**_INCIDENT, **cover},
        returns={"$claim_id": integer(), "code": text()},
        code=_FIND_INCIDENT
        + """
            code = env.new_id("CLM")
            claim_id = env.insert(
                #: if covers
                "INSERT INTO $claims (code, $person_id, $incident_id, $cover_id, amount_cents, status, opened_at)"
                " VALUES (?, ?, ?, ?, 0, 'draft', ?)",
                [code, env.user_id, $incident_id, $cover_id, env.now],
                #: end
                #: if !covers
                "INSERT INTO $claims (code, $person_id, $incident_id, amount_cents, status, opened_at)"
                " VALUES (?, ?, ?, 0, 'draft', ?)",
                [code, env.user_id, $incident_id, env.now],
                #: end
            )
            return {"$claim_id": claim_id, "code": code}
        """,
        good=claim_call,
        bad=lambda view: {**claim_call(view), "incident_id": view.missing("incident")},
    )


_LOOKUPS = (
    Tool(
        name="list_my_$covers",
        about="List the signed-in $Person's $Covers with what they pay at most, highest first.",
        effect="read",
        when="covers",
        params={},
        returns={"$covers": many(row_of("cover", "id", "title", "most_cents", "own_share_cents", "ends_on", "status"))},
        code="""
            rows = env.query(
                "SELECT id, title, most_cents, own_share_cents, ends_on, status FROM $covers"
                " WHERE $person_id = ? ORDER BY most_cents DESC, id",
                [env.user_id],
            )
            return {"$covers": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="list_my_$incidents",
        about="List what the signed-in $Person has reported, latest first, optionally from a day on or of one kind.",
        effect="read",
        params={
            "since": optional(day("Only what happened on this day or later, as YYYY-MM-DD.")),
            "kind": optional(choice("Only $Incidents of this kind.", *KINDS)),
        },
        returns={"$incidents": many(row_of("incident", "id", "kind", "description", "happened_on", "record_id"))},
        code="""
            rows = env.query(
                "SELECT id, kind, description, happened_on"
                #: if record
                ", $record_id"
                #: end
                " FROM $incidents WHERE $person_id = :me AND (:since IS NULL OR happened_on >= :since)"
                " AND (:kind IS NULL OR kind = :kind) ORDER BY happened_on DESC, id",
                {"me": env.user_id, "since": since, "kind": kind},
            )
            return {"$incidents": rows}
        """,
        good=lambda view: {"since": view.day(-60)},
    ),
    Tool(
        name="list_my_$claims",
        about="List the signed-in $Person's $Claims, newest first, optionally of one status.",
        effect="read",
        params={"status": optional(choice("Only $Claims of this status.", *STATUSES))},
        returns={"$claims": many(_CLAIM), "total": integer()},
        code="""
            rows = env.query(
                "SELECT id, code, $incident_id, amount_cents, granted_cents, status, decided_on"
                #: if covers
                ", $cover_id"
                #: end
                " FROM $claims WHERE $person_id = :me AND (:status IS NULL OR status = :status)"
                " ORDER BY opened_at DESC, id DESC",
                {"me": env.user_id, "status": status},
            )
            return {"$claims": rows, "total": len(rows)}
        """,
        good=lambda view: {"status": "filed"},
    ),
    Tool(
        name="get_$claim",
        about="Get one of the signed-in $Person's $Claims with every $Proof.",
        effect="read",
        params={"$claim_id": ident("claim")},
        returns={"$claim": _CLAIM, "$proofs": many(row_of("proof", "id", "kind", "title", "added_at"))},
        code="""
            row = env.one(
                "SELECT id, code, $incident_id, amount_cents, granted_cents, status, decided_on"
                #: if covers
                ", $cover_id"
                #: end
                " FROM $claims WHERE id = ? AND $person_id = ?",
                [$claim_id, env.user_id],
            )
            if row is None:
                raise env.Error(f"you have no $Claim {$claim_id}")
            proofs = env.query(
                "SELECT id, kind, title, added_at FROM $proofs WHERE $claim_id = ? ORDER BY id", [$claim_id]
            )
            return {"$claim": row, "$proofs": proofs}
        """,
        good=lambda view: {"claim_id": my_claims(view, "filed")[0]["id"]},
        bad=lambda view: {"claim_id": view.need("claim", lambda row: row["person_id"] != 1)["id"]},
    ),
)

_CHANGES = (
    Tool(
        name="add_$loss",
        about="Add $aLoss to one of the signed-in $Person's draft $Claims.",
        effect="create",
        when="itemized",
        params={"$claim_id": ident("claim"), "what": text("What was lost or damaged.", 80), "amount_cents": _AMOUNT},
        returns={"$loss_id": integer(), "amount_cents": integer()},
        code=FIND_MINE
        + """
            if claim["status"] != "draft":
                raise env.Error(f"this $Claim is {claim['status']} already")
            if env.one("SELECT id FROM $losss WHERE $claim_id = ? AND what = ?", [$claim_id, what]):
                raise env.Error(f"{what} is in this $Claim already")
            total = claim["amount_cents"] + amount_cents
            #: if covers claim_limit
            cover = env.one(
                "SELECT v.title, v.most_cents FROM $covers v JOIN $claims c ON c.$cover_id = v.id WHERE c.id = ?",
                [$claim_id],
            )
            if total > cover["most_cents"]:
                raise env.Error(f"{cover['title']} has a limit of {cover['most_cents']} cents")
            #: end
            loss_id = env.insert(
                "INSERT INTO $losss ($claim_id, what, amount_cents) VALUES (?, ?, ?)", [$claim_id, what, amount_cents]
            )
            env.execute("UPDATE $claims SET amount_cents = ? WHERE id = ?", [total, $claim_id])
            return {"$loss_id": loss_id, "amount_cents": total}
        """,
        good=lambda view: {"claim_id": my_claims(view, "draft")[0]["id"], "what": "umbrella", "amount_cents": 2_000},
        bad=lambda view: {"claim_id": my_claims(view, "paid")[0]["id"], "what": "umbrella", "amount_cents": 2_000},
    ),
    Tool(
        name="submit_$claim",
        about="Submit one of the signed-in $Person's draft $Claims.",
        effect="change",
        when="itemized",
        params={"$claim_id": ident("claim")},
        returns={"$claim_id": integer(), "status": choice("", "filed"), "amount_cents": integer()},
        code=FIND_MINE
        + """
            if claim["status"] != "draft":
                raise env.Error(f"this $Claim is {claim['status']} already")
            if claim["amount_cents"] == 0:
                raise env.Error("this $Claim is empty")
            #: if claim_proof
            proved = env.one("SELECT count(*) AS n FROM $proofs WHERE $claim_id = ?", [$claim_id])
            if claim["amount_cents"] > $proofcents and proved["n"] == 0:
                raise env.Error("$aClaim above $proofcents cents needs $aProof before it is submitted")
            #: end
            env.execute("UPDATE $claims SET status = 'filed' WHERE id = ?", [$claim_id])
            return {"$claim_id": $claim_id, "status": "filed", "amount_cents": claim["amount_cents"]}
        """,
        good=lambda view: {"claim_id": my_claims(view, "draft")[-1]["id"]},
        bad=lambda view: {"claim_id": my_claims(view, "draft" if view.has("claim_proof") else "rejected")[0]["id"]},
    ),
    Tool(
        name="attach_$proof",
        about="Attach $aProof to one of the signed-in $Person's $Claims that is not decided.",
        effect="create",
        params={
            "$claim_id": ident("claim"),
            "kind": choice("What kind it is.", *PROOFS),
            "title": text("A short title.", 80),
        },
        returns={"$proof_id": integer()},
        code=FIND_MINE
        + """
            if claim["status"] not in ("draft", "filed"):
                raise env.Error(f"this $Claim is {claim['status']} already")
            proof_id = env.insert(
                "INSERT INTO $proofs ($claim_id, kind, title, added_at) VALUES (?, ?, ?, ?)",
                [$claim_id, kind, title, env.now],
            )
            return {"$proof_id": proof_id}
        """,
        good=lambda view: {"claim_id": my_claims(view, "filed")[0]["id"], "kind": "photo", "title": "The gate"},
        bad=lambda view: {"claim_id": my_claims(view, "paid")[0]["id"], "kind": "photo", "title": "The gate"},
    ),
    Tool(
        name="withdraw_$claim",
        about="Withdraw one of the signed-in $Person's $Claims.",
        effect="change",
        params={"$claim_id": ident("claim")},
        returns={"$claim_id": integer(), "status": choice("", "withdrawn")},
        code=FIND_MINE
        + """
            if claim["status"] in ("withdrawn", "paid"):
                raise env.Error(f"this $Claim is {claim['status']} already")
            #: if claim_withdraw_open
            if claim["status"] in ("approved", "rejected"):
                raise env.Error("this $Claim has been decided already and cannot be withdrawn")
            #: end
            env.execute(
                "UPDATE $claims SET status = 'withdrawn', granted_cents = NULL WHERE id = ?", [$claim_id]
            )
            return {"$claim_id": $claim_id, "status": "withdrawn"}
        """,
        good=lambda view: {"claim_id": my_claims(view, "filed")[0]["id"]},
        bad=lambda view: {"claim_id": my_claims(view, "withdrawn")[0]["id"]},
    ),
)

_CONCERNS = {"$record_id": optional(ident("record", "Id of the $Record it happened to, if any."))}

CLAIMING = (
    *_LOOKUPS,
    reporting_tool("!record", {}),
    reporting_tool("record", _CONCERNS),
    filing_tool("!covers", {}),
    filing_tool("covers", _COVER),
    opening_tool("!covers", {}),
    opening_tool("covers", _COVER),
    *_CHANGES,
)
