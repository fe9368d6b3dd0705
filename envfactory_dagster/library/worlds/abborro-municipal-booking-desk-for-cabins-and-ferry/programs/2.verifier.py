import datetime


def _due(stay):
    """The last day for paying a stay."""
    booked = datetime.date.fromisoformat(stay["booked_at"][:10])
    due = datetime.date.fromisoformat(stay["arrives_on"]) - datetime.timedelta(days=30)
    return (booked + datetime.timedelta(days=3) if due < booked else due).isoformat()


def _open(world):
    """The stays ahead on which something is left to pay, the first due first."""
    rows = world.initial.query(
        "SELECT s.id, c.name AS cabin, s.arrives_on, s.booked_at, s.price_cents"
        " + (SELECT coalesce(sum(x.price_cents), 0) FROM crossings x WHERE x.stay_id = s.id AND x.status = 'booked')"
        " + (SELECT coalesce(sum(d.price_cents), 0) FROM dogs d WHERE d.stay_id = s.id AND d.status = 'reported')"
        " + (SELECT coalesce(sum(t.price_cents), 0) FROM sauna_turns t WHERE t.stay_id = s.id AND t.status = 'booked')"
        " - (SELECT coalesce(sum(CASE WHEN p.kind = 'refund' THEN -p.amount_cents ELSE p.amount_cents END), 0)"
        " FROM payments p WHERE p.stay_id = s.id) AS balance"
        " FROM stays s JOIN cabins c ON c.id = s.cabin_id WHERE s.household_id = 1 AND s.arrives_on >= ?"
        " AND s.status IN ('held', 'deposit_paid', 'paid') ORDER BY s.id", ["2026-08-25"])
    return sorted((row for row in rows if row["balance"] > 0), key=_due)


def _to_pay(world):
    """The stay that is to be paid off, or None where the card does not suffice."""
    first = _open(world)[0]
    return first if first["balance"] <= 13000 else None


def goal_names_the_cabin(world) -> bool:
    """Says which stay has to be paid first."""
    return world.report.says("cabin", _open(world)[0]["cabin"])


def goal_says_what_was_left(world) -> bool:
    """Says what was left to pay on it."""
    return world.report.says("was_left", _open(world)[0]["balance"])


def goal_says_what_the_others_cost(world) -> bool:
    """Says what is left to pay on the other stays ahead."""
    return world.report.says("others_left", sum(row["balance"] for row in _open(world)[1:]))


def goal_says_when_the_others_are_due(world) -> bool:
    """Says the first day on which one of the others is due."""
    return world.report.says("others_due_on", _due(_open(world)[1]))


def goal_pays_it_off_by_card(world) -> bool:
    """Paid off the stay that is due first with one card payment."""
    stay = _to_pay(world)
    added = [change["after"] for change in world.changes
             if change["table"] == "payments" and change["before"] is None]
    return (stay is not None and len(added) == 1 and added[0]["stay_id"] == stay["id"]
            and added[0]["amount_cents"] == stay["balance"] and added[0]["kind"] == "balance")


def goal_counts_as_paid(world) -> bool:
    """The desk counts that stay as paid."""
    stay = _to_pay(world)
    return stay is not None and world.final.one("SELECT status FROM stays WHERE id = ?",
                                                [stay["id"]])["status"] == "paid"


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_pays_nothing_else(world) -> bool:
    """Added at most one payment, by card, of the user for that stay and of no more than its balance."""
    stay = _to_pay(world)
    added = [change for change in world.changes if change["table"] == "payments"]
    return len(added) <= 1 and all(
        stay is not None and change["before"] is None and change["after"]["household_id"] == 1
        and change["after"]["stay_id"] == stay["id"] and change["after"]["method"] == "card"
        and change["after"]["kind"] in ("deposit", "balance") and change["after"]["amount_cents"] <= stay["balance"]
        for change in added)


def guard_changes_only_the_status_of_that_stay(world) -> bool:
    """Changed no other row than that stay, and in it nothing but the status."""
    stay = _to_pay(world)
    others = [change for change in world.changes if change["table"] != "payments"]
    return all(
        stay is not None and change["table"] == "stays" and change["before"] is not None
        and change["after"] is not None and change["before"]["id"] == stay["id"]
        and all(change["after"][column] == value for column, value in change["before"].items() if column != "status")
        for change in others)
