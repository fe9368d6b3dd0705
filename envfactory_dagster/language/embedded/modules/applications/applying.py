"""Opening an application, filling it, handing it in, taking it back."""

from typing import Any

from envfactory_dagster.language.embedded.kit import Row, Tool, choice, ident, integer, text
from envfactory_dagster.language.embedded.modules.applications.lookups import FIND_MINE, free_schemes, my_applications
from envfactory_dagster.language.embedded.modules.applications.rows import KINDS
from envfactory_dagster.language.embedded.world import View


def incomplete_draft(view: View) -> Row:
    """The draft of user 1 that lacks something."""
    return my_applications(view, "draft")[1]


def lacking(view: View) -> Row:
    """The requirement that the incomplete draft needs and lacks."""
    inside = {
        row["requirement_id"]
        for row in view.select("document", lambda row: row["application_id"] == incomplete_draft(view)["id"])
    }
    return view.need("requirement", lambda row: row["scheme_id"] == 1 and row["needed"] and row["id"] not in inside)


def round_of(view: View, scheme: int) -> Row:
    """The round of a scheme that is open now."""
    return view.need(
        "round", lambda row: row["scheme_id"] == scheme and row["opens_on"] <= view.today <= row["closes_on"]
    )


_WHERE = {"$scheme_id": ident("scheme", "Id of the $Scheme to apply for.")}
_PURPOSE = {"purpose": text("What it is for, in a few words.", 120)}
_DRAFT_ONLY = """
            if application["status"] != "draft":
                raise env.Error(f"this $Application is {application['status']}, not a draft")
"""
_NEW = """
            scheme = env.one("SELECT name, fee_cents, status FROM $schemes WHERE id = ?", [$scheme_id])
            if scheme is None:
                raise env.Error(f"there is no $Scheme {$scheme_id}")
            if scheme["status"] != "open":
                raise env.Error(f"{scheme['name']} is closed")
            #: if application_one_open
            there = env.one(
                "SELECT code FROM $applications WHERE $person_id = ? AND $scheme_id = ?"
                " AND status IN ('draft', 'submitted', 'in_review')",
                [env.user_id, $scheme_id],
            )
            if there is not None:
                raise env.Error(f"you have an open $Application for it already: {there['code']}")
            #: end
            code = env.new_id("APP")
"""


def _apply_call(view: View) -> dict[str, Any]:
    scheme = free_schemes(view)[0]["id"]
    round_id = {"round_id": round_of(view, scheme)["id"]} if view.has("rounds") else {}
    return {"scheme_id": scheme, "purpose": "a trial", **round_id}


def _document_tool(when: str, what: dict[str, Any]) -> Tool:
    return Tool(
        name="add_$document",
        about="Put $aDocument into one of the signed-in $Person's draft $Applications.",
        effect="create",
        when=when,
        params={
            "$application_id": ident("application"),
            **what,
            "title": text("A short title.", 80),
            "pages": integer("How many pages it has.", 1, 200, default=1),
        },
        returns={"$document_id": integer()},
        code=FIND_MINE
        + _DRAFT_ONLY
        + """
            #: if checklist
            asked = env.one(
                "SELECT id FROM $requirements WHERE id = ? AND $scheme_id = ?",
                [$requirement_id, application["$scheme_id"]],
            )
            if asked is None:
                raise env.Error(f"there is no $Requirement {$requirement_id} for this $Application")
            document_id = env.insert(
                "INSERT INTO $documents ($application_id, $requirement_id, title, pages, added_at)"
                " VALUES (?, ?, ?, ?, ?)",
                [$application_id, $requirement_id, title, pages, env.now],
            )
            #: end
            #: if !checklist
            document_id = env.insert(
                "INSERT INTO $documents ($application_id, kind, title, pages, added_at) VALUES (?, ?, ?, ?, ?)",
                [$application_id, kind, title, pages, env.now],
            )
            #: end
            return {"$document_id": document_id}
        """,
        good=lambda view: _document_call(view, incomplete_draft(view)),
        bad=lambda view: _document_call(view, my_applications(view, "granted")[0]),
    )


def _document_call(view: View, application: Row) -> dict[str, Any]:
    what = {"requirement_id": lacking(view)["id"]} if view.has("checklist") else {"kind": "form"}
    return {"application_id": application["id"], "title": "Copy", "pages": 2, **what}


