import datetime

MOBS = (
    ("Ridge two-tooths", "sheep"), ("Creek paddock lambs", "sheep"), ("Top flat ewes", "sheep"), ("Woolshed hoggets", "sheep"),
    ("Swamp block steers", "cattle"), ("Gully cull cows", "cattle"), ("Roadside heifers", "cattle"), ("Lucerne lambs", "sheep"),
    ("Pine block wethers", "sheep"), ("Airstrip steers", "cattle"), ("Back hill ewes", "sheep"), ("Silage paddock bulls", "cattle"),
    ("Quarry ewes", "sheep"), ("Bridge paddock rams", "sheep"), ("Hayshed steers", "cattle"), ("Tussock wethers", "sheep"),
)
CASES = ("label_clear", "label_eve", "label_same_day", "vet_longer", "vet_clear", "older_longer", "no_figure")


def _treatment(rows, ids, rng, patient, product, vet, end, hours, vet_hours, unset):
    """One treatment whose binding withholding of meat ends at `end`; off the label when a vet's figure binds or is missing."""
    off = unset or vet_hours is not None
    binding = vet_hours if vet_hours is not None else hours
    last = end - datetime.timedelta(hours=binding)
    moment = last.isoformat()
    authority = None
    if product["is_prescription"]:
        ids["authority"] += 1
        authority = ids["authority"]
        rows["medicine_authorities"].append({
            "id": authority, "code": "AUT-%05d" % (40000 + authority), "client_id": 1, "patient_id": patient, "product_id": product["id"],
            "vet_id": vet, "condition": "Lameness and swelling", "consulted_on": moment[:10], "issued_on": moment[:10], "status": "active"})
    ids["treatment"] += 1
    rows["treatments"].append({
        "id": ids["treatment"], "patient_id": patient, "product_id": product["id"], "vet_id": vet, "authority_id": authority, "doses": 1,
        "route": "under_skin" if off else ("into_muscle" if product["is_prescription"] else "on_skin"),
        "first_given_at": moment, "last_given_at": moment, "off_label": 1 if off else 0,
        "off_label_reason": "Given under the skin, labelled for muscle" if off else None})
    ids["period"] += 1
    rows["withholding_periods"].append({
        "id": ids["period"], "treatment_id": ids["treatment"], "produce": "meat", "set_by": "label", "vet_id": None, "hours": hours, "set_at": moment})
    if vet_hours is not None:
        ids["period"] += 1
        rows["withholding_periods"].append({
            "id": ids["period"], "treatment_id": ids["treatment"], "produce": "meat", "set_by": "vet", "vet_id": vet, "hours": vet_hours,
            "set_at": (last + datetime.timedelta(hours=1)).isoformat()})


def instances(world, rng):
    """Five to seven mobs of the user with treatments on and off the label, and a day on which some are clear and some are not."""
    top = world.one(
        "SELECT (SELECT MAX(id) FROM patients) AS patient, (SELECT MAX(id) FROM medicine_authorities) AS authority,"
        " (SELECT MAX(id) FROM treatments) AS treatment, (SELECT MAX(id) FROM withholding_periods) AS period")
    taken = {r["name"] for r in world.query("SELECT name FROM patients WHERE client_id = 1 AND kind = 'mob'")}
    plain = world.query("SELECT id, name, is_prescription FROM products WHERE is_prescription = 0 AND (name LIKE '%pour-on%' OR name LIKE '%drench%') ORDER BY id")
    scripts = world.query("SELECT id, name, is_prescription FROM products WHERE is_prescription = 1 AND name LIKE '%injection, 100 mL' ORDER BY id")
    vets = [r["id"] for r in world.query("SELECT v.id FROM vets v JOIN vet_services x ON x.vet_id = v.id JOIN services s ON s.id = x.service_id WHERE s.name = 'Farm health call' ORDER BY v.id")]
    today = datetime.datetime.fromisoformat(world.clock[:10] + "T00:00:00")
    pool = [m for m in MOBS if m[0] not in taken]
    for _ in range(240):
        day = today + datetime.timedelta(days=rng.randint(4, 12))
        cases = [rng.choice(("label_clear", "label_eve", "vet_clear")), rng.choice(("label_same_day", "vet_longer", "older_longer")), "no_figure"]
        cases += [rng.choice(CASES) for _ in range(rng.randint(2, 4))]
        rng.shuffle(cases)
        mobs = rng.sample(pool, len(cases))
        ids = dict(top)
        rows = {"patients": [], "medicine_authorities": [], "treatments": [], "withholding_periods": []}
        for (name, species), case in zip(mobs, cases):
            ids["patient"] += 1
            patient = ids["patient"]
            rows["patients"].append({"id": patient, "client_id": 1, "name": name, "kind": "mob", "species": species, "head_count": rng.randint(12, 160)})
            fit = [p for p in plain if ("Sheep" in p["name"]) == (species == "sheep")]
            hour = datetime.timedelta(hours=rng.randint(7, 18))
            if case == "label_clear":
                _treatment(rows, ids, rng, patient, rng.choice(fit), rng.choice(vets), day - datetime.timedelta(days=rng.randint(2, 9)) + hour, 336, None, False)
            elif case == "label_eve":
                _treatment(rows, ids, rng, patient, rng.choice(fit), rng.choice(vets), day - datetime.timedelta(days=1) + hour, 336, None, False)
            elif case == "label_same_day":
                _treatment(rows, ids, rng, patient, rng.choice(fit), rng.choice(vets), day + hour, 336, None, False)
            elif case == "vet_longer":
                _treatment(rows, ids, rng, patient, rng.choice(scripts), rng.choice(vets), day + datetime.timedelta(days=rng.randint(0, 30)) + hour, 672, 2184, False)
            elif case == "vet_clear":
                _treatment(rows, ids, rng, patient, rng.choice(scripts), rng.choice(vets), day - datetime.timedelta(days=rng.randint(1, 20)) + hour, 672, 2184, False)
            elif case == "older_longer":
                _treatment(rows, ids, rng, patient, rng.choice(scripts), rng.choice(vets), day + datetime.timedelta(days=rng.randint(0, 12)) + hour, 672, None, False)
                _treatment(rows, ids, rng, patient, rng.choice(fit), rng.choice(vets), day - datetime.timedelta(days=rng.randint(1, 3)) + hour, 240, None, False)
            else:
                _treatment(rows, ids, rng, patient, rng.choice(scripts), rng.choice(vets), day - datetime.timedelta(days=rng.randint(1, 6)) + hour, 672, None, True)
            if rng.random() < 0.4:
                _treatment(rows, ids, rng, patient, rng.choice(fit), rng.choice(vets), today - datetime.timedelta(days=rng.randint(40, 200)) + hour, 240, None, False)
        if any(t["last_given_at"] >= world.clock for t in rows["treatments"]) or any(w["set_at"] >= world.clock for w in rows["withholding_periods"]):
            continue
        yield {"p": {"mobs": [m[0] for m in mobs], "day": day.date().isoformat()}, "given": rows}


