import datetime


def instances(world, rng):
    """A stretch of days in which the user was charged for the room and the shelf and lost deposits."""
    today = datetime.date.fromisoformat(world.clock[:10])
    stock = world.query("SELECT id, price_cents FROM stock_items WHERE code NOT LIKE 'band%' ORDER BY id", [])
    ledger = world.query(
        "SELECT kind, amount_cents, substr(entered_at, 1, 10) AS day FROM ledger_entries"
        " WHERE member_id = 1 AND kind IN ('room_fee', 'room_refund', 'stock') ORDER BY id",
        [],
    )
    returned = world.query(
        "SELECT returned_on, kept_cents FROM loans WHERE member_id = 1 AND status = 'returned' ORDER BY id", []
    )
    high = world.one(
        "SELECT (SELECT MAX(id) FROM equipment_items) AS item, (SELECT MAX(id) FROM loans) AS loan,"
        " (SELECT MAX(id) FROM stock_issues) AS issue, (SELECT MAX(id) FROM ledger_entries) AS entry",
        [],
    )
    for attempt in range(4000):
        items, loans, issues, entries = [], [], [], []
        seen = list(ledger)
        backs = list(returned)

        def _note(kind, cents, moment, loan_id, issue_id):
            row = {
                "id": high["entry"] + len(entries) + 1,
                "member_id": 1,
                "kind": kind,
                "amount_cents": cents,
                "entered_at": moment,
            }
            if loan_id is not None:
                row["loan_id"] = loan_id
            if issue_id is not None:
                row["stock_issue_id"] = issue_id
            entries.append(row)

        for number in range(rng.randint(2, 5)):
            lent = today - datetime.timedelta(days=rng.randint(20, 130))
            back = lent + datetime.timedelta(days=rng.randint(2, 12))
            condition, kept = rng.choice((("clean", 0), ("unwashed", 1000), ("damaged", 2500), ("damaged", 2500)))
            items.append(
                {
                    "id": high["item"] + number + 1,
                    "tag": "UT-6%d" % number,
                    "kind": "uncapping_tray",
                    "name": "Uncapping tray number %d" % (number + 6),
                    "deposit_cents": 2500,
                    "status": "in_service",
                }
            )
            loan_id = high["loan"] + number + 1
            loans.append(
                {
                    "id": loan_id,
                    "loan_no": "LN-4%04d" % (number + 1),
                    "member_id": 1,
                    "equipment_item_id": high["item"] + number + 1,
                    "lent_on": lent.isoformat(),
                    "due_on": (lent + datetime.timedelta(days=14)).isoformat(),
                    "deposit_cents": 2500,
                    "status": "returned",
                    "returned_on": back.isoformat(),
                    "condition": condition,
                    "kept_cents": kept,
                }
            )
            _note("payment", 2500, lent.isoformat() + "T08:50:00", None, None)
            _note("deposit", -2500, lent.isoformat() + "T09:20:00", loan_id, None)
            if kept < 2500:
                _note("deposit", 2500 - kept, back.isoformat() + "T10:40:00", loan_id, None)
            backs.append({"returned_on": back.isoformat(), "kept_cents": kept})
        for number in range(rng.randint(3, 8)):
            day = (today - datetime.timedelta(days=rng.randint(1, 130))).isoformat()
            item = rng.choice(stock)
            quantity = rng.randint(1, 3) if item["price_cents"] > 300 else rng.randint(5, 60)
            issue_id = high["issue"] + number + 1
            issues.append(
                {
                    "id": issue_id,
                    "member_id": 1,
                    "stock_item_id": item["id"],
                    "quantity": quantity,
                    "unit_price_cents": item["price_cents"],
                    "issued_at": day + "T11:%02d:00" % (10 + number),
                }
            )
            _note("payment", quantity * item["price_cents"], day + "T11:%02d:00" % (5 + number), None, None)
            _note("stock", -quantity * item["price_cents"], day + "T11:%02d:00" % (10 + number), None, issue_id)
            seen.append({"kind": "stock", "amount_cents": -quantity * item["price_cents"], "day": day})
        first = today - datetime.timedelta(days=rng.randint(35, 140))
        last = first + datetime.timedelta(days=rng.randint(20, 90))
        first, last = first.isoformat(), min(last, today).isoformat()
        room = -sum(s["amount_cents"] for s in seen if s["kind"] != "stock" and first <= s["day"] <= last)
        shelf = -sum(s["amount_cents"] for s in seen if s["kind"] == "stock" and first <= s["day"] <= last)
        kept = sum(b["kept_cents"] for b in backs if first <= b["returned_on"] <= last)
        if min(room, shelf, kept) <= 0 or len({room, shelf, kept}) < 3:
            continue
        yield {
            "p": {"first": first, "last": last},
            "given": {
                "equipment_items": items,
                "loans": loans,
                "stock_issues": issues,
                "ledger_entries": entries,
            },
        }


def solve(tools, p):
    me = tools.get_own_membership()["member_no"]
    sums = {}
    for kind in ("room_fee", "room_refund", "stock"):
        entries = tools.getLedger(memberNo=me, kind=kind, first_day=p["first"], last_day=p["last"])["entries"]
        sums[kind] = -sum(e["amount_cents"] for e in entries)
    room = sums["room_fee"] + sums["room_refund"]
    kept = sum(
        loan["kept_cents"] for loan in tools.list_loans(status="returned")["loans"]
        if p["first"] <= loan["returned_on"] <= p["last"]
    )
    costs = {"the room": room, "the shelf": sums["stock"], "deposits": kept}
    most = max(costs, key=lambda name: costs[name])
    return {
        "outcome": "done",
        "answers": {"room": room, "shelf": sums["stock"], "deposits": kept, "most": most},
        "reason": None,
        "message": (
            f"The room cost you {room / 100:.2f} EUR, the shelf {sums['stock'] / 100:.2f} EUR and deposits "
            f"{kept / 100:.2f} EUR; the most went on {most}."
        ),
    }


def _costs(world, p):
    """What the room, the shelf and the deposits cost in these days."""
    rows = world.initial.query(
        "SELECT kind, -SUM(amount_cents) AS cents FROM ledger_entries WHERE member_id = 1"
        " AND substr(entered_at, 1, 10) >= ? AND substr(entered_at, 1, 10) <= ? GROUP BY kind ORDER BY kind",
        [p["first"], p["last"]],
    )
    sums = {row["kind"]: row["cents"] for row in rows}
    kept = world.initial.one(
        "SELECT COALESCE(SUM(kept_cents), 0) AS cents FROM loans WHERE member_id = 1 AND returned_on >= ?"
        " AND returned_on <= ?",
        [p["first"], p["last"]],
    )["cents"]
    room = sums.get("room_fee", 0) + sums.get("room_refund", 0)
    return {"the room": room, "the shelf": sums.get("stock", 0), "deposits": kept}


def goal_says_what_the_room_cost(world, p):
    """Says what the room cost, less what came back."""
    return world.report.says("room", _costs(world, p)["the room"])


def goal_says_what_the_shelf_cost(world, p):
    """Says what the things from the shelf cost."""
    return world.report.says("shelf", _costs(world, p)["the shelf"])


def goal_says_what_was_kept_of_deposits(world, p):
    """Says what was kept of deposits."""
    return world.report.says("deposits", _costs(world, p)["deposits"])


def goal_says_what_cost_the_most(world, p):
    """Says which of the three cost the most."""
    costs = _costs(world, p)
    return world.report.says("most", max(costs, key=lambda name: costs[name]))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return not world.changes
