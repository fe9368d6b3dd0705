def _mine_out(world, kit_type):
    """The user's loan of this type that was out at the start."""
    return world.initial.one(
        "SELECT l.id, l.kit_item_id FROM kit_loans l JOIN kit_items i ON i.id = l.kit_item_id"
        " JOIN kit_types t ON t.id = i.kit_type_id WHERE l.member_id = 1 AND l.status = 'out' AND t.name = ?",
        [kit_type],
    )


def _spare(world):
    """The ready 60 metre rope that was inspected most recently."""
    return world.initial.one(
        "SELECT i.id FROM kit_items i JOIN kit_types t ON t.id = i.kit_type_id"
        " JOIN inspections n ON n.kit_item_id = i.id AND n.kind = 'inspection'"
        " WHERE t.name = ? AND i.status = 'ready' GROUP BY i.id ORDER BY max(n.happened_on) DESC LIMIT 1",
        ["60 metre rope"],
    )["id"]


def _columns(change):
    return {name for name in change["after"] if change["after"][name] != change["before"][name]}


def goal_fall_of_the_rope_is_reported(world) -> bool:
    """Has reported one fall of the rope on 4 February on the Chimney Buttress."""
    row = world.final.one(
        "SELECT count(*) AS n FROM inspections n JOIN sectors s ON s.id = n.sector_id"
        " WHERE n.kit_item_id = ? AND n.member_id = 1 AND n.kind = 'fall' AND n.happened_on = ? AND s.name = ?",
        [_mine_out(world, "60 metre rope")["kit_item_id"], "2026-02-04", "Chimney Buttress"],
    )
    return row["n"] == 1


def goal_rope_is_returned_as_doubtful(world) -> bool:
    """The rope that fell is returned and doubtful."""
    row = world.final.one(
        "SELECT l.status AS loan, i.status AS item FROM kit_loans l JOIN kit_items i ON i.id = l.kit_item_id"
        " WHERE l.id = ?",
        [_mine_out(world, "60 metre rope")["id"]],
    )
    return row is not None and row["loan"] == "returned" and row["item"] == "doubtful"


def goal_radio_is_returned(world) -> bool:
    """The hand radio is returned and ready again."""
    row = world.final.one(
        "SELECT l.status AS loan, i.status AS item FROM kit_loans l JOIN kit_items i ON i.id = l.kit_item_id"
        " WHERE l.id = ?",
        [_mine_out(world, "Hand radio")["id"]],
    )
    return row is not None and row["loan"] == "returned" and row["item"] == "ready"


def goal_has_the_most_recently_inspected_rope(world) -> bool:
    """Has the ready 60 metre rope that was inspected most recently on loan until 15 February."""
    row = world.final.one(
        "SELECT count(*) AS n FROM kit_loans l JOIN kit_items i ON i.id = l.kit_item_id"
        " WHERE l.kit_item_id = ? AND l.member_id = 1 AND l.status = 'out' AND l.due_day = ? AND i.status = 'on_loan'",
        [_spare(world), "2026-02-15"],
    )
    return row["n"] == 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but one new fall of the rope, the two loans handed back, one new loan of the other rope, and the
    states of these three items."""
    rope = _mine_out(world, "60 metre rope")
    radio = _mine_out(world, "Hand radio")
    spare = _spare(world)
    states = {rope["kit_item_id"]: ("ready", "doubtful"), radio["kit_item_id"]: ("ready",), spare: ("on_loan",)}
    new_falls = new_loans = 0
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if after is None:
            return False
        if table == "inspections" and before is None:
            new_falls += 1
            allowed = (
                after["member_id"] == 1 and after["kind"] == "fall" and after["kit_item_id"] == rope["kit_item_id"]
            )
        elif table == "kit_loans" and before is None:
            new_loans += 1
            allowed = after["member_id"] == 1 and after["kit_item_id"] == spare and after["status"] == "out"
        elif table == "kit_loans":
            allowed = (
                before["id"] in (rope["id"], radio["id"])
                and after["status"] == "returned"
                and _columns(change) <= {"status", "returned_at"}
            )
        elif table == "kit_items" and before is not None:
            allowed = after["status"] in states.get(before["id"], ()) and _columns(change) == {"status"}
        else:
            allowed = False
        if not allowed:
            return False
    return new_falls <= 1 and new_loans <= 1
