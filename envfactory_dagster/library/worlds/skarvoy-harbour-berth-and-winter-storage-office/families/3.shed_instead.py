import datetime

OWN_NAMES = ("Sildra", "Vesla", "Gullmåken", "Fjordrosa", "Blåtind", "Havørna", "Stjerna", "Kvikk", "Solvår", "Brimnes")
CODES = ("D1", "D2", "E1", "E2", "F1", "F2", "H1", "H2")


def _day(text):
    return datetime.date.fromisoformat(text)


def _plus(text, days):
    return (_day(text) + datetime.timedelta(days=days)).isoformat()


def _plan(boat, place, places, bays, invoices, p):
    """What is to be paid, which bay is to be reserved, and whether the rule forbids it."""
    arrears = {}
    for invoice in invoices:
        left = invoice["amount_cents"] - invoice["paid_cents"]
        if left > 0 and (_day(p["today"]) - _day(invoice["due_on"])).days > 30:
            arrears[invoice["id"]] = left
    others = [q for q in places if q["mine"] and q["id"] != place["id"] and q["status"] != "released"]
    total = sum(arrears.values())
    full = {
        q["shed_bay_id"]
        for q in places
        if q["id"] != place["id"]
        and q["status"] != "released"
        and q["first_day"] <= place["last_day"]
        and q["last_day"] >= place["first_day"]
    }
    fitting = [
        b for b in bays if b["id"] not in full and b["length_cm"] >= boat["length_cm"] and b["width_cm"] >= boat["beam_cm"]
    ]
    best = min(fitting, key=lambda b: b["winter_price_cents"]) if fitting else None
    return {"arrears": arrears, "bay": best, "refused": total > p["limit"] or len(others) > 1}


