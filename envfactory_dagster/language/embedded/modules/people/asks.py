"""What people want done about themselves and their memberships."""

from envfactory_dagster.language.embedded import vocabulary
from envfactory_dagster.language.embedded.kit import Allow, Ask, Fact, Goal, Step, attempt
from envfactory_dagster.language.embedded.modules.people.rows import CHANNELS
from envfactory_dagster.language.embedded.world import View


def ask_contact_details(view: View) -> Step | None:
    phone = vocabulary.phone(view.rng)
    channel = view.rng.choice([c for c in CHANNELS if c != view.row("person", 1)["preferred_channel"]])
    return Step(
        text="make {phone} my phone number and reach me by {channel} from now on",
        values={"phone": phone, "channel": channel},
        solve="""
            tools.get_my_profile()
            tools.update_contact_details(phone=phone, preferred_channel=channel)
        """,
        goals=(
            Goal(
                "new_phone_and_channel",
                "SELECT count(*) AS n FROM $persons WHERE id = 1 AND phone = :phone AND preferred_channel = :channel",
            ),
        ),
        allows=(Allow("person", changed=1, columns=("phone", "preferred_channel"), ids=(1,)),),
    )


def ask_home_place(view: View) -> Step | None:
    place = view.pick("place", lambda row: row["id"] != view.row("person", 1)["place_id"])
    if place is None:
        return None
    return Step(
        text="make {city} my home $Place",
        values={"city": place["city"]},
        solve="""
            place = next(p for p in tools.list_$places()["$places"] if p["city"] == city)
            tools.set_home_$place($place_id=place["id"])
        """,
        goals=(
            Goal(
                "new_home",
                "SELECT count(*) AS n FROM $persons m JOIN $places p ON p.id = m.$place_id"
                " WHERE m.id = 1 AND p.city = :city",
            ),
        ),
        allows=(Allow("person", changed=1, columns=("place_id",), ids=(1,)),),
    )


def ask_better_tier(view: View) -> Step | None:
    return Step(
        text="move me to the most expensive $Tier that still takes new $Persons",
        values={},
        solve="""
            tools.get_my_$membership()
            open_tiers = [t for t in tools.list_$tiers()["$tiers"] if t["open_to_new"]]
            tools.change_$tier($tier_id=max(open_tiers, key=lambda t: t["monthly_cents"])["id"])
        """,
        goals=(
            Goal(
                "on_the_dearest_open_tier",
                "SELECT count(*) AS n FROM $memberships WHERE $person_id = 1 AND status <> 'ended' AND $tier_id ="
                " (SELECT id FROM $tiers WHERE open_to_new = 1 ORDER BY monthly_cents DESC LIMIT 1)",
            ),
        ),
        allows=(Allow("membership", changed=1, columns=("tier_id",)),),
    )


def ask_pause(view: View) -> Step | None:
    if view.mine("membership", lambda row: row["status"] == "active" and row["pauses_used"] > 0):
        return None
    return Step(
        text="pause my $Membership",
        values={},
        solve="""
            tools.get_my_$membership()
            tools.set_$membership_pause(action="pause")
        """,
        goals=(Goal("paused", "SELECT count(*) AS n FROM $memberships WHERE $person_id = 1 AND status = 'paused'"),),
        allows=(Allow("membership", changed=1, columns=("status", "pauses_used")),),
    )


def ask_monthly_price(view: View) -> Step | None:
    return Step(
        text="tell me what my $Tier costs a month, in cents",
        values={},
        solve="""
            mine = tools.get_my_$membership()["$membership"]
            return next(t["monthly_cents"] for t in tools.list_$tiers()["$tiers"] if t["id"] == mine["$tier_id"])
        """,
        facts=(
            Fact(
                "the_monthly_price",
                "SELECT t.monthly_cents AS value FROM $memberships m JOIN $tiers t ON t.id = m.$tier_id"
                " WHERE m.$person_id = 1 AND m.status <> 'ended'",
            ),
        ),
    )


def ask_referrals(view: View) -> Step | None:
    return Step(
        text="tell me how many $Persons joined because I referred them",
        values={},
        solve="""
            return tools.list_my_referrals()["total"]
        """,
        facts=(Fact("referral_count", "SELECT count(*) AS value FROM $persons WHERE referred_by = 1"),),
    )


def refuse_pause(view: View) -> Step | None:
    if not view.mine("membership", lambda row: row["status"] == "active" and row["pauses_used"] > 0):
        return None
    return Step(
        text="pause my $Membership once more",
        values={},
        solve=attempt('tools.set_$membership_pause(action="pause")', first="tools.get_my_$membership()"),
    )


def refuse_closed_tier(view: View) -> Step | None:
    closed = view.need("tier", lambda row: not row["open_to_new"])
    return Step(
        text="move me to {tier}",
        values={"tier": closed["name"]},
        solve=attempt(
            'tools.change_$tier($tier_id=wanted["id"])',
            first="""
                tools.get_my_$membership()
                wanted = next(t for t in tools.list_$tiers()["$tiers"] if t["name"] == tier)
            """,
        ),
    )


ASKS = (
    Ask("contact_details", ask_contact_details),
    Ask("home_place", ask_home_place, when="full places"),
    Ask("better_tier", ask_better_tier, when="full"),
    Ask("pause", ask_pause, when="full"),
    Ask("monthly_price", ask_monthly_price, when="full"),
    Ask("referrals", ask_referrals, when="full referrals"),
    Ask("pause_again", refuse_pause, rule="people_pause_limit", when="full"),
    Ask("closed_tier", refuse_closed_tier, rule="people_closed_tier", when="full"),
)
