"""What people want done about applications."""

from datetime import date

from envfactory_dagster.language.embedded.kit import Allow, Ask, Goal, Step
from envfactory_dagster.language.embedded.modules.applications.applying import incomplete_draft, lacking
from envfactory_dagster.language.embedded.modules.applications.lookups import free_schemes, my_applications
from envfactory_dagster.language.embedded.modules.applications.procedure import my_permits, to_inspect, weekday
from envfactory_dagster.language.embedded.modules.applications.rows import DAYPARTS, KINDS
from envfactory_dagster.language.embedded.vocabulary import money, words_for_date
from envfactory_dagster.language.embedded.world import View

FIND_SCHEME = """
            offered = tools.search_$schemes(words=scheme)["$schemes"]
            found = next(s for s in offered if s["name"] == scheme)
"""
FIND_CODE = """
            mine = tools.list_my_$applications()["$applications"]
            found = next(a for a in mine if a["code"] == code)
"""
_OPEN_ROUND = """
            #: if rounds
            rounds = tools.list_$rounds($scheme_id=found["id"])["$rounds"]
            now_open = next(r for r in rounds if r["opens_on"] <= today <= r["closes_on"])
            opened = tools.open_$application($scheme_id=found["id"], $round_id=now_open["id"], purpose=purpose)
            #: end
            #: if !rounds
            opened = tools.open_$application($scheme_id=found["id"], purpose=purpose)
            #: end
"""
_IN_OPEN_ROUND = """
                #: if rounds
                AND EXISTS (SELECT 1 FROM $rounds r WHERE r.id = a.$round_id
                AND :today BETWEEN r.opens_on AND r.closes_on)
                #: end
"""
_WISHES = ("a market stall", "a garden shed", "a spring concert", "a second workshop", "a week in May", "a new sign")


def open_application(view: View) -> Step | None:
    scheme = view.rng.choice(free_schemes(view))
    return Step(
        text="open a draft $Application for {scheme}"
        + (" in the $Round that is open now" if view.has("rounds") else "")
        + ", with the purpose “{purpose}”",
        values={"scheme": scheme["name"], "purpose": view.rng.choice(_WISHES), "today": view.today},
        solve=FIND_SCHEME
        + _OPEN_ROUND
        + """
            tools.get_$application($application_id=opened["$application_id"])
        """,
        goals=(
            Goal(
                "opened",
                """
                SELECT count(*) AS n FROM $applications a JOIN $schemes s ON s.id = a.$scheme_id
                WHERE a.$person_id = 1 AND a.status = 'draft' AND s.name = :scheme AND a.purpose = :purpose
                AND substr(a.opened_at, 1, 10) = :today
                """
                + _IN_OPEN_ROUND,
            ),
        ),
        allows=(Allow("application", created=1),),
    )


def open_any_affordable(view: View) -> Step | None:
    """A choice: anything open that costs no more than so much."""
    free = free_schemes(view)
    most = max(int(row["fee_cents"]) for row in free)
    return Step(
        text="open a draft $Application for any $Scheme that is open, costs at most {amount} and for which I have "
        "no $Application under way"
        + (" (in its $Round that is open now)" if view.has("rounds") else "")
        + ", with the purpose “{purpose}”",
        values={"amount": money(most), "most": most, "purpose": view.rng.choice(_WISHES), "today": view.today},
        solve="""
            mine = tools.list_my_$applications()["$applications"]
            busy = {a["$scheme_id"] for a in mine if a["status"] in ("draft", "submitted", "in_review")}
            offered = tools.search_$schemes(most_cents=most)["$schemes"]
            found = next(s for s in offered if s["status"] == "open" and s["id"] not in busy)
        """
        + _OPEN_ROUND,
        goals=(
            Goal(
                "opened_for_a_fitting_one",
                """
                SELECT count(*) AS n FROM $applications a JOIN $schemes s ON s.id = a.$scheme_id
                WHERE a.$person_id = 1 AND a.status = 'draft' AND a.purpose = :purpose
                AND substr(a.opened_at, 1, 10) = :today AND s.status = 'open' AND s.fee_cents <= :most
                AND NOT EXISTS (SELECT 1 FROM $applications b WHERE b.$person_id = 1 AND b.id <> a.id
                AND b.$scheme_id = a.$scheme_id AND b.status IN ('draft', 'submitted', 'in_review'))
                """
                + _IN_OPEN_ROUND,
            ),
        ),
        allows=(Allow("application", created=1),),
        otherwise=(("for s in offered if", "for s in offered[::-1] if"),),
    )


