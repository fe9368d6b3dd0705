def _boater_view(env):
    """The boater as the tools show them."""
    return env.one("SELECT id, name, email, phone, commune, riverside_inhabitant, registered_at FROM boaters WHERE id = ?", [env.user_id])

def update_contact(env, *, email: str = None, phone: str = None) -> dict:
    """Changes the boater's e-mail address or telephone number."""
    if email is None and phone is None:
        raise env.Error("say the new e-mail address or the new telephone number")
    if email is not None:
        email = email.strip()
        if not email:
            raise env.Error("the e-mail address is empty")
        other = env.one("SELECT id FROM boaters WHERE lower(email) = lower(?) AND id <> ?", [email, env.user_id])
        if other is not None:
            raise env.Error("another boater has the e-mail address %s" % email)
    if phone is not None:
        phone = phone.strip()
        if len(phone) < 5:
            raise env.Error("the telephone number is too short")
    env.execute("UPDATE boaters SET email = COALESCE(:e, email), phone = COALESCE(:p, phone) WHERE id = :id",
                {"e": email, "p": phone, "id": env.user_id})
    return {"boater": _boater_view(env)}
