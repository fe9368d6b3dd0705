import datetime

ROADS = (
    "Bienengasse 14",
    "Dreihackengasse 21",
    "Elisabethinergasse 8",
    "Feuerbachgasse 16",
    "Griesgasse 30",
    "Hafnerriegel 55",
    "Jakominigasse 47",
    "Kalchberggasse 10",
    "Lagergasse 98",
    "Marschallgasse 27",
    "Naglergasse 3",
    "Orpheumgasse 11",
)


def _on(text, days):
    return (datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=days)).isoformat()


def _back(world, row, today):
    """What comes back of the deposit of a move when it is cancelled today."""
    if row["deposit_paid_on"] is None:
        return 0
    days = (datetime.date.fromisoformat(row["removal_day"]) - datetime.date.fromisoformat(today)).days
    percent = world.one(
        "SELECT t.percent_of_price AS n FROM cancellation_terms t WHERE t.min_days_before <= ?"
        " ORDER BY t.min_days_before DESC LIMIT 1",
        [days],
    )["n"]
    return max(0, row["deposit_cents"] - (row["price_cents"] * percent + 50) // 100)


def instances(world, rng):
    """A stretch of days with several confirmed moves, one of which brings back most."""
    tops = world.one(
        "SELECT (SELECT max(id) FROM removals) AS move, (SELECT max(id) FROM removal_addresses) AS address,"
        " (SELECT max(id) FROM no_stopping_zones) AS zone"
    )
    today = world.clock[:10]
    old = world.query(
        "SELECT m.id, m.removal_day, m.price_cents, m.deposit_cents, m.deposit_paid_on FROM removals m"
        " WHERE m.customer_id = 1 AND m.status = 'confirmed' ORDER BY m.id"
    )
    busy = {row["removal_day"] for row in world.query("SELECT m.removal_day FROM removals m ORDER BY m.id")}
    for _ in range(600):
        start = rng.randint(1, 12)
        first = _on(today, start)
        last = _on(today, start + rng.randint(14, 35))
        given = {"removals": [], "removal_addresses": [], "no_stopping_zones": []}
        days = [d for d in (_on(today, n) for n in range(1, 48)) if d not in busy]
        for number, day in enumerate(sorted(rng.sample(days, rng.randint(4, 7)))):
            price = rng.randint(60, 380) * 1000
            move = tops["move"] + 1 + number
            given["removals"].append(
                {
                    "id": move,
                    "code": f"U-2025-{850 + number:04d}",
                    "customer_id": 1,
                    "removal_day": day,
                    "volume_m3": float(rng.randint(6, 40)),
                    "price_cents": price,
                    "is_fixed_price": rng.randint(0, 1),
                    "deposit_cents": price * 3 // 10,
                    "deposit_paid_on": _on(today, -12) if rng.random() < 0.85 else None,
                    "insured_value_cents": 2500000,
                    "premium_per_thousand_cents": 300,
                    "crew_leader_id": rng.randint(1, 4),
                    "vehicle_id": rng.randint(1, 3),
                    "status": "confirmed",
                    "date_changes": 0,
                    "requested_at": _on(today, -40) + "T09:00:00",
                    "confirmed_at": _on(today, -34) + "T09:00:00",
                }
            )
            for stop, street in zip(("from", "to"), rng.sample(ROADS, 2)):
                address = tops["address"] + 1 + len(given["removal_addresses"])
                given["removal_addresses"].append(
                    {
                        "id": address,
                        "removal_id": move,
                        "stop": stop,
                        "street": street,
                        "town": "Graz",
                        "floor": rng.randint(0, 4),
                        "has_lift": rng.randint(0, 1),
                    }
                )
                if rng.random() < 0.55:
                    signs = rng.randint(2, 4)
                    gone = rng.random() < 0.2
                    given["no_stopping_zones"].append(
                        {
                            "id": tops["zone"] + 1 + len(given["no_stopping_zones"]),
                            "removal_address_id": address,
                            "zone_day": day,
                            "signs": signs,
                            "applied_on": min(_on(day, -23), _on(today, -2)),
                            "signs_up_on": _on(day, -3),
                            "application_fee_cents": 3900,
                            "sign_rent_cents": signs * 1600,
                            "status": "withdrawn" if gone else rng.choice(("applied", "approved")),
                            "withdrawn_at": _on(today, -1) + "T10:00:00" if gone else None,
                        }
                    )
        moves = [row for row in old + given["removals"] if first <= row["removal_day"] <= last]
        if len(moves) < 4:
            continue
        ranked = sorted(((_back(world, row, today), row["id"], row["removal_day"]) for row in moves), reverse=True)
        best = ranked[0]
        if best[0] == 0 or best[0] == ranked[1][0]:
            continue
        worth = rng.random() < 0.7
        if worth:
            limit = max(1, best[0] * rng.randint(60, 100) // 100000) * 1000
        else:
            limit = (best[0] * rng.randint(105, 160) // 100000 + 1) * 1000
        if (best[0] >= limit) != worth:
            continue
        instance = {
            "p": {
                "today": today,
                "first": first,
                "last": last,
                "limit": limit,
                "worth": worth,
                "move": best[1],
                "day": best[2],
                "back": best[0],
            },
            "given": given,
        }
        if not worth:
            instance["kind"] = "information"
        yield instance


def solve(tools, p):
    terms = tools.list_cancellation_terms()["cancellation_terms"]
    today = datetime.date.fromisoformat(p["today"])
    best = None
    for short in tools.list_removals(status="confirmed", first_day=p["first"], last_day=p["last"])["removals"]:
        move = tools.get_removal(removal_id=short["removal_id"])
        if move["deposit_paid_on"] is None:
            continue
        days = (datetime.date.fromisoformat(move["removal_day"]) - today).days
        term = max((t for t in terms if t["min_days_before"] <= days), key=lambda t: t["min_days_before"])
        back = max(0, move["deposit_cents"] - (move["price_cents"] * term["percent_of_price"] + 50) // 100)
        if best is None or back > best[0]:
            best = (back, move)
    back, move = best
    if back < p["limit"]:
        return {
            "outcome": "done",
            "answers": {"best_day": move["removal_day"], "comes_back": back, "zones_owed": None},
            "reason": None,
            "message": f"The move on {move['removal_day']} would bring back €{back / 100:.2f}, the most of all, but that is"
            " too little, so nothing was cancelled.",
        }
    cancelled = tools.cancel_removal(removal_id=move["removal_id"])
    owed = 0
    for zone in move["zones"]:
        if zone["status"] != "withdrawn":
            gone = tools.withdraw_zone(no_stopping_zone_id=zone["no_stopping_zone_id"])
            owed += gone["application_fee_owed_cents"] + gone["sign_rent_owed_cents"]
    return {
        "outcome": "done",
        "answers": {
            "best_day": move["removal_day"],
            "comes_back": cancelled["refund_cents"],
            "zones_owed": owed,
        },
        "reason": None,
        "message": f"The move on {move['removal_day']} is cancelled; €{cancelled['refund_cents'] / 100:.2f} comes back,"
        f" and €{owed / 100:.2f} stays owed for its zones.",
    }


def _zones(world, p):
    return world.initial.query(
        "SELECT z.id, z.signs_up_on, z.application_fee_cents, z.sign_rent_cents FROM no_stopping_zones z"
        " JOIN removal_addresses d ON d.id = z.removal_address_id WHERE d.removal_id = ? AND z.status <> 'withdrawn'",
        [p["move"]],
    )


def goal_cancels_that_move_or_none(world, p):
    """The move that brings back most is cancelled; where it is not worth it, that is reported and nothing changed."""
    if not p["worth"]:
        return world.report.outcome == "done" and world.changes == []
    row = world.final.one("SELECT m.status AS s FROM removals m WHERE m.id = ?", [p["move"]])
    return row["s"] == "cancelled"


def goal_withdraws_its_zones(world, p):
    """All zones that still stood for that move are withdrawn, after it was cancelled; none where it is not worth it."""
    if not p["worth"]:
        return world.report.outcome == "done" and world.changes == []
    if world.final.one("SELECT m.status AS now FROM removals m WHERE m.id = ?", [p["move"]])["now"] != "cancelled":
        return False
    return all(
        world.final.one("SELECT z.status AS s FROM no_stopping_zones z WHERE z.id = ?", [zone["id"]])["s"] == "withdrawn"
        for zone in _zones(world, p)
    )


def goal_says_which_day(world, p):
    """Says the day of the move that brings back most."""
    return world.report.says("best_day", p["day"])


def goal_says_what_comes_back(world, p):
    """Says what comes back of its deposit, or would."""
    return world.report.says("comes_back", p["back"])


def goal_says_what_the_zones_cost(world, p):
    """Says what stays owed for the zones; nothing where it is not worth it."""
    if not p["worth"]:
        return world.report.says("zones_owed", None)
    owed = 0
    for zone in _zones(world, p):
        owed += zone["application_fee_cents"]
        if zone["signs_up_on"] <= p["today"]:
            owed += zone["sign_rent_cents"]
    return world.report.says("zones_owed", owed)


def guard_touches_that_move_and_its_zones_only(world, p):
    """Changed nothing but the cancellation of that move and the withdrawal of its zones, and nothing if not worth it."""
    if not p["worth"]:
        return world.changes == []
    zones = {zone["id"] for zone in _zones(world, p)}
    for c in world.changes:
        if c["before"] is None or c["after"] is None:
            return False
        if c["table"] == "removals" and c["before"]["id"] == p["move"]:
            free = ("status", "cancelled_at", "cancellation_term_id")
            wanted = "cancelled"
        elif c["table"] == "no_stopping_zones" and c["before"]["id"] in zones:
            free = ("status", "withdrawn_at")
            wanted = "withdrawn"
        else:
            return False
        if c["after"]["status"] != wanted or any(c["before"][k] != c["after"][k] for k in c["before"] if k not in free):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
