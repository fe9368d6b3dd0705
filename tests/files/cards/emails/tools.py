"""A mailbox from an export: pages of mail, attachments, and a long list of labelled spam."""


def list_folders(env) -> dict:
    """List the folders."""
    return {"folders": env.files.records("folders.json")}


def get_mailbox_stats(env) -> dict:
    """How much mail there is."""
    stats = env.files.read_data("mailbox_stats.json")
    return {"total": stats["total"], "unread": stats["unread"], "by_folder": stats["by_folder"]}


def list_emails(env, *, folder: str, page: int = 1, page_size: int = 10) -> dict:
    """List the mail of a folder, a page at a time, without its text."""
    size, first = _page(env, page, page_size)
    items = env.files.records("emails_export.json", {"folder": folder}, first, size)
    total = env.files.count("emails_export.json", {"folder": folder})
    return {"total": total, "page": page, "page_size": size, "items": [_head(mail) for mail in items]}


def get_email(env, *, email_id: str) -> dict:
    """Read a mail."""
    mail = env.files.get("emails_export.json", email_id)
    if mail is None:
        raise env.Error(f"There is no mail {email_id}.")
    return mail


def search_emails(env, *, text: str, sender: str | None = None, page: int = 1, page_size: int = 10) -> dict:
    """Find mail whose subject or text says something, of one sender or of all."""
    size, first = _page(env, page, page_size)
    wanted = text.lower()
    found = [
        mail
        for mail in env.files.records("emails_export.json")
        if wanted in mail["subject"].lower() or wanted in mail["body"].lower()
    ]
    found = [mail for mail in found if sender is None or mail["from"] == sender]
    items = [_head(mail) for mail in found[first : first + size]]
    return {"total": len(found), "page": page, "page_size": size, "items": items}


def read_attachment(env, *, path: str) -> dict:
    """Read an attachment by the path that a mail names."""
    if not path.startswith("attachments/"):
        raise env.Error(f"{path} is no attachment.")
    return {"path": path, "text": env.files.read_text(path)}


def count_labelled(env, *, label: str) -> dict:
    """How many of the labelled messages are spam, or ham."""
    return {"label": label, "count": env.files.count("spam_data/labelled.csv", {"label": label})}


def sample_labelled(env, *, label: str, count: int = 5) -> dict:
    """A few of the labelled messages, drawn by chance."""
    if not 1 <= count <= 50:
        raise env.Error("From 1 to 50 messages can be drawn.")
    return {"messages": env.files.sample("spam_data/labelled.csv", count, {"label": label})}


def _page(env, page: int, page_size: int):
    if page < 1 or not 1 <= page_size <= 50:
        raise env.Error("Pages are numbered from 1 and have 1 to 50 mails.")
    return page_size, (page - 1) * page_size


def _head(mail: dict):
    return {
        "id": mail["id"],
        "from": mail["from"],
        "date": mail["date"],
        "subject": mail["subject"],
        "read": mail["read"],
    }
