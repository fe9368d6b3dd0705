def _found(world):
    """The films and recordings with the form in which each is shown without consent, the oldest first."""
    found = []
    for item in world.initial.query(
        "SELECT title, made, minutes, item_class, access_copy, issued_to FROM items"
        " WHERE made < 1940 AND rights = 'free' AND print_of_id IS NULL ORDER BY made, id"
    ):
        copy = item["access_copy"] or ""
        if item["item_class"] in ("N", "V"):
            form = "file on the screen of booth B4" if copy.startswith("file") else "print" if copy.startswith("P-") else None
        elif item["item_class"] == "L":
            form = "transfer" if copy == "transfer" else None
        else:
            form = {"D": "disc", "A": "reel", "P": "print"}[item["item_class"]]
        if form is not None:
            found.append((item["title"], form, item["minutes"]))
    return found


def goal_names_the_titles(world) -> bool:
    """Has named the films and recordings, the oldest first."""
    return world.report.says("titles", [title for title, _, _ in _found(world)])


def goal_says_in_what_form_each_is_shown(world) -> bool:
    """Has told in what form each one is shown, in the same order."""
    return world.report.says("forms", [form for _, form, _ in _found(world)])


def goal_says_how_long_they_are_together(world) -> bool:
    """Has told how many minutes they are together."""
    return world.report.says("minutes_together", sum(minutes for _, _, minutes in _found(world)))


def guard_changes_nothing(world) -> bool:
    """Changed no row at all."""
    return world.changes == []


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None
