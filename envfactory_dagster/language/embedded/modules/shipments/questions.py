"""What people want to know about shipments."""

from envfactory_dagster.language.embedded.kit import Ask, Fact, Step
from envfactory_dagster.language.embedded.modules.shipments.extras import carried_charges
from envfactory_dagster.language.embedded.modules.shipments.sending import my_shipments
from envfactory_dagster.language.embedded.world import View


def lowest_price(view: View) -> Step | None:
    return Step(
        text="tell me what it costs at least, in cents, to send {grams} grams so that it takes at most {days} days",
        values={"grams": view.rng.randrange(1_100, 9_000, 100), "days": view.rng.randint(2, 4)},
        solve="""
            found = tools.search_$carriers(weight_grams=grams, most_days=days)["$carriers"]
            return min(c["cost_cents"] for c in found)
        """,
        facts=(
            Fact(
                "the_lowest_price",
                "SELECT min(base_cents + per_kg_cents * ((:grams + 999) / 1000)) AS value FROM $carriers"
                " WHERE most_grams >= :grams AND transit_days <= :days",
            ),
        ),
    )


def when_it_is_due(view: View) -> Step | None:
    shipment = view.rng.choice(my_shipments(view, "in_transit"))
    return Step(
        text="tell me on which day (YYYY-MM-DD) my $Shipment to {recipient} is due",
        values={"recipient": shipment["recipient"], "shipment_id": shipment["id"]},
        solve="""
            mine = tools.list_my_$shipments(status="in_transit")["$shipments"]
            found = next(s for s in mine if s["recipient"] == recipient)
            return tools.track_$shipment(code=found["code"])["$shipment"]["due_on"]
        """,
        facts=(Fact("its_day", "SELECT due_on AS value FROM $shipments WHERE id = :shipment_id"),),
    )


def where_it_was_seen(view: View) -> Step | None:
    shipment = view.rng.choice(my_shipments(view, "held"))
    return Step(
        text="tell me at which $Hub my $Shipment {code} is held",
        values={"code": shipment["code"], "shipment_id": shipment["id"]},
        solve="""
            events = tools.track_$shipment(code=code)["$events"]
            held = next(e for e in events if e["kind"] == "held")
            return tools.get_$hub($hub_id=held["$hub_id"])["$hub"]["name"]
        """,
        facts=(
            Fact(
                "its_place",
                "SELECT h.name AS value FROM $events e JOIN $hubs h ON h.id = e.$hub_id"
                " WHERE e.$shipment_id = :shipment_id AND e.kind = 'held'",
            ),
        ),
    )


def cost_of_delivered(view: View) -> Step | None:
    return Step(
        text="tell me what all my delivered $Shipments cost together, in cents",
        values={},
        solve="""
            rows = tools.summarize_my_$shipments()["by_status"]
            return sum(row["cents"] for row in rows if row["status"] == "delivered")
        """,
        facts=(
            Fact(
                "their_cost",
                "SELECT sum(total_cents) AS value FROM $shipments WHERE $person_id = 1 AND status = 'delivered'",
            ),
        ),
    )


def weight_of_pieces(view: View) -> Step | None:
    shipment = view.rng.choice(my_shipments(view, "delivered"))
    return Step(
        text="tell me how many grams the $Pieces of my $Shipment {code} weigh together",
        values={"code": shipment["code"], "shipment_id": shipment["id"]},
        solve="""
            found = tools.track_$shipment(code=code)["$shipment"]
            return tools.list_$shipment_$pieces($shipment_id=found["id"])["grams"]
        """,
        facts=(
            Fact("their_weight", "SELECT sum(weight_grams) AS value FROM $pieces WHERE $shipment_id = :shipment_id"),
        ),
    )


def where_a_leg_ends(view: View) -> Step | None:
    shipment = view.rng.choice(my_shipments(view, "in_transit"))
    number = view.rng.randint(2, 3)
    return Step(
        text="tell me in which city $Leg number {number} of my $Shipment {code} ends",
        values={"number": number, "code": shipment["code"], "shipment_id": shipment["id"]},
        solve="""
            found = tools.track_$shipment(code=code)["$shipment"]
            legs = tools.list_$legs($shipment_id=found["id"])["$legs"]
            leg = next(part for part in legs if part["number"] == number)
            return tools.get_$hub($hub_id=leg["$hub_id"])["$hub"]["city"]
        """,
        facts=(
            Fact(
                "its_city",
                "SELECT h.city AS value FROM $legs l JOIN $hubs h ON h.id = l.$hub_id"
                " WHERE l.$shipment_id = :shipment_id AND l.number = :number",
            ),
        ),
    )


def declared_value(view: View) -> Step | None:
    shipment = view.rng.choice(my_shipments(view, "delivered"))
    return Step(
        text="tell me what value (in cents) was declared for my $Shipment {code}",
        values={"code": shipment["code"], "shipment_id": shipment["id"]},
        solve="""
            found = tools.track_$shipment(code=code)["$shipment"]
            return tools.get_$declaration($shipment_id=found["id"])["$declaration"]["value_cents"]
        """,
        facts=(Fact("its_value", "SELECT value_cents AS value FROM $declarations WHERE $shipment_id = :shipment_id"),),
    )


def shipment_of_a_charge(view: View) -> Step | None:
    charge = view.rng.choice(carried_charges(view))["charge_id"]
    return Step(
        text="tell me to whom the $Shipment with my $Charge number {charge_id} goes",
        values={"charge_id": charge},
        solve="""
            found = tools.find_$charge_$shipment($charge_id=charge_id)["$shipment"]
            return tools.track_$shipment(code=found["code"])["$shipment"]["recipient"]
        """,
        facts=(
            Fact(
                "its_recipient",
                "SELECT recipient AS value FROM $shipments WHERE $charge_id = :charge_id AND $person_id = 1"
                " ORDER BY id DESC LIMIT 1",
            ),
        ),
    )


QUESTIONS = (
    Ask("lowest_shipment_price", lowest_price),
    Ask("when_shipment_is_due", when_it_is_due),
    Ask("where_shipment_was_seen", where_it_was_seen, when="full"),
    Ask("cost_of_delivered_shipments", cost_of_delivered, when="full"),
    Ask("weight_of_shipment_pieces", weight_of_pieces, when="full pieces"),
    Ask("where_a_leg_ends", where_a_leg_ends, when="full legs"),
    Ask("declared_shipment_value", declared_value, when="full declarations"),
    Ask("shipment_of_a_charge", shipment_of_a_charge, when="full charge"),
)
