def get_my_details(env) -> dict:
    """Shows the pupil's own details and papers."""
    pupil = env.one("SELECT id, name, phone, born_on, simulator_waived, first_aid_excused FROM pupils WHERE id = ?", [env.user_id])
    documents = env.query(
        "SELECT id, driving_lesson_id, kind, dated_on, handed_in_at FROM pupil_documents"
        " WHERE pupil_id = ? ORDER BY handed_in_at, id",
        [env.user_id])
    return {"pupil": pupil, "pupil_documents": documents}
