def _all(call, key, **arguments):
    rows, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = call(page_size=100, **arguments, **more)
        rows += page[key]
        cursor = page["next_page_cursor"]
        if not cursor:
            return rows


def _building(tools, address):
    return next(b for b in _all(tools.list_buildings, "buildings") if b["address"] == address)


def _lift(tools, building, entrance):
    lifts = _all(tools.list_lifts, "lifts", building_id=building["building_id"])
    return next(one for one in lifts if one["entrance"] == entrance)


def solve(tools):
    building = _building(tools, "Rua dos Lagares 14")
    noisy = _lift(tools, building, "Bloco B")
    price = tools.estimate_call_out(lift_id=noisy["lift_id"], fault_kind="noise")
    report = tools.report_fault(
        lift_id=noisy["lift_id"], fault_kind="noise",
        fault_details="The lift has been scraping since early this morning, though it still runs.",
        phone="+351912345678", lift_stopped=False, defer_to_day=True,
    )
    dark = _lift(tools, building, "Bloco A")
    calls = _all(tools.list_call_outs, "call_outs", lift_id=dark["lift_id"], fault_kind="lighting")
    tail = "The call-out for the lighting in Bloco A stands, since cancelling it would not be free any more."
    for one in calls:
        if one["call_out_status"] == "received":
            tools.cancel_call_out(call_out_id=one["call_out_id"], reason="I changed the tube myself.")
            tail = "The call-out for the lighting in Bloco A is cancelled free of charge."
    return {
        "outcome": "done",
        "answers": {"cost_now": price["total_cents"]},
        "reason": None,
        "message": f"Reported right now a call-out would cost {price['total_cents'] / 100:.2f} EUR with IVA; the noise is"
                   f" reported and counts from {report['reported_at'][:16].replace('T', ' ')}, without surcharge. {tail}",
    }
