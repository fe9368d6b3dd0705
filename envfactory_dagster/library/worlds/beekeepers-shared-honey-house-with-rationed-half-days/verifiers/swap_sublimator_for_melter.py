OLD = (
    "SELECT l.id, l.deposit_cents FROM loans l JOIN equipment_items e ON e.id = l.equipment_item_id"
    " WHERE l.member_id = 1 AND e.kind = 'sublimator' AND l.status IN ('out', 'late')"
)
MELTERS = (
    "SELECT e.id, e.deposit_cents FROM equipment_items e WHERE e.kind = 'melter' AND e.status = 'in_service'"
    " AND NOT EXISTS (SELECT 1 FROM loans l WHERE l.equipment_item_id = e.id AND l.status <> 'returned') ORDER BY e.id"
)


def _only(change, columns):
    """Whether a changed row differs in these columns alone."""
    before, after = change["before"], change["after"]
    return all(before[name] == after[name] for name in before if name not in columns)


def _new(world, table):
    """The rows that are new in a table."""
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def _right_loan(world, row):
    """Whether a new loan is one that was asked for."""
    deposits = {m["id"]: m["deposit_cents"] for m in world.initial.query(MELTERS, [])}
    return (
        row["member_id"] == 1
        and row["equipment_item_id"] in deposits
        and row["due_on"] == "2025-08-26"
        and row["deposit_cents"] == deposits[row["equipment_item_id"]]
        and row["status"] == "out"
    )


def goal_sublimator_is_back_clean(world) -> bool:
    """The sublimator is returned clean, with nothing kept of its deposit."""
    old = world.initial.one(OLD, [])
    row = world.final.one("SELECT status, condition, kept_cents FROM loans WHERE id = ?", [old["id"]])
    return row["status"] == "returned" and row["condition"] == "clean" and row["kept_cents"] == 0


def goal_its_deposit_is_credited(world) -> bool:
    """The whole deposit of the sublimator is credited once on the user's ledger."""
    old = world.initial.one(OLD, [])
    rows = [e for e in _new(world, "ledger_entries") if e["loan_id"] == old["id"]]
    return (
        len(rows) == 1
        and rows[0]["member_id"] == 1
        and rows[0]["kind"] == "deposit"
        and rows[0]["amount_cents"] == old["deposit_cents"]
    )


def goal_a_melter_is_lent(world) -> bool:
    """One melter that was on the shelf is lent to the user until 26 August."""
    new = _new(world, "loans")
    return len(new) == 1 and _right_loan(world, new[0])


def goal_its_deposit_is_charged(world) -> bool:
    """The deposit of the melter is charged once on the user's ledger."""
    loans = {row["id"]: row["deposit_cents"] for row in _new(world, "loans")}
    rows = [e for e in _new(world, "ledger_entries") if e["loan_id"] in loans]
    return (
        len(rows) == 1
        and rows[0]["member_id"] == 1
        and rows[0]["kind"] == "deposit"
        and rows[0]["amount_cents"] == -loans[rows[0]["loan_id"]]
    )


def goal_says_what_comes_back(world) -> bool:
    """Has told how much of the deposit for the sublimator comes back."""
    return world.report.says("deposit_back", world.initial.one(OLD, [])["deposit_cents"])


def goal_says_the_deposit_of_the_melter(world) -> bool:
    """Has told the deposit of the melter, of the one that was lent where one was."""
    melters = world.initial.query(MELTERS, [])
    lent = [row["equipment_item_id"] for row in _new(world, "loans")]
    due = [m["deposit_cents"] for m in melters if m["id"] in lent] or [m["deposit_cents"] for m in melters]
    return any(world.report.says("melter_deposit", deposit) for deposit in due)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_adds_only_that_loan_and_two_deposits(world) -> bool:
    """Added no row but the wanted loan, its deposit and the credit for the sublimator, each at most once."""
    old = world.initial.one(OLD, [])
    loans = {row["id"]: row["deposit_cents"] for row in _new(world, "loans")}
    found = []
    for change in world.changes:
        if change["before"] is not None:
            continue
        row = change["after"]
        if change["table"] == "loans" and _right_loan(world, row):
            found.append("loan")
        elif change["table"] == "ledger_entries" and row["member_id"] == 1 and row["kind"] == "deposit":
            if row["loan_id"] == old["id"] and row["amount_cents"] == old["deposit_cents"]:
                found.append("credit")
            elif row["loan_id"] in loans and row["amount_cents"] == -loans[row["loan_id"]]:
                found.append("deposit")
            else:
                return False
        else:
            return False
    return len(found) == len(set(found))


def guard_changes_only_the_loan_of_the_sublimator(world) -> bool:
    """Changed no row but the loan of the sublimator, only what its return fills in, and deleted none."""
    old = world.initial.one(OLD, [])
    for change in world.changes:
        if change["after"] is None:
            return False
        if change["before"] is None:
            continue
        if change["table"] != "loans" or change["before"]["id"] != old["id"]:
            return False
        if not _only(change, ("status", "returned_on", "condition", "kept_cents")):
            return False
    return True
