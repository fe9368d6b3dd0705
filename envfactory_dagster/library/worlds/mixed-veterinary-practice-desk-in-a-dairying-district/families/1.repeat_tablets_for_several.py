import datetime

DOGS = ("Moss", "Ted", "Bess", "Tip", "Queenie", "Rusty", "Gem", "Flo", "Boss", "Nell", "Chief", "Pearl")
CATS = ("Smokey", "Tigger", "Mittens", "Pepper", "Gingernut", "Sooty", "Marmite", "Socks", "Biddy", "Fergus", "Tuppence", "Hazel")
CASES = ("good", "last_day", "one_day_over", "long_over", "withdrawn", "renewed", "other_medicine")
PLACES = ("the box by the door", "the desk")
PAYS = ("on the account", "when I collect")


def _authority(rows, ids, patient, product, vet, consulted, status, condition):
    ids["authority"] += 1
    rows["medicine_authorities"].append({
        "id": ids["authority"], "code": "AUT-%05d" % (42000 + ids["authority"]), "client_id": 1, "patient_id": patient, "product_id": product,
        "vet_id": vet, "condition": condition, "consulted_on": consulted, "issued_on": consulted, "status": status})


def instances(world, rng):
    """Four to six dogs or cats on the same tablets, whose authorities are current, lapsed, withdrawn or for something else."""
    top = world.one("SELECT (SELECT MAX(id) FROM patients) AS patient, (SELECT MAX(id) FROM medicine_authorities) AS authority")
    taken = {r["name"] for r in world.query("SELECT name FROM patients WHERE client_id = 1 AND kind = 'animal'")}
    tablets = {
        "dog": world.one("SELECT id FROM products WHERE name LIKE 'Arthritis tablets%'")["id"],
        "cat": world.one("SELECT id FROM products WHERE name LIKE 'Thyroid tablets%'")["id"],
    }
    drops = world.one("SELECT id FROM products WHERE name LIKE 'Fusidic acid eye drops%'")["id"]
    vets = [r["id"] for r in world.query("SELECT v.id FROM vets v JOIN vet_services x ON x.vet_id = v.id JOIN services s ON s.id = x.service_id WHERE s.name = 'Clinic consult' AND v.practice = 'own' ORDER BY v.id")]
    today = datetime.date.fromisoformat(world.clock[:10])

    def ago(days):
        return (today - datetime.timedelta(days=days)).isoformat()

    for _ in range(240):
        species = rng.choice(("dog", "cat"))
        names = [n for n in (DOGS if species == "dog" else CATS) if n not in taken]
        cases = [rng.choice(("good", "last_day", "renewed")), rng.choice(("one_day_over", "long_over", "withdrawn", "other_medicine"))]
        cases += [rng.choice(CASES) for _ in range(rng.randint(2, 4))]
        rng.shuffle(cases)
        pets = rng.sample(names, len(cases))
        ids = dict(top)
        rows = {"patients": [], "medicine_authorities": []}
        product = tablets[species]
        condition = "Arthritis" if species == "dog" else "Overactive thyroid"
        for name, case in zip(pets, cases):
            ids["patient"] += 1
            patient = ids["patient"]
            vet = rng.choice(vets)
            rows["patients"].append({"id": patient, "client_id": 1, "name": name, "kind": "animal", "species": species, "head_count": 1})
            if case == "good":
                _authority(rows, ids, patient, product, vet, ago(rng.randint(20, 340)), "active", condition)
            elif case == "last_day":
                _authority(rows, ids, patient, product, vet, ago(365), "active", condition)
            elif case == "one_day_over":
                _authority(rows, ids, patient, product, vet, ago(366), "active", condition)
            elif case == "long_over":
                _authority(rows, ids, patient, product, vet, ago(rng.randint(380, 700)), "active", condition)
            elif case == "withdrawn":
                _authority(rows, ids, patient, product, vet, ago(rng.randint(15, 200)), "withdrawn", condition)
            elif case == "renewed":
                _authority(rows, ids, patient, product, vet, ago(rng.randint(400, 600)), "active", condition)
                _authority(rows, ids, patient, product, vet, ago(rng.randint(10, 300)), "active", condition)
            else:
                _authority(rows, ids, patient, product, vet, ago(rng.randint(370, 500)), "active", condition)
                _authority(rows, ids, patient, drops, vet, ago(rng.randint(5, 60)), "active", "Sore eye")
        yield {
            "p": {
                "pets": pets, "count": rng.randint(2, 6), "medicine": "arthritis tablets" if species == "dog" else "thyroid tablets",
                "place": rng.choice(PLACES), "pay": rng.choice(PAYS), "product": product, "oldest": ago(365),
            },
            "given": rows,
        }


