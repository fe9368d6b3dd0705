"""What people want done about shipments."""

from typing import Any

from envfactory_dagster.language.embedded.kit import Allow, Ask, Goal, Step, attempt
from envfactory_dagster.language.embedded.modules.shipments.rows import CONTENTS, DAYPARTS, PURPOSES
from envfactory_dagster.language.embedded.modules.shipments.sending import my_shipments, redirectable
from envfactory_dagster.language.embedded.vocabulary import address, money, words_for_date
from envfactory_dagster.language.embedded.world import View

_CREATED = (Allow("shipment", created=1), Allow("event", created=1))
_AT_HUB = """
                #: if full
                AND s.$hub_id = (SELECT id FROM $hubs WHERE name = :hub)
                #: end
"""
_HUB_CALL = """
            #: if full
            there = next(h for h in tools.list_$hubs()["$hubs"] if h["name"] == hub)
            #: end
"""


def _hub(view: View) -> dict[str, Any]:
    return {"hub": view.rng.choice(view.rows("hub")[:5])["name"]} if view.has("full") else {}


def _handed_in(hub: dict[str, Any]) -> str:
    return ", handed in at {hub}" if hub else ""


def send_one_thing(view: View) -> Step | None:
    hub, carrier = _hub(view), view.rng.choice(view.rows("carrier"))
    return Step(
        text="send {contents} of {grams} grams to {recipient}, {address}, with {carrier}" + _handed_in(hub),
        values={
            "contents": view.rng.choice(CONTENTS),
            "grams": view.rng.randrange(500, 9_000, 100),
            "recipient": view.person_name(),
            "address": address(view.rng),
            "carrier": carrier["name"],
            "now": view.now,
            **hub,
        },
        solve="""
            carriers = tools.search_$carriers(weight_grams=grams)["$carriers"]
            chosen = next(c for c in carriers if c["name"] == carrier)
        """
        + _HUB_CALL
        + """
            sent = tools.book_$shipment(
                $carrier_id=chosen["id"], recipient=recipient, address=address, contents=contents,
                weight_grams=grams,
                #: if full
                $hub_id=there["id"],
                #: end
            )
            tools.track_$shipment(code=sent["code"])
        """,
        goals=(
            Goal(
                "sent",
                """
                SELECT count(*) AS n FROM $shipments s JOIN $carriers c ON c.id = s.$carrier_id
                WHERE s.$person_id = 1 AND s.status = 'booked' AND s.recipient = :recipient AND s.address = :address
                AND s.contents = :contents AND s.weight_grams = :grams AND c.name = :carrier AND s.booked_at = :now
                """
                + _AT_HUB,
            ),
        ),
        allows=_CREATED,
    )


def send_with_any_fast_carrier(view: View) -> Step | None:
    """A choice: any carrier that is quick enough, and any open hub."""
    return Step(
        text="send {contents} of {grams} grams to {recipient}, {address}, with any $Carrier that needs at most "
        "{days} days",
        values={
            "contents": view.rng.choice(CONTENTS),
            "grams": view.rng.randrange(500, 9_000, 100),
            "recipient": view.person_name(),
            "address": address(view.rng),
            "days": view.rng.randint(2, 4),
            "now": view.now,
        },
        solve="""
            chosen = tools.search_$carriers(weight_grams=grams, most_days=days)["$carriers"][0]
            #: if full
            there = next(h for h in tools.list_$hubs()["$hubs"] if h["status"] == "open")
            #: end
            sent = tools.book_$shipment(
                $carrier_id=chosen["id"], recipient=recipient, address=address, contents=contents,
                weight_grams=grams,
                #: if full
                $hub_id=there["id"],
                #: end
            )
            tools.track_$shipment(code=sent["code"])
        """,
        goals=(
            Goal(
                "sent_fast_enough",
                "SELECT count(*) AS n FROM $shipments s JOIN $carriers c ON c.id = s.$carrier_id"
                " WHERE s.$person_id = 1 AND s.status = 'booked' AND s.recipient = :recipient"
                " AND s.address = :address AND s.contents = :contents AND s.weight_grams = :grams"
                " AND c.transit_days <= :days AND s.booked_at = :now",
            ),
        ),
        allows=_CREATED,
        otherwise=(
            ('["$carriers"][0]', '["$carriers"][-1]'),
            ('["$hubs"] if', '["$hubs"][::-1] if'),
        ),
    )


