def _readers(world):
    return world.initial.query(
        "SELECT id, forenames || ' ' || surname AS name, ticket_valid_until,"
        " date(ticket_valid_until, '-60 days') AS first_day, date(ticket_valid_until, '+12 months') AS last_day,"
        " date(max(ticket_valid_until, '2026-10-02'), '+24 months') AS new_until FROM readers"
        " WHERE (surname = 'Heneghan' AND forenames = 'Colm') OR (surname = 'Sadowska' AND forenames = 'Irena')"
        " OR (surname = 'Robertson' AND forenames = 'Alasdair') OR (surname = 'Moran' AND forenames = 'Attracta') ORDER BY id",
        [],
    )


def _due(world):
    return [r for r in _readers(world) if r["first_day"] <= "2026-10-02" <= r["last_day"]]


def goal_renews_what_can_be_renewed(world) -> bool:
    """Renewed for two years every one of the four tickets that can be renewed today."""
    for reader in _due(world):
        row = world.final.one("SELECT ticket_valid_until, ticket_issued_on FROM readers WHERE id = ?", [reader["id"]])
        if row["ticket_valid_until"] != reader["new_until"] or row["ticket_issued_on"] != "2026-10-02":
            return False
    return True


def goal_says_whose_was_renewed(world) -> bool:
    """Says whose ticket was renewed."""
    return world.report.says("renewed", [r["name"] for r in _due(world)])


def goal_says_until_when(world) -> bool:
    """Says until when the renewed ticket is good."""
    return world.report.says("good_until", _due(world)[0]["new_until"])


def goal_says_who_registers_again(world) -> bool:
    """Says who has to register again."""
    return world.report.says("register_again", [r["name"] for r in _readers(world) if r["last_day"] < "2026-10-02"])


def goal_says_the_first_day(world) -> bool:
    """Says the first day on which one of those who are too early can renew."""
    return world.report.says("first_day", min(r["first_day"] for r in _readers(world) if r["first_day"] > "2026-10-02"))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_the_tickets_due(world) -> bool:
    """Changed nothing but the term of the tickets that can be renewed."""
    due = [r["id"] for r in _due(world)]
    allowed = ("ticket_valid_until", "ticket_issued_on", "address_confirmed_on")
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "readers" or before is None or after is None or before["id"] not in due:
            return False
        if any(before[column] != after[column] for column in before if column not in allowed):
            return False
    return True
