import datetime

STOCK = (
    ("Peak heifers", "cattle", "mob"), ("Stud ewes", "sheep", "mob"), ("River cows", "cattle", "mob"), ("Saddle Hill rams", "sheep", "mob"), ("Toru", "horse", "animal"),
    ("Sky", "dog", "animal"), ("Lookout hoggets", "sheep", "mob"), ("Home block cows", "cattle", "mob"), ("Copper", "horse", "animal"), ("Dot", "dog", "animal"),
    ("Terrace heifers", "cattle", "mob"), ("Shed ewes", "sheep", "mob"), ("Rimu", "horse", "animal"), ("Bob", "dog", "animal"), ("Swan", "horse", "animal"),
)
RECIPIENTS = (
    ("Strath Taieri Livestock", "Strath Taieri Stud Services", "office@strathtaieri.example.org"),
    ("Catlins Farm Insurance", "Catlins Farm Finance", "claims@catlinsfarm.example.org"),
    ("Waihola Animal Physio", "Waihola Animal Rescue", "notes@waiholaphysio.example.org"),
    ("Southern Stock Audit", "Southern Stock Transport", "audit@southernstock.example.org"),
    ("Blue Mountain Breeders", "Blue Mountain Boarding", "records@bluemountain.example.org"),
    ("Dunedin Specialist Vets", "Dunedin Pet Crematorium", "referrals@dunedinspecialists.example.org"),
)
WHAT = ("treatment history", "test results", "treatment history and test results")
CASES = ("fresh", "day_30", "day_31", "stale", "other_name", "none", "renewed")


def instances(world, rng):
    """Animals and mobs of the user with consents for a recipient that still stand, are too old, name somebody else or are not there."""
    top = world.one(
        "SELECT (SELECT MAX(id) FROM patients) AS patient, (SELECT MAX(id) FROM release_consents) AS consent, (SELECT MAX(id) FROM test_results) AS test")
    names = {r["name"] for r in world.query("SELECT q.name FROM patients q WHERE q.client_id = 1")}
    today = datetime.date.fromisoformat(world.clock[:10])
    pool = [s for s in STOCK if s[0] not in names]

    def ago(days):
        return (today - datetime.timedelta(days=days)).isoformat()

    for _ in range(240):
        cases = [rng.choice(("fresh", "day_30", "renewed")), rng.choice(("day_31", "stale", "other_name", "none"))]
        cases += [rng.choice(CASES) for _ in range(rng.randint(2, 4))]
        rng.shuffle(cases)
        chosen = rng.sample(pool, len(cases))
        recipient, alike, email = rng.choice(RECIPIENTS)
        ids = dict(top)
        rows = {"patients": [], "test_results": [], "release_consents": []}

        def consent(patient, name, days):
            ids["consent"] += 1
            rows["release_consents"].append({"id": ids["consent"], "client_id": 1, "patient_id": patient, "recipient_name": name, "signed_on": ago(days)})

        for (name, species, kind), case in zip(chosen, cases):
            ids["patient"] += 1
            patient = ids["patient"]
            rows["patients"].append({
                "id": patient, "client_id": 1, "name": name, "kind": kind, "species": species, "head_count": 1 if kind == "animal" else rng.randint(10, 90)})
            ids["test"] += 1
            rows["test_results"].append({
                "id": ids["test"], "patient_id": patient, "kind": "bvd" if species == "cattle" else "blood", "sampled_on": ago(70), "reported_on": ago(66),
                "result": "Nothing found"})
            if case == "fresh":
                consent(patient, recipient, rng.randint(1, 28))
            elif case == "day_30":
                consent(patient, recipient, 30)
            elif case == "day_31":
                consent(patient, recipient, 31)
            elif case == "stale":
                consent(patient, recipient, rng.randint(35, 200))
            elif case == "other_name":
                consent(patient, alike, rng.randint(1, 25))
            elif case == "renewed":
                consent(patient, recipient, rng.randint(40, 150))
                consent(patient, recipient, rng.randint(1, 20))
        yield {
            "p": {"stock": [c[0] for c in chosen], "recipient": recipient, "email": email, "what": rng.choice(WHAT), "oldest": ago(30)},
            "given": rows,
        }


def _scope(p):
    if "treatment" in p["what"] and "test" in p["what"]:
        return "both"
    return "treatments" if "treatment" in p["what"] else "tests"


def solve(tools, p):
    mine = {q["name"]: q["id"] for q in tools.search_patients()["patients"]}
    sent = []
    unsigned = []
    for name in p["stock"]:
        named = [c for c in tools.list_release_consents(patient_id=mine[name])["release_consents"] if c["recipient_name"] == p["recipient"]]
        gone = False
        if named:
            try:
                tools.release_records(patient_id=mine[name], recipient_name=p["recipient"], recipient_email=p["email"], scope=_scope(p))
                gone = True
            except tools.Error:
                gone = False
        (sent if gone else unsigned).append(name)
    return {
        "outcome": "done",
        "answers": {"sent": sent, "need_my_signature": unsigned},
        "reason": None,
        "message": f"Sent to {p['recipient']}: {', '.join(sent)}. You would have to sign a new consent for {', '.join(unsigned)}.",
    }


def _standing(world, p):
    """The consents that still stand for this recipient, by patient."""
    rows = world.initial.query(
        "SELECT r.id, r.patient_id, q.name FROM release_consents r JOIN patients q ON q.id = r.patient_id"
        " WHERE r.client_id = 1 AND q.client_id = 1 AND r.recipient_name = ? AND r.signed_on >= ? ORDER BY r.id", [p["recipient"], p["oldest"]])
    good = {}
    for r in rows:
        if r["name"] in p["stock"]:
            good.setdefault(r["patient_id"], []).append(r["id"])
    return good


def _names(world, p):
    rows = world.initial.query("SELECT id, name FROM patients WHERE client_id = 1 ORDER BY name, id")
    return {r["name"]: r["id"] for r in rows if r["name"] in p["stock"]}


def _is_release(world, p, row, good):
    return (
        row["client_id"] == 1
        and row["patient_id"] in good
        and row["consent_id"] in good[row["patient_id"]]
        and row["recipient_name"] == p["recipient"]
        and world.same_text(row["recipient_email"], p["email"])
        and row["scope"] == _scope(p)
    )


def goal_everything_that_may_go_is_sent(world, p):
    """The records of every one with a standing consent are sent, as it was asked for."""
    good = _standing(world, p)
    rows = [c["after"] for c in world.changes if c["table"] == "records_releases" and c["before"] is None]
    return sorted(r["patient_id"] for r in rows if _is_release(world, p, r, good)) == sorted(good)


def goal_says_what_is_sent(world, p):
    """Says whose records are sent."""
    good, names = _standing(world, p), _names(world, p)
    return world.report.says("sent", [n for n in p["stock"] if names[n] in good])


def goal_says_what_needs_a_signature(world, p):
    """Says for which a new signature is needed."""
    good, names = _standing(world, p), _names(world, p)
    return world.report.says("need_my_signature", [n for n in p["stock"] if names[n] not in good])


def guard_adds_only_such_releases(world, p):
    """Changed nothing but one release for each of those at most."""
    good = _standing(world, p)
    seen = []
    for c in world.changes:
        row = c["after"]
        if c["table"] != "records_releases" or c["before"] is not None or row is None:
            return False
        if not _is_release(world, p, row, good) or row["patient_id"] in seen:
            return False
        seen.append(row["patient_id"])
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, for no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
