import datetime

ENDS = (
    "Am Eisernen Tor 3",
    "Burggasse 12",
    "Color-Mauerhofer-Weg 7",
    "Dreierschützengasse 40",
    "Exerzierplatzstraße 15",
    "Floßlendstraße 9",
    "Georgigasse 66",
    "Hugo-Wolf-Gasse 8",
    "Innerhoferstraße 2",
    "Kosakengasse 17",
    "Lendkai 91",
    "Mohsgasse 24",
)
TOWNS = ("Graz", "Graz", "Graz", "Weiz", "Leibnitz", "Stattegg")


def _day(text, days):
    return (datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=days)).isoformat()


def _lead(today, day, holidays):
    """The working days after today up to that day, that day included."""
    count = 0
    at = datetime.date.fromisoformat(today)
    while at.isoformat() < day:
        at += datetime.timedelta(days=1)
        if at.weekday() < 5 and at.isoformat() not in holidays:
            count += 1
    return count


def instances(world, rng):
    """A stretch of days with confirmed moves, some early enough for a zone and some too near."""
    tops = world.one(
        "SELECT (SELECT max(id) FROM removals) AS one, (SELECT max(id) FROM removal_addresses) AS two,"
        " (SELECT max(id) FROM no_stopping_zones) AS three"
    )
    today = world.clock[:10]
    holidays = {row["day"] for row in world.query("SELECT h.day FROM public_holidays h ORDER BY h.day")}
    busy = {row["removal_day"] for row in world.query("SELECT r.removal_day FROM removals r WHERE r.status <> 'offered'")}
    old = world.query(
        "SELECT a.id, a.town, r.removal_day, (SELECT count(*) FROM no_stopping_zones z"
        " WHERE z.removal_address_id = a.id AND z.status <> 'withdrawn') AS standing"
        " FROM removal_addresses a JOIN removals r ON r.id = a.removal_id"
        " WHERE r.customer_id = 1 AND r.status = 'confirmed' ORDER BY a.id"
    )
    for _ in range(600):
        start = rng.randint(5, 15)
        first = _day(today, start)
        last = _day(today, start + rng.randint(14, 30))
        signs = rng.randint(2, 6)
        given = {"removals": [], "removal_addresses": [], "no_stopping_zones": []}
        ends = list(old)
        days = [d for d in (_day(today, n) for n in range(2, 45)) if d not in busy and d not in holidays]
        for number, day in enumerate(sorted(rng.sample(days, rng.randint(4, 7)))):
            price = rng.randint(60, 350) * 1000
            move = tops["one"] + 1 + number
            given["removals"].append(
                {
                    "id": move,
                    "code": f"U-2025-{500 + number:04d}",
                    "customer_id": 1,
                    "removal_day": day,
                    "volume_m3": float(rng.randint(6, 40)),
                    "price_cents": price,
                    "is_fixed_price": 0,
                    "deposit_cents": price * 3 // 10,
                    "deposit_paid_on": _day(today, -6),
                    "insured_value_cents": 3000000,
                    "premium_per_thousand_cents": 300,
                    "crew_leader_id": rng.randint(1, 4),
                    "vehicle_id": rng.randint(1, 3),
                    "status": "confirmed",
                    "date_changes": rng.randint(0, 1),
                    "requested_at": _day(today, -32) + "T11:30:00",
                    "confirmed_at": _day(today, -27) + "T10:15:00",
                }
            )
            for stop, street in zip(("from", "to"), rng.sample(ENDS, 2)):
                address = tops["two"] + 1 + len(given["removal_addresses"])
                town = rng.choice(TOWNS)
                given["removal_addresses"].append(
                    {
                        "id": address,
                        "removal_id": move,
                        "stop": stop,
                        "street": street,
                        "town": town,
                        "floor": rng.randint(0, 4),
                        "has_lift": rng.randint(0, 1),
                    }
                )
                status = rng.choice((None, None, None, "applied", "approved", "withdrawn"))
                if status is not None and town == "Graz":
                    given["no_stopping_zones"].append(
                        {
                            "id": tops["three"] + 1 + len(given["no_stopping_zones"]),
                            "removal_address_id": address,
                            "zone_day": day,
                            "signs": 2,
                            "applied_on": min(_day(day, -24), _day(today, -3)),
                            "signs_up_on": _day(day, -3),
                            "application_fee_cents": 3900,
                            "sign_rent_cents": 3200,
                            "status": status,
                            "withdrawn_at": _day(today, -1) + "T15:00:00" if status == "withdrawn" else None,
                        }
                    )
                ends.append(
                    {
                        "id": address,
                        "town": town,
                        "removal_day": day,
                        "standing": 1 if town == "Graz" and status in ("applied", "approved") else 0,
                    }
                )
        open_ends = [e for e in ends if e["town"] == "Graz" and not e["standing"] and first <= e["removal_day"] <= last]
        late = sorted({e["removal_day"] for e in open_ends if _lead(today, e["removal_day"], holidays) < 10})
        good = [e for e in open_ends if e["removal_day"] not in late]
        if not late or len(good) < 2 or len(good) == len(late):
            continue
        yield {
            "p": {
                "first": first,
                "last": last,
                "signs": signs,
                "ends": {str(e["id"]): e["removal_day"] for e in good},
                "late": late,
            },
            "given": given,
        }


