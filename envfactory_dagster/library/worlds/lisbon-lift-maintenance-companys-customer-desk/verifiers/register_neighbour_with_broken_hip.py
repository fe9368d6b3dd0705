def _lift(world):
    return world.initial.one(
        "SELECT l.* FROM lifts l JOIN buildings b ON b.id = l.building_id WHERE b.address = ? AND l.entrance = ?",
        ["Rua da Beneficência 40", "Bloco A"],
    )


def _joaquim(world):
    return world.initial.one(
        "SELECT * FROM dependents WHERE building_id = ? AND same_text(dependent_name, ?) AND customer_id = 1"
        " AND dependent_status <> 'ended' AND registered_on BETWEEN '2026-03-01' AND '2026-03-31'",
        [_lift(world)["building_id"], "Joaquim Matos"],
    )


def _stops(world):
    return world.initial.query(
        "SELECT * FROM planned_stops WHERE lift_id = ? AND stop_status IN ('awaiting_alternative', 'confirmed')"
        " AND duration_minutes > 240 AND starts_at > '2026-06-09T10:00:00'"
        " AND substr(starts_at, 1, 10) <= '2026-07-31' ORDER BY id",
        [_lift(world)["id"]],
    )


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_registers_adelaide_pires(world) -> bool:
    """Has one new registration of Adelaide Pires for the lift of Bloco A until 31 July, with all that was said."""
    people, lift = _new(world, "dependents"), _lift(world)
    if len(people) != 1:
        return False
    person = people[0]
    wanted = {
        "building_id": lift["building_id"], "customer_id": 1, "phone": "+351916004731",
        "need_kind": "temporary_injury", "dependent_status": "provisional", "valid_until": "2026-07-31",
        "consent_given": 1, "document_ref": None, "end_ground": None,
    }
    lifts = [(x["dependent_id"], x["lift_id"]) for x in _new(world, "dependent_lifts")]
    return (
        all(person[column] == value for column, value in wanted.items())
        and world.same_text(person["dependent_name"], "Adelaide Pires") and world.same_text(person["unit"], "5.º Esq.")
        and lifts == [(person["id"], lift["id"])]
    )


def goal_arranges_carried_assistance_for_her(world) -> bool:
    """Has carried assistance for her during the stop that affects her, with one outing at 10:00 that day."""
    people, made = _new(world, "dependents"), _new(world, "alternative_arrangements")
    kind = world.initial.one("SELECT * FROM alternative_kinds WHERE alternative_kind = 'carried_assistance'")
    stops = _stops(world)
    if len(people) != 1 or not stops:
        return False
    if sorted(one["stop_id"] for one in made) != [stop["id"] for stop in stops]:
        return False
    days = {stop["id"]: stop["starts_at"][:10] for stop in stops}
    trips = sorted((x["arrangement_id"], x["trip_at"]) for x in _new(world, "arrangement_trips"))
    return trips == sorted((one["id"], days[one["stop_id"]] + "T10:00:00") for one in made) and all(
        one["dependent_id"] == people[0]["id"] and one["customer_id"] == 1 and one["lift_id"] is None
        and one["alternative_kind_id"] == kind["id"] and one["total_cents"] == kind["price_cents"]
        and one["alternative_status"] in ("offered", "confirmed") and one["voided_at"] is None for one in made
    )


def goal_ends_the_registration_of_joaquim_matos(world) -> bool:
    """Has ended the registration of Joaquim Matos today, as he has recovered."""
    row = world.final.one("SELECT * FROM dependents WHERE id = ?", [_joaquim(world)["id"]])
    return (
        row is not None and row["dependent_status"] == "ended" and row["end_ground"] == "recovered"
        and row["effective_date"] == "2026-06-09"
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but her registration and arrangement, his registration, and what the service makes of it."""
    joaquim, lift = _joaquim(world)["id"], _lift(world)["id"]
    stops = {stop["id"] for stop in _stops(world)}
    people, made = _new(world, "dependents"), _new(world, "alternative_arrangements")
    hers = {one["id"] for one in people}
    columns = {
        "dependents": ("dependent_status", "end_ground", "effective_date"),
        "planned_stops": ("stop_status", "notice_sent_at"), "alternative_arrangements": ("voided_at",),
    }
    for change in world.changes:
        before, after, table = change["before"], change["after"], change["table"]
        if after is None:
            return False
        if before is None:
            right = (
                table == "dependents" or (table == "dependent_lifts" and after["dependent_id"] in hers
                                          and after["lift_id"] == lift)
                or (table == "alternative_arrangements" and after["dependent_id"] in hers and after["stop_id"] in stops)
                or (table == "arrangement_trips" and after["arrangement_id"] in {one["id"] for one in made})
            )
        else:
            right = (
                (table == "dependents" and before["id"] == joaquim)
                or (table == "planned_stops" and before["id"] in stops
                    and after["stop_status"] in ("awaiting_alternative", "confirmed"))
                or (table == "alternative_arrangements" and before["dependent_id"] == joaquim)
            ) and all(before[k] == after[k] for k in before if k not in columns[table])
        if not right:
            return False
    return len(people) <= 1 and len(made) <= len(stops) and len(_new(world, "arrangement_trips")) <= len(stops)
