"""Finding out: what can be applied for, what it needs, where one's own applications stand."""

from envfactory_dagster.language.embedded.kit import Row, Tool, choice, ident, integer, many, optional, row_of, text
from envfactory_dagster.language.embedded.world import View

STATUSES = ("draft", "submitted", "in_review", "granted", "refused", "cancelled")
OPEN = ("draft", "submitted", "in_review")


def my_applications(view: View, status: str) -> list[Row]:
    """Applications of user 1 in a status, oldest first; the generator makes at least one of each."""
    return view.mine("application", lambda row: row["status"] == status)


def free_schemes(view: View) -> list[Row]:
    """Open schemes for which user 1 has no open application."""
    busy = {row["scheme_id"] for row in view.mine("application", lambda row: row["status"] in OPEN)}
    return view.select("scheme", lambda row: row["status"] == "open" and row["id"] not in busy)


FIND_MINE = """
            application = env.one(
                "SELECT id, status, $scheme_id FROM $applications WHERE id = ? AND $person_id = ?",
                [$application_id, env.user_id],
            )
            if application is None:
                raise env.Error(f"you have no $Application {$application_id}")
"""
_EXISTS = """
            if env.one("SELECT id FROM $schemes WHERE id = ?", [$scheme_id]) is None:
                raise env.Error(f"there is no $Scheme {$scheme_id}")
"""
_APPLICATION = row_of(
    "application",
    "id",
    "code",
    "scheme_id",
    "round_id",
    "purpose",
    "total_cents",
    "status",
    "submitted_on",
    "decided_on",
    **{"$scheme_name": text()},
)

LOOKUPS = (
    Tool(
        name="search_$schemes",
        about="Find $Schemes by words of their name and by fee, cheapest first; closed ones are shown as such.",
        effect="read",
        params={
            "words": optional(text("Part of the name, in any case.", 80)),
            "most_cents": optional(integer("Only those with a fee up to this, in cents.", 1)),
        },
        returns={"$schemes": many(row_of("scheme", "id", "name", "fee_cents", "processing_days", "status"))},
        code="""
            rows = env.query(
                "SELECT id, name, fee_cents, processing_days, status FROM $schemes"
                " WHERE (:words IS NULL OR name LIKE '%' || :words || '%')"
                " AND (:most IS NULL OR fee_cents <= :most) ORDER BY fee_cents, id",
                {"words": words, "most": most_cents},
            )
            return {"$schemes": rows}
        """,
        good=lambda view: {"most_cents": 6_000},
    ),
    Tool(
        name="list_$requirements",
        about="List which $Documents $aScheme asks for, and whether each is needed or optional.",
        effect="read",
        when="checklist",
        params={"$scheme_id": ident("scheme")},
        returns={"$requirements": many(row_of("requirement", "id", "name", "needed"))},
        code=_EXISTS
        + """
            rows = env.query(
                "SELECT id, name, needed FROM $requirements WHERE $scheme_id = ? ORDER BY needed DESC, name",
                [$scheme_id],
            )
            return {"$requirements": rows}
        """,
        good=lambda view: {"scheme_id": 1},
        bad=lambda view: {"scheme_id": view.missing("scheme")},
    ),
    Tool(
        name="list_$rounds",
        about="List the $Rounds of $aScheme, latest first.",
        effect="read",
        when="rounds",
        params={"$scheme_id": ident("scheme")},
        returns={"$rounds": many(row_of("round", "id", "title", "opens_on", "closes_on"))},
        code=_EXISTS
        + """
            rows = env.query(
                "SELECT id, title, opens_on, closes_on FROM $rounds WHERE $scheme_id = ? ORDER BY closes_on DESC",
                [$scheme_id],
            )
            return {"$rounds": rows}
        """,
        good=lambda view: {"scheme_id": 1},
        bad=lambda view: {"scheme_id": view.missing("scheme")},
    ),
    Tool(
        name="list_my_$applications",
        about="List the signed-in $Person's $Applications, newest first, optionally of one status.",
        effect="read",
        params={"status": optional(choice("Only $Applications of this status.", *STATUSES))},
        returns={"$applications": many(_APPLICATION), "total": integer()},
        code="""
            rows = env.query(
                "SELECT a.id, a.code, a.$scheme_id, a.purpose, a.total_cents, a.status, a.submitted_on, a.decided_on,"
                #: if rounds
                " a.$round_id,"
                #: end
                " s.name AS $scheme_name FROM $applications a JOIN $schemes s ON s.id = a.$scheme_id"
                " WHERE a.$person_id = :me AND (:status IS NULL OR a.status = :status)"
                " ORDER BY a.opened_at DESC, a.id DESC",
                {"me": env.user_id, "status": status},
            )
            return {"$applications": rows, "total": len(rows)}
        """,
        good=lambda view: {"status": "draft"},
    ),
    Tool(
        name="get_$application",
        about="Get one of the signed-in $Person's $Applications with every $Document in it.",
        effect="read",
        params={"$application_id": ident("application")},
        returns={
            "$application": _APPLICATION,
            "$documents": many(row_of("document", "id", "requirement_id", "kind", "title", "pages")),
        },
        code="""
            row = env.one(
                "SELECT a.id, a.code, a.$scheme_id, a.purpose, a.total_cents, a.status, a.submitted_on, a.decided_on,"
                #: if rounds
                " a.$round_id,"
                #: end
                " s.name AS $scheme_name FROM $applications a JOIN $schemes s ON s.id = a.$scheme_id"
                " WHERE a.id = ? AND a.$person_id = ?",
                [$application_id, env.user_id],
            )
            if row is None:
                raise env.Error(f"you have no $Application {$application_id}")
            documents = env.query(
                #: if checklist
                "SELECT id, $requirement_id, title, pages FROM $documents WHERE $application_id = ? ORDER BY id",
                #: end
                #: if !checklist
                "SELECT id, kind, title, pages FROM $documents WHERE $application_id = ? ORDER BY id",
                #: end
                [$application_id],
            )
            return {"$application": row, "$documents": documents}
        """,
        good=lambda view: {"application_id": my_applications(view, "draft")[0]["id"]},
        bad=lambda view: {"application_id": view.need("application", lambda row: row["person_id"] != 1)["id"]},
    ),
    Tool(
        name="summarize_my_$applications",
        about="Count the signed-in $Person's $Applications by status, with their fees in cents.",
        effect="read",
        when="full",
        params={},
        returns={"by_status": many(row_of("application", "status", n=integer(), cents=integer()))},
        code="""
            rows = env.query(
                "SELECT status, count(*) AS n, sum(total_cents) AS cents FROM $applications"
                " WHERE $person_id = ? GROUP BY status ORDER BY status",
                [env.user_id],
            )
            return {"by_status": rows}
        """,
        good=lambda view: {},
    ),
)
