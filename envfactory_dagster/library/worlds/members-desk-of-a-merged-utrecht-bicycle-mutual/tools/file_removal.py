import datetime


def _file_removal_day(env, text, what):
    """The day that a text gives, or a refusal."""
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        raise env.Error(f"{what} must be a day such as 2026-03-02")


def file_removal(env, *, street: str, house_number: str, postcode: str, city: str, starts_on: str) -> dict:
    """File a removal: the present home ends and the new one begins."""
    first = _file_removal_day(env, starts_on, "starts_on")
    if first.isoformat() < env.now[:10]:
        raise env.Error("a removal cannot lie in the past")
    home = env.one(
        "SELECT id, starts_on FROM addresses WHERE member_id = ? AND kind = 'home' AND ends_on IS NULL",
        [env.user_id],
    )
    if home is not None:
        if first.isoformat() <= home["starts_on"]:
            raise env.Error(f"your present home began on {home['starts_on']}; a removal has to lie after that day")
        env.execute(
            "UPDATE addresses SET ends_on = ? WHERE id = ?",
            [(first - datetime.timedelta(days=1)).isoformat(), home["id"]],
        )
    address_id = env.insert(
        "INSERT INTO addresses (member_id, kind, street, house_number, postcode, city, starts_on, filed_at)"
        " VALUES (?, 'home', ?, ?, ?, ?, ?, ?)",
        [env.user_id, street, house_number, postcode, city, first.isoformat(), env.now],
    )
    return env.one(
        "SELECT id, kind, street, house_number, postcode, city, starts_on, ends_on, filed_at"
        " FROM addresses WHERE id = ?",
        [address_id],
    )
