GET_MY_STANDING_FULL_MEMBER_SIGN_OFFS = 3


def get_my_standing(env) -> dict:
    """Show the user's name, number of granted sign-offs and whether that makes a full member."""
    ringer = env.one("SELECT id, name FROM ringers WHERE id = ?", [env.user_id])
    if ringer is None:
        raise env.Error("you are not on the list of ringers")
    row = env.one(
        "SELECT COUNT(*) AS n FROM method_sign_offs WHERE ringer_id = ? AND status = 'granted'",
        [env.user_id],
    )
    return {
        "id": ringer["id"],
        "name": ringer["name"],
        "granted_sign_offs": row["n"],
        "is_full_member": bool(row["n"] >= GET_MY_STANDING_FULL_MEMBER_SIGN_OFFS),
    }
