LOANS = "SELECT id, status, deposit_cents FROM loans WHERE member_id = 1 AND status IN ('out', 'late') ORDER BY id"


def _wanted(world):
    result = {}
    for l in world.initial.query(LOANS, []):
        late = l["status"] == "late"
        kept = min(1000, l["deposit_cents"]) if late else 0
        result[l["id"]] = {
            "condition": "unwashed" if late else "clean",
            "kept": kept,
            "credit": l["deposit_cents"] - kept,
        }
    return result


def goal_says_how_many_items(world) -> bool:
    """Says how many items came back."""
    return world.report.says("items", len(_wanted(world)))


def goal_says_how_much_is_credited(world) -> bool:
    """Says how much of the deposits is credited altogether."""
    return world.report.says("credited", sum(w["credit"] for w in _wanted(world).values()))


def goal_says_how_much_is_kept(world) -> bool:
    """Says how much of the deposits the house keeps."""
    return world.report.says("kept", sum(w["kept"] for w in _wanted(world).values()))


def goal_says_balance(world) -> bool:
    """Says what the balance is after all items are back."""
    before = world.initial.one("SELECT SUM(amount_cents) AS n FROM ledger_entries WHERE member_id = 1", [])["n"]
    return world.report.says("balance", before + sum(w["credit"] for w in _wanted(world).values()))


def goal_every_open_loan_is_returned(world) -> bool:
    """Every item that was out or late is returned today, overdue ones unwashed, the others clean."""
    for loan_id, w in _wanted(world).items():
        row = world.final.one("SELECT status, returned_on, condition, kept_cents FROM loans WHERE id = ?", [loan_id])
        if row["status"] != "returned" or row["returned_on"] != "2025-06-18":
            return False
        if row["condition"] != w["condition"] or row["kept_cents"] != w["kept"]:
            return False
    return True


def goal_every_deposit_is_credited(world) -> bool:
    """The ledger has one new deposit credit of the right amount for each of these loans."""
    new = [c["after"] for c in world.changes if c["table"] == "ledger_entries" and c["before"] is None]
    found = sorted((e["loan_id"], e["amount_cents"]) for e in new if e["kind"] == "deposit" and e["member_id"] == 1)
    return found == sorted((i, w["credit"]) for i, w in _wanted(world).items() if w["credit"] > 0)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_these_loans(world) -> bool:
    """Changed no row but the user's open loans, and of these only what a return fills in."""
    wanted = _wanted(world)
    free = ("status", "returned_on", "condition", "kept_cents")
    for c in world.changes:
        if c["after"] is None:
            return False
        if c["before"] is None:
            continue
        if c["table"] != "loans" or c["before"]["id"] not in wanted:
            return False
        if any(c["before"][k] != c["after"][k] for k in c["before"] if k not in free):
            return False
    return True


def guard_adds_only_credits_for_these_loans(world) -> bool:
    """Added no row but deposit credits of the user for these loans, at most one for each."""
    wanted = _wanted(world)
    new = [c for c in world.changes if c["before"] is None]
    for c in new:
        if c["table"] != "ledger_entries":
            return False
        e = c["after"]
        if e["member_id"] != 1 or e["kind"] != "deposit" or e["loan_id"] not in wanted or e["amount_cents"] <= 0:
            return False
    loans = [c["after"]["loan_id"] for c in new]
    return len(loans) == len(set(loans))
