"""What people want to know about campaigns, and what must be refused them."""

from envfactory_dagster.language.embedded.kit import Ask, Fact, Step, attempt
from envfactory_dagster.language.embedded.modules.campaigns.pledging import my_open_pledges, rewards_of, unbacked
from envfactory_dagster.language.embedded.modules.campaigns.support import my_standing
from envfactory_dagster.language.embedded.vocabulary import money, words_for_date
from envfactory_dagster.language.embedded.world import View

_FIND_CAMPAIGN = """
                found = next(c for c in tools.search_$campaigns(words=campaign)["$campaigns"] if c["name"] == campaign)
"""


def what_is_missing(view: View) -> Step | None:
    return Step(
        text="tell me how much (in cents) {campaign} has raised, and how many backers it has",
        values={"campaign": view.rng.choice(view.select("campaign", lambda row: row["status"] != "planned"))["name"]},
        solve=_FIND_CAMPAIGN
        + """
                shown = tools.get_$campaign($campaign_id=found["id"])
                return shown["raised_cents"], shown["backers"]
        """,
        facts=(
            Fact(
                "what_it_raised",
                "SELECT coalesce(sum(p.total_cents), 0) AS value FROM $pledges p"
                " JOIN $campaigns c ON c.id = p.$campaign_id WHERE c.name = :campaign AND p.status <> 'cancelled'",
            ),
            Fact(
                "its_backers",
                "SELECT count(DISTINCT p.$person_id) AS value FROM $pledges p"
                " JOIN $campaigns c ON c.id = p.$campaign_id WHERE c.name = :campaign AND p.status <> 'cancelled'",
            ),
        ),
    )


def first_to_end(view: View) -> Step | None:
    return Step(
        text="tell me which of the running $Campaigns ends first",
        values={},
        solve="""
            return tools.search_$campaigns(status="running", order_by="ends_on")["$campaigns"][0]["name"]
        """,
        facts=(
            Fact(
                "the_first_to_end",
                "SELECT name AS value FROM $campaigns WHERE status = 'running' ORDER BY ends_on LIMIT 1",
            ),
        ),
    )


def paid_altogether(view: View) -> Step | None:
    return Step(
        text="tell me what my $Pledges that are paid add up to, in cents",
        values={},
        solve="""
            rows = tools.summarize_my_$pledges()["by_status"]
            return sum(row["cents"] for row in rows if row["status"] == "paid")
        """,
        facts=(
            Fact(
                "their_sum",
                "SELECT sum(total_cents) AS value FROM $pledges WHERE $person_id = 1 AND status = 'paid'",
            ),
        ),
    )


def who_runs_it(view: View) -> Step | None:
    return Step(
        text="tell me who runs {campaign}, and whom I can contact there",
        values={"campaign": view.rng.choice(view.rows("campaign"))["name"]},
        solve=_FIND_CAMPAIGN
        + """
                shown = tools.get_$campaign($campaign_id=found["id"])["$campaign"]
                runs = tools.get_$organiser($organiser_id=shown["$organiser_id"])["$organiser"]
                return runs["name"], runs["contact"]
        """,
        facts=(
            Fact(
                "its_organiser",
                "SELECT o.name AS value FROM $campaigns c JOIN $organisers o ON o.id = c.$organiser_id"
                " WHERE c.name = :campaign",
            ),
            Fact(
                "the_contact",
                "SELECT o.contact AS value FROM $campaigns c JOIN $organisers o ON o.id = c.$organiser_id"
                " WHERE c.name = :campaign",
            ),
        ),
    )


def next_milestone(view: View) -> Step | None:
    campaign = view.rng.choice(unbacked(view))
    return Step(
        text="tell me at what sum (in cents) {campaign} reaches its $Milestone number {number}",
        values={"campaign": campaign["name"], "number": view.rng.randint(1, 2)},
        solve=_FIND_CAMPAIGN
        + """
                stages = tools.list_$milestones($campaign_id=found["id"])["$milestones"]
                return next(m["at_cents"] for m in stages if m["number"] == number)
        """,
        facts=(
            Fact(
                "its_sum",
                "SELECT m.at_cents AS value FROM $milestones m JOIN $campaigns c ON c.id = m.$campaign_id"
                " WHERE c.name = :campaign AND m.number = :number",
            ),
        ),
    )


def latest_news(view: View) -> Step | None:
    return Step(
        text="tell me the title of the latest $Post of {campaign}",
        values={"campaign": view.rng.choice(unbacked(view))["name"]},
        solve=_FIND_CAMPAIGN
        + """
                return tools.list_$posts($campaign_id=found["id"])["$posts"][0]["title"]
        """,
        facts=(
            Fact(
                "its_title",
                "SELECT n.title AS value FROM $posts n JOIN $campaigns c ON c.id = n.$campaign_id"
                " WHERE c.name = :campaign ORDER BY n.posted_at DESC LIMIT 1",
            ),
        ),
    )


