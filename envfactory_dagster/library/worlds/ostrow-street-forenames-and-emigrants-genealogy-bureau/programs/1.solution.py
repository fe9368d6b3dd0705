def solve(tools):
    first = "2026-01-01"
    parish = tools.list_time_entries(source_type="parish_register", first_day=first)["time_entries"]
    ships = tools.list_time_entries(source_type="ship_list", first_day=first)["time_entries"]
    parish_hours = sum(e["hours"] for e in parish)
    ship_hours = sum(e["hours"] for e in ships)
    wielgosz = None
    novotny = None
    message = f"Since the start of 2026 {parish_hours:g} hours went into parish registers and {ship_hours:g} hours into ship lists."
    if parish_hours > ship_hours:
        wielgosz = sum(e["hours"] for e in parish if e["surname"] == "Wielgosz")
        message += f" Of the hours on parish registers {wielgosz:g} were for the Wielgosz family."
    else:
        novotny = sum(e["hours"] for e in ships if e["surname"] == "Novotny")
        message += f" Of the hours on ship lists {novotny:g} were for the Novotny family."
    return {
        "outcome": "done",
        "answers": {
            "parish_register_hours": parish_hours,
            "ship_list_hours": ship_hours,
            "wielgosz_parish_register_hours": wielgosz,
            "novotny_ship_list_hours": novotny,
        },
        "reason": None,
        "message": message,
    }
