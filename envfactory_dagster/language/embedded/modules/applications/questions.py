"""What people want to know about applications, and what must be refused them."""

from envfactory_dagster.language.embedded.kit import Ask, Fact, Step, attempt
from envfactory_dagster.language.embedded.modules.applications.applying import incomplete_draft
from envfactory_dagster.language.embedded.modules.applications.asks import FIND_CODE, FIND_SCHEME
from envfactory_dagster.language.embedded.modules.applications.lookups import free_schemes, my_applications
from envfactory_dagster.language.embedded.modules.applications.procedure import my_permits, to_inspect
from envfactory_dagster.language.embedded.world import View


def cheapest_scheme(view: View) -> Step | None:
    fees = [row["fee_cents"] for row in view.select("scheme", lambda row: row["status"] == "open")]
    if fees.count(min(fees)) > 1:
        return None
    return Step(
        text="tell me which open $Scheme has the lowest fee",
        values={},
        solve="""
            offered = tools.search_$schemes()["$schemes"]
            return next(s["name"] for s in offered if s["status"] == "open")
        """,
        facts=(
            Fact(
                "the_cheapest",
                "SELECT name AS value FROM $schemes WHERE status = 'open' ORDER BY fee_cents LIMIT 1",
            ),
        ),
    )


def fees_of_granted(view: View) -> Step | None:
    return Step(
        text="tell me what the fees of my $Applications that were granted add up to, in cents",
        values={},
        solve="""
            rows = tools.summarize_my_$applications()["by_status"]
            return sum(row["cents"] for row in rows if row["status"] == "granted")
        """,
        facts=(
            Fact(
                "their_fees",
                "SELECT sum(total_cents) AS value FROM $applications WHERE $person_id = 1 AND status = 'granted'",
            ),
        ),
    )


def pages_handed_in(view: View) -> Step | None:
    application = my_applications(view, "in_review")[0]
    return Step(
        text="tell me how many pages my $Application {code} has, all $Documents together",
        values={"code": application["code"], "application_id": application["id"]},
        solve=FIND_CODE
        + """
            inside = tools.get_$application($application_id=found["id"])["$documents"]
            return sum(d["pages"] for d in inside)
        """,
        facts=(
            Fact("its_pages", "SELECT sum(pages) AS value FROM $documents WHERE $application_id = :application_id"),
        ),
    )


def what_is_optional(view: View) -> Step | None:
    scheme = view.rng.choice(view.rows("scheme"))["name"]
    return Step(
        text="tell me which $Requirement of {scheme} is optional",
        values={"scheme": scheme},
        solve=FIND_SCHEME
        + """
            asked = tools.list_$requirements($scheme_id=found["id"])["$requirements"]
            return next(r["name"] for r in asked if not r["needed"])
        """,
        facts=(
            Fact(
                "the_optional_one",
                "SELECT r.name AS value FROM $requirements r JOIN $schemes s ON s.id = r.$scheme_id"
                " WHERE s.name = :scheme AND r.needed = 0",
            ),
        ),
    )


def when_round_closes(view: View) -> Step | None:
    return Step(
        text="tell me on which day (YYYY-MM-DD) the last $Round of {scheme} closes",
        values={"scheme": view.rng.choice(view.rows("scheme"))["name"]},
        solve=FIND_SCHEME
        + """
            return tools.list_$rounds($scheme_id=found["id"])["$rounds"][0]["closes_on"]
        """,
        facts=(
            Fact(
                "its_day",
                "SELECT max(r.closes_on) AS value FROM $rounds r JOIN $schemes s ON s.id = r.$scheme_id"
                " WHERE s.name = :scheme",
            ),
        ),
    )


def who_waits(view: View) -> Step | None:
    application = to_inspect(view)
    return Step(
        text="tell me who does the next $Review of my $Application {code} that is still waiting, and the phone number",
        values={"code": application["code"], "application_id": application["id"]},
        solve=FIND_CODE
        + """
            steps = tools.list_$reviews($application_id=found["id"])["$reviews"]
            waiting = next(s for s in steps if s["status"] == "waiting")
            officer = tools.get_$reviewer($reviewer_id=waiting["$reviewer_id"])["$reviewer"]
            return officer["name"], officer["phone"]
        """,
        facts=(
            Fact("the_name", _NEXT_REVIEWER.replace("COLUMN", "name")),
            Fact("the_phone", _NEXT_REVIEWER.replace("COLUMN", "phone")),
        ),
    )


