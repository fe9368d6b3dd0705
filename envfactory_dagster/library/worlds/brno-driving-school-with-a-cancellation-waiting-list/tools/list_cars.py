def list_cars(env) -> dict:
    """Lists the cars with their days in the workshop."""
    cars = []
    for car in env.query("SELECT id, name, transmission, motorway_allowed, only_instructor_id FROM cars ORDER BY id", []):
        car = dict(car)
        car["workshop_periods"] = env.query(
            "SELECT starts_on, ends_on, reason FROM workshop_periods WHERE car_id = ? ORDER BY starts_on, id", [car["id"]])
        cars.append(car)
    return {"cars": cars}
