def _lift(world):
    return world.initial.one(
        "SELECT l.* FROM lifts l JOIN buildings b ON b.id = l.building_id WHERE b.address = ? AND l.entrance = ?",
        ["Rua da Beneficência 40", "Bloco B"],
    )


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_reports_the_accident(world) -> bool:
    """Has one new accident file for Bloco B: at 8:40 today, one visitor hurt, with the phone to ring."""
    made, calls = _new(world, "accidents"), _new(world, "call_outs")
    wanted = {
        "lift_id": _lift(world)["id"], "customer_id": 1, "occurred_at": "2026-06-09T08:40:00", "severity": "injury",
        "injured_count": 1, "phone": "+351927518360",
    }
    return (
        len(made) == 1 and len(calls) == 1 and made[0]["call_out_id"] == calls[0]["id"]
        and calls[0]["fault_details"] == made[0]["fault_details"] and calls[0]["phone"] == made[0]["phone"]
        and all(made[0][column] == value for column, value in wanted.items())
    )


def goal_files_the_extraordinary_inspection(world) -> bool:
    """Has one extraordinary inspection filed for that accident, with the receipt and the two days to avoid."""
    made, accidents = _new(world, "inspections"), _new(world, "accidents")
    if len(made) != 1 or len(accidents) != 1:
        return False
    wanted = {
        "lift_id": _lift(world)["id"], "customer_id": 1, "inspection_kind": "extraordinary",
        "inspection_status": "requested", "fee_receipt_ref": "DOC-000412", "accident_id": accidents[0]["id"],
    }
    days = sorted((x["inspection_id"], x["unwanted_date"]) for x in _new(world, "inspection_unwanted_dates"))
    return (
        all(made[0][column] == value for column, value in wanted.items())
        and days == [(made[0]["id"], "2026-06-17"), (made[0]["id"], "2026-06-19")]
    )


def goal_asks_for_a_quotation_for_door_sensors(world) -> bool:
    """Has asked for one quotation for new door sensors on that lift."""
    made = _new(world, "quotations")
    wanted = {"lift_id": _lift(world)["id"], "customer_id": 1, "quotation_status": "requested"}
    return (
        len(made) == 1 and all(made[0][column] == value for column, value in wanted.items())
        and "sensor" in made[0]["fault_details"].lower() and "door" in made[0]["fault_details"].lower()
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but one accident with its call-out, one inspection, one quotation, and sealed that lift."""
    lift = _lift(world)["id"]
    single = ("accidents", "call_outs", "inspections", "quotations")
    for change in world.changes:
        before, after, table = change["before"], change["after"], change["table"]
        if after is None:
            return False
        if table == "lifts":
            if before is None or before["id"] != lift or after["lift_status"] != "sealed":
                return False
            if any(before[k] != after[k] for k in before if k != "lift_status"):
                return False
        elif before is not None:
            return False
        elif table in single:
            if after["lift_id"] != lift or after["customer_id"] != 1:
                return False
        elif table == "inspection_unwanted_dates":
            if after["inspection_id"] not in [one["id"] for one in _new(world, "inspections")]:
                return False
        else:
            return False
    return all(len(_new(world, table)) <= 1 for table in single) and len(_new(world, "inspection_unwanted_dates")) <= 2
