def remove_assenza(env, *, day: str) -> dict:
    """Takes one of the user's days away off again."""
    found = env.files.records("data/assenze.csv", {"socio_id": env.user_id, "day": day})
    if not found:
        raise env.Error(f"you are not entered as away on {day}")
    if day < env.now[:10]:
        raise env.Error(f"{day} is past")
    env.files.remove("data/assenze.csv", found[0]["id"])
    return {"removed_assenza_id": found[0]["id"], "day": day}