def monthly_total(view: View) -> Step | None:
    return Step(
        text="tell me what all my active $Standings give a month, in cents",
        values={},
        solve="""
            mine = tools.list_my_$standings()["$standings"]
            return sum(s["monthly_cents"] for s in mine if s["status"] == "active")
        """,
        facts=(
            Fact(
                "the_monthly_sum",
                "SELECT sum(monthly_cents) AS value FROM $standings WHERE $person_id = 1 AND status = 'active'",
            ),
        ),
    )


def refuse_not_running(view: View) -> Step | None:
    campaign = view.rng.choice(view.select("campaign", lambda row: row["status"] != "running"))
    return Step(
        text="pledge {amount} to {campaign}",
        values={"amount": money(5_000), "campaign": campaign["name"], "cents": 5_000},
        solve=attempt(
            'tools.make_$pledge($campaign_id=found["id"], amount_cents=cents)',
            first=_FIND_CAMPAIGN
            + """
                tools.get_$campaign($campaign_id=found["id"])
            """,
        ),
    )


def refuse_too_little(view: View) -> Step | None:
    campaign = view.rng.choice(unbacked(view))
    return Step(
        text="pledge {amount} to {campaign}, not a cent more",
        values={"amount": money(300), "campaign": campaign["name"], "cents": 300},
        solve=attempt(
            'tools.make_$pledge($campaign_id=found["id"], amount_cents=cents)',
            first=_FIND_CAMPAIGN
            + """
                tools.get_$campaign($campaign_id=found["id"])
            """,
        ),
    )


def refuse_late_cancel(view: View) -> Step | None:
    pledge = my_open_pledges(view)[0]
    return Step(
        text="cancel the $Pledge I made on {date}",
        values={"date": words_for_date(pledge["pledged_at"][:10]), "day": pledge["pledged_at"][:10]},
        solve=attempt(
            'tools.cancel_$pledge($pledge_id=pledge["id"])',
            first="""
                mine = tools.list_my_$pledges(status="open")["$pledges"]
                pledge = next(p for p in mine if p["pledged_at"][:10] == day)
                tools.get_$campaign($campaign_id=pledge["$campaign_id"])
            """,
        ),
    )


def refuse_taken_reward(view: View) -> Step | None:
    campaign = view.rng.choice(unbacked(view))
    rare = rewards_of(view, campaign["id"])[1]
    return Step(
        text="pledge {amount} to {campaign} for the $Reward “{reward}”, and only if I get that",
        values={
            "amount": money(rare["price_cents"]),
            "campaign": campaign["name"],
            "reward": rare["title"],
            "cents": rare["price_cents"],
        },
        solve=attempt(
            'tools.make_$pledge($campaign_id=found["id"], amount_cents=cents, $reward_id=wanted["id"])',
            first=_FIND_CAMPAIGN
            + """
                offered = tools.list_$rewards($campaign_id=found["id"])["$rewards"]
                wanted = next(r for r in offered if r["title"] == reward)
            """,
        ),
    )


def refuse_early_end(view: View) -> Step | None:
    gift = my_standing(view)[-1]
    return Step(
        text="end my $Standing to {campaign}",
        values={"campaign": view.row("campaign", gift["campaign_id"])["name"]},
        solve=attempt(
            'tools.end_$standing($standing_id=gift["id"])',
            first="""
                mine = tools.list_my_$standings()["$standings"]
                gift = next(s for s in mine if s["$campaign_name"] == campaign)
                tools.get_$campaign($campaign_id=gift["$campaign_id"])
            """,
        ),
    )


QUESTIONS = (
    Ask("what_campaign_raised", what_is_missing),
    Ask("first_campaign_to_end", first_to_end),
    Ask("paid_pledges", paid_altogether, when="full"),
    Ask("who_runs_campaign", who_runs_it, when="full"),
    Ask("next_milestone", next_milestone, when="full milestones"),
    Ask("latest_campaign_news", latest_news, when="full posts"),
    Ask("monthly_giving", monthly_total, when="full standing"),
    Ask("pledge_not_running", refuse_not_running, rule="pledge_running"),
    Ask("pledge_too_little", refuse_too_little, rule="pledge_least"),
    Ask("pledge_cancelled_late", refuse_late_cancel, rule="pledge_cancel_days"),
    Ask("pledge_taken_reward", refuse_taken_reward, rule="pledge_reward_left", when="rewards"),
    Ask("monthly_gift_ended_early", refuse_early_end, rule="pledge_standing_days", when="full standing"),
)
