def solve(tools):
    sectors = {s["name"]: s["id"] for s in tools.list_sectors()["sectors"]}
    for found in tools.search_callouts(sector_id=sectors["Ski-touring pass"])["callouts"]:
        callout = tools.get_callout(callout_id=found["id"])
        if any(a["is_mine"] and a["status"] == "sent_out" for a in callout["callout_assignments"]):
            break
    else:
        raise LookupError("no callout on the pass to be logged back from")
    tools.log_back(callout_id=callout["id"], happened_at="2026-08-17T09:40:00")
    new = tools.search_callouts(sector_id=sectors["Raven Slabs"], status="open")["callouts"][-1]
    tools.answer_callout(callout_id=new["id"], is_coming=True)
    assignments = tools.get_callout(callout_id=new["id"])["callout_assignments"]
    others = [a["member_name"] for a in assignments if not a["is_mine"] and a["status"] != "not_coming"]
    return {
        "outcome": "done",
        "answers": {"others_coming": others},
        "reason": None,
        "message": f"You are logged back from callout {callout['code']} at 9:40, and I answered callout {new['code']} at"
        f" the Raven Slabs that you are coming. Others who have said yes so far: {', '.join(others) or 'nobody'}.",
    }
