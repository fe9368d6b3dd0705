import datetime

FILE_LONGER_LEASE_YEARS = 5


def _file_longer_lease_day(env, text, what):
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise env.Error("The " + what + " is not a day such as 2026-09-01.")


def _file_longer_lease_years(day, years):
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return datetime.date(day.year + years, 3, 1)


def file_longer_lease(env, *, plot_id: int, lessor: str, signed_on: str, starts_on: str, ends_on: str) -> dict:
    """Puts a tenant's longer lease on file with what is read on the signed paper."""
    today = datetime.date.fromisoformat(env.now[:10])
    signed = _file_longer_lease_day(env, signed_on, "day of signing")
    starts = _file_longer_lease_day(env, starts_on, "first day")
    ends = _file_longer_lease_day(env, ends_on, "last day")
    me = env.one(
        "SELECT m.number, k.class_code FROM members m JOIN member_classes k ON k.id = m.member_class_id WHERE m.id = ?",
        [env.user_id],
    )
    plot = env.one("SELECT id, plot FROM plots WHERE id = ? AND holder = ?", [plot_id, me["number"]])
    if plot is None:
        raise env.Error("You hold no plot " + str(plot_id) + " in the padrón.")
    if me["class_code"] != "T":
        raise env.Error("Only a tenant, class T, has a lease on file.")
    present = env.one(
        "SELECT lessor, ends_on, filed_on FROM leases WHERE member_id = ? AND plot_id = ? ORDER BY ends_on DESC, id DESC LIMIT 1",
        [env.user_id, plot_id],
    )
    if present is None:
        raise env.Error("No lease of yours for plot " + str(plot["plot"]) + " is on file.")
    last = datetime.date.fromisoformat(present["ends_on"])
    after = last + datetime.timedelta(days=1)
    if today < _file_longer_lease_years(after, -1):
        raise env.Error("The lease on file runs to " + present["ends_on"] + "; a longer one is put on file only in its last twelve months.")
    if today > last:
        raise env.Error("The lease on file ended on " + present["ends_on"] + "; a longer one had to come before that.")
    if " ".join(lessor.split()).casefold() != " ".join(present["lessor"].split()).casefold():
        raise env.Error("The lessor on file is " + present["lessor"] + "; the longer lease has to be signed by the same.")
    if signed <= datetime.date.fromisoformat(present["filed_on"]):
        raise env.Error("The paper has to be signed after the present lease was filed, on " + present["filed_on"] + ".")
    if signed > today:
        raise env.Error("The paper has to be signed already.")
    if starts != after:
        raise env.Error("The longer lease has to run from " + after.isoformat() + ", the day after the present one ends.")
    if ends < _file_longer_lease_years(starts, FILE_LONGER_LEASE_YEARS) - datetime.timedelta(days=1):
        raise env.Error("The longer lease has to run for five years or more.")
    lease_id = env.insert(
        "INSERT INTO leases (member_id, plot_id, lessor, signed_on, starts_on, ends_on, filed_on) "
        "VALUES (:member, :plot, :lessor, :signed, :starts, :ends, :filed)",
        {
            "member": env.user_id,
            "plot": plot_id,
            "lessor": present["lessor"],
            "signed": signed.isoformat(),
            "starts": starts.isoformat(),
            "ends": ends.isoformat(),
            "filed": today.isoformat(),
        },
    )
    return env.one(
        "SELECT l.id AS lease_id, l.plot_id, p.plot, l.lessor, l.signed_on, l.starts_on, l.ends_on, l.filed_on "
        "FROM leases l JOIN plots p ON p.id = l.plot_id WHERE l.id = ?",
        [lease_id],
    )
