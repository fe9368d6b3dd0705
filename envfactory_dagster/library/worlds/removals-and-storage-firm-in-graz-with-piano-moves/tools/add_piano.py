ADD_PIANO_SURCHARGES = (
    ("upright", 12000),
    ("harpsichord", 18000),
    ("baby_grand", 24000),
    ("grand", 32000),
    ("concert_grand", 48000),
)


def add_piano(env, *, removal_id: int, model: str, kind: str) -> dict:
    """Puts a piano on a removal of the user's and adds its surcharge to the price."""
    removal = env.one(
        "SELECT code, status, removal_day, price_cents FROM removals WHERE id = :removal AND customer_id = :user",
        {"removal": removal_id, "user": env.user_id},
    )
    if removal is None:
        raise env.Error(f"You have no removal {removal_id}.")
    if removal["status"] not in ("requested", "offered", "confirmed"):
        raise env.Error(f"Removal {removal['code']} is {removal['status'].replace('_', ' ')}; no piano can be added any more.")
    if removal["removal_day"] <= env.now[:10]:
        raise env.Error(f"The day of removal {removal['code']}, {removal['removal_day']}, has come already.")
    surcharge = dict(ADD_PIANO_SURCHARGES).get(kind)
    if surcharge is None:
        raise env.Error(f"There is no kind of piano called {kind}.")
    clash = env.one(
        """SELECT r.id FROM removals r
           WHERE r.removal_day = :day AND r.id <> :removal AND r.status <> 'cancelled'
             AND EXISTS (SELECT 1 FROM pianos p WHERE p.removal_id = r.id)""",
        {"day": removal["removal_day"], "removal": removal_id},
    )
    if clash is not None:
        raise env.Error(f"The piano lift is taken by another removal on {removal['removal_day']}.")
    piano = env.insert(
        "INSERT INTO pianos (removal_id, model, kind, surcharge_cents) VALUES (:removal, :model, :kind, :surcharge)",
        {"removal": removal_id, "model": model, "kind": kind, "surcharge": surcharge},
    )
    price = removal["price_cents"]
    if price is not None:
        price += surcharge
        env.execute(
            "UPDATE removals SET price_cents = :price WHERE id = :removal AND customer_id = :user",
            {"price": price, "removal": removal_id, "user": env.user_id},
        )
    return {
        "piano_id": piano,
        "removal_id": removal_id,
        "model": model,
        "kind": kind,
        "surcharge_cents": surcharge,
        "price_cents": price,
    }