def instances(world, rng):
    """A boat to take the place of another in the shed, with and without old invoices and further places."""
    today = world.clock[:10]
    year = int(today[:4])
    boats = world.query("SELECT id, name, length_cm, beam_cm FROM boats WHERE boat_owner_id = 1 ORDER BY beam_cm DESC, id")
    places = world.query(
        "SELECT s.id, s.boat_id, s.shed_bay_id, s.first_day, s.last_day, s.status, b.name AS boat_name,"
        " b.boat_owner_id = 1 AS mine FROM shed_places s JOIN boats b ON b.id = s.boat_id ORDER BY s.id"
    )
    bays = world.query("SELECT id, code, length_cm, width_cm, winter_price_cents FROM shed_bays ORDER BY winter_price_cents")
    before = world.query(
        "SELECT i.id, i.due_on, i.amount_cents, coalesce(sum(p.amount_cents), 0) AS paid_cents FROM invoices i"
        " LEFT JOIN payments p ON p.invoice_id = i.id WHERE i.boat_owner_id = 1 GROUP BY i.id ORDER BY i.due_on"
    )
    berth = world.one("SELECT id, night_price_cents FROM berths WHERE kind = 'guest' ORDER BY night_price_cents LIMIT 1")
    taken = world.query("SELECT first_day, last_day FROM guest_stays WHERE berth_id = ? ORDER BY first_day", [berth["id"]])
    done, refused = 0, 0
    for _ in range(6000):
        names = rng.sample(OWN_NAMES, 3)
        own = []
        for i, name in enumerate(names):
            length = rng.randrange(440, 860, 10)
            own.append(
                {
                    "id": 5001 + i,
                    "boat_owner_id": 1,
                    "name": name,
                    "length_cm": length,
                    "beam_cm": length // 15 * 5 + rng.randrange(0, 15, 5),
                    "draught_cm": rng.randrange(50, 140, 5),
                    "weight_kg": length * 4,
                }
            )
        prices = {b["winter_price_cents"] for b in bays}
        more = []
        for i, code in enumerate(rng.sample(CODES, rng.randint(3, 5))):
            length = rng.randrange(560, 920, 10)
            price = rng.randrange(280000, 640000, 5000)
            if price not in prices:
                prices.add(price)
                more.append(
                    {
                        "id": 5001 + i,
                        "code": code,
                        "length_cm": length,
                        "width_cm": length // 15 * 5 + rng.randrange(20, 60, 5),
                        "winter_price_cents": price,
                    }
                )
        every = bays + more
        new_places, shown = [], []
        for boat in own[1 : 1 + rng.choice((0, 1, 1, 2))]:
            start = _plus(f"{year}-10-01", rng.randint(0, 35))
            end = _plus(f"{year + 1}-03-20", rng.randint(0, 45))
            free = [
                b
                for b in every
                if b["length_cm"] >= boat["length_cm"]
                and b["width_cm"] >= boat["beam_cm"]
                and not any(
                    q["shed_bay_id"] == b["id"] and q["status"] != "released" and q["first_day"] <= end and q["last_day"] >= start
                    for q in places + shown
                )
            ]
            live = [q for q in places + shown if q["mine"] and q["status"] != "released"]
            if not free or len(live) > 2:
                continue
            bay = rng.choice(free)
            row = {
                "id": 5001 + len(new_places),
                "boat_id": boat["id"],
                "shed_bay_id": bay["id"],
                "first_day": start,
                "last_day": end,
                "price_cents": bay["winter_price_cents"],
                "status": "reserved",
                "reserved_at": f"{_plus(today, -rng.randint(1, 12))}T{rng.randint(8, 20):02d}:50:00",
                "released_at": None,
            }
            new_places.append(row)
            shown.append(dict(row, mine=1, boat_name=boat["name"]))
        stays, invoices, payments = [], [], []
        leave = _plus(today, -rng.randint(66, 90))
        for i in range(rng.choice((0, 0, 1, 2, 2))):
            nights = rng.randint(2, 5)
            arrive = _plus(leave, -nights)
            if not any(t["first_day"] < leave and t["last_day"] > arrive for t in taken):
                number = 5001 + len(stays)
                stays.append(
                    {
                        "id": number,
                        "boat_id": 5001,
                        "berth_id": berth["id"],
                        "absence_notice_id": None,
                        "first_day": arrive,
                        "last_day": leave,
                        "night_price_cents": berth["night_price_cents"],
                        "status": "completed",
                        "booked_at": f"{_plus(arrive, -rng.randint(2, 9))}T{rng.randint(8, 20):02d}:10:00",
                        "cancelled_at": None,
                    }
                )
                amount = nights * berth["night_price_cents"]
                invoices.append(
                    {
                        "id": number,
                        "boat_owner_id": 1,
                        "invoice_number": f"SKV-{rng.randint(4000, 5900) + 2000 * i:05d}",
                        "berth_lease_id": None,
                        "guest_stay_id": number,
                        "crane_lift_id": None,
                        "shed_place_id": None,
                        "amount_cents": amount,
                        "issued_on": _plus(leave, 1),
                        "due_on": _plus(leave, 31),
                    }
                )
                if rng.random() < 0.4:
                    payments.append(
                        {
                            "id": number,
                            "invoice_id": number,
                            "amount_cents": amount // 2 // 1000 * 1000,
                            "paid_at": f"{_plus(leave, rng.randint(4, 28))}T{rng.randint(8, 20):02d}:40:00",
                        }
                    )
            leave = _plus(arrive, -rng.randint(3, 12))
        bills = list(before)
        for invoice in invoices:
            paid = sum(y["amount_cents"] for y in payments if y["invoice_id"] == invoice["id"])
            bills.append({"id": invoice["id"], "due_on": invoice["due_on"], "amount_cents": invoice["amount_cents"], "paid_cents": paid})
        if any((_day(today) - _day(b["due_on"])).days in (30, 31) and b["paid_cents"] < b["amount_cents"] for b in bills):
            continue

        all_places = places + shown
        reserved = [q for q in all_places if q["mine"] and q["status"] == "reserved" and q["first_day"] > today]
        if not reserved:
            continue
        place = rng.choice(reserved)
        if sum(1 for q in reserved if q["boat_id"] == place["boat_id"]) > 1:
            continue
        housed = {q["boat_id"] for q in all_places if q["status"] != "released"}
        ready = [b for b in boats + own[:1] if b["id"] not in housed]
        if not ready:
            continue
        boat = own[0] if rng.random() < 0.6 else rng.choice(ready)
        p = {"today": today, "boat": boat["name"], "other": place["boat_name"], "limit": rng.randrange(60000, 620000, 10000)}
        plan = _plan(boat, place, all_places, every, bills, p)
        if plan["bay"] is None:
            continue
        total = sum(plan["arrears"].values())
        if plan["refused"]:
            if refused * 2 > done:
                continue
            refused += 1
        else:
            done += 1
        p["boat_id"], p["place_id"] = boat["id"], place["id"]
        used = {q["boat_id"] for q in new_places} | {boat["id"]} | ({5001} if stays else set())
        given = {
            "boats": [b for b in own if b["id"] in used],
            "shed_bays": more,
            "shed_places": new_places,
            "guest_stays": stays,
            "invoices": invoices,
            "payments": payments,
        }
        task = {"p": p, "given": {table: rows for table, rows in given.items() if rows}}
        if plan["refused"]:
            task["kind"] = "refusal"
            task["rule"] = "shed_place_no_arrears"
        yield task