def send_in_pieces(view: View) -> Step | None:
    hub, carrier = _hub(view), view.rng.choice(view.rows("carrier"))
    return Step(
        text="open a new $Shipment to {recipient}, {address}, with {carrier}"
        + _handed_in(hub)
        + ", and put one $Piece with {contents} of {grams} grams into it, which is not fragile",
        values={
            "contents": view.rng.choice(CONTENTS),
            "grams": view.rng.randrange(500, 9_000, 100),
            "recipient": view.person_name(),
            "address": address(view.rng),
            "carrier": carrier["name"],
            "now": view.now,
            **hub,
        },
        solve="""
            carriers = tools.search_$carriers(weight_grams=grams)["$carriers"]
            chosen = next(c for c in carriers if c["name"] == carrier)
        """
        + _HUB_CALL
        + """
            opened = tools.open_$shipment(
                $carrier_id=chosen["id"], recipient=recipient, address=address,
                #: if full
                $hub_id=there["id"],
                #: end
            )
            tools.add_$piece(
                $shipment_id=opened["$shipment_id"], contents=contents, weight_grams=grams, fragile=False
            )
        """,
        goals=(
            Goal(
                "opened",
                """
                SELECT count(*) AS n FROM $shipments s JOIN $carriers c ON c.id = s.$carrier_id
                WHERE s.$person_id = 1 AND s.status = 'booked' AND s.recipient = :recipient
                AND s.address = :address AND c.name = :carrier AND s.booked_at = :now
                """
                + _AT_HUB,
            ),
            Goal(
                "its_piece",
                "SELECT count(*) AS n FROM $pieces p JOIN $shipments s ON s.id = p.$shipment_id"
                " WHERE s.recipient = :recipient AND s.booked_at = :now AND p.contents = :contents"
                " AND p.weight_grams = :grams AND p.fragile = 0",
            ),
        ),
        allows=(*_CREATED, Allow("piece", created=1)),
    )


def add_a_fragile_piece(view: View) -> Step | None:
    shipment = view.rng.choice(my_shipments(view, "booked"))
    return Step(
        text="add one more $Piece to my $Shipment {code}: {contents}, {grams} grams, fragile",
        values={
            "code": shipment["code"],
            "contents": view.rng.choice(("glass jars", "a mirror", "porcelain", "a clock")),
            "grams": view.rng.randrange(400, 1_500, 50),
            "shipment_id": shipment["id"],
        },
        solve="""
            found = tools.track_$shipment(code=code)["$shipment"]
            tools.add_$piece($shipment_id=found["id"], contents=contents, weight_grams=grams, fragile=True)
        """,
        goals=(
            Goal(
                "added",
                "SELECT count(*) AS n FROM $pieces WHERE $shipment_id = :shipment_id AND contents = :contents"
                " AND weight_grams = :grams AND fragile = 1",
            ),
        ),
        allows=(
            Allow("piece", created=1),
            Allow("shipment", changed=1, columns=("total_cents",), ids=(shipment["id"],)),
        ),
    )


def cancel_shipment(view: View) -> Step | None:
    shipment = view.rng.choice(my_shipments(view, "booked"))
    return Step(
        text="cancel my $Shipment to {recipient}, which has not left yet",
        values={"recipient": shipment["recipient"], "shipment_id": shipment["id"]},
        solve="""
            waiting = tools.list_my_$shipments(status="booked")["$shipments"]
            found = next(s for s in waiting if s["recipient"] == recipient)
            tools.track_$shipment(code=found["code"])
            tools.cancel_$shipment($shipment_id=found["id"])
        """,
        goals=(
            Goal("cancelled", "SELECT count(*) AS n FROM $shipments WHERE id = :shipment_id AND status = 'cancelled'"),
        ),
        allows=(
            Allow("shipment", changed=1, columns=("status",), ids=(shipment["id"],)),
            Allow("event", created=1),
        ),
    )


