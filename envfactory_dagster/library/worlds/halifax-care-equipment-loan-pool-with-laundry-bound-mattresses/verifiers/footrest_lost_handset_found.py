def _columns(change):
    """The columns that differ in a changed row."""
    return {name for name in change["after"] if change["after"][name] != change["before"][name]}


def _footrests(world):
    """The footrests that are still with the father's wheelchair."""
    return world.initial.query(
        "SELECT p.id, p.lost_price_cents, l.id AS loan_id, m.household_id FROM item_parts p"
        " JOIN loans l ON l.item_id = p.item_id JOIN clients c ON c.id = l.client_id"
        " JOIN household_members m ON m.client_id = c.id JOIN items i ON i.id = p.item_id"
        " JOIN item_types t ON t.id = i.item_type_id WHERE c.name = 'Earl Boutilier' AND l.status = 'on_loan'"
        " AND t.name = 'wheelchair' AND p.name LIKE '%footrest%' AND p.status = 'with_item' ORDER BY p.id"
    )


def _handset(world):
    """The handset of the mother's bed that was reported lost in May, with its fee."""
    return world.initial.one(
        "SELECT p.id, f.id AS fee_id, f.amount_cents FROM item_parts p JOIN loans l ON l.item_id = p.item_id"
        " JOIN clients c ON c.id = l.client_id JOIN items i ON i.id = p.item_id JOIN item_types t ON t.id = i.item_type_id"
        " JOIN fees f ON f.item_part_id = p.id AND f.loan_id = l.id"
        " WHERE c.name = 'Doreen Boutilier' AND l.status = 'on_loan' AND t.name = 'bed' AND p.name = 'handset'"
        " AND p.status = 'lost' AND p.lost_on >= '2026-05-01' AND p.lost_on <= '2026-05-31'"
    )


def _open_before(world):
    """The household's open fees at the start, without that of the handset."""
    return world.initial.query(
        "SELECT f.id, f.amount_cents FROM fees f JOIN loans l ON l.id = f.loan_id"
        " JOIN household_members m ON m.client_id = l.client_id"
        " WHERE m.household_id = ? AND f.status = 'open' AND f.id <> ? ORDER BY f.id",
        [_footrests(world)[0]["household_id"], _handset(world)["fee_id"]],
    )


def _owed(world):
    """What is owed once the footrest is charged and the handset found."""
    return sum(row["amount_cents"] for row in _open_before(world)) + _footrests(world)[0]["lost_price_cents"]


def _new_fees(world):
    """The fees charged for a footrest of the wheelchair during the task."""
    old = {row["id"] for row in world.initial.query("SELECT id FROM fees ORDER BY id")}
    parts = {row["id"]: row for row in _footrests(world)}
    return [
        row
        for row in world.final.query("SELECT * FROM fees WHERE kind = 'lost_part' ORDER BY id")
        if row["id"] not in old and row["item_part_id"] in parts and row["loan_id"] == parts[row["item_part_id"]]["loan_id"]
    ]


def goal_one_footrest_is_lost(world) -> bool:
    """Exactly one footrest of the father's wheelchair is newly recorded as lost."""
    states = [world.final.one("SELECT status FROM item_parts WHERE id = ?", [row["id"]])["status"] for row in _footrests(world)]
    return states.count("lost") == 1


def goal_footrest_is_charged(world) -> bool:
    """The footrest is charged once, at today's price."""
    fees = _new_fees(world)
    return len(fees) == 1 and fees[0]["amount_cents"] == _footrests(world)[0]["lost_price_cents"]


def goal_handset_is_found(world) -> bool:
    """The handset of the mother's bed is with the bed again and its fee credited."""
    handset = _handset(world)
    part = world.final.one("SELECT status FROM item_parts WHERE id = ?", [handset["id"]])
    fee = world.final.one("SELECT status FROM fees WHERE id = ?", [handset["fee_id"]])
    return part["status"] == "with_item" and fee["status"] == "credited"


def goal_what_is_owed_is_paid(world) -> bool:
    """All that the household still owes is paid, as it is $60 or less."""
    keys = [row["id"] for row in _open_before(world)] + [row["id"] for row in _new_fees(world)]
    states = [world.final.one("SELECT status FROM fees WHERE id = ?", [key])["status"] for key in keys]
    paid = sum(
        change["after"]["amount_cents"]
        for change in world.changes
        if change["table"] == "payments" and change["before"] is None and change["after"] is not None
    )
    if len(_new_fees(world)) != 1:
        return False
    if _owed(world) > 6000:
        return paid == 0 and all(state == "open" for state in states)
    return paid == _owed(world) and all(state == "paid" for state in states)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule in the way."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the two parts, their fees, and the payment with the fees of the household that it settles."""
    footrests = {row["id"]: row for row in _footrests(world)}
    handset = _handset(world)
    household = _footrests(world)[0]["household_id"]
    payable = {row["id"] for row in _open_before(world)}
    lost = 0
    charged = 0
    paid = 0
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if after is None:
            return False
        if table == "item_parts" and before is not None:
            if not _columns(change) <= {"status", "lost_on"}:
                return False
            if after["id"] in footrests:
                lost += 1
                if after["status"] != "lost" or after["lost_on"] not in ("2026-07-01", "2026-07-02"):
                    return False
            elif after["id"] != handset["id"] or after["status"] != "with_item":
                return False
        elif table == "fees" and before is None:
            charged += 1
            part = footrests.get(after["item_part_id"])
            if part is None or after["loan_id"] != part["loan_id"] or after["kind"] != "lost_part":
                return False
            if after["amount_cents"] != part["lost_price_cents"] or after["status"] not in ("open", "paid"):
                return False
        elif table == "fees":
            if not _columns(change) <= {"status", "payment_id", "settled_at"}:
                return False
            if after["id"] == handset["fee_id"]:
                if after["status"] != "credited" or after["payment_id"] is not None:
                    return False
            elif after["id"] not in payable or after["status"] != "paid":
                return False
        elif table == "payments" and before is None:
            paid += after["amount_cents"]
            if after["household_id"] != household or after["client_id"] != 1:
                return False
        else:
            return False
    return lost <= 1 and charged <= 1 and paid <= 6000