def _place(p):
    return "door_box" if "box" in p["place"] else "desk"


def _pay(p):
    return "account" if "account" in p["pay"] else "on_collection"


def solve(tools, p):
    mine = {q["name"]: q["id"] for q in tools.search_patients(kind="animal")["patients"]}
    product = tools.search_products(name=p["medicine"])["products"][0]
    total = 0
    left_out = []
    for name in p["pets"]:
        found = tools.search_medicine_authorities(patient_id=mine[name], product_id=product["id"], status="active")["medicine_authorities"]
        order = None
        if found:
            newest = max(found, key=lambda a: a["consulted_on"])
            try:
                order = tools.place_medicine_order(
                    product_id=product["id"], quantity=p["count"], pay_by=_pay(p), collect_from=_place(p),
                    patient_id=mine[name], medicine_authority_id=newest["id"],
                )["medicine_order"]
            except tools.Error:
                order = None
        if order is None:
            left_out.append(name)
        else:
            total += order["total_cents"]
    return {
        "outcome": "done",
        "answers": {"orders_total": total, "need_a_vet_first": left_out},
        "reason": None,
        "message": f"The tablets are ordered for ${total / 100:.2f} in all; a vet has to see or sign for these first: {', '.join(left_out)}.",
    }


def _good(world, p):
    """The authorities that carry an order, by patient."""
    rows = world.initial.query(
        "SELECT m.id, m.patient_id, q.name FROM medicine_authorities m JOIN patients q ON q.id = m.patient_id"
        " WHERE m.client_id = 1 AND q.client_id = 1 AND m.product_id = ? AND m.status = 'active' AND m.consulted_on >= ? ORDER BY m.id",
        [p["product"], p["oldest"]])
    good = {}
    for r in rows:
        if r["name"] in p["pets"]:
            good.setdefault(r["patient_id"], []).append(r["id"])
    return good


def _total(world, p):
    return p["count"] * world.initial.one("SELECT price_cents FROM products WHERE id = ?", [p["product"]])["price_cents"]


def _is_order(world, p, row, good):
    return (
        row["client_id"] == 1
        and row["product_id"] == p["product"]
        and row["patient_id"] in good
        and row["authority_id"] in good[row["patient_id"]]
        and row["quantity"] == p["count"]
        and row["total_cents"] == _total(world, p)
        and row["pay_by"] == _pay(p)
        and row["collect_from"] == _place(p)
        and row["status"] == "placed"
        and row["returned_at"] is None
    )


def goal_orders_for_all_that_may(world, p):
    """Every pet with a good authority has one new order, as it was asked for."""
    good = _good(world, p)
    rows = [c["after"] for c in world.changes if c["table"] == "medicine_orders" and c["before"] is None]
    return sorted(r["patient_id"] for r in rows if _is_order(world, p, r, good)) == sorted(good)


def goal_says_the_total(world, p):
    """Says what the orders come to."""
    return world.report.says("orders_total", len(_good(world, p)) * _total(world, p))


def goal_says_who_needs_a_vet(world, p):
    """Says which pets need a vet first."""
    good = _good(world, p)
    names = {r["id"]: r["name"] for r in world.initial.query("SELECT id, name FROM patients WHERE client_id = 1 ORDER BY id")}
    able = {names[i] for i in good}
    return world.report.says("need_a_vet_first", [n for n in p["pets"] if n not in able])


def guard_adds_only_such_orders(world, p):
    """Changed nothing but one new order for each of those pets at most."""
    good = _good(world, p)
    seen = []
    for c in world.changes:
        row = c["after"]
        if c["table"] != "medicine_orders" or c["before"] is not None or row is None:
            return False
        if not _is_order(world, p, row, good) or row["patient_id"] in seen:
            return False
        seen.append(row["patient_id"])
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, for no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
