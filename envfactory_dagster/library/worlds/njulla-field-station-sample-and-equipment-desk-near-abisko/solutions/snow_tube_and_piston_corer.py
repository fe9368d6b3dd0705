import datetime
import re


def solve(tools):
    me = tools.get_desk_today()["person"]
    project = next(one for one in tools.search_projects(person_id=me["id"])["projects"] if "spring snow" in one["title"].lower())
    slope = tools.list_sites(kind="slope", name="Njulla, east")["sites"][0]
    lake = tools.list_sites(kind="lake", name="Vuolep Njakajaure")["sites"][0]
    aila = tools.search_people(name="Aila Sarri")["people"][0]
    tubes = {one["id"]: one for one in tools.search_equipment(kind="snow_tube")["equipment"]}
    notes = tools.list_notes(kind="handover", written_by_id=aila["id"])["notes"]
    note = max((one for one in notes if one["equipment_id"] in tubes), key=lambda one: one["written_at"])
    depth = int(re.search(r"(\d+) cm", note["text"]).group(1))
    free = tools.search_equipment(kind="snow_tube", first_day="2026-04-16", last_day="2026-04-20")["equipment"]
    tube = min((one for one in free if one["length_cm"] > depth), key=lambda one: one["length_cm"])
    tools.book_equipment(project_id=project["id"], equipment_id=tube["id"], site_id=slope["id"],
                         from_on="2026-04-16", until_on="2026-04-20", snow_depth_cm=depth)
    days = 14 if lake["altitude_m"] > 800 else 7
    first = datetime.date(2026, 4, 17)
    last = min((first + datetime.timedelta(days=days - 1)).isoformat(), project["ends_on"])
    corer = tools.search_equipment(kind="piston_corer", first_day="2026-04-17", last_day=last)["equipment"][0]
    tools.book_equipment(project_id=project["id"], equipment_id=corer["id"], site_id=lake["id"],
                         from_on="2026-04-17", until_on=last)
    gravity = {one["id"] for one in tools.search_equipment(kind="gravity_corer")["equipment"]}
    old = next(one for one in tools.search_bookings(project_id=project["id"], status="booked")["bookings"]
               if one["equipment_id"] in gravity and one["from_on"] == "2026-04-20")
    tools.cancel_booking(booking_id=old["id"])
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"{tube['name']} ({tube['length_cm']} cm, snow {depth} cm) is booked from 16 to 20 April and {corer['name']} from 17 April to {last}; {old['equipment_name']} from 20 April is cancelled.",
    }
