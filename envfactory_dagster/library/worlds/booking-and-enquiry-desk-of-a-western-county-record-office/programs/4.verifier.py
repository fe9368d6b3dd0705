def _cents(world, product):
    row = world.initial.one("SELECT 12 * unit_cents AS cents FROM copy_prices WHERE product = ?", [product])
    return max(500, row["cents"])


def _cheaper(world):
    return min(("pdf_scan_page", "a3_photocopy"), key=lambda product: _cents(world, product))


def _due(world):
    return _cents(world, _cheaper(world)) <= 1000


def _reader(world):
    return world.initial.one("SELECT id FROM readers WHERE surname = 'Lally' AND town = 'Oughterard'", [])["id"]


def _piece(world):
    return world.initial.one(
        "SELECT id FROM pieces WHERE title LIKE 'Kilmeena burial register%' AND first_year <= 1887 AND last_entry_on >= '1887-12-31'", []
    )["id"]


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_quotes_both(world) -> bool:
    """Made her a quote for 12 pages of the right register as scans and one as A3 photocopies."""
    mine = [q["id"] for q in _new(world, "copy_quotes") if q["reader_id"] == _reader(world)]
    for product in ("pdf_scan_page", "a3_photocopy"):
        price = world.initial.one("SELECT id FROM copy_prices WHERE product = ?", [product])["id"]
        lines = [x for x in _new(world, "copy_quote_lines") if x["copy_quote_id"] in mine and x["copy_price_id"] == price]
        if not any(x["units"] == 12 and x["piece_id"] == _piece(world) for x in lines):
            return False
    return True


def goal_orders_the_cheaper_and_takes_the_money(world) -> bool:
    """Ordered the cheaper one for collection, for the family, and took the whole sum by card, if it is no more than 10 euro."""
    orders = _new(world, "copy_orders")
    if not _due(world):
        return not orders and world.report.outcome is not None
    if len(orders) != 1:
        return False
    order = orders[0]
    price = world.initial.one("SELECT id FROM copy_prices WHERE product = ?", [_cheaper(world)])["id"]
    lines = [x for x in _new(world, "copy_quote_lines") if x["copy_quote_id"] == order["copy_quote_id"]]
    right = len(lines) == 1 and lines[0]["copy_price_id"] == price and lines[0]["piece_id"] == _piece(world) and lines[0]["units"] == 12
    terms = order["delivery"] == "collect_at_desk" and order["purpose"] == "family_use" and order["declaration_signed_on"] == "2026-10-02"
    paid = order["status"] == "paid" and order["payment_method"] == "card" and order["paid_cents"] == _cents(world, _cheaper(world))
    return right and terms and paid


def goal_says_the_price_of_scans(world) -> bool:
    """Says what the scans come to."""
    return world.report.says("scans_price", _cents(world, "pdf_scan_page"))


def goal_says_the_price_of_photocopies(world) -> bool:
    """Says what the A3 photocopies come to."""
    return world.report.says("photocopies_price", _cents(world, "a3_photocopy"))


def goal_says_which_was_ordered(world) -> bool:
    """Says which of the two was ordered, or nothing if neither was."""
    names = {"pdf_scan_page": "PDF scans", "a3_photocopy": "A3 photocopies"}
    return world.report.outcome is not None and world.report.says("ordered", names[_cheaper(world)] if _due(world) else None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_her_quotes_and_one_order(world) -> bool:
    """Changed nothing but two new quotes of hers with their lines and one new order."""
    if any(c["before"] is not None or c["after"] is None for c in world.changes):
        return False
    if any(c["table"] not in ("copy_quotes", "copy_quote_lines", "copy_orders") for c in world.changes):
        return False
    quotes, lines, orders = _new(world, "copy_quotes"), _new(world, "copy_quote_lines"), _new(world, "copy_orders")
    return (
        len(quotes) <= 2
        and len(lines) <= 2
        and len(orders) <= 1
        and all(q["reader_id"] == _reader(world) for q in quotes)
        and all(x["piece_id"] == _piece(world) and x["units"] == 12 for x in lines)
        and all(o["copy_quote_id"] in [q["id"] for q in quotes] for o in orders)
    )