def redirect_shipment(view: View) -> Step | None:
    shipment = view.rng.choice(redirectable(view))
    return Step(
        text="have my $Shipment {code} brought to {address} instead",
        values={"code": shipment["code"], "address": address(view.rng), "shipment_id": shipment["id"]},
        solve="""
            found = tools.track_$shipment(code=code)["$shipment"]
            tools.redirect_$shipment($shipment_id=found["id"], address=address)
            tools.track_$shipment(code=code)
        """,
        goals=(
            Goal("redirected", "SELECT count(*) AS n FROM $shipments WHERE id = :shipment_id AND address = :address"),
        ),
        allows=(
            Allow("shipment", changed=1, columns=("address", "redirects"), ids=(shipment["id"],)),
            Allow("event", created=1),
        ),
    )


def plan_an_attempt(view: View) -> Step | None:
    shipment = my_shipments(view, "held")[0]
    planned_on = view.day(view.rng.randint(1, 9))
    return Step(
        text="have my held $Shipment to {recipient} brought again on {date}, in the {daypart}",
        values={
            "recipient": shipment["recipient"],
            "date": words_for_date(planned_on),
            "daypart": view.rng.choice(DAYPARTS),
            "planned_on": planned_on,
            "shipment_id": shipment["id"],
        },
        solve="""
            held = tools.list_my_$shipments(status="held")["$shipments"]
            found = next(s for s in held if s["recipient"] == recipient)
            tools.list_$attempts($shipment_id=found["id"])
            tools.plan_$attempt($shipment_id=found["id"], planned_on=planned_on, daypart=daypart)
        """,
        goals=(
            Goal(
                "planned",
                "SELECT count(*) AS n FROM $attempts WHERE $shipment_id = :shipment_id AND outcome = 'planned'"
                " AND planned_on = :planned_on AND daypart = :daypart",
            ),
        ),
        allows=(Allow("attempt", created=1),),
    )


def plan_any_evening(view: View) -> Step | None:
    """A choice: any of the coming evenings."""
    shipment = my_shipments(view, "held")[0]
    last = view.day(6)
    return Step(
        text="have my $Shipment {code} brought again on any evening up to {date}",
        values={
            "code": shipment["code"],
            "date": words_for_date(last),
            "last": last,
            "tomorrow": view.day(1),
            "shipment_id": shipment["id"],
        },
        solve="""
            found = tools.track_$shipment(code=code)["$shipment"]
            tools.list_$attempts($shipment_id=found["id"])
            tools.plan_$attempt($shipment_id=found["id"], planned_on=tomorrow, daypart="evening")
        """,
        goals=(
            Goal(
                "some_evening",
                "SELECT count(*) AS n FROM $attempts WHERE $shipment_id = :shipment_id AND outcome = 'planned'"
                " AND planned_on BETWEEN :tomorrow AND :last AND daypart = 'evening'",
            ),
        ),
        allows=(Allow("attempt", created=1),),
        otherwise=(("planned_on=tomorrow", "planned_on=last"),),
    )


def declare_contents(view: View) -> Step | None:
    shipment = view.rng.choice(my_shipments(view, "booked"))
    cents = view.rng.randrange(3_000, 60_000, 500)
    return Step(
        text="file the $Declaration for my $Shipment {code}: {goods}, worth {amount}, sent as a {purpose}",
        values={
            "code": shipment["code"],
            "goods": view.rng.choice(("hand-made soap", "carved bowls", "woven scarves", "board games")),
            "amount": money(cents),
            "purpose": view.rng.choice(PURPOSES),
            "cents": cents,
            "shipment_id": shipment["id"],
        },
        solve="""
            found = tools.track_$shipment(code=code)["$shipment"]
            tools.file_$declaration($shipment_id=found["id"], goods=goods, value_cents=cents, purpose=purpose)
            tools.get_$declaration($shipment_id=found["id"])
        """,
        goals=(
            Goal(
                "declared",
                "SELECT count(*) AS n FROM $declarations WHERE $shipment_id = :shipment_id AND goods = :goods"
                " AND value_cents = :cents AND purpose = :purpose",
            ),
        ),
        allows=(Allow("declaration", created=1),),
    )


