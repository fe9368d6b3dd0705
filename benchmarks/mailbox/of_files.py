"""A mailbox whose state is a file."""


def get_email(env, *, email_id: str) -> dict:
    """Read a mail."""
    mail = env.files.get("emails.json", email_id)
    if mail is None:
        raise env.Error(f"There is no mail {email_id}.")
    return mail


def list_emails(env, *, folder: str, page: int) -> dict:
    """List the mail of a folder, 20 at a time."""
    mails = env.files.records("emails.json", {"folder": folder}, (page - 1) * 20, 20)
    return {"items": mails, "total": env.files.count("emails.json", {"folder": folder})}


def search_emails(env, *, text: str) -> dict:
    """Find mail by its subject."""
    found = [mail["id"] for mail in env.files.records("emails.json") if text in mail["subject"]]
    return {"found": found}


def mark_read(env, *, email_id: str) -> dict:
    """Mark a mail as read."""
    return {"marked": env.files.update("emails.json", email_id, {"read": True})}


def send_email(env, *, to: str, subject: str, body: str) -> dict:
    """Send a mail."""
    email_id = env.new_id("M")
    mail = {"id": email_id, "folder": "sent", "from_address": "me@lane.example", "to_address": to, "date": env.now}
    env.files.append("emails.json", mail | {"subject": subject, "body": body, "read": True})
    return {"id": email_id}
