import datetime

STREETS = (
    "Zeillergasse 12",
    "Peinlichgasse 8",
    "Muchargasse 31",
    "Hans-Sachs-Gasse 5",
    "Sparbersbachgasse 41",
    "Klosterwiesgasse 66",
    "Fröhlichgasse 24",
    "Dominikanergasse 3",
    "Wielandgasse 19",
    "Rosenhaingasse 7",
    "Petersgasse 52",
    "Laimburggasse 20",
)


def _day(text, days):
    return (datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=days)).isoformat()


def instances(world, rng):
    """A floor and a value by which at least one move is raised and at least one is too late."""
    top = world.one("SELECT (SELECT max(id) FROM removals) AS removal, (SELECT max(id) FROM removal_addresses) AS address")
    busy = {row["removal_day"] for row in world.query("SELECT removal_day FROM removals WHERE status <> 'cancelled'")}
    for _ in range(600):
        floor = rng.randint(1, 4)
        value = rng.randint(30, 99) * 100000
        free_soon = [d for d in (_day(world.clock, n) for n in range(1, 7)) if d not in busy]
        free_later = [d for d in (_day(world.clock, n) for n in range(7, 80)) if d not in busy]
        days = rng.sample(free_soon, min(len(free_soon), rng.randint(0, 1))) + rng.sample(free_later, rng.randint(2, 4))
        removals = []
        addresses = []
        for number, day in enumerate(sorted(days)):
            status = rng.choice(("confirmed", "confirmed", "offered", "requested"))
            price = rng.randint(60, 330) * 1000
            row = {
                "id": top["removal"] + 1 + number,
                "code": f"U-2025-{600 + number:04d}",
                "customer_id": 1,
                "removal_day": day,
                "volume_m3": float(rng.randint(8, 40)),
                "price_cents": None if status == "requested" else price,
                "is_fixed_price": 0,
                "deposit_cents": None if status == "requested" else price * 3 // 10,
                "deposit_paid_on": _day(world.clock, -8) if status == "confirmed" else None,
                "insured_value_cents": rng.randint(8, 95) * 100000,
                "premium_per_thousand_cents": rng.choice((250, 300, 350)),
                "crew_leader_id": rng.randint(3, 4) if status == "confirmed" else None,
                "vehicle_id": rng.randint(1, 3) if status == "confirmed" else None,
                "status": status,
                "date_changes": 0,
                "requested_at": _day(world.clock, -rng.randint(15, 30)) + "T10:00:00",
                "confirmed_at": _day(world.clock, -10) + "T09:30:00" if status == "confirmed" else None,
            }
            removals.append(row)
            for stop, street in zip(("from", "to"), rng.sample(STREETS, 2)):
                addresses.append(
                    {
                        "id": top["address"] + 1 + len(addresses),
                        "removal_id": row["id"],
                        "stop": stop,
                        "street": street,
                        "town": "Graz",
                        "floor": rng.randint(0, 5),
                        "has_lift": rng.randint(0, 1),
                    }
                )
        old = world.query(
            "SELECT r.id, r.removal_day, r.insured_value_cents FROM removals r WHERE r.customer_id = 1"
            " AND r.status IN ('confirmed', 'offered', 'requested') AND r.insured_value_cents < ?"
            " AND (SELECT count(*) FROM removal_addresses a"
            " WHERE a.removal_id = r.id AND a.has_lift = 0 AND a.floor >= ?) > 0",
            [value, floor],
        )
        high = {a["removal_id"] for a in addresses if a["has_lift"] == 0 and a["floor"] >= floor}
        due = old + [r for r in removals if r["id"] in high and r["insured_value_cents"] < value]
        limit = _day(world.clock, 7)
        late = [r["removal_day"] for r in due if r["removal_day"] < limit]
        good = [r["id"] for r in due if r["removal_day"] >= limit]
        if not late or len(set(late)) != len(late) or not good or len(good) == len(late):
            continue
        yield {
            "p": {"floor": floor, "value": value, "good": sorted(good), "late": sorted(late)},
            "given": {"removals": removals, "removal_addresses": addresses},
        }


def solve(tools, p):
    raised = 0
    extra = 0
    late = []
    for status in ("confirmed", "offered", "requested"):
        for removal in tools.list_removals(status=status)["removals"]:
            details = tools.get_removal(removal_id=removal["removal_id"])
            stairs = [a for a in details["addresses"] if a["floor"] >= p["floor"] and not a["has_lift"]]
            if not stairs or details["insured_value_cents"] >= p["value"]:
                continue
            try:
                changed = tools.set_insured_value(removal_id=removal["removal_id"], insured_value_cents=p["value"])
            except tools.Error:
                late.append(details["removal_day"])
                continue
            raised += 1
            extra += changed["premium_cents"] - details["premium_cents"]
    late.sort()
    return {
        "outcome": "done",
        "answers": {"raised": raised, "extra_premium": extra, "too_late_days": late},
        "reason": None,
        "message": f"Raised: {raised}, for €{extra / 100:.2f} more in premiums; too late for the moves on {', '.join(late)}.",
    }


def goal_raises_every_move_in_time(world, p):
    """Every move with such stairs that is insured for less, and still 7 days away, has the value that was asked for."""
    return all(
        world.final.one("SELECT insured_value_cents AS v FROM removals WHERE id = ?", [number])["v"] == p["value"]
        for number in p["good"]
    )


def goal_says_how_many_were_raised(world, p):
    """Says for how many moves it was raised."""
    return world.report.says("raised", len(p["good"]))


def goal_says_the_extra_premium(world, p):
    """Says what the raised moves cost more in premiums."""
    extra = 0
    for number in p["good"]:
        row = world.initial.one("SELECT insured_value_cents, premium_per_thousand_cents FROM removals WHERE id = ?", [number])
        extra += (p["value"] // 100000 - row["insured_value_cents"] // 100000) * row["premium_per_thousand_cents"]
    return world.report.says("extra_premium", extra)


def goal_says_where_it_is_too_late(world, p):
    """Says the days of the moves for which it is too late."""
    return world.report.says("too_late_days", p["late"])


def guard_changes_only_these_values(world, p):
    """Changed nothing but the insured value of these moves, and to nothing else."""
    for c in world.changes:
        if c["table"] != "removals" or c["before"] is None or c["after"] is None or c["before"]["id"] not in p["good"]:
            return False
        if c["after"]["insured_value_cents"] != p["value"]:
            return False
        if any(c["before"][k] != c["after"][k] for k in c["before"] if k != "insured_value_cents"):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
