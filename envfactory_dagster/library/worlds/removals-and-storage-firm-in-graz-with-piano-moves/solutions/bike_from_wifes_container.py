def solve(tools):
    container = tools.list_containers(number=41)["containers"][0]
    try:
        tools.book_container_visit(
            container_id=container["container_id"],
            visit_at="2025-08-02T10:00:00",
            things="bike and two suitcases",
        )
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "container_access",
            "message": "I cannot book you in: a visit to a container may be booked only by the holder of its storage"
            " contract or by the person named in that contract as authorised, and you are neither for container 41.",
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "You are booked in for container 41 on 2 August 2025 at 10:00.",
    }
