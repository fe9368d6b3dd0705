def get_my_profile(env) -> dict:
    """Show the user as a client, with the number of commissions that are still open."""
    client = env.one("SELECT id, name FROM clients WHERE id = ?", [env.user_id])
    if client is None:
        raise env.Error("you are not known as a client of the bureau")
    row = env.one(
        """
        SELECT COUNT(*) AS n FROM commissions
        WHERE client_id = ? AND status IN ('requested', 'active', 'paused')
        """,
        [env.user_id],
    )
    return {"id": client["id"], "name": client["name"], "open_commissions": row["n"]}
