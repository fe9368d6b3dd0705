def solve(tools):
    unread = []
    page = 1
    while True:
        found = tools.list_emails(folder="inbox", page=page, page_size=20)
        unread += [mail for mail in found["items"] if not mail["read"]]
        if page * 20 >= found["total"]:
            break
        page += 1
    latest = max(unread, key=lambda mail: mail["date"])
    return {
        "outcome": "done",
        "answers": {"unread": len(unread), "subject": latest["subject"]},
        "reason": None,
        "message": f"{len(unread)} mails are unread; the latest is about: {latest['subject']}.",
    }
