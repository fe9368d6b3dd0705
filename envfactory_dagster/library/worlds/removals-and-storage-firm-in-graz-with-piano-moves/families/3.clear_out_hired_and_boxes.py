import datetime


def _ago(text, days):
    return (datetime.date.fromisoformat(text[:10]) - datetime.timedelta(days=days)).isoformat()


def _hire(line, today):
    days = (datetime.date.fromisoformat(today) - datetime.date.fromisoformat(line["ordered_on"])).days
    return line["out"] * line["unit_price_cents"] * max(1, (days + 6) // 7)


def instances(world, rng):
    """A day and a kind of box, with several orders of which some have hired pieces or such boxes out."""
    tops = world.one(
        "SELECT (SELECT max(id) FROM material_orders) AS o, (SELECT max(id) FROM material_order_lines) AS l,"
        " (SELECT max(id) FROM material_returns) AS r"
    )
    today = world.clock[:10]
    kinds = world.query(
        "SELECT m.id, m.name, m.sale_price_cents, m.hire_per_week_cents, m.unused_refund_percent FROM packing_materials m"
    )
    boxes = [kind for kind in kinds if kind["name"].endswith("box") and kind["sale_price_cents"] is not None]
    old = world.query(
        "SELECT l.id, l.packing_material_id, l.mode, l.unit_price_cents, o.ordered_on,"
        " l.quantity - coalesce((SELECT sum(r.quantity) FROM material_returns r"
        " WHERE r.material_order_line_id = l.id), 0) AS out"
        " FROM material_order_lines l JOIN material_orders o ON o.id = l.material_order_id"
        " WHERE o.customer_id = 1 AND o.status = 'handed_out'"
    )
    for _ in range(500):
        before = _ago(today, rng.randint(3, 62))
        box = rng.choice(boxes)
        given = {"material_orders": [], "material_order_lines": [], "material_returns": []}
        lines = list(old)
        for number in range(rng.randint(4, 7)):
            ordered = _ago(today, rng.randint(2, 70))
            status = rng.choice(("handed_out", "handed_out", "handed_out", "ordered", "cancelled"))
            order = tops["o"] + 1 + number
            given["material_orders"].append(
                {
                    "id": order,
                    "code": f"MB-2025-{300 + number:04d}",
                    "customer_id": 1,
                    "ordered_on": ordered,
                    "status": status,
                }
            )
            for kind in rng.sample(kinds, rng.randint(1, 3)):
                modes = []
                if kind["sale_price_cents"] is not None:
                    modes.append(("bought", kind["sale_price_cents"]))
                if kind["hire_per_week_cents"] is not None:
                    modes.append(("hired", kind["hire_per_week_cents"]))
                mode, price = rng.choice(modes)
                quantity = rng.randint(2, 12) if mode == "hired" else rng.randint(5, 45)
                line = tops["l"] + 1 + len(given["material_order_lines"])
                given["material_order_lines"].append(
                    {
                        "id": line,
                        "material_order_id": order,
                        "packing_material_id": kind["id"],
                        "mode": mode,
                        "quantity": quantity,
                        "unit_price_cents": price,
                    }
                )
                out = quantity
                if status == "handed_out" and rng.random() < 0.35:
                    back = rng.randint(1, quantity - 1)
                    out -= back
                    given["material_returns"].append(
                        {
                            "id": tops["r"] + 1 + len(given["material_returns"]),
                            "material_order_line_id": line,
                            "returned_on": _ago(today, 1),
                            "quantity": back,
                            "condition": "used" if mode == "hired" else "unused",
                            "refund_cents": (back * price * kind["unused_refund_percent"] + 50) // 100
                            if mode == "bought"
                            else 0,
                            "hire_cents": _hire(
                                {"out": back, "unit_price_cents": price, "ordered_on": ordered}, _ago(today, 1)
                            )
                            if mode == "hired"
                            else 0,
                        }
                    )
                if status == "handed_out":
                    lines.append(
                        {
                            "id": line,
                            "packing_material_id": kind["id"],
                            "mode": mode,
                            "unit_price_cents": price,
                            "ordered_on": ordered,
                            "out": out,
                        }
                    )
        hired = [x for x in lines if x["mode"] == "hired" and x["out"] > 0 and x["ordered_on"] < before]
        bought = [x for x in lines if x["mode"] == "bought" and x["out"] > 0 and x["packing_material_id"] == box["id"]]
        if len(hired) < 2 or len(bought) < 2 or len(hired) == len([x for x in lines if x["mode"] == "hired" and x["out"]]):
            continue
        hire = sum(_hire(x, today) for x in hired)
        refund = sum((x["out"] * x["unit_price_cents"] * box["unused_refund_percent"] + 50) // 100 for x in bought)
        if hire == refund:
            continue
        yield {
            "p": {
                "before": before,
                "material": box["name"].lower(),
                "hired": {str(x["id"]): x["out"] for x in hired},
                "bought": {str(x["id"]): x["out"] for x in bought},
                "hire": hire,
                "refund": refund,
            },
            "given": given,
        }


def solve(tools, p):
    hire = 0
    refund = 0
    for order in tools.list_material_orders(status="handed_out")["material_orders"]:
        for line in order["lines"]:
            out = line["quantity"] - line["returned"]
            if out < 1:
                continue
            if line["mode"] == "hired" and order["ordered_on"] < p["before"]:
                condition = "used"
            elif line["mode"] == "bought" and line["name"].lower() == p["material"]:
                condition = "unused"
            else:
                continue
            done = tools.return_material(
                material_order_line_id=line["material_order_line_id"], quantity=out, condition=condition
            )
            hire += done["hire_cents"]
            refund += done["refund_cents"]
    return {
        "outcome": "done",
        "answers": {"hire": hire, "refund": refund},
        "reason": None,
        "message": f"Everything is entered: the hire comes to €{hire / 100:.2f}, and you get €{refund / 100:.2f} back.",
    }


def _back(world, line, condition):
    """How many pieces of an item have come back in that condition since the start."""
    return sum(
        c["after"]["quantity"]
        for c in world.changes
        if c["table"] == "material_returns"
        and c["before"] is None
        and c["after"]["material_order_line_id"] == int(line)
        and c["after"]["condition"] == condition
    )


def goal_takes_back_the_hired_pieces(world, p):
    """All hired pieces from before that day are back, used."""
    return all(_back(world, line, "used") == out for line, out in p["hired"].items())


def goal_takes_back_the_boxes(world, p):
    """All boxes of that kind that were bought are back, unused."""
    return all(_back(world, line, "unused") == out for line, out in p["bought"].items())


def goal_says_the_hire(world, p):
    """Says what hire is to be paid."""
    return world.report.says("hire", p["hire"])


def goal_says_the_refund(world, p):
    """Says what comes back for the boxes."""
    return world.report.says("refund", p["refund"])


def guard_returns_these_pieces_only(world, p):
    """Changed nothing but these returns, no more pieces than are out, the stock by just as many, and orders now closed."""
    stock = {}
    returned = {}
    orders = set()
    for c in world.changes:
        if c["table"] == "material_returns" and c["before"] is None:
            line = str(c["after"]["material_order_line_id"])
            wanted = "used" if line in p["hired"] else "unused"
            if (line not in p["hired"] and line not in p["bought"]) or c["after"]["condition"] != wanted:
                return False
            returned[line] = returned.get(line, 0) + c["after"]["quantity"]
        elif c["table"] == "packing_materials" and c["before"] is not None and c["after"] is not None:
            if any(c["before"][k] != c["after"][k] for k in c["before"] if k != "stock"):
                return False
            stock[c["before"]["id"]] = c["after"]["stock"] - c["before"]["stock"]
        elif c["table"] == "material_orders" and c["before"] is not None and c["after"] is not None:
            if any(c["before"][k] != c["after"][k] for k in c["before"] if k != "status"):
                return False
            if c["after"]["status"] != "closed":
                return False
            orders.add(c["before"]["id"])
        else:
            return False
    if any(count > p["hired"].get(line, p["bought"].get(line, 0)) for line, count in returned.items()):
        return False
    expected = {}
    touched = set()
    for line, count in returned.items():
        row = world.initial.one(
            "SELECT l.packing_material_id AS m, l.material_order_id AS o FROM material_order_lines l WHERE l.id = ?",
            [int(line)],
        )
        expected[row["m"]] = expected.get(row["m"], 0) + count
        touched.add(row["o"])
    return stock == expected and orders <= touched


def guard_reports_that_it_is_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
