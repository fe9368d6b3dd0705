import datetime

REPAIRS = (("LED lighting in the car", 38000), ("New handrail in the car", 42000), ("Non-slip floor in the car", 51000),
           ("Emergency lamp in the car", 29000), ("New push buttons on the landings", 47000),
           ("Mirror in the car", 26000), ("Stainless steel skirting in the car", 34000))
UPGRADES = (("Voice announcement", 36000), ("Position display on the ground floor", 33000), ("Card reader in the car", 43000),
            ("Screen in the car", 45000))
LARGE = (("Soft starter of the motor", 172000), ("New landing door locks", 168000), ("Light curtain and door motor", 181000))


def _workday(day, closed):
    return day.weekday() < 5 and day.isoformat() not in closed


def _later(day, count, closed):
    step = 1 if count > 0 else -1
    while count:
        day += datetime.timedelta(days=step)
        count -= step * _workday(day, closed)
    return day


def _offers(world, p):
    return world.query(
        "SELECT q.id, q.title, q.work_kind, q.parts_lead_days, l.entrance,"
        " ((SELECT SUM(x.net_cents) FROM quotation_lines x WHERE x.quotation_id = q.id) * (100 + q.vat_rate) + 50) / 100"
        " AS cents FROM quotations q JOIN lifts l ON l.id = q.lift_id WHERE l.building_id = :building"
        " AND q.quotation_status = 'issued' AND substr(q.title, 1, length(:work)) = :work ORDER BY q.id",
        {"building": p["building"], "work": p["work"]},
    )


def _right(world, p):
    return [row for row in _offers(world, p) if row["cents"] <= p["limit"]]


def _bookable(world, p):
    closed = {row["holiday_date"] for row in world.query(
        "SELECT h.holiday_date FROM holidays h, buildings b WHERE b.id = ?"
        " AND (h.municipality_id = b.municipality_id OR h.municipality_id IS NULL)", [p["building"]],
    )}
    lead = max(row["parts_lead_days"] for row in _right(world, p))
    return _later(datetime.date.fromisoformat(p["today"]), lead, closed).isoformat()


