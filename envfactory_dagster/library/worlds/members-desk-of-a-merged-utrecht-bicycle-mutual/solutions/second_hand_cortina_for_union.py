import datetime


def _own_risk(first_sold_on, day, lombok_stayer):
    sold, loss = datetime.date.fromisoformat(first_sold_on), datetime.date.fromisoformat(day)
    age = loss.year - sold.year - ((loss.month, loss.day) < (sold.month, sold.day))
    if age < 3:
        return 3500
    if age < 5:
        return 6000
    return 5000 if lombok_stayer else 8500


def solve(tools):
    member = tools.get_membership()["member"]
    homes = tools.list_addresses(kind="home")["addresses"]
    union = next(
        b for b in tools.list_bicycles(make="Union")["bicycles"] if b["first_sold_on"].startswith("2008")
    )
    old_cover = next(c for c in tools.get_bicycle(bicycle_id=union["id"])["covers"] if c["ends_on"] is None)
    cortina = tools.add_bicycle(
        rider_name=member["full_name"],
        kind="city_bicycle",
        make="Cortina",
        frame_number="CT1944812",
        first_sold_on="2019-05-20",
        acquired_on="2026-06-14",
        price_cents=32500,
    )
    tools.add_lock(bicycle_id=cortina["id"], make="AXA", kind="ring", category=2)
    tools.add_cover(
        bicycle_id=cortina["id"], kind="city_bicycle", insured_value_cents=32500, starts_on="2026-06-16"
    )
    cancelled = tools.cancel_cover(cover_id=old_cover["id"])
    own_risk = _own_risk("2019-05-20", "2026-06-21", member["old_fund"] == "lombok" and len(homes) <= 1)
    return {
        "outcome": "done",
        "answers": {"union_cover_ends": cancelled["ends_on"], "cortina_own_risk": own_risk},
        "reason": None,
        "message": (
            f"The Cortina is on your policy with its lock and covered from 16 June 2026, with an own risk of"
            f" {own_risk // 100} euros this summer; the cover on the Union ends on {cancelled['ends_on']}."
        ),
    }
