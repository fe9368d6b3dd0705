def get_my_account(env) -> dict:
    """Shows who the user is here, with memberships, clubs and school."""
    account = env.one(
        "SELECT name, second_name, email, date_of_birth, phone, uitpas_number, kansentarief, block_reason FROM accounts WHERE id = ?",
        [env.user_id],
    )
    if account is None:
        raise env.Error("You are not known here.")
    account["kansentarief"] = bool(account["kansentarief"])
    account["today"] = env.now[:10]
    account["memberships"] = env.query(
        "SELECT id, kind, starts_on, ends_on, paid_on, discount_enjoyed_cents FROM memberships WHERE account_id = ? ORDER BY starts_on DESC, id",
        [env.user_id],
    )
    clubs = env.query(
        "SELECT id, name, treasurer_account_id = :user AS is_treasurer, partner_since, last_settlement_open_cents FROM clubs "
        "WHERE treasurer_account_id = :user OR second_contact_account_id = :user ORDER BY name, id",
        {"user": env.user_id},
    )
    account["clubs"] = [{**c, "is_treasurer": bool(c["is_treasurer"])} for c in clubs]
    account["schools"] = env.query(
        "SELECT id, name, level, postcode, invoice_address FROM schools WHERE contact_account_id = ? ORDER BY name, id", [env.user_id]
    )
    return account
