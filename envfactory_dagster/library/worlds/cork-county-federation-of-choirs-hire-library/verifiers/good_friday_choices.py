TITLES = ("The Crucifixion", "Olivet to Calvary", "The Seven Last Words of Christ")


def _free(world, edition_id, first_day, last_day):
    """Copies of an edition free on every day from first_day to last_day, at the start."""
    sets = [
        (row["copies"], row["out_on"], max(row["due_on"], "2026-11-14"))
        for row in world.initial.query(
            "SELECT copies, out_on, due_on FROM loans WHERE edition_id = ? AND status = 'out'", [edition_id]
        )
    ]
    for row in world.initial.query(
        "SELECT copies, wanted_from, date(concert_date, '+14 days') AS last_day FROM bookings"
        " WHERE edition_id = ? AND status = 'open'",
        [edition_id],
    ):
        sets.append((row["copies"], row["wanted_from"], row["last_day"]))
    days = [first_day] + [first for _, first, _ in sets if first_day < first <= last_day]
    most = max(sum(copies for copies, first, last in sets if first <= day <= last) for day in days)
    return world.initial.one("SELECT copies_owned AS n FROM editions WHERE id = ?", [edition_id])["n"] - most


def goal_says_which_have_enough(world) -> bool:
    """Says which of the three works have 19 copies of one edition free for those weeks."""
    enough = []
    for title in TITLES:
        editions = world.initial.query(
            "SELECT e.id FROM editions e JOIN works w ON w.id = e.work_id WHERE w.title = ?", [title]
        )
        if any(_free(world, row["id"], "2027-01-12", "2027-04-09") >= 19 for row in editions):
            enough.append(title)
    return world.report.says("enough_copies", enough)


def goal_says_which_go_with_organ(world) -> bool:
    """Says which of the three works go with organ alone, by the notes."""
    organ = []
    for title in TITLES:
        note = world.initial.one("SELECT lower(note) AS note FROM works WHERE title = ?", [title])["note"]
        if "organ alone" in note and "not with organ alone" not in note:
            organ.append(title)
    return world.report.says("organ_alone", organ)


def goal_says_the_cost_now(world) -> bool:
    """Says what 19 copies cost as the choir stands."""
    paid_to = world.initial.one("SELECT paid_to FROM choirs WHERE id = 1")["paid_to"]
    return world.report.says("cost_now", 19 * (80 if paid_to >= "2026-11-14" else 160))


def goal_says_the_cost_when_paid_up(world) -> bool:
    """Says what 19 copies would cost with the subscription paid up."""
    return world.report.says("cost_paid_up", 19 * 80)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
