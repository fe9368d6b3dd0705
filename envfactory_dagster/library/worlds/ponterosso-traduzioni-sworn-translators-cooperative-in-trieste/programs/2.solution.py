def solve(tools):
    day = "2027-01-05"
    morning = tools.list_mattine(first_day=day, last_day=day)["mattine"][0]
    places = 4 - morning["files"]
    jobs = [
        job
        for job in tools.search_incarichi(mine=True, status="accepted", booked=False)["incarichi"]
        if job["ready_on"] < day <= job["deadline"]
    ]
    put_in, to_ring = [], []
    for job in sorted(jobs, key=lambda one: one["deadline"]):
        deposit = 2 * job["paid_cents"] >= job["total_cents"]
        if not deposit and not job["urgent"]:
            deposit = tools.get_cliente(cliente_id=job["cliente_id"])["sworn_and_paid_jobs"] >= 6
        if job["original_received_on"] is None or not deposit:
            to_ring.append(job["cliente_name"])
        elif places > 0:
            tools.book_giuramento(incarico_id=job["id"], mattina_id=morning["id"])
            put_in.append(job["cliente_name"])
            places -= 1
    return {
        "outcome": "done",
        "answers": {"put_in": put_in, "to_ring": to_ring},
        "reason": None,
        "message": f"Booked for 5 January: {', '.join(put_in)}. Still to ring: {', '.join(to_ring)}.",
    }
