def _offers(world):
    rents = {"Osvaldo Grilli": 93000, "Daria Lanzoni": 89000, "Aldo Minguzzi": 85000}
    days = world.initial.query(
        "SELECT fee_thirds FROM market_days WHERE weekday = 'thursday' AND status <> 'called_off' AND held_on BETWEEN '2026-09-01' AND '2026-12-31'"
    )
    rows = world.initial.query(
        "SELECT t.name AS name, p.front_m AS front_m, p.is_corner AS is_corner, p.row_name AS row_name, k.holder_cents_per_m AS rate FROM concessions c"
        " JOIN traders t ON t.id = c.trader_id JOIN pitches p ON p.id = c.pitch_id JOIN price_categories k ON k.id = c.price_category_id"
        " WHERE c.weekday = 'thursday' AND c.status = 'active'"
        " AND NOT EXISTS (SELECT 1 FROM fee_charges f WHERE f.concession_id = c.id AND f.status = 'open')"
        " AND t.name IN ('Osvaldo Grilli', 'Daria Lanzoni', 'Aldo Minguzzi')"
    )
    result = []
    for row in rows:
        halves = int(row["front_m"] * 2)
        top = row["rate"] * halves * (115 if row["is_corner"] else 100) * (90 if row["row_name"] == "via_pistocchi" else 100)
        cents = max(600, (top + 10000) // 20000)
        total = rents[row["name"]] + sum((2 * cents * d["fee_thirds"] + 3) // 6 for d in days)
        result.append((total, row["name"].split()[1]))
    return sorted(result)


def goal_says_whose_offer(world) -> bool:
    """Says whose offer comes cheapest of those that will do."""
    return world.report.says("whose_offer", _offers(world)[0][1])


def goal_says_rent_and_fees(world) -> bool:
    """Says what rent and fees come to for that offer."""
    return world.report.says("rent_and_fees", _offers(world)[0][0])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return not world.changes
