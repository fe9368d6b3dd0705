"""After an application was handed in: review steps, inspections, permits and their renewal."""

from datetime import date
from typing import Any

from envfactory_dagster.language.embedded.kit import Row, Tool, choice, day, ident, integer, many, row_of, text
from envfactory_dagster.language.embedded.modules.applications.lookups import FIND_MINE, my_applications
from envfactory_dagster.language.embedded.modules.applications.rows import DAYPARTS
from envfactory_dagster.language.embedded.world import View


def my_permits(view: View) -> list[Row]:
    """Permits of user 1, the one that ends soon first."""
    mine = {row["id"] for row in my_applications(view, "granted")}
    found = view.select("permit", lambda row: row["application_id"] in mine)
    return sorted(found, key=lambda row: str(row["valid_until"]))


def to_inspect(view: View) -> Row:
    """The application of user 1 that is examined and has no inspection ahead."""
    return my_applications(view, "in_review")[0]


def _visit_call(view: View) -> dict[str, Any]:
    return {"application_id": to_inspect(view)["id"], "on_day": view.day(8), "daypart": "morning"}


PROCEDURE = (
    Tool(
        name="list_$reviews",
        about="List the $Reviews of one of the signed-in $Person's $Applications in order, with who does each.",
        effect="read",
        when="full steps",
        params={"$application_id": ident("application")},
        returns={
            "$reviews": many(
                row_of("review", "number", "title", "due_on", "status", "reviewer_id", **{"$reviewer_name": text()})
            )
        },
        code=FIND_MINE
        + """
            rows = env.query(
                "SELECT v.number, v.title, v.due_on, v.status, v.$reviewer_id, r.name AS $reviewer_name"
                " FROM $reviews v JOIN $reviewers r ON r.id = v.$reviewer_id"
                " WHERE v.$application_id = ? ORDER BY v.number",
                [$application_id],
            )
            return {"$reviews": rows}
        """,
        good=lambda view: {"application_id": to_inspect(view)["id"]},
        bad=lambda view: {"application_id": view.missing("application")},
    ),
    Tool(
        name="get_$reviewer",
        about="Get $aReviewer with desk and phone, and how many $Reviews wait there.",
        effect="read",
        when="full steps",
        params={"$reviewer_id": ident("reviewer")},
        returns={"$reviewer": row_of("reviewer", "id", "name", "desk", "phone"), "waiting": integer()},
        code="""
            row = env.one("SELECT id, name, desk, phone FROM $reviewers WHERE id = ?", [$reviewer_id])
            if row is None:
                raise env.Error(f"there is no $Reviewer {$reviewer_id}")
            counted = env.one(
                "SELECT count(*) AS n FROM $reviews WHERE $reviewer_id = ? AND status = 'waiting'", [$reviewer_id]
            )
            return {"$reviewer": row, "waiting": counted["n"]}
        """,
        good=lambda view: {"reviewer_id": 1},
        bad=lambda view: {"reviewer_id": view.missing("reviewer")},
    ),
    Tool(
        name="list_my_$inspections",
        about="List the $Inspections of all the signed-in $Person's $Applications, latest first.",
        effect="read",
        when="full inspections",
        params={},
        returns={
            "$inspections": many(
                row_of("inspection", "id", "application_id", "on_day", "daypart", "status", code=text())
            )
        },
        code="""
            rows = env.query(
                "SELECT i.id, i.$application_id, i.on_day, i.daypart, i.status, a.code FROM $inspections i"
                " JOIN $applications a ON a.id = i.$application_id WHERE a.$person_id = ?"
                " ORDER BY i.on_day DESC, i.id",
                [env.user_id],
            )
            return {"$inspections": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="book_$inspection",
        about="Book $aInspection for one of the signed-in $Person's $Applications that is submitted or in review.",
        effect="create",
        when="full inspections",
        imports="from datetime import date",
        params={
            "$application_id": ident("application"),
            "on_day": day("The day, as YYYY-MM-DD: Monday to Friday, within 60 days."),
            "daypart": choice("When on that day.", *DAYPARTS),
        },
        returns={"$inspection_id": integer()},
        code=FIND_MINE
        + """
            if application["status"] not in ("submitted", "in_review"):
                raise env.Error(f"this $Application is {application['status']}, nothing can be booked for it")
            wanted = date.fromisoformat(on_day)
            if not 1 <= (wanted - date.fromisoformat(env.now[:10])).days <= 60 or wanted.weekday() > 4:
                raise env.Error("it must be a weekday within the next 60 days")
            there = env.one(
                "SELECT on_day FROM $inspections WHERE $application_id = ? AND status = 'booked'", [$application_id]
            )
            if there is not None:
                raise env.Error(f"$aInspection is booked for {there['on_day']} already")
            inspection_id = env.insert(
                "INSERT INTO $inspections ($application_id, on_day, daypart, status) VALUES (?, ?, ?, 'booked')",
                [$application_id, on_day, daypart],
            )
            return {"$inspection_id": inspection_id}
        """,
        good=lambda view: {**_visit_call(view), "on_day": weekday(view, 8)},
        bad=lambda view: {**_visit_call(view), "application_id": my_applications(view, "granted")[0]["id"]},
    ),
    Tool(
        name="call_off_$inspection",
        about="Call off $aInspection of the signed-in $Person that is booked.",
        effect="change",
        when="full inspections",
        params={"$inspection_id": ident("inspection")},
        returns={"$inspection_id": integer(), "status": choice("", "called_off")},
        code="""
            booked = env.one(
                "SELECT i.status FROM $inspections i JOIN $applications a ON a.id = i.$application_id"
                " WHERE i.id = ? AND a.$person_id = ?",
                [$inspection_id, env.user_id],
            )
            if booked is None:
                raise env.Error(f"you have no $Inspection {$inspection_id}")
            if booked["status"] != "booked":
                raise env.Error(f"this $Inspection is {booked['status']} already")
            env.execute("UPDATE $inspections SET status = 'called_off' WHERE id = ?", [$inspection_id])
            return {"$inspection_id": $inspection_id, "status": "called_off"}
        """,
        good=lambda view: {"inspection_id": view.need("inspection", lambda row: row["status"] == "booked")["id"]},
        bad=lambda view: {"inspection_id": view.need("inspection", lambda row: row["status"] == "held")["id"]},
    ),
    Tool(
        name="list_my_$permits",
        about="List the signed-in $Person's $Permits, the one that ends first on top.",
        effect="read",
        when="full permits",
        params={},
        returns={
            "$permits": many(
                row_of(
                    "permit",
                    "id",
                    "number",
                    "application_id",
                    "valid_from",
                    "valid_until",
                    "status",
                    **{"$scheme_name": text()},
                )
            )
        },
        code="""
            rows = env.query(
                "SELECT p.id, p.number, p.$application_id, p.valid_from, p.valid_until, p.status,"
                " s.name AS $scheme_name FROM $permits p JOIN $applications a ON a.id = p.$application_id"
                " JOIN $schemes s ON s.id = a.$scheme_id WHERE a.$person_id = ? ORDER BY p.valid_until, p.id",
                [env.user_id],
            )
            return {"$permits": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="ask_for_$renewal",
        about="Ask to keep one of the signed-in $Person's $Permits for some more months.",
        effect="create",
        when="full permits",
        imports="from datetime import date",
        params={"$permit_id": ident("permit"), "months": integer("For how many months.", 1, 60)},
        returns={"$renewal_id": integer()},
        code="""
            permit = env.one(
                "SELECT p.number, p.valid_until, p.status FROM $permits p"
                " JOIN $applications a ON a.id = p.$application_id WHERE p.id = ? AND a.$person_id = ?",
                [$permit_id, env.user_id],
            )
            if permit is None:
                raise env.Error(f"you have no $Permit {$permit_id}")
            if permit["status"] != "valid":
                raise env.Error(f"{permit['number']} was {permit['status']}")
            #: if application_renew_days
            days = (date.fromisoformat(permit["valid_until"]) - date.fromisoformat(env.now[:10])).days
            if days > $renewdays:
                raise env.Error(f"{permit['number']} is valid for {days} days more; it is too early to renew it")
            #: end
            if env.one("SELECT id FROM $renewals WHERE $permit_id = ? AND status = 'asked'", [$permit_id]):
                raise env.Error("this was asked for already")
            renewal_id = env.insert(
                "INSERT INTO $renewals ($permit_id, months, asked_on, status) VALUES (?, ?, ?, 'asked')",
                [$permit_id, months, env.now[:10]],
            )
            return {"$renewal_id": renewal_id}
        """,
        good=lambda view: {"permit_id": my_permits(view)[0]["id"], "months": 12},
        bad=lambda view: {"permit_id": view.missing("permit"), "months": 12},
    ),
    Tool(
        name="list_$renewals",
        about="List every $Renewal of one of the signed-in $Person's $Permits, newest first.",
        effect="read",
        when="full permits",
        params={"$permit_id": ident("permit")},
        returns={"$renewals": many(row_of("renewal", "id", "months", "asked_on", "status"))},
        code="""
            mine = env.one(
                "SELECT p.id FROM $permits p JOIN $applications a ON a.id = p.$application_id"
                " WHERE p.id = ? AND a.$person_id = ?",
                [$permit_id, env.user_id],
            )
            if mine is None:
                raise env.Error(f"you have no $Permit {$permit_id}")
            rows = env.query(
                "SELECT id, months, asked_on, status FROM $renewals WHERE $permit_id = ? ORDER BY asked_on DESC, id",
                [$permit_id],
            )
            return {"$renewals": rows}
        """,
        good=lambda view: {"permit_id": my_permits(view)[-1]["id"]},
        bad=lambda view: {"permit_id": view.missing("permit")},
    ),
)


def weekday(view: View, least: int) -> str:
    """The first weekday that is at least so many days ahead."""
    return next(view.day(n) for n in range(least, least + 4) if date.fromisoformat(view.day(n)).weekday() < 5)
