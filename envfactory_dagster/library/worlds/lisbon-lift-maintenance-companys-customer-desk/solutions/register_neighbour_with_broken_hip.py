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
    building = _building(tools, "Rua da Beneficência 40")
    lift = _lift(tools, building, "Bloco A")
    made = tools.register_dependent(
        building_id=building["building_id"], lift_ids=[lift["lift_id"]], dependent_name="Adelaide Pires",
        unit="5.º Esq.", phone="+351916004731", need_kind="temporary_injury", valid_until="2026-07-31",
        consent_given=True,
    )
    stops = {one["stop_id"]: one for one in _all(tools.list_planned_stops, "planned_stops", lift_id=lift["lift_id"])}
    days = []
    for stop_id in made["affected_stop_ids"]:
        moment = stops[stop_id]["starts_at"]
        tools.arrange_alternative(
            stop_id=stop_id, dependent_id=made["dependent_id"], alternative_kind="carried_assistance",
            trips=[{"trip_at": moment[:10] + "T10:00:00" + moment[19:]}],
        )
        days.append(moment[:10])
    people = _all(tools.list_dependents, "dependents", building_id=building["building_id"])
    joaquim = next(
        one for one in people if one["dependent_name"] == "Joaquim Matos" and one["dependent_status"] != "ended"
    )
    tools.end_dependent_registration(dependent_id=joaquim["dependent_id"], end_ground="recovered")
    proof = f" Proof is due by {made['proof_due_date']}." if made["proof_due_date"] else ""
    return {
        "outcome": "done", "answers": {}, "reason": None,
        "message": f"Adelaide Pires is registered, with carried assistance asked for on {', '.join(days) or 'no day'};"
                   f" Joaquim Matos's registration is ended.{proof}",
    }
