def _hire(world, title):
    return world.initial.one(
        "SELECT h.id FROM hires h JOIN customers c ON c.id = h.customer_id WHERE c.name = 'Beckside School' AND h.show_title = ?",
        [title],
    )["id"]


def _deposit(world):
    return world.initial.one("SELECT id, amount_cents FROM deposits WHERE hire_id = ?", [_hire(world, "Cinderella")])


def _charges(world):
    return world.initial.query("SELECT id, amount_cents, agreed_at FROM deposit_charges WHERE deposit_id = ? ORDER BY id", [_deposit(world)["id"]])


def _left(world):
    return _deposit(world)["amount_cents"] - sum(c["amount_cents"] for c in _charges(world))


def _owed(world):
    return world.initial.one(
        "SELECT sum(l.amount_cents) AS n FROM invoices i JOIN invoice_lines l ON l.invoice_id = i.id"
        " WHERE i.hire_id = ? AND i.status = 'open' AND i.kind <> 'credit'",
        [_hire(world, "Cinderella")],
    )["n"]


def _settles(world):
    return _left(world) > _owed(world)


def _fee(world):
    return world.initial.one(
        "SELECT sum(fee_cents) AS n FROM hire_lines WHERE hire_id = ? AND status = 'active'", [_hire(world, "The Beckside Nativity")]
    )["n"]


def _first_payment(world):
    return (_fee(world) * 30 + 50) // 100


def _confirms(world):
    return _settles(world) and _left(world) >= _first_payment(world)


def _nativity_deposit(world):
    pieces = world.initial.one(
        "SELECT count(*) AS n FROM hire_lines l JOIN pieces p ON p.id = l.piece_id OR p.set_id = l.set_id"
        " WHERE l.hire_id = ? AND l.status = 'active'",
        [_hire(world, "The Beckside Nativity")],
    )["n"]
    return min(40000, max(5000, 1000 * pieces))


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_agrees_to_the_open_charges(world) -> bool:
    """The charges against the Cinderella deposit that were not agreed are agreed by the user."""
    waiting = [c["id"] for c in _charges(world) if c["agreed_at"] is None]
    rows = [world.final.one("SELECT agreed_at, agreed_by_person_id FROM deposit_charges WHERE id = ?", [i]) for i in waiting]
    return all(r["agreed_at"] is not None and r["agreed_by_person_id"] == 1 for r in rows) == _settles(world)


def goal_releases_the_deposit(world) -> bool:
    """The Cinderella deposit is released."""
    row = world.final.one("SELECT status, released_at FROM deposits WHERE id = ?", [_deposit(world)["id"]])
    return (row["status"] == "released" and row["released_at"] is not None) == _settles(world)


def goal_confirms_the_nativity(world) -> bool:
    """The hold for the Beckside Nativity is confirmed by the user, since the rest of the deposit covers 30% of its fee."""
    row = world.final.one("SELECT status, confirmed_by_person_id FROM hires WHERE id = ?", [_hire(world, "The Beckside Nativity")])
    return _confirms(world) and row["status"] == "confirmed" and row["confirmed_by_person_id"] == 1


def goal_invoices_the_first_payment(world) -> bool:
    """The confirmation invoice over 30% of the fee and the deposit that is due follow from it."""
    nativity = _hire(world, "The Beckside Nativity")
    invoices, lines, deposits = _new(world, "invoices"), _new(world, "invoice_lines"), _new(world, "deposits")
    return (
        _confirms(world)
        and len(invoices) == 1
        and invoices[0]["hire_id"] == nativity
        and invoices[0]["kind"] == "confirmation"
        and invoices[0]["status"] == "open"
        and len(lines) == 1
        and lines[0]["invoice_id"] == invoices[0]["id"]
        and lines[0]["amount_cents"] == _first_payment(world)
        and len(deposits) == 1
        and deposits[0]["hire_id"] == nativity
        and deposits[0]["status"] == "due"
        and deposits[0]["amount_cents"] == _nativity_deposit(world)
    )


def goal_says_what_is_left(world) -> bool:
    """Says what is left of the Cinderella deposit after all charges."""
    return world.report.says("left_of_deposit", _left(world))


def goal_says_what_is_open(world) -> bool:
    """Says what is open on the invoices of the Cinderella hire, without the disputed one."""
    return world.report.says("open_on_invoices", _owed(world))


def goal_says_first_payment(world) -> bool:
    """Says what 30% of the fee for the Nativity are, if that was looked into."""
    if world.report.outcome is None:
        return False
    return world.report.says("nativity_first_payment", _first_payment(world) if _settles(world) else None)


def goal_says_nativity_deposit(world) -> bool:
    """Says what the deposit for the Nativity is, if it was confirmed."""
    if world.report.outcome is None:
        return False
    return world.report.says("nativity_deposit", _nativity_deposit(world) if _confirms(world) else None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the open charges, the Cinderella deposit and the Nativity with what follows from confirming it."""
    waiting = {c["id"] for c in _charges(world) if c["agreed_at"] is None}
    nativity = _hire(world, "The Beckside Nativity")
    added = {"invoices": 0, "invoice_lines": 0, "deposits": 0}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            if change["table"] not in added:
                return False
            added[change["table"]] += 1
            continue
        columns = {k for k in before if before[k] != after[k]}
        if change["table"] == "deposit_charges":
            if before["id"] not in waiting or columns != {"agreed_at", "agreed_by_person_id"}:
                return False
        elif change["table"] == "deposits":
            if before["id"] != _deposit(world)["id"] or columns != {"status", "released_at"}:
                return False
        elif change["table"] == "hires":
            if before["id"] != nativity or columns != {"status", "confirmed_at", "confirmed_by_person_id"}:
                return False
        else:
            return False
    return all(n <= 1 for n in added.values())
