import datetime

SPANS = (
    ("day", 6, 480), ("day", 7, 720), ("day", 8, 600), ("day", 9, 540), ("day", 10, 420), ("day", 12, 510), ("day", 13, 390),
    ("night", 18, 660), ("night", 19, 720), ("night", 20, 600), ("night", 21, 570), ("night", 22, 450), ("night", 17, 840),
)


def _at(text):
    return datetime.datetime.fromisoformat(text[:19])


def _minutes(row):
    return int((_at(row["ends_at"]) - _at(row["starts_at"])).total_seconds() // 60)


def _rested(row, held):
    rest = datetime.timedelta(hours=10)
    return all(
        _at(row["starts_at"]) - _at(other["ends_at"]) >= rest or _at(other["starts_at"]) - _at(row["ends_at"]) >= rest
        for other in held
    )


def _allowed(db, p):
    held = db.query(
        "SELECT ds.starts_at AS starts_at, ds.ends_at AS ends_at FROM shift_places sp"
        " JOIN duty_shifts ds ON ds.id = sp.duty_shift_id"
        " WHERE sp.member_id = 1 AND sp.status IN ('taken', 'offered', 'served')"
    )
    rows = db.query(
        "SELECT so.id AS offer_id, sp.id AS place_id, ds.id AS shift_id, m.name AS name,"
        " ds.starts_at AS starts_at, ds.ends_at AS ends_at"
        " FROM swap_offers so JOIN shift_places sp ON sp.id = so.shift_place_id"
        " JOIN duty_shifts ds ON ds.id = sp.duty_shift_id JOIN members m ON m.id = sp.member_id"
        " WHERE so.status = 'open' AND sp.member_id <> 1 AND substr(ds.starts_at, 1, 10) BETWEEN ? AND ?"
        " AND NOT EXISTS (SELECT 1 FROM duty_shift_skills x WHERE x.duty_shift_id = ds.id AND NOT EXISTS ("
        " SELECT 1 FROM qualifications q WHERE q.member_id = 1 AND q.skill_id = x.skill_id"
        " AND q.last_day >= substr(ds.starts_at, 1, 10)))",
        [p["first"], p["last"]],
    )
    rows = [row for row in rows if _rested(row, held)]
    return sorted(rows, key=_minutes, reverse=True)


def instances(world, rng):
    """A span of days with open swap offers of others, some of which the rules do not let the user accept."""
    now = _at(world.clock)
    held = world.query(
        "SELECT ds.starts_at AS starts_at, ds.ends_at AS ends_at FROM shift_places sp"
        " JOIN duty_shifts ds ON ds.id = sp.duty_shift_id"
        " WHERE sp.member_id = 1 AND sp.status IN ('offered', 'served', 'taken')"
    )
    quals = world.query(
        "SELECT q.member_id AS member_id, q.skill_id AS skill_id, max(q.last_day) AS last_day FROM qualifications q"
        " GROUP BY q.member_id, q.skill_id ORDER BY q.member_id, q.skill_id"
    )
    engaged = world.query(
        "SELECT sp.member_id AS member_id, ds.starts_at AS starts_at FROM shift_places sp"
        " JOIN duty_shifts ds ON ds.id = sp.duty_shift_id WHERE sp.status IN ('taken', 'offered', 'served')"
    )
    open_offers = world.query(
        "SELECT sp.member_id AS member_id, ds.starts_at AS starts_at FROM swap_offers so"
        " JOIN shift_places sp ON sp.id = so.shift_place_id JOIN duty_shifts ds ON ds.id = sp.duty_shift_id"
        " WHERE so.status = 'open'"
    )
    used = {(row["kind"], row["starts_at"]) for row in world.query("SELECT ds.kind AS kind, ds.starts_at AS starts_at FROM duty_shifts ds")}
    top = world.one(
        "SELECT (SELECT max(ds.id) FROM duty_shifts ds) AS shift, (SELECT max(sp.id) FROM shift_places sp) AS place,"
        " (SELECT max(so.id) FROM swap_offers so) AS offer"
    )
    skills = sorted({row["skill_id"] for row in quals})
    for _ in range(900):
        first = now.date() + datetime.timedelta(days=rng.randint(1, 14))
        last = first + datetime.timedelta(days=rng.randint(5, 18))
        p = {"first": first.isoformat(), "last": last.isoformat()}
        want_refused = rng.random() < 0.3
        given = {"duty_shifts": [], "duty_shift_skills": [], "shift_places": [], "swap_offers": []}
        where = [(row["member_id"], _at(row["starts_at"]).date()) for row in engaged]
        offers = {}
        for row in open_offers:
            offers[row["member_id"]] = offers.get(row["member_id"], 0) + 1
        allowed = _allowed(world, p)
        shown = sum(row["member_id"] != 1 and p["first"] <= row["starts_at"][:10] <= p["last"] for row in open_offers)
        days = set()
        wanted = rng.randint(3, 5)
        for _try in range(40):
            if len(given["duty_shifts"]) == wanted:
                break
            day = first + datetime.timedelta(days=rng.randint(-1, (last - first).days + 1))
            kind, hour, length = rng.choice(SPANS)
            start = datetime.datetime.combine(day, datetime.time(hour))
            if start <= now or day in days or (kind, start.isoformat()) in used:
                continue
            needed = sorted(rng.sample(skills, rng.choice((1, 1, 2))))
            able = []
            for member in sorted({row["member_id"] for row in quals}):
                if all(
                    any(q["member_id"] == member and q["skill_id"] == s and q["last_day"] >= day.isoformat() for q in quals)
                    for s in needed
                ):
                    able.append(member)
            mine = 1 in able
            able = [
                m for m in able
                if m != 1 and offers.get(m, 0) < 2 and all(o != m or abs((day - d).days) > 2 for o, d in where)
            ]
            if not able:
                continue
            row = {"starts_at": start.isoformat(), "ends_at": (start + datetime.timedelta(minutes=length)).isoformat()}
            good = mine and _rested(row, held)
            if good and want_refused and first <= day <= last:
                continue
            member = rng.choice(able)
            days.add(day)
            where.append((member, day))
            shift_id = top["shift"] + len(given["duty_shifts"]) + 1
            place_id = top["place"] + len(given["shift_places"]) + 1
            still_open = rng.random() < 0.85
            offered = now - datetime.timedelta(days=rng.randint(2, 6), minutes=rng.randint(0, 500))
            given["duty_shifts"].append({"id": shift_id, "kind": kind, "most_places": rng.randint(2, 4), **row})
            given["duty_shift_skills"] += [{"duty_shift_id": shift_id, "skill_id": s} for s in needed]
            given["shift_places"].append({
                "id": place_id,
                "duty_shift_id": shift_id,
                "member_id": member,
                "status": "offered" if still_open else "taken",
                "taken_at": (offered - datetime.timedelta(days=rng.randint(3, 15))).isoformat(),
                "handed_over_at": None,
                "given_up_at": None,
            })
            given["swap_offers"].append({
                "id": top["offer"] + len(given["swap_offers"]) + 1,
                "shift_place_id": place_id,
                "status": "open" if still_open else "withdrawn",
                "offered_at": offered.isoformat(),
                "accepted_by_member_id": None,
                "closed_at": None if still_open else (offered + datetime.timedelta(days=1)).isoformat(),
            })
            if still_open:
                offers[member] = offers.get(member, 0) + 1
                if first <= day <= last:
                    shown += 1
                    if good:
                        allowed.append(row)
        if shown < 2:
            continue
        lengths = sorted((_minutes(row) for row in allowed), reverse=True)
        if (want_refused and lengths) or (not want_refused and not lengths):
            continue
        if len(lengths) > 1 and lengths[0] == lengths[1]:
            continue
        instance = {
            "p": {**p, "refused": not lengths},
            "given": {table: rows for table, rows in given.items() if rows},
        }
        if not lengths:
            instance["kind"] = instance["p"]["kind"] = "refusal"
            instance["rule"] = instance["p"]["rule"] = "shift_qualification_valid"
        yield instance


def solve(tools, p):
    held = [
        place for place in tools.list_my_shift_places()["shift_places"]
        if place["status"] in ("taken", "offered", "served")
    ]
    quals = tools.list_my_qualifications()["qualifications"]
    fitting = []
    for offer in tools.search_swap_offers(status="open", first_day=p["first"], last_day=p["last"])["swap_offers"]:
        if offer["is_mine"]:
            continue
        day = offer["starts_at"][:10]
        skills = tools.get_duty_shift(duty_shift_id=offer["duty_shift_id"])["skills"]
        qualified = all(any(q["skill_id"] == s["id"] and q["last_day"] >= day for q in quals) for s in skills)
        if qualified and _rested(offer, held):
            fitting.append(offer)
    if not fitting:
        return {
            "outcome": "refused",
            "answers": {"offered_by": None, "shift_day": None, "shift_length": None},
            "reason": "shift_qualification_valid",
            "message": (
                "I accepted nothing, because for each of these offers you lack a valid qualification or the 10 hours"
                " between two shifts."
            ),
        }
    best = max(fitting, key=_minutes)
    tools.accept_swap_offer(swap_offer_id=best["id"])
    return {
        "outcome": "done",
        "answers": {
            "offered_by": best["offered_by_name"],
            "shift_day": best["starts_at"][:10],
            "shift_length": _minutes(best),
        },
        "reason": None,
        "message": (
            f"I have accepted the offer of {best['offered_by_name']}: the shift starts on {best['starts_at'][:10]}"
            f" and takes {_minutes(best) / 60:g} hours."
        ),
    }


def goal_has_taken_the_place_over(world, p):
    """The longest shift allowed is handed over to the user, or, where the rules allow none, it is said to be refused."""
    if p["refused"]:
        return world.report.outcome == "refused"
    best = _allowed(world.initial, p)[0]
    offer = world.final.one("SELECT * FROM swap_offers WHERE id = ?", [best["offer_id"]])
    place = world.final.one("SELECT * FROM shift_places WHERE id = ?", [best["place_id"]])
    new = world.final.query(
        "SELECT status FROM shift_places WHERE duty_shift_id = ? AND member_id = 1"
        " AND status IN ('taken', 'offered', 'served')",
        [best["shift_id"]],
    )
    return (
        offer["status"] == "accepted"
        and offer["accepted_by_member_id"] == 1
        and place["status"] == "handed_over"
        and [row["status"] for row in new] == ["taken"]
    )


def goal_says_who_offered(world, p):
    """Says whose offer was accepted; nothing where it is refused."""
    return world.report.says("offered_by", None if p["refused"] else _allowed(world.initial, p)[0]["name"])


def goal_says_the_day(world, p):
    """Says on which day the shift starts; nothing where it is refused."""
    return world.report.says("shift_day", None if p["refused"] else _allowed(world.initial, p)[0]["starts_at"][:10])


def goal_says_the_length(world, p):
    """Says how long the shift is; nothing where it is refused."""
    return world.report.says("shift_length", None if p["refused"] else _minutes(_allowed(world.initial, p)[0]))


def guard_changes_this_swap_only(world, p):
    """Changed nothing but that offer, the place handed over and the user's new place; nothing where it is refused."""
    if p["refused"]:
        return len(world.changes) == 0
    best = _allowed(world.initial, p)[0]
    new = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            new += 1
            if change["table"] != "shift_places" or after["duty_shift_id"] != best["shift_id"] or after["member_id"] != 1:
                return False
            continue
        changed = {column for column in before if before[column] != after[column]}
        if change["table"] == "shift_places":
            if before["id"] != best["place_id"] or not changed <= {"status", "handed_over_at"}:
                return False
        elif change["table"] == "swap_offers":
            if before["id"] != best["offer_id"] or not changed <= {"status", "accepted_by_member_id", "closed_at"}:
                return False
        else:
            return False
    return new <= 1


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that the rule on qualifications and rest forbids it."""
    if world.report.outcome is None:
        return True
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "shift_qualification_valid"
    return world.report.outcome == "done" and world.report.reason is None
