import datetime

BOOK_CONTAINER_VISIT_DAYS_AHEAD = 2
BOOK_CONTAINER_VISIT_FEE_CENTS = 1800
BOOK_CONTAINER_VISIT_SATURDAY_FEE_CENTS = 2700


def book_container_visit(env, *, container_id: int, visit_at: str, things: str) -> dict:
    """Books a visit to a container for the user, who holds its contract or is authorised in it."""
    container = env.one("SELECT number FROM containers WHERE id = ?", [container_id])
    if container is None:
        raise env.Error(f"There is no container with the id {container_id}.")
    try:
        moment = datetime.datetime.fromisoformat(visit_at.replace("Z", "")).replace(tzinfo=None, microsecond=0)
    except ValueError:
        raise env.Error(f"{visit_at} is not a day and time.")
    contract = env.one(
        """SELECT id, customer_id, authorised_customer_id FROM storage_contracts
           WHERE container_id = ? AND status <> 'cleared'""",
        [container_id],
    )
    if contract is None:
        raise env.Error(f"Container {container['number']} is not let at present.")
    if env.user_id not in (contract["customer_id"], contract["authorised_customer_id"]):
        raise env.Error(
            f"Only the holder of the contract for container {container['number']} "
            "or the person named in it as authorised may book a visit."
        )
    today = datetime.date.fromisoformat(env.now[:10])
    if (moment.date() - today).days < BOOK_CONTAINER_VISIT_DAYS_AHEAD:
        raise env.Error("A visit has to be booked at least 2 days ahead.")
    fee = BOOK_CONTAINER_VISIT_SATURDAY_FEE_CENTS if moment.weekday() == 5 else BOOK_CONTAINER_VISIT_FEE_CENTS
    at = moment.isoformat()
    visit = env.insert(
        """INSERT INTO container_visits (storage_contract_id, visitor_id, visit_at, things, fee_cents, status, booked_at)
           VALUES (:contract, :user, :at, :things, :fee, 'booked', :now)""",
        {"contract": contract["id"], "user": env.user_id, "at": at, "things": things, "fee": fee, "now": env.now},
    )
    return {
        "container_visit_id": visit,
        "storage_contract_id": contract["id"],
        "container_number": container["number"],
        "visit_at": at,
        "things": things,
        "fee_cents": fee,
        "status": "booked",
    }
