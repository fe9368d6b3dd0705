def solve(tools):
    papers = tools.list_papers()["papers"]
    found = next(paper for paper in papers if "Beehive" in paper["title"])
    card = tools.get_paper(path=found["path"])
    page, author = card["project_page"], card["authors"][0]
    return {
        "outcome": "done",
        "answers": {"page": page, "papers": len(papers), "author": author},
        "reason": None,
        "message": f"{author} wrote it; its page is {page}. There are {len(papers)} papers.",
    }
