def solve(tools):
    cards = [tools.get_paper(path=paper["path"]) for paper in tools.list_papers()["papers"]]
    written = [card for card in cards if "R. Halloran" in card["authors"]]
    titles = [card["title"] for card in written]
    with_doi = sum(card["doi"] is not None for card in written)
    subject = next(card["subjects"] for card in written if "Tides" in card["title"])
    return {
        "outcome": "done",
        "answers": {"titles": titles, "with_doi": with_doi, "subject": subject},
        "reason": None,
        "message": f"R. Halloran wrote {' and '.join(titles)}; {with_doi} of them name a DOI. The tides are {subject}.",
    }