APPLYING = (
    Tool(
        name="open_$application",
        about="Open a draft $Application of the signed-in $Person.",
        effect="create",
        when="!rounds",
        params=_WHERE | _PURPOSE,
        returns={"$application_id": integer(), "code": text(), "fee_cents": integer()},
        code=_NEW
        + """
            application_id = env.insert(
                "INSERT INTO $applications (code, $person_id, $scheme_id, purpose, total_cents, status, opened_at)"
                " VALUES (?, ?, ?, ?, ?, 'draft', ?)",
                [code, env.user_id, $scheme_id, purpose, scheme["fee_cents"], env.now],
            )
            return {"$application_id": application_id, "code": code, "fee_cents": scheme["fee_cents"]}
        """,
        good=_apply_call,
        bad=lambda view: {"scheme_id": view.missing("scheme"), "purpose": "a trial"},
    ),
    Tool(
        name="open_$application",
        about="Open a draft $Application of the signed-in $Person in one $Round of $aScheme.",
        effect="create",
        when="rounds",
        params=_WHERE | {"$round_id": ident("round", "Id of a $Round of that $Scheme.")} | _PURPOSE,
        returns={"$application_id": integer(), "code": text(), "fee_cents": integer()},
        code=_NEW
        + """
            round_row = env.one(
                "SELECT title, closes_on FROM $rounds WHERE id = ? AND $scheme_id = ?", [$round_id, $scheme_id]
            )
            if round_row is None:
                raise env.Error(f"{scheme['name']} has no $Round {$round_id}")
            #: if application_deadline
            if round_row["closes_on"] < env.now[:10]:
                raise env.Error(f"{round_row['title']} closed on {round_row['closes_on']}")
            #: end
            application_id = env.insert(
                "INSERT INTO $applications (code, $person_id, $scheme_id, $round_id, purpose, total_cents, status,"
                " opened_at) VALUES (?, ?, ?, ?, ?, ?, 'draft', ?)",
                [code, env.user_id, $scheme_id, $round_id, purpose, scheme["fee_cents"], env.now],
            )
            return {"$application_id": application_id, "code": code, "fee_cents": scheme["fee_cents"]}
        """,
        good=_apply_call,
        bad=lambda view: {**_apply_call(view), "round_id": view.missing("round")},
    ),
    _document_tool("checklist", {"$requirement_id": ident("requirement", "Id of the $Requirement it is for.")}),
    _document_tool("!checklist", {"kind": choice("What kind it is.", *KINDS)}),
    Tool(
        name="remove_$document",
        about="Take $aDocument out of one of the signed-in $Person's draft $Applications.",
        effect="delete",
        when="full",
        params={"$document_id": ident("document")},
        returns={"removed": integer()},
        code="""
            document = env.one(
                "SELECT a.status FROM $documents d JOIN $applications a ON a.id = d.$application_id"
                " WHERE d.id = ? AND a.$person_id = ?",
                [$document_id, env.user_id],
            )
            if document is None:
                raise env.Error(f"you have no $Document {$document_id}")
            if document["status"] != "draft":
                raise env.Error(f"this $Document belongs to $aApplication that is {document['status']}")
            return {"removed": env.execute("DELETE FROM $documents WHERE id = ?", [$document_id])}
        """,
        good=lambda view: {
            "document_id": view.need(
                "document", lambda row: row["application_id"] == my_applications(view, "draft")[0]["id"]
            )["id"]
        },
        bad=lambda view: {"document_id": view.missing("document")},
    ),
    Tool(
        name="submit_$application",
        about="Submit one of the signed-in $Person's draft $Applications.",
        effect="change",
        params={"$application_id": ident("application")},
        returns={"$application_id": integer(), "status": choice("", "submitted")},
        code=FIND_MINE
        + _DRAFT_ONLY
        + """
            #: if application_complete checklist
            lacking = env.one(
                "SELECT name FROM $requirements WHERE $scheme_id = ? AND needed = 1 AND id NOT IN"
                " (SELECT $requirement_id FROM $documents WHERE $application_id = ?) ORDER BY name",
                [application["$scheme_id"], $application_id],
            )
            if lacking is not None:
                raise env.Error(f"this $Application is incomplete: {lacking['name']} is missing")
            #: end
            #: if application_complete !checklist
            if env.one("SELECT id FROM $documents WHERE $application_id = ?", [$application_id]) is None:
                raise env.Error("this $Application is incomplete: $aDocument is missing")
            #: end
            env.execute(
                "UPDATE $applications SET status = 'submitted', submitted_on = ? WHERE id = ?",
                [env.now[:10], $application_id],
            )
            return {"$application_id": $application_id, "status": "submitted"}
        """,
        good=lambda view: {"application_id": my_applications(view, "draft")[0]["id"]},
        bad=lambda view: {"application_id": my_applications(view, "granted")[0]["id"]},
    ),
    Tool(
        name="withdraw_$application",
        about="Withdraw one of the signed-in $Person's $Applications; its status is then cancelled.",
        effect="change",
        params={"$application_id": ident("application")},
        returns={"$application_id": integer(), "status": choice("", "cancelled")},
        code=FIND_MINE
        + """
            if application["status"] == "cancelled":
                raise env.Error("this $Application was withdrawn already")
            #: if application_withdraw_open
            if application["status"] in ("granted", "refused"):
                raise env.Error(f"this $Application has been decided already: it is {application['status']}")
            #: end
            env.execute("UPDATE $applications SET status = 'cancelled' WHERE id = ?", [$application_id])
            return {"$application_id": $application_id, "status": "cancelled"}
        """,
        good=lambda view: {"application_id": my_applications(view, "submitted")[0]["id"]},
        bad=lambda view: {"application_id": my_applications(view, "cancelled")[0]["id"]},
    ),
    Tool(
        name="sign_$application",
        about="Sign one's own draft $Application.",
        effect="change",
        principal="user",
        when="full",
        params={"$application_id": ident("application")},
        returns={"$application_id": integer(), "signed": integer()},
        code=FIND_MINE
        + _DRAFT_ONLY
        + """
            env.execute("UPDATE $applications SET signed = 1 WHERE id = ?", [$application_id])
            return {"$application_id": $application_id, "signed": 1}
        """,
        good=lambda view: {"application_id": my_applications(view, "draft")[0]["id"]},
        bad=lambda view: {"application_id": my_applications(view, "granted")[0]["id"]},
    ),
)