def solve(tools, p):
    boat = next(b for b in tools.list_my_boats()["boats"] if b["name"] == p["boat"])
    places = [s for s in tools.list_my_shed_places()["shed_places"] if s["status"] != "released"]
    place = next(s for s in places if s["boat_name"] == p["other"] and s["status"] == "reserved")
    unpaid = tools.list_my_invoices(state="unpaid", last_due_day=_plus(p["today"], -31))["invoices"]
    total = sum(invoice["left_cents"] for invoice in unpaid)
    if total > p["limit"] or len(places) - 1 > 1:
        return {
            "outcome": "refused",
            "answers": {"bay": None, "price": None, "paid": None},
            "reason": "shed_place_no_arrears",
            "message": (
                f"The {p['boat']} can't get a shed place: {total / 100:.2f} kroner are more than 30 days overdue, and you have"
                f" {len(places) - 1} other shed places besides the {p['other']}'s. Nothing was changed."
            ),
        }
    for invoice in unpaid:
        tools.pay_invoice(invoice_id=invoice["id"], amount_cents=invoice["left_cents"])
    tools.release_shed_place(shed_place_id=place["id"])
    bays = tools.search_shed_bays(
        min_length_cm=boat["length_cm"],
        min_width_cm=boat["beam_cm"],
        free_first_day=place["first_day"],
        free_last_day=place["last_day"],
    )["shed_bays"]
    bay = min(bays, key=lambda b: b["winter_price_cents"])
    new = tools.reserve_shed_place(
        boat_id=boat["id"], shed_bay_id=bay["id"], first_day=place["first_day"], last_day=place["last_day"]
    )["shed_place"]
    return {
        "outcome": "done",
        "answers": {"bay": new["bay_code"], "price": new["price_cents"], "paid": total},
        "reason": None,
        "message": (
            f"The {p['other']}'s place is released, and bay {new['bay_code']} is reserved for the {p['boat']} for"
            f" {new['price_cents'] / 100:.2f} kroner; {total / 100:.2f} kroner of old invoices were paid."
        ),
    }


def _right(world, p):
    boat = world.initial.one("SELECT b.length_cm, b.beam_cm FROM boats b WHERE b.id = ?", [p["boat_id"]])
    places = world.initial.query(
        "SELECT q.id, q.boat_id, q.shed_bay_id, q.first_day, q.last_day, q.status, o.boat_owner_id = 1 AS mine"
        " FROM shed_places q JOIN boats o ON o.id = q.boat_id WHERE q.status <> 'released'"
    )
    bays = world.initial.query("SELECT b.id, b.code, b.length_cm, b.width_cm, b.winter_price_cents FROM shed_bays b")
    invoices = world.initial.query(
        "SELECT v.id, v.due_on, v.amount_cents, (SELECT coalesce(sum(y.amount_cents), 0) FROM payments y"
        " WHERE y.invoice_id = v.id) AS paid_cents FROM invoices v WHERE v.boat_owner_id = 1 AND v.due_on < ?",
        [p["today"]],
    )
    place = next(q for q in places if q["id"] == p["place_id"])
    plan = _plan(boat, place, places, bays, invoices, p)
    plan["place"] = place
    return plan


