from datetime import datetime, timedelta


def solve(tools):
    sione = next(v for v in tools.list_vets(practice="own")["vets"] if "Sione" in v["name"])
    service = next(s for s in tools.search_services(name="disbudding")["services"])
    calves = next(p for p in tools.search_patients(species="cattle", kind="mob")["patients"] if p["head_count"] == 40 and "calves" in p["name"].lower())
    diary = tools.list_vet_diary(vet_id=sione["id"], day="2025-10-22")["diary"]
    call = next((c for c in diary if c["property_name"] and "McAuley" in c["property_name"] and c["service_name"] == service["name"]), None)
    obstacle = None
    booked = None
    if call is None:
        obstacle = "Sione is not disbudding at McAuleys' on Wednesday 22 October."
    elif call["appointment_id"] != diary[0]["appointment_id"]:
        obstacle = "Sione does not start the day at McAuleys'."
    elif not call["shares_travel"]:
        obstacle = "McAuleys have not agreed to share the travel."
    else:
        start = datetime.fromisoformat(call["ends_at"])
        end = start + timedelta(minutes=service["base_minutes"] + 40 * service["minutes_per_head"])
        if end > datetime.fromisoformat("2025-10-22T13:00:00"):
            obstacle = "Sione would not be done in your yards by one o'clock."
        else:
            try:
                booked = tools.book_appointment(
                    patient_id=calves["id"], service_id=service["id"], vet_id=sione["id"], starts_at=call["ends_at"],
                    head_count=40, follows_appointment_id=call["appointment_id"],
                )["appointment"]
            except tools.Error as error:
                obstacle = str(error)
    if booked is None:
        return {
            "outcome": "done",
            "answers": {"what_stood_in_the_way": obstacle},
            "reason": None,
            "message": f"Sione is not coming on from McAuleys', and Thursday stays as it is: {obstacle}",
        }
    thursday = next(
        a for a in tools.search_appointments(status="booked", first_day="2025-10-23", last_day="2025-10-23")["appointments"]
        if a["service_name"] == service["name"]
    )
    tools.cancel_appointment(appointment_id=thursday["id"])
    refund = tools.refund_deposit(appointment_id=thursday["id"])["payment"]["amount_cents"]
    return {
        "outcome": "done",
        "answers": {"what_stood_in_the_way": None},
        "reason": None,
        "message": f"Sione comes on from McAuleys' on Wednesday 22 October, {booked['starts_at'][11:16]} to {booked['ends_at'][11:16]}, with travel at "
                   f"${booked['travel_cents'] / 100:.2f}; Thursday is cancelled and your ${refund / 100:.2f} deposit is refunded.",
    }
