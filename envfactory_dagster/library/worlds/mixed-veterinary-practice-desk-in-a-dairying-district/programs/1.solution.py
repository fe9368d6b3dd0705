def solve(tools):
    invoices = tools.search_invoices(practice="own", status="open")["invoices"]
    owing = sum(i["owing_cents"] for i in invoices)
    booked = tools.search_appointments(status="booked")["appointments"]
    deposits = sum(a["deposit_cents"] for a in booked if a["deposit_status"] == "held")

    def find(patient, service, day):
        for a in booked:
            if a["patient_name"] == patient and service in a["service_name"].lower() and a["starts_at"][:10] == day:
                return a
        return None

    if owing > deposits:
        visit = find("Meg", "vaccination", "2025-11-04")
        name = "Meg's vaccination"
    else:
        visit = find("Fly", "surgery", "2025-10-28")
        name = "Fly's surgery"
    tools.cancel_appointment(appointment_id=visit["id"])
    if owing > deposits:
        credits = [p for p in tools.list_payments(kind="return_credit")["payments"] if p["invoice_id"] is None]
        oldest = min(invoices, key=lambda i: i["issued_on"])
        for credit in credits:
            tools.apply_credit(payment_id=credit["id"], invoice_id=oldest["id"])
    return {
        "outcome": "done",
        "answers": {"owing": owing, "deposits_held": deposits, "visit_cancelled": name},
        "reason": None,
        "message": f"You owe ${owing / 100:.2f} on our open invoices and we hold ${deposits / 100:.2f} in deposits on visits to come, so {name} is cancelled"
                   + (" and your unused credit is on the oldest open invoice." if owing > deposits else "."),
    }
