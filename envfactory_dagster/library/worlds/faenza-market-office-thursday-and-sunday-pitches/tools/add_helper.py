import datetime

def add_helper(env, *, name: str, tie: str, from_on: str) -> dict:
    """Puts a helper on the company papers of the user."""
    full = " ".join(name.split())
    if len(full) < 3:
        raise env.Error("Give the full name of the helper.")
    try:
        datetime.date.fromisoformat(from_on)
    except ValueError:
        raise env.Error(f"{from_on} is not a day.")
    if from_on < env.now[:10]:
        raise env.Error("The first day lies before today.")
    if env.one("SELECT id FROM helpers WHERE trader_id = ? AND lower(name) = lower(?) AND status = 'on_papers'", [env.user_id, full]) is not None:
        raise env.Error(f"{full} is already on your papers.")
    new = env.insert("INSERT INTO helpers (trader_id, name, tie, from_on, status) VALUES (?, ?, ?, ?, 'on_papers')", [env.user_id, full, tie, from_on])
    return {"helper": env.one("SELECT id, name, tie, from_on, until_on, status FROM helpers WHERE id = ?", [new])}
