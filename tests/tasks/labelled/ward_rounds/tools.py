def wards(env) -> dict:
    """The wards of the hospital.

    Gives: wards[].ward_id, wards[].title, wards[].floor
    """
    return {"wards": env.query("SELECT id AS ward_id, title, floor FROM wards ORDER BY title")}


def patients_on_ward(env, *, ward_id: int) -> dict:
    """Who lies on a ward.

    ward_id: the ward
    Gives: patients[].record_no, patients[].surname, patients[].place
    """
    return {"patients": env.query("SELECT record_no, surname, place FROM patients WHERE ward_id = ?", [ward_id])}


def _patient(env, record_no):
    row = env.one("SELECT id, surname, ward_id FROM patients WHERE record_no = ?", [record_no])
    if row is None:
        raise env.Error("there is no record of that number")
    return row


def chart(env, *, record_no: str) -> dict:
    """The drugs a patient is on.

    record_no: number of the patient's record
    Gives: surname, lines[].order_id, lines[].drug, lines[].dose, lines[].unit
    """
    patient = _patient(env, record_no)
    lines = env.query(
        "SELECT o.id AS order_id, d.name AS drug, o.dose, d.unit FROM orders AS o JOIN drugs AS d ON d.id = o.drug_id "
        "WHERE o.patient_id = ? AND o.stopped_at IS NULL",
        [patient["id"]],
    )
    return {"surname": patient["surname"], "lines": lines}


def formulary(env, *, name: str) -> dict:
    """Drugs the pharmacy keeps.

    name: how the name of the drug begins
    Gives: drugs[].drug_id, drugs[].name, drugs[].unit
    """
    return {"drugs": env.query("SELECT id AS drug_id, name, unit FROM drugs WHERE name LIKE ? || '%'", [name])}


def prescribe(env, *, record_no: str, drug_id: int, dose: float) -> dict:
    """Put a patient on a drug.

    record_no: number of the patient's record
    drug_id: the drug
    dose: how much of it, in its unit
    Gives: order_id
    """
    patient = _patient(env, record_no)
    order = env.insert(
        "INSERT INTO orders (patient_id, drug_id, dose, ordered_by) VALUES (?, ?, ?, ?)",
        [patient["id"], drug_id, dose, env.user_id],
    )
    return {"order_id": order}


def stop_order(env, *, order_id: int) -> dict:
    """End an order.

    order_id: the order
    Gives: stopped_at
    """
    env.execute("UPDATE orders SET stopped_at = ? WHERE id = ?", [env.now, order_id])
    return {"stopped_at": env.now}


def record_dose(env, *, order: int) -> dict:
    """Note that a dose was given just now.

    order: the order the dose belongs to
    Gives: given_at
    """
    env.insert("INSERT INTO doses_given (order_id, given_at) VALUES (?, ?)", [order, env.now])
    return {"given_at": env.now}


def free_places(env, *, ward_id: int) -> dict:
    """The places on a ward where nobody lies.

    ward_id: the ward
    Gives: places[].place
    """
    rows = env.query(
        "SELECT b.place FROM beds AS b WHERE b.ward_id = :ward AND NOT EXISTS "
        "(SELECT 1 FROM patients AS p WHERE p.ward_id = b.ward_id AND p.place = b.place)",
        {"ward": ward_id},
    )
    return {"places": rows}


def move_patient(env, *, record_no: str, ward_id: int, place: str) -> dict:
    """Move a patient to another place.

    record_no: number of the patient's record
    ward_id: the ward to move to
    place: the place there
    Gives: record_no, place
    """
    patient = _patient(env, record_no)
    if env.one("SELECT place FROM beds WHERE ward_id = ? AND place = ?", [ward_id, place]) is None:
        raise env.Error("there is no such place on that ward")
    env.execute("UPDATE patients SET ward_id = ?, place = ? WHERE id = ?", [ward_id, place, patient["id"]])
    return {"record_no": record_no, "place": place}
