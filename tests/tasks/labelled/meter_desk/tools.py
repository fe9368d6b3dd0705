def my_meters(env) -> dict:
    """The customer's meters.

    Gives: meters[].serial, meters[].address, meters[].tariff
    """
    return {"meters": env.query("SELECT serial, address, tariff FROM meters WHERE customer_id = ?", [env.user_id])}


def readings_of(env, *, serial: str) -> dict:
    """What a meter showed over time.

    serial: the meter's serial number
    Gives: readings[].reading_id, readings[].read_on, readings[].kwh
    """
    rows = env.query(
        "SELECT id AS reading_id, read_on, kwh FROM readings WHERE meter = ? ORDER BY read_on DESC", [serial]
    )
    return {"readings": rows}


def submit_reading(env, *, serial: str, kwh: int) -> dict:
    """Send in what the meter shows today.

    serial: the meter's serial number
    kwh: the figure on the dial
    Gives: reading_id
    """
    return {
        "reading_id": env.insert("INSERT INTO readings (meter, read_on, kwh) VALUES (?, ?, ?)", [serial, env.now, kwh])
    }


def dispute_reading(env, *, reading_id: int) -> dict:
    """Say that a reading is wrong.

    reading_id: the reading
    Gives: disputed
    """
    env.execute("UPDATE readings SET disputed = 1 WHERE id = ?", [reading_id])
    return {"disputed": True}


def tariff_list(env, *, green_only: bool = False) -> dict:
    """The tariffs on offer.

    green_only: only those from the sun, wind and water
    Gives: tariffs[].code, tariffs[].cents_per_kwh
    """
    rows = env.query("SELECT code, cents_per_kwh FROM tariffs WHERE green >= ?", [1 if green_only else 0])
    return {"tariffs": rows}


def change_tariff(env, *, serial: str, tariff: str) -> dict:
    """Put a meter on another tariff.

    serial: the meter's serial number
    tariff: code of the new tariff
    Gives: serial, tariff
    """
    env.execute("UPDATE meters SET tariff = ? WHERE serial = ? AND customer_id = ?", [tariff, serial, env.user_id])
    return {"serial": serial, "tariff": tariff}


def unpaid_bills(env) -> dict:
    """What the customer still owes.

    Gives: bills[].number, bills[].meter, bills[].cents
    """
    rows = env.query(
        "SELECT b.number, b.meter, b.cents FROM bills AS b JOIN meters AS m ON m.serial = b.meter "
        "WHERE m.customer_id = ? AND b.paid_at IS NULL",
        [env.user_id],
    )
    return {"bills": rows}


def pay_bill(env, *, bill: int, cents: int) -> dict:
    """Pay a bill in full.

    bill: number of the bill
    cents: the amount, which must be what the bill says
    Gives: paid_at
    """
    owed = env.one("SELECT cents FROM bills WHERE number = ?", [bill])
    if owed is None or owed["cents"] != cents:
        raise env.Error("that is not what the bill says")
    env.execute("UPDATE bills SET paid_at = ? WHERE number = ?", [env.now, bill])
    return {"paid_at": env.now}


def instalment_plan(env, *, bill: int, instalments: int) -> dict:
    """Pay a bill in instalments.

    bill: number of the bill
    instalments: how many
    Gives: plan_id
    """
    return {"plan_id": env.insert("INSERT INTO plans (bill, instalments) VALUES (?, ?)", [bill, instalments])}
