import datetime


def card(tools, given, surnames):
    """The card number of somebody known by name."""
    for d in tools.search_donors(surname=surnames)["result"]:
        if d["given_names"] == given and d["surnames"] == surnames:
            return d["donor_id"]


def solve(tools):
    donor_id = card(tools, "Manuel", "Henríquez Lobos")
    held = next(
        d
        for d in tools.list_deferrals(donor_id=donor_id)["result"]
        if d["cause"] == "medication" and d["until"] is None
    )
    tools.lift_deferral(
        deferral_id=held["deferral_id"],
        reason="The doctor has seen the box: it is losartan",
        doctor="Doctora Lorena Pizarro",
    )
    tools.record_weight(donor_id=donor_id, kg=71.5, site_code="um_portales")
    slots = tools.list_slots(site_code="um_portales", date="2026-10-06", kind="whole_blood")["result"]
    slot = next(x for x in slots if x["starts_at"][11:16] == "10:00")
    booked = tools.book_appointment(donor_id=donor_id, slot_id=slot["slot_id"], kind="whole_blood")
    seen = tools.check_in_appointment(
        appointment_id=booked["appointment_id"], document_seen="cedula", has_eaten=False
    )
    voucher = seen["voucher_amount_clp"] is not None
    minutes = 0
    if seen["wait_until"] is not None:
        waits = datetime.datetime.fromisoformat(seen["wait_until"]) - datetime.datetime.fromisoformat(
            seen["checked_in_at"]
        )
        minutes = int(waits.total_seconds() // 60)
    return {
        "outcome": "done",
        "answers": {"voucher": voucher, "wait": minutes},
        "reason": None,
        "message": (
            f"Manuel Henríquez Lobos is checked in for 10:00; he {'gets' if voucher else 'does not get'} the voucher "
            f"and waits {minutes} minutes."
        ),
    }
