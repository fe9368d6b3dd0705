"""The same mailbox whose state is a table."""


def get_email(env, *, email_id: str) -> dict:
    """Read a mail."""
    mail = env.one(
        "SELECT id, folder, from_address, to_address, date, subject, body, read FROM emails_json WHERE id = ?",
        [email_id],
    )
    if mail is None:
        raise env.Error(f"There is no mail {email_id}.")
    mail["read"] = bool(mail["read"])
    return mail


def list_emails(env, *, folder: str, page: int) -> dict:
    """List the mail of a folder, 20 at a time."""
    mails = env.query(
        "SELECT id, folder, from_address, to_address, date, subject, body, read FROM emails_json WHERE folder = ?"
        " ORDER BY rowid LIMIT 20 OFFSET ?",
        [folder, (page - 1) * 20],
    )
    for mail in mails:
        mail["read"] = bool(mail["read"])
    total = env.one("SELECT count(*) AS n FROM emails_json WHERE folder = ?", [folder])
    return {"items": mails, "total": total["n"]}


def search_emails(env, *, text: str) -> dict:
    """Find mail by its subject."""
    mails = env.query(
        "SELECT id, folder, from_address, to_address, date, subject, body, read FROM emails_json ORDER BY rowid"
    )
    return {"found": [mail["id"] for mail in mails if text in mail["subject"]]}


def mark_read(env, *, email_id: str) -> dict:
    """Mark a mail as read."""
    return {"marked": env.execute("UPDATE emails_json SET read = ? WHERE id = ?", [1, email_id]) > 0}


def send_email(env, *, to: str, subject: str, body: str) -> dict:
    """Send a mail."""
    email_id = env.new_id("M")
    env.insert(
        "INSERT INTO emails_json (id, folder, from_address, to_address, date, subject, body, read)"
        " VALUES (?, 'sent', 'me@lane.example', ?, ?, ?, ?, 1)",
        [email_id, to, env.now, subject, body],
    )
    return {"id": email_id}
