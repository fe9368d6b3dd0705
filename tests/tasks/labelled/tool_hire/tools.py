import json


def machine_kinds(env) -> dict:
    """The kinds of machines there are for hire.

    Gives: kinds[].kind, kinds[].machines
    """
    return {"kinds": env.query("SELECT kind, count(*) AS machines FROM machines WHERE retired = 0 GROUP BY kind")}


def machines_of_kind(env, *, kind: str) -> dict:
    """All machines of one kind.

    kind: the kind of machine
    Gives: machines[].machine_id, machines[].label, machines[].day_rate
    """
    rows = env.query("SELECT id AS machine_id, label, day_rate FROM machines WHERE kind = ? AND retired = 0", [kind])
    return {"machines": rows}


def accessories_for(env, *, machine_id: int) -> dict:
    """What can be hired along with a machine.

    machine_id: the machine
    Gives: accessories[].accessory_id, accessories[].label, accessories[].extra
    """
    rows = env.query("SELECT id AS accessory_id, label, extra FROM accessories WHERE machine_id = ?", [machine_id])
    return {"accessories": rows}


def quote(env, *, machine_id: int, days: int) -> dict:
    """What a hire would cost.

    machine_id: the machine
    days: for how many days
    Gives: total
    """
    machine = env.one("SELECT day_rate FROM machines WHERE id = ?", [machine_id])
    if machine is None:
        raise env.Error("there is no such machine")
    return {"total": machine["day_rate"] * days}


def hire_machine(
    env, *, machine_id: int, starts: str, ends: str, agreed_price: int, accessory_ids: list[int] | None = None
) -> dict:
    """Hire a machine at the price that was quoted.

    machine_id: the machine
    starts: first day
    ends: last day
    agreed_price: the total that was quoted
    accessory_ids: what is hired along with it
    Gives: reference
    """
    reference = env.new_id("HIRE")
    env.insert(
        "INSERT INTO hires (reference, machine_id, customer_id, starts, ends, price, state) "
        "VALUES (?, ?, ?, ?, ?, ?, 'booked')",
        [reference, machine_id, env.user_id, starts, ends, agreed_price],
    )
    env.execute(
        "INSERT INTO hire_accessories (hire, accessory_id) SELECT :hire, id FROM accessories "
        "WHERE id IN (SELECT value FROM json_each(:ids))",
        {"hire": reference, "ids": json.dumps(accessory_ids or [])},
    )
    return {"reference": reference}


def my_hires(env) -> dict:
    """The customer's hires.

    Gives: hires[].hire, hires[].machine, hires[].starts, hires[].ends, hires[].state
    """
    rows = env.query(
        "SELECT h.reference AS hire, m.label AS machine, h.starts, h.ends, h.state FROM hires AS h "
        "JOIN machines AS m ON m.id = h.machine_id WHERE h.customer_id = ?",
        [env.user_id],
    )
    return {"hires": rows}


def extend_hire(env, *, reference: str, new_end: str) -> dict:
    """Keep a machine longer.

    reference: the hire
    new_end: the new last day
    Gives: ends
    """
    env.execute("UPDATE hires SET ends = ? WHERE reference = ? AND customer_id = ?", [new_end, reference, env.user_id])
    return {"ends": new_end}


def report_damage(env, *, hire: str, what: str) -> dict:
    """Say that a machine on hire is broken.

    hire: the hire
    what: what is broken
    Gives: damage_id
    """
    damage = env.insert("INSERT INTO damages (hire, what) VALUES (?, ?)", [hire, what])
    return {"damage_id": damage}


def return_machine(env, *, reference: str) -> dict:
    """Bring the machine back to the yard.

    reference: the hire
    Gives: state
    """
    env.execute("UPDATE hires SET state = 'returned' WHERE reference = ? AND customer_id = ?", [reference, env.user_id])
    return {"state": "returned"}
