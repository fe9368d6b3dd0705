"""What people want done about stock."""

from envfactory_dagster.language.embedded.kit import Allow, Ask, Fact, Goal, Step
from envfactory_dagster.language.embedded.modules.inventory.fragments import (
    addable,
    level_id,
    my_transfer,
    possible_move,
)
from envfactory_dagster.language.embedded.modules.inventory.refusals import REFUSALS
from envfactory_dagster.language.embedded.modules.inventory.rows import plentiful
from envfactory_dagster.language.embedded.world import View


def _name(view: View, role: str, row_id: int) -> str:
    name: str = view.row(role, row_id)["name"]
    return name


def move_stock(view: View) -> Step | None:
    move = possible_move(view)
    return Step(
        text="have {quantity} of {sku} moved from {origin} to {target}",
        values={
            "quantity": move.quantity,
            "sku": _name(view, "sku", move.sku),
            "origin": _name(view, "depot", move.origin),
            "target": _name(view, "depot", move.target),
        },
        solve="""
            depots = {d["name"]: d["id"] for d in tools.list_$depots()["$depots"]}
            wanted = next(s for s in tools.search_$skus(words=sku)["$skus"] if s["name"] == sku)
            tools.list_$levels_of_$sku($sku_id=wanted["id"])
            tools.request_$transfer(
                $sku_id=wanted["id"], quantity=quantity, from_$depot_id=depots[origin], to_$depot_id=depots[target]
            )
        """,
        goals=(
            Goal(
                "requested",
                "SELECT count(*) AS n FROM $transfers t JOIN $skus s ON s.id = t.$sku_id"
                " JOIN $depots a ON a.id = t.from_$depot_id JOIN $depots b ON b.id = t.to_$depot_id"
                " WHERE t.$person_id = 1 AND t.status = 'requested' AND t.quantity = :quantity AND s.name = :sku"
                " AND a.name = :origin AND b.name = :target",
            ),
        ),
        allows=(
            Allow("transfer", created=1),
            Allow("level", changed=1, columns=("reserved",), ids=(level_id(view, move.origin, move.sku),)),
        ),
    )


def fetch_from_anywhere(view: View) -> Step | None:
    """A choice: any depot that can spare it will do."""
    move = possible_move(view)
    others = tuple(level_id(view, d["id"], move.sku) for d in view.rows("depot") if d["id"] != move.target)
    return Step(
        text="get {quantity} of {sku} to {target}, from whichever other $Depot can spare that many",
        values={
            "quantity": move.quantity,
            "sku": _name(view, "sku", move.sku),
            "target": _name(view, "depot", move.target),
        },
        solve="""
            depots = {d["name"]: d["id"] for d in tools.list_$depots()["$depots"]}
            wanted = next(s for s in tools.search_$skus(words=sku)["$skus"] if s["name"] == sku)
            levels = tools.list_$levels_of_$sku($sku_id=wanted["id"])["$levels"]
            other = [x for x in levels if x["$depot_name"] != target]
            best = max(other, key=lambda x: x["on_hand"] - x["reserved"] - x["reorder_point"])
            tools.request_$transfer(
                $sku_id=wanted["id"],
                quantity=quantity,
                from_$depot_id=best["$depot_id"],
                to_$depot_id=depots[target],
            )
        """,
        goals=(
            Goal(
                "on_its_way",
                "SELECT count(*) AS n FROM $transfers t JOIN $skus s ON s.id = t.$sku_id"
                " JOIN $depots b ON b.id = t.to_$depot_id WHERE t.$person_id = 1 AND t.status = 'requested'"
                " AND t.quantity = :quantity AND s.name = :sku AND b.name = :target",
            ),
        ),
        allows=(
            Allow("transfer", created=1),
            Allow("level", changed=1, columns=("reserved",), ids=others),
        ),
        otherwise=(
            (
                'best = max(other, key=lambda x: x["on_hand"] - x["reserved"] - x["reorder_point"])',
                'best = [x for x in other if x["on_hand"] - x["reserved"] - x["reorder_point"] >= quantity][-1]',
            ),
        ),
    )


