def _quote(world):
    return world.initial.one(
        "SELECT q.id, q.reader_id, sum(l.units) AS images, sum(l.units * l.unit_cents) AS cents FROM copy_quotes q"
        " JOIN readers r ON r.id = q.reader_id JOIN copy_quote_lines l ON l.copy_quote_id = q.id"
        " WHERE r.surname = 'Kilbane' AND r.forenames = 'Deirdre' AND q.quoted_on = '2026-09-18' GROUP BY q.id",
        [],
    )


def _orders(world):
    return [c["after"] for c in world.changes if c["table"] == "copy_orders" and c["before"] is None]


def _licences(world):
    return [c["after"] for c in world.changes if c["table"] == "publication_licences" and c["before"] is None]


def goal_places_the_order(world) -> bool:
    """Turned the quote of 18 September into an order for publication, to be collected at the desk."""
    rows = _orders(world)
    return (
        len(rows) == 1
        and rows[0]["copy_quote_id"] == _quote(world)["id"]
        and rows[0]["declaration_signed_on"] == "2026-10-02"
        and rows[0]["purpose"] == "publication"
        and rows[0]["delivery"] == "collect_at_desk"
    )


def goal_takes_the_full_amount_by_card(world) -> bool:
    """Took the full amount of the order by card."""
    rows = _orders(world)
    return (
        len(rows) == 1
        and rows[0]["status"] == "paid"
        and rows[0]["payment_method"] == "card"
        and rows[0]["paid_cents"] == _quote(world)["cents"] + rows[0]["delivery_cents"]
    )


def goal_gives_her_the_licence(world) -> bool:
    """Gave Deirdre Kilbane a licence for her book 'Slate and Salt' of 20 March 2027."""
    orders, rows = _orders(world), _licences(world)
    if len(orders) != 1 or len(rows) != 1:
        return False
    use = world.initial.one("SELECT use FROM licence_fees WHERE id = ?", [rows[0]["licence_fee_id"]])["use"]
    return (
        rows[0]["copy_order_id"] == orders[0]["id"]
        and use == "book_or_journal"
        and world.same_text(rows[0]["licensee"], "Deirdre Kilbane")
        and world.same_text(rows[0]["title"], "Slate and Salt")
        and rows[0]["publication_date"] == "2027-03-20"
        and rows[0]["fee_cents"] == 3000 * _quote(world)["images"]
    )


def goal_licenses_all_the_images(world) -> bool:
    """The licence covers all images of the order."""
    rows = _licences(world)
    if len(rows) != 1:
        return False
    row = world.final.one("SELECT sum(images) AS n FROM publication_licence_images WHERE publication_licence_id = ?", [rows[0]["id"]])
    return row["n"] == _quote(world)["images"]


def goal_says_what_it_all_comes_to(world) -> bool:
    """Says what images and licence come to together."""
    quote = _quote(world)
    return world.report.says("total", quote["cents"] + 3000 * quote["images"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_one_order_and_one_licence_only(world) -> bool:
    """Touched nothing but one new order on her quote and one new licence on that order."""
    orders, licences = _orders(world), _licences(world)
    if len(orders) > 1 or len(licences) > 1:
        return False
    for change in world.changes:
        table, after = change["table"], change["after"]
        if change["before"] is not None or after is None:
            return False
        if table == "copy_orders":
            if after["copy_quote_id"] != _quote(world)["id"]:
                return False
        elif table == "publication_licences":
            if not orders or after["copy_order_id"] != orders[0]["id"]:
                return False
        elif table != "publication_licence_images" or not licences or after["publication_licence_id"] != licences[0]["id"]:
            return False
    return True
