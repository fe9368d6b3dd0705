def solve(tools):
    collector = next(one for one in tools.get_choir()["collectors"] if one["name"] == "P\u00e1draig Lucey")
    work = tools.search_works(words="Britten Ceremony of Carols")["works"][0]
    edition = tools.list_editions(work_id=work["id"])["editions"][0]
    try:
        tools.put_out_edition(
            edition_id=edition["id"], copies=18, concert_date="2026-12-19", collector_id=collector["id"]
        )
    except tools.Error as error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "no_loan_over_debt",
            "message": (
                "I cannot put the Ceremony of Carols out today: a choir that owes more than \u20ac50 in unpaid charges "
                f"gets no new loan unless the librarian enters it herself ({error})."
            ),
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "18 copies of the Ceremony of Carols are put out to you, and the charges stand as they were.",
    }
