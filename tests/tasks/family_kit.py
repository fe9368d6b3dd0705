"""Task families of the tiny shop, right ones and wrong ones."""

from typing import Any

from envfactory_dagster.contracts.families import Proven, TaskFamily

ORDERS = '''
def instances(world, rng):
    items = world.query("SELECT id, name FROM items ORDER BY id")
    while True:
        item = rng.choice(items)
        yield {"p": {"item": item["name"], "quantity": rng.randint(2, 90), "id": item["id"]}}


def _priced(tools, name):
    return next(item for item in tools.list_items()["items"] if item["name"] == name)


def solve(tools, p):
    item = _priced(tools, p["item"])
    tools.place_order(item_id=item["id"], quantity=p["quantity"])
    return {
        "outcome": "done",
        "answers": {"price": item["price"]},
        "reason": None,
        "message": f"I have ordered it; one costs {item['price']:g} euros.",
    }


def _orders(world):
    return [change["after"] for change in world.changes if change["table"] == "orders"]


def goal_has_ordered_so_many(world, p):
    """Has one order of the item and the quantity."""
    return [(row["item_id"], row["quantity"]) for row in _orders(world) if row] == [(p["id"], p["quantity"])]


def goal_says_the_price(world, p):
    """Says what one costs."""
    return world.report.says("price", world.initial.one("SELECT price FROM items WHERE id = ?", [p["id"]])["price"])


def guard_one_order_and_its_stock(world, p):
    """Changed nothing but one new order of the user, and the stock by as many."""
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] == "orders":
            if before is not None or after["user_id"] != 1 or after["confirmed"]:
                return False
        elif change["table"] != "items" or after is None or before is None or before["id"] != p["id"]:
            return False
        elif after != {**before, "stock": before["stock"] - p["quantity"]}:
            return False
    return len(_orders(world)) <= 1


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
'''

CANCELS = '''
def instances(world, rng):
    item = world.one("SELECT id, name FROM items ORDER BY price DESC LIMIT 1")
    for quantity in range(2, 40):
        order = {"id": 7, "code": f"ORD-{quantity:05d}", "user_id": 1, "item_id": item["id"], "quantity": quantity,
                 "created_at": "2026-03-01T10:00:00", "confirmed": 0}
        yield {"p": {"item": item["name"], "quantity": quantity}, "given": {"orders": [order]}}


def solve(tools, p):
    item = next(one for one in tools.list_items()["items"] if one["name"] == p["item"])
    tools.get_item(item_id=item["id"])
    tools.cancel_order(order_id=7)
    return {"outcome": "done", "answers": {}, "reason": None, "message": "Your order is cancelled."}


def goal_the_order_is_gone(world, p):
    """Has cancelled the order."""
    return world.final.one("SELECT id FROM orders WHERE quantity = ?", [p["quantity"]]) is None


def guard_nothing_but_that(world, p):
    """Changed nothing else."""
    return all(c["table"] == "orders" and c["after"] is None and c["key"] == [7] for c in world.changes)


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
'''

WORDINGS = [
    "Please order {quantity} of {item} for me, and tell me what a single one costs.",
    "I need {quantity} pieces of {item}, could you order them? What does one of them cost?",
    "Could you get me {item}, {quantity} of it, and let me know the price of one?",
]


def family(source: str = ORDERS, **changed: Any) -> TaskFamily:
    described = {
        "name": "order_some",
        "about": "Somebody orders several of one thing and wants to know its price.",
        "hard": "The thing has to be found by its name.",
        "kind": "action",
        "entities": ["items", "orders"],
        "wordings": WORDINGS,
        "answer_form": [{"name": "price", "type": "number", "description": "What one costs", "unit": "euros"}],
    }
    return TaskFamily.model_validate(described | {"source": source} | changed)


def cancelling(**changed: Any) -> TaskFamily:
    wordings = [
        "Please cancel my order of {quantity} of {item}, I do not need them any more.",
        "I ordered {quantity} pieces of {item}, and it was a mistake. Take it back, please.",
        "Could you call off the order for {item}, the one over {quantity} pieces?",
    ]
    return family(**({"source": CANCELS, "name": "call_off", "wordings": wordings, "answer_form": []} | changed))


def drawing(instances: str, **changed: Any) -> TaskFamily:
    """The family of orders with another way to draw."""
    rest = ORDERS[ORDERS.index("def _priced") :]
    return family(f"{instances}\n\n\n{rest}", **changed)


def proven(one: TaskFamily) -> TaskFamily:
    return one.model_copy(update={"proven": Proven(instances=30, relative={"orders": ["created_at"]})})