def fill_transfer(view: View) -> Step | None:
    move, draft = addable(view), my_transfer(view, "draft")
    return Step(
        text="add {quantity} of {sku} to my draft $Transfer and have it carried out",
        values={"quantity": move.quantity, "sku": _name(view, "sku", move.sku), "transfer_id": draft["id"]},
        solve="""
            draft = tools.list_my_$transfers(status="draft")["$transfers"][0]
            wanted = next(s for s in tools.search_$skus(words=sku)["$skus"] if s["name"] == sku)
            tools.list_$pieces($transfer_id=draft["id"])
            tools.add_to_$transfer($transfer_id=draft["id"], $sku_id=wanted["id"], quantity=quantity)
            tools.submit_$transfer($transfer_id=draft["id"])
        """,
        goals=(
            Goal(
                "it_is_in",
                "SELECT count(*) AS n FROM $pieces p JOIN $skus s ON s.id = p.$sku_id"
                " WHERE p.$transfer_id = :transfer_id AND s.name = :sku AND p.quantity = :quantity",
            ),
            Goal("requested", "SELECT count(*) AS n FROM $transfers WHERE id = :transfer_id AND status = 'requested'"),
        ),
        allows=(
            Allow("piece", created=1),
            Allow("transfer", changed=1, columns=("status",), ids=(draft["id"],)),
            Allow("level", changed=1, columns=("reserved",), ids=(level_id(view, move.origin, move.sku),)),
        ),
    )


def cancel_transfer(view: View) -> Step | None:
    transfer = my_transfer(view, "requested")
    pieces = (
        view.select("piece", lambda row: row["transfer_id"] == transfer["id"]) if view.has("manifest") else [transfer]
    )
    levels = tuple(level_id(view, transfer["from_depot_id"], piece["sku_id"]) for piece in pieces)
    return Step(
        text="cancel the $Transfer to {target} that I have asked for and that has not left yet",
        values={"target": _name(view, "depot", transfer["to_depot_id"]), "transfer_id": transfer["id"]},
        solve="""
            waiting = tools.list_my_$transfers(status="requested")["$transfers"]
            transfer = next(t for t in waiting if t["to_$depot_name"] == target)
            #: if manifest
            tools.list_$pieces($transfer_id=transfer["id"])
            #: end
            tools.cancel_$transfer($transfer_id=transfer["id"])
        """,
        goals=(
            Goal("cancelled", "SELECT count(*) AS n FROM $transfers WHERE id = :transfer_id AND status = 'cancelled'"),
        ),
        allows=(
            Allow("transfer", changed=1, columns=("status",), ids=(transfer["id"],)),
            Allow("level", changed=len(levels), columns=("reserved",), ids=levels),
        ),
    )


def order_what_is_short(view: View) -> Step | None:
    depot = view.rng.choice(view.rows("depot"))
    short = view.select("level", lambda row: row["depot_id"] == depot["id"] and row["on_hand"] < row["reorder_point"])
    worst = view.row("sku", max(short, key=lambda row: row["reorder_point"] - row["on_hand"])["sku_id"])
    ordered = view.select(
        "supply",
        lambda row: (row["depot_id"], row["sku_id"], row["status"]) == (depot["id"], worst["id"], "ordered"),
    )
    if ordered or worst["status"] != "active":
        return None
    return Step(
        text="order {quantity} of whatever {depot} is furthest below its reorder point with",
        values={
            "quantity": view.rng.randrange(20, 65, 5),
            "depot": depot["name"],
            "sku_id": worst["id"],
            "today": view.today,
        },
        solve="""
            there = next(d for d in tools.list_$depots()["$depots"] if d["name"] == depot)
            short = tools.list_short_$levels($depot_id=there["id"])["$levels"][0]
            tools.list_$supplys($depot_id=there["id"])
            tools.order_$supply($depot_id=there["id"], $sku_id=short["$sku_id"], quantity=quantity)
        """,
        goals=(
            Goal(
                "ordered",
                "SELECT count(*) AS n FROM $supplys x JOIN $depots d ON d.id = x.$depot_id WHERE x.$person_id = 1"
                " AND x.status = 'ordered' AND x.$sku_id = :sku_id AND x.quantity = :quantity AND d.name = :depot"
                " AND x.ordered_on = :today",
            ),
        ),
        allows=(Allow("supply", created=1),),
    )


