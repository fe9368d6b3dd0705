def _fergal(world):
    return world.initial.one("SELECT id FROM readers WHERE surname = 'Joyce' AND forenames = 'Fergal' AND date_of_birth = '1958-11-09'", [])["id"]


def _round(world):
    return world.initial.one(
        "SELECT r.id, r.budget_cents - coalesce((SELECT sum(a.awarded_cents) FROM bursary_applications a WHERE a.bursary_round_id = r.id), 0) AS left_cents"
        " FROM bursary_rounds r WHERE r.opens_on <= '2026-03-02' AND r.closes_on >= '2026-03-02'",
        [],
    )


def _new(world):
    rows = [c["after"] for c in world.changes if c["table"] == "bursary_applications" and c["before"] is None]
    return rows[0] if len(rows) == 1 else None


def goal_enters_his_application(world) -> bool:
    """Entered an application of Fergal Joyce from Inis Oírr in the open round."""
    row = _new(world)
    return (
        row is not None
        and row["reader_id"] == _fergal(world)
        and row["bursary_round_id"] == _round(world)["id"]
        and row["status"] == "submitted"
        and row["home_kind"] == "offshore_island"
        and row["road_km_one_way"] == 47
        and row["not_council_household"] == 1
    )


def goal_gives_the_visit_and_its_purpose(world) -> bool:
    """Gave the days of the visit, the 3 days in the room and what it is for."""
    row = _new(world)
    return (
        row is not None
        and row["visit_from"] == "2026-04-13"
        and row["visit_to"] == "2026-04-16"
        and row["room_days"] == 3
        and "eviction" in row["project"].lower()
    )


def goal_asks_for_the_right_sum(world) -> bool:
    """Asked for 240 euro, or for what is left in the round if that is less."""
    row = _new(world)
    return row is not None and row["asked_cents"] == min(24000, _round(world)["left_cents"])


def goal_names_the_two_rent_books(world) -> bool:
    """Named the Martin estate rent books of 1848 and 1849 and no other piece."""
    row = _new(world)
    if row is None:
        return False
    named = world.final.query("SELECT piece_id FROM bursary_application_pieces WHERE bursary_application_id = ? ORDER BY piece_id", [row["id"]])
    books = world.initial.query(
        "SELECT id FROM pieces WHERE title LIKE 'Martin estate rent book%' AND first_year IN (1848, 1849) ORDER BY id", []
    )
    return [n["piece_id"] for n in named] == [b["id"] for b in books]


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_one_application_only(world) -> bool:
    """Touched nothing but one new application of his with its pieces."""
    row = _new(world)
    for change in world.changes:
        if change["before"] is not None or change["after"] is None:
            return False
        if change["table"] == "bursary_application_pieces":
            if row is None or change["after"]["bursary_application_id"] != row["id"]:
                return False
        elif change["table"] != "bursary_applications" or change["after"]["reader_id"] != _fergal(world):
            return False
    return sum(1 for c in world.changes if c["table"] == "bursary_applications") <= 1