_NEXT_REVIEWER = (
    "SELECT r.COLUMN AS value FROM $reviews v JOIN $reviewers r ON r.id = v.$reviewer_id"
    " WHERE v.$application_id = :application_id AND v.status = 'waiting' ORDER BY v.number LIMIT 1"
)


def when_permit_ends(view: View) -> Step | None:
    permit = view.rng.choice(my_permits(view))
    return Step(
        text="tell me until which day (YYYY-MM-DD) my $Permit {number} is valid",
        values={"number": permit["number"]},
        solve="""
            return next(p["valid_until"] for p in tools.list_my_$permits()["$permits"] if p["number"] == number)
        """,
        facts=(Fact("its_last_day", "SELECT valid_until AS value FROM $permits WHERE number = :number"),),
    )


def refuse_incomplete(view: View) -> Step | None:
    return Step(
        text="submit my $Application {code} just as it is",
        values={"code": incomplete_draft(view)["code"]},
        solve=attempt(
            'tools.submit_$application($application_id=found["id"])',
            first=FIND_CODE
            + """
            tools.get_$application($application_id=found["id"])
            """,
        ),
    )


def refuse_withdrawal(view: View) -> Step | None:
    return Step(
        text="withdraw my $Application {code}",
        values={"code": my_applications(view, "refused")[0]["code"]},
        solve=attempt(
            'tools.withdraw_$application($application_id=found["id"])',
            first=FIND_CODE
            + """
            tools.get_$application($application_id=found["id"])
            """,
        ),
    )


def refuse_second(view: View) -> Step | None:
    application = my_applications(view, "in_review")[0]
    scheme = view.row("scheme", application["scheme_id"])["name"]
    return Step(
        text="open one more $Application for {scheme}, with the purpose “a second site”",
        values={"scheme": scheme},
        solve=attempt(
            'tools.open_$application($scheme_id=found["id"], purpose="a second site"'
            + (", $round_id=latest)" if view.has("rounds") else ")"),
            first="""
            tools.list_my_$applications()
            """
            + FIND_SCHEME
            + """
            #: if rounds
            latest = tools.list_$rounds($scheme_id=found["id"])["$rounds"][0]["id"]
            #: end
            """,
        ),
    )


def refuse_closed_round(view: View) -> Step | None:
    scheme = view.rng.choice(free_schemes(view))
    return Step(
        text="open $aApplication for {scheme} in its $Round titled “Round 2” and no other, with the purpose “repairs”",
        values={"scheme": scheme["name"]},
        solve=attempt(
            'tools.open_$application($scheme_id=found["id"], $round_id=second["id"], purpose="repairs")',
            first=FIND_SCHEME
            + """
            rounds = tools.list_$rounds($scheme_id=found["id"])["$rounds"]
            second = next(r for r in rounds if r["title"] == "Round 2")
            """,
        ),
    )


def refuse_early_renewal(view: View) -> Step | None:
    return Step(
        text="ask to keep my $Permit {number} for 12 more months",
        values={"number": my_permits(view)[-1]["number"]},
        solve=attempt(
            'tools.ask_for_$renewal($permit_id=permit["id"], months=12)',
            first="""
            permit = next(p for p in tools.list_my_$permits()["$permits"] if p["number"] == number)
            tools.list_$renewals($permit_id=permit["id"])
            """,
        ),
    )


QUESTIONS = (
    Ask("cheapest_scheme", cheapest_scheme),
    Ask("fees_of_granted", fees_of_granted, when="full"),
    Ask("pages_handed_in", pages_handed_in),
    Ask("what_is_optional", what_is_optional, when="checklist"),
    Ask("when_round_closes", when_round_closes, when="rounds"),
    Ask("who_reviews_next", who_waits, when="full steps"),
    Ask("when_permit_ends", when_permit_ends, when="full permits"),
    Ask("application_incomplete", refuse_incomplete, rule="application_complete"),
    Ask("application_withdrawn_late", refuse_withdrawal, rule="application_withdraw_open"),
    Ask("application_second_open", refuse_second, rule="application_one_open"),
    Ask("application_round_closed", refuse_closed_round, rule="application_deadline", when="rounds"),
    Ask("permit_renewed_early", refuse_early_renewal, rule="application_renew_days", when="full permits"),
)
