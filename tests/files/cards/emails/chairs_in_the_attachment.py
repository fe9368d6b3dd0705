def solve(tools):
    mail = tools.get_email(email_id="M0024")
    text = tools.read_attachment(path=mail["attachments"][0])["text"]
    chairs = int(text.split(": ")[1].split(" ")[0])
    spam = tools.count_labelled(label="spam")["count"]
    return {
        "outcome": "done",
        "answers": {"chairs": chairs, "spam": spam},
        "reason": None,
        "message": f"It speaks of {chairs} chairs; {spam} of the labelled messages are spam.",
    }
