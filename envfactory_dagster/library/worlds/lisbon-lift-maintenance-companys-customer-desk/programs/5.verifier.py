def _contract(world):
    return world.initial.one(
        "SELECT c.* FROM contracts c JOIN buildings b ON b.id = c.building_id WHERE b.address = 'Rua de São Bento 120'"
        " AND c.customer_id = 1 AND c.contract_status = 'active'"
    )


def _call_outs(world):
    rows = world.initial.query(
        "SELECT (k.net_cents * (100 + k.vat_rate) + 50) / 100 AS cents FROM call_outs k JOIN lifts l ON l.id = k.lift_id"
        " WHERE l.contract_id = ? AND k.call_out_status = 'closed' AND k.reported_at >= '2026-01-01' ORDER BY k.id",
        [_contract(world)["id"]],
    )
    return sum(row["cents"] for row in rows)


def _dearer(world):
    return 3 * _contract(world)["monthly_cents"] + _call_outs(world) > 45000


def _new(world):
    return [c["after"] for c in world.changes if c["table"] == "contract_notices" and c["before"] is None]


def goal_changes_to_a_complete_contract_if_cheaper(world) -> bool:
    """Asks for a complete contract from 1 April if the present one has cost more, and for nothing otherwise."""
    made = _new(world)
    if not _dearer(world):
        return world.report.outcome is not None and not made
    wanted = {
        "contract_id": _contract(world)["id"], "customer_id": 1, "notice_kind": "change_kind",
        "effective_date": "2026-04-01", "contract_kind": "complete", "minutes_ref": None, "fee_cents": 0,
    }
    return len(made) == 1 and all(made[0][column] == value for column, value in wanted.items())


def goal_says_whether_it_is_changed(world) -> bool:
    """Says whether the contract is changed."""
    return world.report.says("changed", _dearer(world))


def goal_says_what_the_call_outs_cost(world) -> bool:
    """Says what the call-outs have cost since New Year."""
    return world.report.says("call_outs", _call_outs(world))


def goal_says_until_when_it_can_be_taken_back(world) -> bool:
    """Says until when the change can be taken back, 14 days from today, if there is one."""
    if world.report.outcome is None:
        return False
    return world.report.says("take_back_until", "2026-03-15" if _dearer(world) else None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_makes_no_other_change(world) -> bool:
    """Adds at most one notice on the bakery's contract, and touches nothing else."""
    return len(world.changes) <= 1 and all(
        c["table"] == "contract_notices" and c["before"] is None and c["after"]["contract_id"] == _contract(world)["id"]
        for c in world.changes
    )
