import datetime


def solve(tools):
    today = tools.get_desk_today()["now"][:10]
    a4 = next(one for one in tools.list_store_places(kind="rack")["store_places"] if one["code"] == "A4")
    lake = tools.list_sites(name="Vuolep Njakajaure")["sites"][0]
    friday = datetime.date.fromisoformat(today)
    while friday.weekday() != 4:
        friday -= datetime.timedelta(days=1)
    larvae = tools.search_samples(store_place_id=a4["id"], query="midge larvae",
                                  first_day="2026-02-16", last_day="2026-02-16")["samples"][0]
    tools.record_departure(sample_id=larvae["id"], vials=12, reason="sent", left_on=friday.isoformat(), destination="Tromsø")
    melt = tools.search_samples(project_id=larvae["project_id"], query="snow melt",
                                first_day="2026-03-02", last_day="2026-03-02")["samples"][0]
    tools.record_departure(sample_id=melt["id"], vials=4, reason="discarded", left_on=today)
    for material, vials in (("core from 14 m", 18), ("surface mud", 9)):
        tools.register_sample(project_id=larvae["project_id"], site_id=lake["id"], material=material,
                              vials=vials, store_place_id=a4["id"])
    after = next(one for one in tools.list_store_places(project_id=larvae["project_id"])["store_places"] if one["code"] == "A4")
    return {
        "outcome": "done",
        "answers": {"places_left_in_a4": after["vials_free"]},
        "reason": None,
        "message": f"The 12 larvae vials are entered as sent to Tromsø, 4 of snow melt as discarded, and both new samples stand in A4, where {after['vials_free']} places are left.",
    }