def complete_and_submit(view: View) -> Step | None:
    draft = incomplete_draft(view)
    title, pages = (
        view.rng.choice(("Signed copy", "Scan of the original", "Version of this week")),
        view.rng.randint(2, 9),
    )
    what = {"requirement": lacking(view)["name"]} if view.has("checklist") else {"kind": view.rng.choice(KINDS)}
    named = "the missing {requirement}" if view.has("checklist") else "a {kind}"
    return Step(
        text=f"add {named} to my $Application {{code}} (title “{{title}}”, {{pages}} pages) and submit it",
        values={"code": draft["code"], "title": title, "pages": pages, **what, "application_id": draft["id"]},
        solve=FIND_CODE
        + """
            #: if checklist
            asked = tools.list_$requirements($scheme_id=found["$scheme_id"])["$requirements"]
            wanted = next(r for r in asked if r["name"] == requirement)
            tools.add_$document(
                $application_id=found["id"], $requirement_id=wanted["id"], title=title, pages=pages
            )
            #: end
            #: if !checklist
            tools.get_$application($application_id=found["id"])
            tools.add_$document($application_id=found["id"], kind=kind, title=title, pages=pages)
            #: end
            tools.submit_$application($application_id=found["id"])
        """,
        goals=(
            Goal(
                "completed",
                """
                SELECT count(*) AS n FROM $documents d
                #: if checklist
                JOIN $requirements r ON r.id = d.$requirement_id AND r.name = :requirement
                #: end
                WHERE d.$application_id = :application_id AND d.title = :title AND d.pages = :pages
                #: if !checklist
                AND d.kind = :kind
                #: end
                """,
            ),
            Goal(
                "submitted",
                "SELECT count(*) AS n FROM $applications WHERE id = :application_id AND status = 'submitted'",
            ),
        ),
        allows=(
            Allow("document", created=1),
            Allow("application", changed=1, columns=("status", "submitted_on"), ids=(draft["id"],)),
        ),
    )


def submit_ready_draft(view: View) -> Step | None:
    draft = my_applications(view, "draft")[0]
    return Step(
        text="submit my draft $Application {code}",
        values={"code": draft["code"], "application_id": draft["id"]},
        solve=FIND_CODE
        + """
            tools.get_$application($application_id=found["id"])
            tools.submit_$application($application_id=found["id"])
        """,
        goals=(
            Goal(
                "submitted",
                "SELECT count(*) AS n FROM $applications WHERE id = :application_id AND status = 'submitted'",
            ),
        ),
        allows=(Allow("application", changed=1, columns=("status", "submitted_on"), ids=(draft["id"],)),),
    )


def remove_document(view: View) -> Step | None:
    draft = my_applications(view, "draft")[0]
    document = view.rng.choice(view.select("document", lambda row: row["application_id"] == draft["id"]))
    return Step(
        text="take the $Document “{title}” out of my draft $Application {code}",
        values={"title": document["title"], "code": draft["code"], "document_id": document["id"]},
        solve=FIND_CODE
        + """
            inside = tools.get_$application($application_id=found["id"])["$documents"]
            tools.remove_$document($document_id=next(d["id"] for d in inside if d["title"] == title))
        """,
        goals=(Goal("taken_out", "SELECT count(*) AS n FROM $documents WHERE id = :document_id", equals=0),),
        allows=(Allow("document", deleted=1, ids=(document["id"],)),),
    )


def withdraw_application(view: View) -> Step | None:
    application = my_applications(view, "submitted")[0]
    scheme = view.row("scheme", application["scheme_id"])["name"]
    return Step(
        text="withdraw the $Application for {scheme} that I have submitted",
        values={"scheme": scheme, "application_id": application["id"]},
        solve="""
            handed_in = tools.list_my_$applications(status="submitted")["$applications"]
            found = next(a for a in handed_in if a["$scheme_name"] == scheme)
            tools.get_$application($application_id=found["id"])
            tools.withdraw_$application($application_id=found["id"])
        """,
        goals=(
            Goal(
                "withdrawn",
                "SELECT count(*) AS n FROM $applications WHERE id = :application_id AND status = 'cancelled'",
            ),
        ),
        allows=(Allow("application", changed=1, columns=("status",), ids=(application["id"],)),),
    )