def cancel_supply(view: View) -> Step | None:
    supply = view.row("supply", 1)
    return Step(
        text="cancel the {sku} I ordered for {depot}, unless it has come already",
        values={
            "sku": _name(view, "sku", supply["sku_id"]),
            "depot": _name(view, "depot", supply["depot_id"]),
            "supply_id": supply["id"],
        },
        solve="""
            there = next(d for d in tools.list_$depots()["$depots"] if d["name"] == depot)
            wanted = next(s for s in tools.search_$skus(words=sku)["$skus"] if s["name"] == sku)
            supplies = tools.list_$supplys($depot_id=there["id"])["$supplys"]
            ordered = [x for x in supplies if x["status"] == "ordered"]
            mine = next(x for x in ordered if x["$sku_id"] == wanted["id"] and x["mine"])
            tools.cancel_$supply($supply_id=mine["id"])
        """,
        goals=(Goal("cancelled", "SELECT count(*) AS n FROM $supplys WHERE id = :supply_id AND status = 'cancelled'"),),
        allows=(Allow("supply", changed=1, columns=("status",), ids=(supply["id"],)),),
    )


def set_point(view: View) -> Step | None:
    depot, sku = view.rng.choice(view.rows("depot")), view.rng.choice(view.rows("sku"))
    level = level_id(view, depot["id"], sku["id"])
    return Step(
        text="set the reorder point of {sku} in {depot} to {units}",
        values={
            "sku": sku["name"],
            "depot": depot["name"],
            "units": view.rng.randint(26, 45),
            "level_id": level,
        },
        solve="""
            there = next(d for d in tools.list_$depots()["$depots"] if d["name"] == depot)
            wanted = next(s for s in tools.search_$skus(words=sku)["$skus"] if s["name"] == sku)
            tools.set_reorder_point($depot_id=there["id"], $sku_id=wanted["id"], units=units)
        """,
        goals=(Goal("set", "SELECT count(*) AS n FROM $levels WHERE id = :level_id AND reorder_point = :units"),),
        allows=(Allow("level", changed=1, columns=("reorder_point",), ids=(level,)),),
    )


def record_count(view: View) -> Step | None:
    depot, sku = view.rng.choice(view.rows("depot")), view.rng.choice(view.rows("sku"))
    level = view.row("level", level_id(view, depot["id"], sku["id"]))
    return Step(
        text="put on record that I counted {counted} of {sku} in {depot} and tell me how many are on hand by the books",
        values={
            "counted": max(0, level["on_hand"] - view.rng.randint(1, 4)),
            "sku": sku["name"],
            "depot": depot["name"],
            "level_id": level["id"],
            "now": view.now,
        },
        solve="""
            there = next(d for d in tools.list_$depots()["$depots"] if d["name"] == depot)
            wanted = next(s for s in tools.search_$skus(words=sku)["$skus"] if s["name"] == sku)
            tools.record_$tally($depot_id=there["id"], $sku_id=wanted["id"], counted=counted)
            levels = tools.list_$levels_of_$sku($sku_id=wanted["id"])["$levels"]
            return next(x["on_hand"] for x in levels if x["$depot_id"] == there["id"])
        """,
        goals=(
            Goal(
                "recorded",
                "SELECT count(*) AS n FROM $tallys WHERE $level_id = :level_id AND $person_id = 1"
                " AND counted = :counted AND counted_at = :now",
            ),
        ),
        facts=(Fact("the_books", "SELECT on_hand AS value FROM $levels WHERE id = :level_id"),),
        allows=(Allow("tally", created=1),),
    )


def block_first_batch(view: View) -> Step | None:
    skus = {view.row("level", row["level_id"])["sku_id"] for row in view.rows("batch")}
    sku = view.rng.choice(sorted(skus))
    first = min(
        view.select("batch", lambda row: view.row("level", row["level_id"])["sku_id"] == sku),
        key=lambda row: row["expires_on"],
    )
    if first["status"] == "blocked":
        return None
    return Step(
        text="block the $Batch of {sku} that expires first",
        values={"sku": _name(view, "sku", sku), "batch_id": first["id"]},
        solve="""
            wanted = next(s for s in tools.search_$skus(words=sku)["$skus"] if s["name"] == sku)
            first = tools.list_expiring_$batchs($sku_id=wanted["id"])["$batchs"][0]
            tools.block_$batch(code=first["code"])
        """,
        goals=(Goal("blocked", "SELECT count(*) AS n FROM $batchs WHERE id = :batch_id AND status = 'blocked'"),),
        allows=(Allow("batch", changed=1, columns=("status",), ids=(first["id"],)),),
    )