def _paid_now(world):
    paid = {}
    for change in world.changes:
        if change["table"] == "payments" and change["before"] is None:
            row = change["after"]
            paid[row["invoice_id"]] = paid.get(row["invoice_id"], 0) + row["amount_cents"]
    return paid


def _is_the_place(p, plan, row):
    return (
        row["boat_id"] == p["boat_id"]
        and row["shed_bay_id"] == plan["bay"]["id"]
        and row["first_day"] == plan["place"]["first_day"]
        and row["last_day"] == plan["place"]["last_day"]
        and row["price_cents"] == plan["bay"]["winter_price_cents"]
        and row["status"] == "reserved"
        and row["released_at"] is None
    )


def goal_reserves_the_bay_or_declines(world, p):
    """Reserved the cheapest bay for the boat on the same days, or declined where the rule forbids it."""
    plan = _right(world, p)
    if plan["refused"]:
        return world.report.outcome == "refused" and not world.changes
    new = [c["after"] for c in world.changes if c["table"] == "shed_places" and c["before"] is None]
    return len(new) == 1 and _is_the_place(p, plan, new[0])


def goal_releases_the_other_place_or_leaves_it(world, p):
    """Released the place of the other boat, or left it as it is where the rule forbids the new one."""
    plan = _right(world, p)
    row = world.final.one("SELECT status FROM shed_places WHERE id = ?", [p["place_id"]])
    if plan["refused"]:
        return world.report.outcome == "refused" and row["status"] == "reserved"
    return row["status"] == "released"


def goal_says_bay(world, p):
    """Says which bay is reserved, or nothing if none is."""
    plan = _right(world, p)
    return world.report.outcome is not None and world.report.says("bay", None if plan["refused"] else plan["bay"]["code"])


def goal_says_price(world, p):
    """Says what the bay costs, or nothing if none is reserved."""
    plan = _right(world, p)
    price = None if plan["refused"] else plan["bay"]["winter_price_cents"]
    return world.report.outcome is not None and world.report.says("price", price)


def goal_pays_the_arrears_and_says_how_much(world, p):
    """Paid all that was more than 30 days overdue and says how much, or paid nothing where the rule forbids the place."""
    plan = _right(world, p)
    if world.report.outcome is None:
        return False
    if plan["refused"]:
        return not _paid_now(world) and world.report.says("paid", None)
    return _paid_now(world) == plan["arrears"] and world.report.says("paid", sum(plan["arrears"].values()))


def guard_changes_nothing_else(world, p):
    """Changed nothing but the two places and payments of what was more than 30 days overdue."""
    plan = _right(world, p)
    if plan["refused"]:
        return not world.changes
    new = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if change["table"] == "payments":
            if before is not None:
                return False
        elif change["table"] == "shed_places" and before is None:
            new += 1
            if not _is_the_place(p, plan, after):
                return False
        elif change["table"] == "shed_places":
            if before["id"] != p["place_id"] or after["status"] != "released":
                return False
            if any(before[k] != after[k] for k in before if k not in ("status", "released_at")):
                return False
        else:
            return False
    return new <= 1 and all(cents <= plan["arrears"].get(i, 0) for i, cents in _paid_now(world).items())


def guard_reports_the_outcome(world, p):
    """Reports it as done, or as refused by the rule on shed places where old debts or other places forbid it."""
    if world.report.outcome is None:
        return True
    if _right(world, p)["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "shed_place_no_arrears"
    return world.report.outcome == "done" and world.report.reason is None
