def decline_lesson_offer(env, *, lesson_offer_id: int) -> dict:
    """Declines an open offer."""
    offer = env.one("SELECT * FROM lesson_offers WHERE id = ? AND pupil_id = ?", [lesson_offer_id, env.user_id])
    if offer is None:
        raise env.Error(f"no lesson offer {lesson_offer_id} was made to you")
    if offer["status"] != "open":
        raise env.Error(f"this offer is {offer['status']} already")
    env.execute("UPDATE lesson_offers SET status = 'declined', answered_at = ? WHERE id = ?", [env.now, lesson_offer_id])
    env.execute("UPDATE waiting_list_entries SET status = 'waiting' WHERE id = ?", [offer["waiting_list_entry_id"]])
    return {"lesson_offer": env.one(
        "SELECT id, waiting_list_entry_id, freed_driving_lesson_id, sent_at, status, answered_at FROM lesson_offers WHERE id = ?",
        [lesson_offer_id])}
