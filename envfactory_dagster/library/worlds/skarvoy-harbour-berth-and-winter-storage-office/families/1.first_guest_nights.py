import datetime

OWN_NAMES = ("Sildra", "Vesla", "Gullmåken", "Fjordrosa", "Blåtind", "Havørna", "Stjerna", "Kvikk", "Solvår", "Brimnes")
GUEST_NAMES = ("Anne Lise", "Bris", "Dyningen", "Elfrid", "Fralda", "Gjøken", "Hjelmen", "Inger", "Jolla", "Krabben")
CODES = ("G7", "G8", "G9", "G10", "G11", "G12")


def _plus(text, days):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=days)).isoformat()


def _fits(berth, boat):
    return (
        berth["length_cm"] >= boat["length_cm"] + 50
        and berth["width_cm"] >= boat["beam_cm"] + 40
        and berth["depth_cm"] >= boat["draught_cm"] + 30
    )


def _free(berth, stays, first, last):
    return not any(s["berth_id"] == berth["id"] and s["first_day"] < last and s["last_day"] > first for s in stays)


def _choice(berths, stays, boat, p):
    """Day of arrival and berth that are wanted, and whether the price was kept; None if no guest berth fits at all."""
    fitting = sorted((b for b in berths if _fits(b, boat)), key=lambda b: b["night_price_cents"])
    if not fitting:
        return None
    day = p["first"]
    while day <= p["last"]:
        for berth in fitting:
            if berth["night_price_cents"] <= p["limit"] and _free(berth, stays, day, _plus(day, p["nights"])):
                return {"day": day, "berth": berth, "cheap": True}
        day = _plus(day, 1)
    for berth in fitting:
        if _free(berth, stays, p["last"], _plus(p["last"], p["nights"])):
            return {"day": p["last"], "berth": berth, "cheap": False}
    return {"day": None, "berth": None, "cheap": False}


def _boat(rng, number, owner, name, large):
    if large:
        length, beam, draught, weight = rng.randrange(910, 1010, 10), rng.randrange(300, 335, 5), rng.randrange(130, 185, 5), 7200
    else:
        length, beam, draught, weight = rng.randrange(460, 570, 10), rng.randrange(170, 205, 5), rng.randrange(45, 75, 5), 900
    return {
        "id": number,
        "boat_owner_id": owner,
        "name": name,
        "length_cm": length,
        "beam_cm": beam,
        "draught_cm": draught,
        "weight_kg": weight + rng.randrange(0, 600, 50),
    }


