def solve(tools):
    me = tools.get_own_membership()["member_no"]
    try:
        tools.drawOff(tankNo="T4", memberNo=me, kg=28, into="bucket_14")
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "jars_only_tank",
            "message": (
                "That cannot be done: T4 is in the state jars_only, and from such a tank a share is drawn only into "
                "jars of 450 g or 900 g, never into buckets."
            ),
        }
    return {"outcome": "done", "answers": {}, "reason": None, "message": "28 kg are drawn into two buckets."}