def book_inspection(view: View) -> Step | None:
    application = to_inspect(view)
    on_day = weekday(view, view.rng.randint(7, 30))
    return Step(
        text="book $aInspection for my $Application {code} on {date}, in the {daypart}",
        values={
            "code": application["code"],
            "date": words_for_date(on_day),
            "daypart": view.rng.choice(DAYPARTS),
            "on_day": on_day,
            "application_id": application["id"],
        },
        solve=FIND_CODE
        + """
            tools.list_my_$inspections()
            tools.book_$inspection($application_id=found["id"], on_day=on_day, daypart=daypart)
        """,
        goals=(
            Goal(
                "booked",
                "SELECT count(*) AS n FROM $inspections WHERE $application_id = :application_id AND status = 'booked'"
                " AND on_day = :on_day AND daypart = :daypart",
            ),
        ),
        allows=(Allow("inspection", created=1),),
    )


def book_any_morning(view: View) -> Step | None:
    """A choice: any weekday morning of a week."""
    application = to_inspect(view)
    monday = next(view.day(n) for n in range(7, 14) if date.fromisoformat(view.day(n)).weekday() == 0)
    friday = date.fromordinal(date.fromisoformat(monday).toordinal() + 4).isoformat()
    return Step(
        text="book $aInspection for my $Application {code} on any morning from {first} to {last}",
        values={
            "code": application["code"],
            "first": words_for_date(monday),
            "last": words_for_date(friday),
            "monday": monday,
            "friday": friday,
            "application_id": application["id"],
        },
        solve=FIND_CODE
        + """
            tools.list_my_$inspections()
            tools.book_$inspection($application_id=found["id"], on_day=monday, daypart="morning")
        """,
        goals=(
            Goal(
                "some_morning",
                "SELECT count(*) AS n FROM $inspections WHERE $application_id = :application_id AND status = 'booked'"
                " AND on_day BETWEEN :monday AND :friday AND daypart = 'morning'",
            ),
        ),
        allows=(Allow("inspection", created=1),),
        otherwise=(("on_day=monday", "on_day=friday"),),
    )


def call_off_inspection(view: View) -> Step | None:
    booked = view.need("inspection", lambda row: row["status"] == "booked")
    return Step(
        text="call off the $Inspection I have on {date}",
        values={"date": words_for_date(booked["on_day"]), "on_day": booked["on_day"], "inspection_id": booked["id"]},
        solve="""
            visits = tools.list_my_$inspections()["$inspections"]
            visit = next(v for v in visits if v["on_day"] == on_day and v["status"] == "booked")
            tools.get_$application($application_id=visit["$application_id"])
            tools.call_off_$inspection($inspection_id=visit["id"])
        """,
        goals=(
            Goal(
                "called_off",
                "SELECT count(*) AS n FROM $inspections WHERE id = :inspection_id AND status = 'called_off'",
            ),
        ),
        allows=(Allow("inspection", changed=1, columns=("status",), ids=(booked["id"],)),),
    )


def renew_permit(view: View) -> Step | None:
    permit = my_permits(view)[0]
    return Step(
        text="ask to keep my $Permit {number}, which ends soon, for {months} more months",
        values={"number": permit["number"], "months": view.rng.choice((6, 12, 24)), "permit_id": permit["id"]},
        solve="""
            permit = next(p for p in tools.list_my_$permits()["$permits"] if p["number"] == number)
            tools.list_$renewals($permit_id=permit["id"])
            tools.ask_for_$renewal($permit_id=permit["id"], months=months)
        """,
        goals=(
            Goal(
                "asked_for",
                "SELECT count(*) AS n FROM $renewals WHERE $permit_id = :permit_id AND months = :months"
                " AND status = 'asked'",
            ),
        ),
        allows=(Allow("renewal", created=1),),
    )


ASKS = (
    Ask("open_application", open_application),
    Ask("open_any_affordable", open_any_affordable),
    Ask("complete_and_submit", complete_and_submit),
    Ask("submit_ready_draft", submit_ready_draft),
    Ask("remove_document", remove_document, when="full"),
    Ask("withdraw_application", withdraw_application),
    Ask("book_inspection", book_inspection, when="full inspections"),
    Ask("inspect_any_morning", book_any_morning, when="full inspections"),
    Ask("call_off_inspection", call_off_inspection, when="full inspections"),
    Ask("renew_permit", renew_permit, when="full permits"),
)