def refuse_cancel_under_way(view: View) -> Step | None:
    shipment = view.rng.choice(my_shipments(view, "in_transit"))
    return Step(
        text="cancel my $Shipment {code}",
        values={"code": shipment["code"]},
        solve=attempt(
            'tools.cancel_$shipment($shipment_id=found["id"])',
            first="""
                tools.list_my_$shipments()
                found = tools.track_$shipment(code=code)["$shipment"]
            """,
        ),
    )


def refuse_redirect_again(view: View) -> Step | None:
    shipment = my_shipments(view, "in_transit")[-1]
    return Step(
        text="redirect my $Shipment {code} once more, to {address}",
        values={"code": shipment["code"], "address": address(view.rng)},
        solve=attempt(
            'tools.redirect_$shipment($shipment_id=found["id"], address=address)',
            first="""
                tools.list_my_$shipments(status="in_transit")
                found = tools.track_$shipment(code=code)["$shipment"]
            """,
        ),
    )


def refuse_too_heavy(view: View) -> Step | None:
    carrier = min(view.rows("carrier"), key=lambda row: int(row["most_grams"]))
    shipment = my_shipments(view, "booked")[0] if view.has("pieces") else None
    if shipment is not None:
        carrier = view.row("carrier", shipment["carrier_id"])
    if carrier["most_grams"] >= 100_000:
        return None
    where = {"code": shipment["code"]} if shipment else {"carrier": carrier["name"], "to": view.person_name()}
    return Step(
        text="add a crate of tools of {grams} grams to my $Shipment {code}"
        if shipment
        else "send a crate of tools of {grams} grams to {to}, 7 Mill Lane, Northam, with {carrier} and nobody else",
        values={"grams": carrier["most_grams"] + 2_000, **where},
        solve=attempt(
            """tools.add_$piece($shipment_id=found["id"], contents="a crate of tools", weight_grams=grams)"""
            if shipment
            else "tools.book_$shipment($carrier_id=chosen['id'], recipient=to, address='7 Mill Lane, Northam', "
            "contents='a crate of tools', weight_grams=grams" + (", $hub_id=1)" if view.has("full") else ")"),
            first="""
                tools.list_my_$shipments(status="booked")
                found = tools.track_$shipment(code=code)["$shipment"]
            """
            if shipment
            else """
                tools.search_$carriers(weight_grams=grams)
                chosen = next(c for c in tools.search_$carriers()["$carriers"] if c["name"] == carrier)
            """,
        ),
    )


def refuse_another_attempt(view: View) -> Step | None:
    shipment = my_shipments(view, "held")[1]
    return Step(
        text="have my $Shipment {code} brought to the door once more, tomorrow morning",
        values={"code": shipment["code"], "tomorrow": view.day(1)},
        solve=attempt(
            'tools.plan_$attempt($shipment_id=found["id"], planned_on=tomorrow, daypart="morning")',
            first="""
                found = tools.track_$shipment(code=code)["$shipment"]
                tools.list_$attempts($shipment_id=found["id"])
            """,
        ),
    )


ASKS = (
    Ask("send_one_thing", send_one_thing, when="!pieces"),
    Ask("send_with_any_fast_carrier", send_with_any_fast_carrier, when="!pieces"),
    Ask("send_in_pieces", send_in_pieces, when="pieces"),
    Ask("add_a_fragile_piece", add_a_fragile_piece, when="pieces"),
    Ask("cancel_shipment", cancel_shipment),
    Ask("redirect_shipment", redirect_shipment),
    Ask("plan_an_attempt", plan_an_attempt, when="full attempts"),
    Ask("plan_any_evening", plan_any_evening, when="full attempts"),
    Ask("declare_contents", declare_contents, when="full declarations"),
    Ask("shipment_under_way", refuse_cancel_under_way, rule="shipment_cancel_booked"),
    Ask("shipment_redirected_again", refuse_redirect_again, rule="shipment_redirects"),
    Ask("shipment_too_heavy", refuse_too_heavy, rule="shipment_weight"),
    Ask("shipment_brought_again", refuse_another_attempt, rule="shipment_attempts", when="full attempts"),
)
