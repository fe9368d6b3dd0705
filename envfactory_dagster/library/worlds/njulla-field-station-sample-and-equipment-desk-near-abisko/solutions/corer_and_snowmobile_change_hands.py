def solve(tools):
    today = tools.get_desk_today()["now"][:10]
    projects = tools.search_projects()["projects"]
    sofia = next(one for one in projects if one["leader_name"] == "Sofia Berglund")
    mikko = next(one for one in projects if one["leader_name"] == "Mikko Rautio")
    gravity = {one["id"] for one in tools.search_equipment(kind="gravity_corer")["equipment"]}
    hers = next(one for one in tools.search_bookings(project_id=sofia["id"], status="out")["bookings"]
                if one["equipment_id"] in gravity)
    booked = tools.search_bookings(project_id=mikko["id"], status="booked")["bookings"]
    his = next(one for one in booked if one["equipment_id"] == hers["equipment_id"] and one["from_on"] == today)
    tools.take_back_equipment(booking_id=hers["id"])
    tools.hand_out_equipment(booking_id=his["id"])
    tools.write_handover_note(booking_id=his["id"],
                              text="The top valve sticks below -20 degrees and wants warming before use.")
    sledge = tools.search_equipment(kind="snowmobile", name="long-track")["equipment"][0]
    notes = tools.list_notes(equipment_id=sledge["id"], kind="breakdown", status="open")["notes"]
    for note in notes:
        if "drive belt" in note["text"].lower():
            tools.close_breakdown_note(note_id=note["id"])
    others = tools.list_notes(equipment_id=sledge["id"], kind="breakdown", status="open")["notes"]
    message = f"{hers['equipment_name']} is taken back from Sofia's project and handed out to Mikko's, with your note; the breakdown note about the drive belt is closed. "
    if others:
        message += f"{sledge['name']} is not handed out: another breakdown note is open on it: {others[0]['text']}"
    else:
        trip = next(one for one in booked if one["equipment_id"] == sledge["id"] and one["from_on"] == today)
        tools.hand_out_equipment(booking_id=trip["id"])
        message += f"{sledge['name']} is handed out to Mikko too."
    return {"outcome": "done", "answers": {}, "reason": None, "message": message}
