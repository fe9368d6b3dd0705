"""What people want done about things and orders."""

from envfactory_dagster.language.embedded.kit import Allow, Ask, Fact, Goal, Step, attempt
from envfactory_dagster.language.embedded.modules.catalogue.extras import unwished
from envfactory_dagster.language.embedded.modules.catalogue.ordering import my_order, not_in_draft, orderable
from envfactory_dagster.language.embedded.vocabulary import words_for_date
from envfactory_dagster.language.embedded.world import View


def order_an_item(view: View) -> Step | None:
    item = view.rng.choice(orderable(view))
    where = {"place": view.rng.choice(view.rows("place"))["name"]} if view.has("place") else {}
    return Step(
        text="order {quantity} of {item} for me" + (", to be collected at {place}" if where else ""),
        values={"quantity": view.rng.randint(2, 3), "item": item["name"], "now": view.now, **where},
        solve="""
            found = tools.search_$items(words=item)["$items"]
            wanted = next(i for i in found if i["name"] == item)
            tools.get_$item($item_id=wanted["id"])
            #: if place
            there = next(p for p in tools.list_$places()["$places"] if p["name"] == place)
            placed = tools.place_$order($item_id=wanted["id"], quantity=quantity, $place_id=there["id"])
            #: end
            #: if !place
            placed = tools.place_$order($item_id=wanted["id"], quantity=quantity)
            #: end
            tools.get_$order($order_id=placed["$order_id"])
        """,
        goals=(
            Goal(
                "ordered",
                """
                SELECT count(*) AS n FROM $orders o JOIN $items i ON i.id = o.$item_id WHERE o.$person_id = 1
                AND o.status = 'placed' AND o.quantity = :quantity AND i.name = :item AND o.created_at = :now
                #: if place
                AND o.$place_id = (SELECT id FROM $places WHERE name = :place)
                #: end
                """,
            ),
        ),
        allows=(
            Allow("order", created=1),
            Allow("item", changed=1, columns=("stock",), ids=(item["id"],)),
        ),
    )


def fill_the_draft(view: View) -> Step | None:
    item, draft = not_in_draft(view), my_order(view, "draft")
    return Step(
        text="add {quantity} of {item} to my draft $Order and place it",
        values={"quantity": view.rng.randint(2, 3), "item": item["name"], "order_id": draft["id"]},
        solve="""
            draft = tools.list_my_$orders(status="draft")["$orders"][0]
            found = tools.search_$items(words=item)["$items"]
            wanted = next(i for i in found if i["name"] == item)
            tools.add_to_$order($order_id=draft["id"], $item_id=wanted["id"], quantity=quantity)
            tools.submit_$order($order_id=draft["id"])
        """,
        goals=(
            Goal(
                "it_is_in",
                "SELECT count(*) AS n FROM $lines l JOIN $items i ON i.id = l.$item_id"
                " WHERE l.$order_id = :order_id AND i.name = :item AND l.quantity = :quantity",
            ),
            Goal("placed", "SELECT count(*) AS n FROM $orders WHERE id = :order_id AND status = 'placed'"),
        ),
        allows=(
            Allow("line", created=1),
            Allow("order", changed=1, columns=("status", "total_cents"), ids=(draft["id"],)),
            Allow("item", changed=1, columns=("stock",), ids=(item["id"],)),
        ),
    )


def cancel_order(view: View) -> Step | None:
    order = my_order(view, "placed")
    return Step(
        text="cancel my $Order of {date} that has not been shipped yet",
        values={"date": words_for_date(order["created_at"][:10]), "order_id": order["id"]},
        solve="""
            order = tools.list_my_$orders(status="placed")["$orders"][0]
            tools.get_$order($order_id=order["id"])
            tools.cancel_$order($order_id=order["id"])
        """,
        goals=(Goal("cancelled", "SELECT count(*) AS n FROM $orders WHERE id = :order_id AND status = 'cancelled'"),),
        allows=(Allow("order", changed=1, columns=("status",), ids=(order["id"],)),),
    )


def save_an_item(view: View) -> Step | None:
    item = view.row("item", unwished(view))
    return Step(
        text="save {item} for later",
        values={"item": item["name"]},
        solve="""
            wanted = next(i for i in tools.search_$items(words=item)["$items"] if i["name"] == item)
            tools.list_my_$wishs()
            tools.add_$wish($item_id=wanted["id"])
        """,
        goals=(
            Goal(
                "saved",
                "SELECT count(*) AS n FROM $wishs w JOIN $items i ON i.id = w.$item_id"
                " WHERE w.$person_id = 1 AND i.name = :item",
            ),
        ),
        allows=(Allow("wish", created=1),),
    )


