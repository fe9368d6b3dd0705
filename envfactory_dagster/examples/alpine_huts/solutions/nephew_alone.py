def solve(tools):
    felix = next(c for c in tools.list_companions()["companions"] if c["full_name"].startswith("Felix"))
    dates = tools.search_tours(first_day="2027-02-13", last_day="2027-02-13")["tour_dates"]
    loop = next(date for date in dates if date["title"].startswith("Snowshoe loop"))
    try:
        tools.sign_up_for_tour(tour_date_id=loop["tour_date_id"], person_ids=[felix["person_id"]])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"age_to_go_alone": 18},
            "reason": "minors_with_guardian",
            "message": "The club takes nobody under 18 without an adult, so I booked nothing: he would have to be 18.",
        }
    return {
        "outcome": "done",
        "answers": {"age_to_go_alone": None},
        "reason": None,
        "message": "Felix is signed up.",
    }