def solve(tools, p):
    count = 0
    cost = 0
    late = set()
    for short in tools.list_removals(status="confirmed", first_day=p["first"], last_day=p["last"])["removals"]:
        move = tools.get_removal(removal_id=short["removal_id"])
        standing = {zone["removal_address_id"] for zone in move["zones"] if zone["status"] != "withdrawn"}
        for address in move["addresses"]:
            if address["town"] != "Graz" or address["removal_address_id"] in standing:
                continue
            try:
                zone = tools.apply_for_zone(
                    removal_address_id=address["removal_address_id"], zone_day=move["removal_day"], signs=p["signs"]
                )
            except tools.Error:
                late.add(move["removal_day"])
                continue
            count += 1
            cost += zone["application_fee_cents"] + zone["sign_rent_cents"]
    days = sorted(late)
    return {
        "outcome": "done",
        "answers": {"zones": count, "cost": cost, "too_late_days": days},
        "reason": None,
        "message": f"Zones applied for: {count}, at €{cost / 100:.2f} altogether; too late for the moves on {', '.join(days)}.",
    }


def goal_applies_at_every_such_address(world, p):
    """Every such address has one zone applied for, on the day of its move and with the signs that were asked for."""
    for address, day in p["ends"].items():
        rows = world.final.query(
            "SELECT z.zone_day, z.signs FROM no_stopping_zones z WHERE z.removal_address_id = ? AND z.status = 'applied'",
            [int(address)],
        )
        if [(row["zone_day"], row["signs"]) for row in rows] != [(day, p["signs"])]:
            return False
    return True


def goal_says_how_many_zones(world, p):
    """Says how many zones were applied for."""
    return world.report.says("zones", len(p["ends"]))


def goal_says_what_they_cost(world, p):
    """Says what the zones cost: 39 euros for each application and 16 for each sign."""
    return world.report.says("cost", len(p["ends"]) * (3900 + 1600 * p["signs"]))


def goal_says_for_which_it_is_too_late(world, p):
    """Says the days of the moves for which it is too late."""
    return world.report.says("too_late_days", p["late"])


def guard_adds_these_zones_only(world, p):
    """Changed nothing but one new zone at each of these addresses."""
    seen = []
    for c in world.changes:
        if c["table"] != "no_stopping_zones" or c["before"] is not None:
            return False
        seen.append(str(c["after"]["removal_address_id"]))
    return len(seen) == len(set(seen)) and set(seen) <= set(p["ends"])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