def forget_a_wish(view: View) -> Step | None:
    wish = view.rng.choice(view.mine("wish"))
    return Step(
        text="take {item} off the things I saved",
        values={"item": view.row("item", wish["item_id"])["name"], "wish_id": wish["id"]},
        solve="""
            wish = next(w for w in tools.list_my_$wishs()["$wishs"] if w["name"] == item)
            tools.remove_$wish($wish_id=wish["id"])
        """,
        goals=(Goal("forgotten", "SELECT count(*) AS n FROM $wishs WHERE id = :wish_id", equals=0),),
        allows=(Allow("wish", deleted=1, ids=(wish["id"],)),),
    )


def give_back(view: View) -> Step | None:
    order = my_order(view, "delivered")
    return Step(
        text="ask to give back my latest delivered $Order because it was damaged",
        values={"order_id": order["id"]},
        solve="""
            tools.list_my_$givebacks()
            order = tools.list_my_$orders(status="delivered")["$orders"][0]
            tools.get_$order($order_id=order["id"])
            tools.request_$giveback($order_id=order["id"], reason="damaged")
        """,
        goals=(
            Goal(
                "asked_for",
                "SELECT count(*) AS n FROM $givebacks WHERE $order_id = :order_id AND reason = 'damaged'"
                " AND status = 'requested'",
            ),
        ),
        allows=(Allow("giveback", created=1),),
    )


def cheapest_item(view: View) -> Step | None:
    lowest = min(row["price_cents"] for row in view.rows("item"))
    if sum(row["price_cents"] == lowest for row in view.rows("item")) > 1:
        return None
    return Step(
        text="tell me the name of the cheapest $Item there is",
        values={},
        solve="""
            tools.list_$shelfs()
            return tools.search_$items(order_by="price")["$items"][0]["name"]
        """,
        facts=(Fact("the_cheapest", "SELECT name AS value FROM $items ORDER BY price_cents LIMIT 1"),),
    )


def spent_on_delivered(view: View) -> Step | None:
    return Step(
        text="tell me what the $Orders delivered to me so far were worth together, in cents",
        values={},
        solve="""
            rows = tools.summarize_my_$orders()["by_status"]
            return next(row["cents"] for row in rows if row["status"] == "delivered")
        """,
        facts=(
            Fact(
                "their_worth",
                "SELECT sum(total_cents) AS value FROM $orders WHERE $person_id = 1 AND status = 'delivered'",
            ),
        ),
    )


def who_makes_it(view: View) -> Step | None:
    item = view.rng.choice(orderable(view))
    return Step(
        text="tell me from which city {item} comes",
        values={"item": item["name"]},
        solve="""
            wanted = next(i for i in tools.search_$items(words=item)["$items"] if i["name"] == item)
            shown = tools.get_$item($item_id=wanted["id"])["$item"]
            return tools.get_$vendor($vendor_id=shown["$vendor_id"])["$vendor"]["city"]
        """,
        facts=(
            Fact(
                "its_city",
                "SELECT v.city AS value FROM $items i JOIN $vendors v ON v.id = i.$vendor_id WHERE i.name = :item",
            ),
        ),
    )


def refuse_cancel_shipped(view: View) -> Step | None:
    return Step(
        text="cancel my $Order that is under way",
        values={},
        solve=attempt(
            'tools.cancel_$order($order_id=order["id"])',
            first="""
                order = tools.list_my_$orders(status="shipped")["$orders"][0]
                tools.get_$order($order_id=order["id"])
            """,
        ),
    )


def refuse_late_return(view: View) -> Step | None:
    return Step(
        text="ask to give back my oldest delivered $Order, I changed my mind",
        values={},
        solve=attempt(
            'tools.request_$giveback($order_id=order["id"], reason="changed my mind")',
            first="""
                order = tools.list_my_$orders(status="delivered")["$orders"][-1]
                tools.get_$order($order_id=order["id"])
            """,
        ),
    )


ASKS = (
    Ask("order_an_item", order_an_item, when="!multiline"),
    Ask("fill_the_draft", fill_the_draft, when="multiline"),
    Ask("cancel_order", cancel_order),
    Ask("save_an_item", save_an_item, when="full wishes"),
    Ask("forget_a_wish", forget_a_wish, when="full wishes"),
    Ask("give_back", give_back, when="full givebacks"),
    Ask("cheapest_item", cheapest_item),
    Ask("spent_on_delivered", spent_on_delivered, when="full"),
    Ask("who_makes_it", who_makes_it, when="full vendors"),
    Ask("cancel_shipped", refuse_cancel_shipped, rule="order_cancel_early"),
    Ask("late_return", refuse_late_return, rule="order_return_days", when="full givebacks"),
)
