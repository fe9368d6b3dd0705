def _boater_view(env):
    """The boater as the tools show them."""
    return env.one("SELECT id, name, email, phone, commune, riverside_inhabitant, registered_at FROM boaters WHERE id = ?", [env.user_id])

def get_boater(env) -> dict:
    """Shows how the boater is entered at the office."""
    return {"boater": _boater_view(env)}