def instances(world, rng):
    """A boat, some days on which it may come, a price, and guest berths that are partly taken."""
    today = world.clock[:10]
    boats = world.query(
        "SELECT id, name, length_cm, beam_cm, draught_cm, weight_kg, boat_owner_id FROM boats WHERE boat_owner_id = 1 ORDER BY name"
    )
    ashore = world.query("SELECT boat_id, first_day, last_day FROM shed_places WHERE status IN ('reserved', 'occupied')")
    berths = world.query(
        "SELECT id, jetty_id, code, length_cm, width_cm, depth_cm, night_price_cents FROM berths"
        " WHERE kind = 'guest' AND season_price_cents IS NULL ORDER BY code"
    )
    booked = world.query("SELECT boat_id, berth_id, first_day, last_day FROM guest_stays WHERE status = 'booked' ORDER BY first_day, id")
    owners = world.query("SELECT id FROM boat_owners WHERE id <> 1 ORDER BY id")
    wanted = ["first", "later", "later", "dear", "refused"]
    done, refused = 0, 0
    for turn in range(4000):
        aim = wanted[turn % len(wanted)]
        if aim == "refused" and refused * 5 > done:
            continue
        first = _plus(today, rng.randint(3, 30))
        nights = rng.randint(2, 4)
        last = _plus(first, rng.randint(2, 5))
        end = _plus(last, nights)

        guests = [
            _boat(rng, 5001 + i, rng.choice(owners)["id"], GUEST_NAMES[i], False) for i in range(len(GUEST_NAMES))
        ]
        mine = [b for b in boats if not any(a["boat_id"] == b["id"] and a["first_day"] <= end for a in ashore)]
        mine = [b for b in mine if not any(s["boat_id"] == b["id"] and s["first_day"] < end and s["last_day"] > first for s in booked)]
        new = _boat(rng, 5101, 1, rng.choice(OWN_NAMES), aim == "refused")
        boat = new if aim == "refused" or not mine or rng.random() < 0.5 else rng.choice(mine)

        codes = list(CODES)
        rng.shuffle(codes)
        prices = {b["night_price_cents"] for b in berths}
        more = []
        for i in range(rng.randint(2, 4)):
            price = rng.randrange(17000, 33000, 500)
            if price in prices:
                continue
            prices.add(price)
            more.append(
                {
                    "id": 5001 + i,
                    "jetty_id": berths[0]["jetty_id"],
                    "code": codes[i],
                    "kind": "guest",
                    "length_cm": rng.randrange(630, 910, 10),
                    "width_cm": rng.randrange(250, 345, 5),
                    "depth_cm": rng.randrange(110, 205, 5),
                    "season_price_cents": None,
                    "night_price_cents": price,
                }
            )
        every = berths + more

        stays, lies = [], {}
        for berth in every:
            day = _plus(first, -rng.randint(0, 5))
            while day < end and len(stays) < 24:
                length = rng.randint(1, 5)
                leave = _plus(day, length)
                free = [g for g in guests if not any(f < leave and t > day for f, t in lies.get(g["id"], []))]
                if day >= today and free and _free(berth, booked + stays, day, leave):
                    guest = rng.choice(free)
                    lies.setdefault(guest["id"], []).append((day, leave))
                    stays.append(
                        {
                            "id": 5001 + len(stays),
                            "boat_id": guest["id"],
                            "berth_id": berth["id"],
                            "absence_notice_id": None,
                            "first_day": day,
                            "last_day": leave,
                            "night_price_cents": berth["night_price_cents"],
                            "status": "booked",
                            "booked_at": f"{_plus(today, -rng.randint(1, 20))}T{rng.randint(8, 20):02d}:15:00",
                            "cancelled_at": None,
                        }
                    )
                day = _plus(leave, rng.choice((0, 1, 2, 3, 4)))

        limit = rng.choice(sorted(b["night_price_cents"] for b in every)) + rng.choice((0, 0, 200))
        p = {"boat": boat["name"], "nights": nights, "first": first, "last": last, "limit": limit}
        found = _choice(every, booked + stays, boat, p)
        if (found is None) != (aim == "refused"):
            continue
        if found is not None:
            if found["berth"] is None:
                continue
            if aim == "dear" and found["cheap"]:
                continue
            if aim != "dear" and (not found["cheap"] or (found["day"] == first) != (aim == "first")):
                continue
        used = {s["boat_id"] for s in stays}
        given = {
            "boats": [g for g in guests if g["id"] in used] + ([boat] if boat["id"] == 5101 else []),
            "berths": more,
            "guest_stays": stays,
        }
        given = {table: rows for table, rows in given.items() if rows}
        p["boat_id"] = boat["id"]
        task = {"p": p, "given": given}
        if found is None:
            task["kind"] = "refusal"
            task["rule"] = "boat_fits_berth"
            refused += 1
        else:
            done += 1
        yield task


