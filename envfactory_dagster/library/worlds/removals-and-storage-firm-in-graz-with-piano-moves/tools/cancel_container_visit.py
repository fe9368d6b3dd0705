def cancel_container_visit(env, *, container_visit_id: int) -> dict:
    """Cancels a container visit that the user has booked."""
    visit = env.one(
        "SELECT status, visit_at FROM container_visits WHERE id = :visit AND visitor_id = :user",
        {"visit": container_visit_id, "user": env.user_id},
    )
    if visit is None:
        raise env.Error(f"You have no container visit {container_visit_id}.")
    if visit["status"] != "booked":
        raise env.Error(f"Container visit {container_visit_id} is {visit['status']} already.")
    if visit["visit_at"] <= env.now:
        raise env.Error(f"The time of container visit {container_visit_id} is past.")
    env.execute(
        """UPDATE container_visits SET status = 'cancelled', cancelled_at = :now
           WHERE id = :visit AND visitor_id = :user""",
        {"now": env.now, "visit": container_visit_id, "user": env.user_id},
    )
    return {"container_visit_id": container_visit_id, "status": "cancelled", "cancelled_at": env.now}
