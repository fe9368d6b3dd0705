import datetime
import re


def solve(tools):
    copies, wanted_from, concert = 19, "2027-01-12", "2027-03-26"
    last_day = (datetime.date.fromisoformat(concert) + datetime.timedelta(days=14)).isoformat()
    enough, organ = [], []
    for words in ("Stainer Crucifixion", "Maunder Olivet to Calvary", "Dubois Seven Last Words"):
        work = tools.search_works(words=words)["works"][0]
        for edition in tools.list_editions(work_id=work["id"])["editions"]:
            found = tools.check_availability(edition_id=edition["id"], first_day=wanted_from, last_day=last_day)
            if found["copies_free"] >= copies and work["title"] not in enough:
                enough.append(work["title"])
        note = work["note"].lower()
        if "organ alone" in note and "not with organ alone" not in note:
            organ.append(work["title"])
    now = copies * tools.get_choir()["hire_cents_per_copy"]
    paid_up = None
    for document in tools.find_documents(words="hire subscription paid up")["documents"]:
        text = tools.read_document(path=document["path"])["text"]
        found = re.search(r"subscription paid up\s+EUR (\d+)\.(\d\d)", text)
        if found:
            paid_up = copies * (int(found.group(1)) * 100 + int(found.group(2)))
    return {
        "outcome": "done",
        "answers": {"enough_copies": enough, "organ_alone": organ, "cost_now": now, "cost_paid_up": paid_up},
        "reason": None,
        "message": (
            f"19 copies are free of: {', '.join(enough)}; with organ alone go: {', '.join(organ)}. "
            f"19 copies cost you \u20ac{now / 100:.2f} as you stand and \u20ac{paid_up / 100:.2f} with the subscription paid up."
        ),
    }
