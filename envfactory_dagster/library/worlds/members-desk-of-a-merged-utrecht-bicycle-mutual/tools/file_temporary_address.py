import datetime


def _file_temporary_address_day(env, text, what):
    """The day that a text gives, or a refusal."""
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        raise env.Error(f"{what} must be a day such as 2026-03-02")


FILE_TEMPORARY_ADDRESS_MOST_DAYS = 183


def file_temporary_address(
    env, *, street: str, house_number: str, postcode: str, city: str, starts_on: str, ends_on: str
) -> dict:
    """File a temporary address for the post."""
    first = _file_temporary_address_day(env, starts_on, "starts_on")
    last = _file_temporary_address_day(env, ends_on, "ends_on")
    if last < first:
        raise env.Error("the last day lies before the first")
    if first.isoformat() < env.now[:10]:
        raise env.Error("a temporary address cannot begin in the past")
    days = (last - first).days + 1
    if days > FILE_TEMPORARY_ADDRESS_MOST_DAYS:
        raise env.Error(
            f"{days} days are more than the {FILE_TEMPORARY_ADDRESS_MOST_DAYS} of a temporary address;"
            " anything longer is a removal"
        )
    filed = env.one(
        "SELECT id FROM addresses WHERE member_id = ? AND kind = 'temporary' AND substr(filed_at, 1, 4) = ? LIMIT 1",
        [env.user_id, env.now[:4]],
    )
    if filed is not None:
        raise env.Error(f"you have filed a temporary address in {env.now[:4]} already; that can be done once a year")
    address_id = env.insert(
        "INSERT INTO addresses (member_id, kind, street, house_number, postcode, city, starts_on, ends_on, filed_at)"
        " VALUES (?, 'temporary', ?, ?, ?, ?, ?, ?, ?)",
        [env.user_id, street, house_number, postcode, city, first.isoformat(), last.isoformat(), env.now],
    )
    return env.one(
        "SELECT id, kind, street, house_number, postcode, city, starts_on, ends_on, filed_at"
        " FROM addresses WHERE id = ?",
        [address_id],
    )
