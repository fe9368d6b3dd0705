def _lift(world, entrance):
    return world.initial.one(
        "SELECT l.*, c.contract_kind, c.vat_rate FROM lifts l JOIN buildings b ON b.id = l.building_id"
        " JOIN contracts c ON c.id = l.contract_id WHERE b.address = ? AND l.entrance = ?",
        ["Rua dos Lagares 14", entrance],
    )


def _lighting(world):
    return world.initial.one(
        "SELECT * FROM call_outs WHERE lift_id = ? AND fault_kind = 'lighting'"
        " AND call_out_status IN ('received', 'dispatched', 'on_site')",
        [_lift(world, "Bloco A")["id"]],
    )


def goal_reports_the_noise_without_weekend_surcharge(world) -> bool:
    """Has one new call-out for the noise in Bloco B, at day tariff and without cost, with the phone to ring."""
    # A second report of the same noise is added to the open call-out as a new line of its details.
    new = [c["after"] for c in world.changes if c["table"] == "call_outs" and c["before"] is None]
    wanted = {
        "lift_id": _lift(world, "Bloco B")["id"], "customer_id": 1, "fault_kind": "noise", "phone": "+351912345678",
        "lift_stopped": 0, "call_out_status": "received", "tariff_band": "day", "covered": 1, "net_cents": 0,
    }
    return (
        len(new) == 1 and all(new[0][column] == value for column, value in wanted.items())
        and "\n" not in new[0]["fault_details"].strip()
    )


def goal_cancels_the_lighting_call_out_free_of_charge(world) -> bool:
    """Has cancelled the call-out for the lighting in Bloco A, and it costs nothing."""
    row = world.final.one("SELECT * FROM call_outs WHERE id = ?", [_lighting(world)["id"]])
    return row is not None and row["call_out_status"] == "cancelled" and row["net_cents"] == 0


def goal_says_what_it_would_cost_now(world) -> bool:
    """Says what the call-out would cost, with IVA, if it counted as reported on the Sunday."""
    lift = _lift(world, "Bloco B")
    used = world.initial.one(
        "SELECT COUNT(*) AS n FROM call_outs WHERE lift_id = ? AND uses_quota = 1"
        " AND reported_at >= '2026-01-01' AND reported_at < '2027-01-01'",
        [lift["id"]],
    )["n"]
    surcharge = 9500 * 50 // 100
    net = 0 if lift["contract_kind"] == "complete" else surcharge if used < 2 else 9500 + surcharge
    return world.report.says("cost_now", (net * (100 + lift["vat_rate"]) + 50) // 100)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_these_two_call_outs(world) -> bool:
    """Touched nothing but one new call-out for Bloco B and the cancelling of the one for the lighting."""
    lift, lighting, new = _lift(world, "Bloco B")["id"], _lighting(world)["id"], 0
    columns = ("call_out_status", "cancelled_at", "cancel_reason", "uses_quota", "net_cents")
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "call_outs" or after is None:
            return False
        if before is None:
            new += 1
            if after["lift_id"] != lift or after["customer_id"] != 1 or after["call_out_status"] != "received":
                return False
        elif before["id"] != lighting or any(before[k] != after[k] for k in before if k not in columns):
            return False
    return new <= 1
