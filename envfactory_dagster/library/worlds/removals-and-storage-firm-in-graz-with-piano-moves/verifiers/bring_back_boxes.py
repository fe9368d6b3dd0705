def _line(world, name, mode):
    return world.initial.one(
        "SELECT l.*, o.ordered_on, m.unused_refund_percent, m.used_refund_percent, m.stock FROM material_order_lines l"
        " JOIN material_orders o ON o.id = l.material_order_id"
        " JOIN packing_materials m ON m.id = l.packing_material_id"
        " WHERE o.customer_id = 1 AND o.ordered_on = '2025-03-03' AND m.name = ? AND l.mode = ?",
        [name, mode],
    )


def _book(world):
    return _line(world, "Book box", "bought")


def _wardrobe(world):
    return _line(world, "Wardrobe box", "hired")


def _returned(world, line, condition):
    return world.final.one(
        "SELECT coalesce(sum(quantity), 0) AS n, coalesce(sum(refund_cents), 0) AS refund,"
        " coalesce(sum(hire_cents), 0) AS hire FROM material_returns"
        " WHERE material_order_line_id = ? AND returned_on = '2025-04-17' AND condition = ?",
        [line["id"], condition],
    )


def _hire(world):
    # From 3 March to 17 April are 45 days, which is 7 weeks begun.
    return 3 * _wardrobe(world)["unit_price_cents"] * 7


def goal_takes_back_nine_unused(world) -> bool:
    """Nine book boxes are back unused, at the refund for that."""
    row = _returned(world, _book(world), "unused")
    line = _book(world)
    return row["n"] == 9 and row["refund"] == 9 * line["unit_price_cents"] * line["unused_refund_percent"] // 100


def goal_takes_back_22_used(world) -> bool:
    """22 book boxes are back used, at the refund for that."""
    row = _returned(world, _book(world), "used")
    line = _book(world)
    return row["n"] == 22 and row["refund"] == 22 * line["unit_price_cents"] * line["used_refund_percent"] // 100


def goal_takes_back_the_wardrobe_boxes(world) -> bool:
    """All three wardrobe boxes are back used, with their hire charged."""
    row = _returned(world, _wardrobe(world), "used")
    return row["n"] == 3 and row["hire"] == _hire(world)


def goal_says_the_refund(world) -> bool:
    """Says what the person gets for the book boxes."""
    line = _book(world)
    unused = 9 * line["unit_price_cents"] * line["unused_refund_percent"] // 100
    used = 22 * line["unit_price_cents"] * line["used_refund_percent"] // 100
    return world.report.says("book_box_refund", unused + used)


def goal_says_the_hire(world) -> bool:
    """Says how much hire has run up on the wardrobe boxes."""
    return world.report.says("wardrobe_hire", _hire(world))


def guard_changes_these_returns_and_the_stock_only(world) -> bool:
    """Changed nothing but new returns of these two items, no more pieces than said, and the stock by just as many."""
    book = _book(world)
    wardrobe = _wardrobe(world)
    back = {(book["id"], "unused"): 0, (book["id"], "used"): 0, (wardrobe["id"], "used"): 0}
    stock = {}
    for c in world.changes:
        if c["table"] == "material_returns" and c["before"] is None:
            key = (c["after"]["material_order_line_id"], c["after"]["condition"])
            if key not in back:
                return False
            back[key] += c["after"]["quantity"]
        elif c["table"] == "packing_materials" and c["before"] is not None and c["after"] is not None:
            if any(c["before"][k] != c["after"][k] for k in c["before"] if k != "stock"):
                return False
            stock[c["before"]["id"]] = c["after"]["stock"] - c["before"]["stock"]
        else:
            return False
    books = back[(book["id"], "unused")] + back[(book["id"], "used")]
    wardrobes = back[(wardrobe["id"], "used")]
    expected = {book["packing_material_id"]: books, wardrobe["packing_material_id"]: wardrobes}
    return (
        back[(book["id"], "unused")] <= 9
        and back[(book["id"], "used")] <= 22
        and wardrobes <= 3
        and stock == {material: n for material, n in expected.items() if n}
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule against it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
