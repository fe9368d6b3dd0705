def solve(tools):
    bicycles = tools.list_bicycles(make="Santos", covered_only=True)["bicycles"]
    for bicycle in bicycles:
        tools.list_travel_notices(bicycle_id=bicycle["id"], year=2026)
    try:
        for bicycle in bicycles:
            tools.give_travel_notice(
                bicycle_id=bicycle["id"],
                countries=["Denmark", "Sweden", "Norway", "Finland"],
                starts_on="2026-05-09",
                ends_on="2026-07-13",
            )
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "sixty_days_abroad_a_year",
            "message": (
                "That cannot be done: 9 May to 13 July 2026 is 66 days, and a bicycle's travel notices outside the"
                " Benelux and Germany may together cover at most 60 days in a calendar year."
            ),
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "I gave notice of 9 May to 13 July 2026 for both bicycles.",
    }