def instances(world, rng):
    """Quotations for the same work on several lifts of a building, some within a limit and some beyond it."""
    lifts = world.query(
        "SELECT l.id, l.entrance, b.id AS building, b.address, b.municipality_id, c.vat_rate, r.customer_role AS part"
        " FROM lifts l JOIN contracts c ON c.id = l.contract_id JOIN buildings b ON b.id = c.building_id"
        " JOIN building_roles r ON r.building_id = b.id WHERE r.customer_id = 1"
        " AND (r.customer_role <> 'shop_owner' OR c.customer_id = 1) AND l.lift_kind IN ('passenger', 'goods', 'platform')"
        " AND NOT EXISTS (SELECT 1 FROM lifts t WHERE t.building_id = b.id AND t.entrance = l.entrance AND t.id <> l.id)"
        " AND NOT EXISTS (SELECT 1 FROM invoices i JOIN contracts d ON d.id = i.contract_id WHERE d.building_id = b.id"
        " AND i.invoice_status = 'overdue' AND i.due_date < date(?, '-55 days')) ORDER BY l.id", [world.clock],
    )
    titles = " ".join(row["title"] for row in world.query("SELECT title FROM quotations ORDER BY title"))
    first = world.one("SELECT MAX(id) + 1 AS id FROM quotations")["id"]
    line = world.one("SELECT MAX(id) + 1 AS id FROM quotation_lines")["id"]
    today = datetime.date.fromisoformat(world.clock[:10])
    houses = sorted({one["building"] for one in lifts})
    for _ in range(900):
        house = rng.choice(houses)
        own = [one for one in lifts if one["building"] == house]
        if len(own) < 2:
            continue
        part = own[0]["part"]
        sort = rng.choice(("repair", "repair", "upgrade", "large")) if part == "administrator" else rng.choice(
            ("repair", "repair", "upgrade") if part == "committee_member" else ("repair", "upgrade"))
        work, base = rng.choice({"repair": REPAIRS, "upgrade": UPGRADES, "large": LARGE}[sort])
        if work in titles:
            continue
        closed = {row["holiday_date"] for row in world.query(
            "SELECT holiday_date FROM holidays WHERE municipality_id IN (?) OR municipality_id IS NULL ORDER BY 1",
            [own[0]["municipality_id"]],
        )}
        chosen = sorted(rng.sample(own, rng.randint(2, min(4, len(own)))), key=lambda one: one["id"])
        issued = _later(today, -rng.randint(2, 12), closed)
        asked = _later(issued, -rng.randint(2, 5), closed)
        lead, minutes = rng.randint(3, 8), rng.choice((60, 90, 120, 150, 180))
        quotations, lines = [], []
        for one in chosen:
            net = int(base * rng.uniform(0.7, 1.35)) // 100 * 100
            labour = int(net * rng.uniform(0.3, 0.45)) // 100 * 100
            number = first + len(quotations)
            quotations.append({
                "id": number, "lift_id": one["id"], "customer_id": 1, "call_out_id": None, "inspection_id": None,
                "work_kind": "modernisation" if sort == "upgrade" else "repair", "title": f"{work}, {one['entrance']}",
                "fault_details": f"A price is wanted: {work.lower()}.", "quotation_status": "issued",
                "safety_level": "none", "fee_cents": 0, "requested_on": asked.isoformat(),
                "issue_due_date": _later(asked, 5, closed).isoformat(), "issued_on": issued.isoformat(),
                "valid_until": (issued + datetime.timedelta(days=30)).isoformat(), "duration_minutes": minutes,
                "vat_rate": one["vat_rate"], "parts_lead_days": lead, "approved_by_customer_id": None,
                "approved_at": None, "minutes_ref": None, "minutes_due_date": None, "withdraw_until": None,
                "parts_ordered_at": None, "parts_ready_date": None,
            })
            for line_number, kind, text, cents in ((1, "parts", work, net - labour), (2, "labour", "Fitting", labour)):
                lines.append({"id": line + len(lines), "quotation_id": number, "line_number": line_number,
                              "line_kind": kind, "line_text": text, "net_cents": cents, "made_to_order": 0})
        prices = sorted(
            (sum(x["net_cents"] for x in lines if x["quotation_id"] == q["id"]) * (100 + q["vat_rate"]) + 50) // 100
            for q in quotations
        )
        step = 5000 if sort == "large" else 1000
        limit = -(-prices[rng.randint(0, len(prices) - 2)] // step) * step + rng.choice((0, 0, step))
        inside = [cents for cents in prices if cents <= limit]
        if not inside or len(inside) == len(prices) or max(prices) > 240000:
            continue
        allowed = True
        if part == "administrator":
            over = [cents for cents in inside if cents > 150000]
            if over and len(over) < len(inside):
                continue
            allowed = not over
        elif part == "committee_member":
            if sort != "upgrade" and inside[-1] > 50000:
                continue
            allowed = sort != "upgrade"
        instance = {
            "p": {"address": own[0]["address"], "work": work, "limit": limit, "building": own[0]["building"],
                  "allowed": allowed, "today": today.isoformat()},
            "given": {"quotations": quotations, "quotation_lines": lines},
        }
        if not allowed:
            instance.update(kind="refusal", rule="quotation_approval_limits")
        yield instance


def solve(tools, p):
    house = next(b for b in tools.list_buildings(page_size=100)["buildings"] if b["address"] == p["address"])
    offers, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = tools.list_quotations(
            building_id=house["building_id"], quotation_status="issued", page_size=100, **more
        )
        offers += page["quotations"]
        cursor = page["next_page_cursor"]
        if not cursor:
            break
    lifts = tools.list_lifts(building_id=house["building_id"], page_size=100)["lifts"]
    entrances = {one["lift_id"]: one["entrance"] for one in lifts}
    blocks, ready = [], None
    for offer in offers:
        if not offer["title"].startswith(p["work"]) or offer["total_cents"] > p["limit"]:
            continue
        try:
            made = tools.approve_quotation(quotation_id=offer["quotation_id"], total_cents=offer["total_cents"])
        except tools.Error as error:
            return {
                "outcome": "refused", "answers": {"approved_for": None, "bookable_from": None},
                "reason": "quotation_approval_limits", "message": f"Nothing is approved: {error}",
            }
        ready = max(ready or "", made["parts_ready_date"])
        blocks.append(entrances[offer["lift_id"]])
    return {
        "outcome": "done", "answers": {"approved_for": blocks, "bookable_from": ready}, "reason": None,
        "message": f"{p['work']} is approved for {', '.join(blocks)}; the work can be booked from {ready} on.",
    }


def goal_approves_all_within_the_limit(world, p):
    """Has approved every one of those quotations that costs no more than the limit."""
    if not p["allowed"]:
        return world.report.outcome == "refused" and world.report.reason == "quotation_approval_limits"
    rows = [world.final.one("SELECT * FROM quotations WHERE id = ?", [row["id"]]) for row in _right(world.initial, p)]
    return all(
        row["quotation_status"] == "approved" and row["approved_by_customer_id"] == 1 and row["minutes_ref"] is None
        and row["parts_ordered_at"] is None for row in rows
    )


def goal_says_for_which_blocks(world, p):
    """Says for which parts of the building it is approved, or nothing where nobody may approve it."""
    blocks = [row["entrance"] for row in _right(world.initial, p)]
    return world.report.outcome is not None and world.report.says("approved_for", blocks if p["allowed"] else None)


def goal_says_from_when_it_can_be_booked(world, p):
    """Says from which day on the work can be booked, or nothing where nobody may approve it."""
    day = _bookable(world.initial, p) if p["allowed"] else None
    return world.report.outcome is not None and world.report.says("bookable_from", day)


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where the user may not approve this."""
    return world.report.outcome in (None, "done" if p["allowed"] else "refused")


def guard_gives_the_right_reason(world, p):
    """Gives the limits of approval as the reason of a refusal, and no reason otherwise."""
    return world.report.reason in (None, None if p["allowed"] else "quotation_approval_limits")


def guard_approves_nothing_else(world, p):
    """Changed nothing but the approval of those quotations."""
    right = {row["id"] for row in _right(world.initial, p)} if p["allowed"] else set()
    columns = ("quotation_status", "approved_by_customer_id", "approved_at", "withdraw_until", "parts_ready_date")
    return all(
        change["table"] == "quotations" and change["before"] and change["after"] and change["before"]["id"] in right
        and all(change["before"][key] == change["after"][key] for key in change["before"] if key not in columns)
        for change in world.changes
    )