def solve(tools, p):
    boat = next(b for b in tools.list_my_boats()["boats"] if b["name"] == p["boat"])
    size = {
        "kind": "guest",
        "min_length_cm": boat["length_cm"] + 50,
        "min_width_cm": boat["beam_cm"] + 40,
        "min_depth_cm": boat["draught_cm"] + 30,
    }
    day, berth = p["first"], None
    while True:
        free = tools.search_berths(free_first_day=day, free_last_day=_plus(day, p["nights"]), **size)["berths"]
        cheap = [b for b in free if b["night_price_cents"] <= p["limit"]]
        if cheap:
            berth = min(cheap, key=lambda b: b["night_price_cents"])
            break
        if day == p["last"]:
            if free:
                berth = min(free, key=lambda b: b["night_price_cents"])
            break
        day = _plus(day, 1)
    if berth is None:
        return {
            "outcome": "refused",
            "answers": {"arrival": None, "berth": None, "price": None},
            "reason": "boat_fits_berth",
            "message": f"No guest berth is big enough for the {p['boat']}, so nothing was booked.",
        }
    stay = tools.book_guest_stay(
        boat_id=boat["id"], berth_id=berth["id"], first_day=day, last_day=_plus(day, p["nights"])
    )["guest_stay"]
    return {
        "outcome": "done",
        "answers": {"arrival": day, "berth": berth["code"], "price": stay["total_cents"]},
        "reason": None,
        "message": (
            f"The {p['boat']} has berth {berth['code']} from {day} for {p['nights']} nights,"
            f" for {stay['total_cents'] / 100:.2f} kroner."
        ),
    }


def _right(world, p):
    boat = world.initial.one("SELECT length_cm, beam_cm, draught_cm FROM boats WHERE id = ? AND boat_owner_id = 1", [p["boat_id"]])
    berths = world.initial.query(
        "SELECT id, code, length_cm, width_cm, depth_cm, night_price_cents FROM berths WHERE kind = 'guest'"
    )
    stays = world.initial.query("SELECT berth_id, first_day, last_day FROM guest_stays WHERE status = 'booked'")
    return _choice(berths, stays, boat, p)


def _is_the_stay(world, p, row):
    right = _right(world, p)
    return (
        right is not None
        and row["boat_id"] == p["boat_id"]
        and row["berth_id"] == right["berth"]["id"]
        and row["absence_notice_id"] is None
        and row["first_day"] == right["day"]
        and row["last_day"] == _plus(right["day"], p["nights"])
        and row["night_price_cents"] == right["berth"]["night_price_cents"]
        and row["status"] == "booked"
        and row["cancelled_at"] is None
    )


def goal_has_the_stay_or_declines(world, p):
    """Booked the right berth on the right day, or declined where no guest berth is big enough."""
    if _right(world, p) is None:
        return world.report.outcome == "refused" and not world.changes
    new = [c["after"] for c in world.changes if c["table"] == "guest_stays" and c["before"] is None]
    return len(new) == 1 and _is_the_stay(world, p, new[0])


def goal_says_day_of_arrival(world, p):
    """Says on which day the boat may come, or nothing if nothing is booked."""
    right = _right(world, p)
    return world.report.outcome is not None and world.report.says("arrival", right["day"] if right else None)


def goal_says_berth(world, p):
    """Says which berth it is, or nothing if nothing is booked."""
    right = _right(world, p)
    return world.report.outcome is not None and world.report.says("berth", right["berth"]["code"] if right else None)


def goal_says_price(world, p):
    """Says what the whole stay costs, or nothing if nothing is booked."""
    right = _right(world, p)
    price = p["nights"] * right["berth"]["night_price_cents"] if right else None
    return world.report.outcome is not None and world.report.says("price", price)


def guard_adds_that_stay_only(world, p):
    """Changed nothing but one new guest stay, the right one."""
    return len(world.changes) <= 1 and all(
        c["table"] == "guest_stays" and c["before"] is None and _is_the_stay(world, p, c["after"]) for c in world.changes
    )


def guard_reports_the_outcome(world, p):
    """Reports it as done, or as refused for the size of the boat where no guest berth is big enough."""
    if world.report.outcome is None:
        return True
    if _right(world, p) is None:
        return world.report.outcome == "refused" and world.report.reason == "boat_fits_berth"
    return world.report.outcome == "done" and world.report.reason is None