def total_on_hand(view: View) -> Step | None:
    return Step(
        text="tell me how many units of {sku} there are on hand in all $Depots together",
        values={"sku": view.rng.choice(view.rows("sku"))["name"]},
        solve="""
            wanted = next(s for s in tools.search_$skus(words=sku)["$skus"] if s["name"] == sku)
            return tools.list_$levels_of_$sku($sku_id=wanted["id"])["on_hand"]
        """,
        facts=(
            Fact(
                "their_number",
                "SELECT sum(l.on_hand) AS value FROM $levels l JOIN $skus s ON s.id = l.$sku_id WHERE s.name = :sku",
            ),
        ),
    )


def depot_worth(view: View) -> Step | None:
    return Step(
        text="tell me what the stock in {depot} is worth, in cents",
        values={"depot": view.rng.choice(view.rows("depot"))["name"]},
        solve="""
            there = next(d for d in tools.list_$depots()["$depots"] if d["name"] == depot)
            return tools.summarize_$depot_stock($depot_id=there["id"])["worth_cents"]
        """,
        facts=(
            Fact(
                "its_worth",
                "SELECT sum(l.on_hand * s.unit_price_cents) AS value FROM $levels l JOIN $skus s ON s.id = l.$sku_id"
                " JOIN $depots d ON d.id = l.$depot_id WHERE d.name = :depot",
            ),
        ),
    )


def who_delivers(view: View) -> Step | None:
    return Step(
        text="tell me which $Source delivers {sku} and within how many days",
        values={"sku": view.rng.choice(view.rows("sku"))["name"]},
        solve="""
            wanted = next(s for s in tools.search_$skus(words=sku)["$skus"] if s["name"] == sku)
            source = tools.get_$source_of_$sku($sku_id=wanted["id"])["$source"]
            return source["name"], source["lead_days"]
        """,
        facts=tuple(
            Fact(
                name,
                f"SELECT w.{column} AS value FROM $skus s JOIN $sources w ON w.id = s.$source_id WHERE s.name = :sku",
            )
            for name, column in (("who_it_is", "name"), ("the_days", "lead_days"))
        ),
    )


def who_keeps_it(view: View) -> Step | None:
    depot = view.rng.choice([row["id"] for row in view.rows("depot")])
    return Step(
        text="tell me who looks after the $Depot that has {sku} in the largest number",
        values={"sku": _name(view, "sku", view.rng.choice(plentiful(view, depot)))},
        solve="""
            wanted = next(s for s in tools.search_$skus(words=sku)["$skus"] if s["name"] == sku)
            most = tools.list_$levels_of_$sku($sku_id=wanted["id"])["$levels"][0]
            return tools.get_$depot_keeper($depot_id=most["$depot_id"])["$staff"]["name"]
        """,
        facts=(
            Fact(
                "who_it_is",
                "SELECT k.name AS value FROM $levels l JOIN $skus s ON s.id = l.$sku_id"
                " JOIN $depots d ON d.id = l.$depot_id JOIN $staffs k ON k.id = d.$staff_id"
                " WHERE s.name = :sku ORDER BY l.on_hand DESC, d.name LIMIT 1",
            ),
        ),
    )


ASKS = (
    Ask("move_stock", move_stock, when="!manifest"),
    Ask("fetch_from_anywhere", fetch_from_anywhere, when="!manifest"),
    Ask("fill_transfer", fill_transfer, when="manifest"),
    Ask("cancel_transfer", cancel_transfer),
    Ask("order_what_is_short", order_what_is_short, when="full"),
    Ask("cancel_supply", cancel_supply, when="full"),
    Ask("set_reorder_point", set_point, when="full"),
    Ask("record_count", record_count, when="full counts"),
    Ask("block_first_batch", block_first_batch, when="full batches"),
    Ask("total_on_hand", total_on_hand),
    Ask("depot_worth", depot_worth, when="full"),
    Ask("who_delivers", who_delivers, when="full sources"),
    Ask("who_keeps_the_depot", who_keeps_it, when="full staff"),
    *REFUSALS,
)