def _sorted_out(treatments, day):
    """'clear', 'held' or 'unset' for a mob, from (last dose, off label, label hours, vet hours) of all its treatments."""
    state = "clear"
    for last, off, label, vet in treatments:
        if off and vet is None:
            return "unset"
        hours = vet if vet is not None else label
        end = datetime.datetime.fromisoformat(last) + datetime.timedelta(hours=hours)
        if end.date().isoformat() >= day:
            state = "held"
    return state


def solve(tools, p):
    mine = {q["name"]: q["id"] for q in tools.search_patients(kind="mob")["patients"]}
    found = {}
    for name in p["mobs"]:
        treatments = []
        for row in tools.list_treatments(patient_id=mine[name])["treatments"]:
            whole = tools.get_treatment(treatment_id=row["id"])["treatment"]
            hours = {w["set_by"]: w["hours"] for w in whole["withholding_periods"] if w["produce"] == "meat"}
            treatments.append((whole["last_given_at"], whole["off_label"], hours.get("label"), hours.get("vet")))
        found[name] = _sorted_out(treatments, p["day"])
    clear = [n for n in p["mobs"] if found[n] == "clear"]
    unset = [n for n in p["mobs"] if found[n] == "unset"]
    for name in clear:
        tools.request_clearance_statement(patient_id=mine[name], produce="meat", supply_on=p["day"])
    return {
        "outcome": "done",
        "answers": {"cleared": clear, "waiting_for_a_vet": unset},
        "reason": None,
        "message": f"There are meat clearance statements for {p['day']} for {', '.join(clear)}; still waiting for a vet's figure: {', '.join(unset)}.",
    }


def _truth(world, p):
    found = {}
    for name in p["mobs"]:
        rows = world.initial.query(
            "SELECT t.last_given_at, t.off_label,"
            " (SELECT w.hours FROM withholding_periods w WHERE w.treatment_id = t.id AND w.produce = 'meat' AND w.set_by = 'label') AS label,"
            " (SELECT w.hours FROM withholding_periods w WHERE w.treatment_id = t.id AND w.produce = 'meat' AND w.set_by = 'vet') AS vet"
            " FROM treatments t JOIN patients q ON q.id = t.patient_id WHERE q.client_id = 1 AND q.name = ? ORDER BY t.id", [name])
        found[name] = _sorted_out([(r["last_given_at"], r["off_label"], r["label"], r["vet"]) for r in rows], p["day"])
    return found


def _clear_ids(world, p):
    found = _truth(world, p)
    return [
        world.initial.one("SELECT id FROM patients WHERE client_id = 1 AND name = ?", [n])["id"] for n in p["mobs"] if found[n] == "clear"
    ]


def _new(world):
    return [c["after"] for c in world.changes if c["table"] == "clearance_statements" and c["before"] is None]


def goal_every_clear_mob_has_its_statement(world, p):
    """Every mob that is clear has one new meat clearance statement for that day."""
    got = sorted(
        r["patient_id"] for r in _new(world) if r["client_id"] == 1 and r["produce"] == "meat" and r["supply_on"] == p["day"] and r["status"] == "issued"
    )
    return got == sorted(_clear_ids(world, p))


def goal_says_which_are_cleared(world, p):
    """Says which mobs have a statement."""
    found = _truth(world, p)
    return world.report.says("cleared", [n for n in p["mobs"] if found[n] == "clear"])


def goal_says_which_wait_for_a_vet(world, p):
    """Says for which mobs a vet has yet to set a figure."""
    found = _truth(world, p)
    return world.report.says("waiting_for_a_vet", [n for n in p["mobs"] if found[n] == "unset"])


def guard_adds_only_statements_of_clear_mobs(world, p):
    """Changed nothing but one new statement for each clear mob at most."""
    ids = _clear_ids(world, p)
    seen = []
    for c in world.changes:
        row = c["after"]
        if c["table"] != "clearance_statements" or c["before"] is not None or row is None:
            return False
        if row["client_id"] != 1 or row["patient_id"] not in ids or row["patient_id"] in seen:
            return False
        if row["produce"] != "meat" or row["supply_on"] != p["day"] or row["status"] != "issued":
            return False
        seen.append(row["patient_id"])
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, for no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
