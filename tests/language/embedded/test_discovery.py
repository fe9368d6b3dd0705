"""What the embedded model answers about discovery: proposals from sources and out of nothing, scores, sorted tasks."""

from collections import Counter

from envfactory_dagster.contracts.requests import (
    CrudSuitabilityContext,
    SourceExcerpt,
    TaskFilterContext,
    ThemeProposal,
    ThemeProposalsContext,
)
from envfactory_dagster.language.embedded.discovery import crud_suitability, task_filter, theme_proposals
from envfactory_dagster.language.embedded.kinds import all_kinds, nearest_kind

CATEGORIES = ["Legal", "Insurance", "Manufacturing"]


def invent(
    categories: list[str], round_number: int = 0, known: tuple[str, ...] = (), seed: int = 1
) -> list[ThemeProposal]:
    context = ThemeProposalsContext(
        sources=[],
        count=12,
        wanted_categories=categories,
        known_categories=CATEGORIES,
        known_names=list(known),
        round=round_number,
    )
    return theme_proposals(context, seed).proposals


def read(text: str, kind: str = "prd") -> ThemeProposal:
    source = SourceExcerpt(reference="r", kind=kind, text=text)
    context = ThemeProposalsContext(
        sources=[source], count=1, wanted_categories=[], known_categories=CATEGORIES, known_names=[]
    )
    return theme_proposals(context, seed=1).proposals[0]


def test_there_are_many_kinds_in_many_categories() -> None:
    assert len({kind.category for kind in all_kinds()}) >= 20
    assert len({kind.name for kind in all_kinds()}) >= 200


def test_inventions_lie_evenly_in_the_wanted_categories() -> None:
    assert set(Counter(proposal.category for proposal in invent(CATEGORIES)).values()) == {4}


def test_inventing_is_settled_by_what_was_shown() -> None:
    assert invent(CATEGORIES) == invent(CATEGORIES)
    first, second = invent(CATEGORIES, 0), invent(CATEGORIES, 1)
    assert not {p.name for p in first} & {p.name for p in second}


def test_another_seed_invents_other_worlds() -> None:
    first, second = invent(CATEGORIES, seed=1), invent(CATEGORIES, seed=2)
    assert not {p.description for p in first} & {p.description for p in second}


def test_what_is_known_is_not_invented_again() -> None:
    names = tuple(proposal.name for proposal in invent(CATEGORIES))
    assert not set(names) & {proposal.name for proposal in invent(CATEGORIES, known=names)}


def test_no_kind_is_known_for_a_category_nobody_has_heard_of() -> None:
    assert invent(["Underwater basket weaving"]) == []


def test_an_api_document_is_read_in_its_own_words() -> None:
    proposal = read(
        "title: Open mic nights\nActs take slots on small stages.\n- GET /slots: List\nthings: Act, HouseBand"
    )
    assert proposal.name == "Open mic nights"
    assert proposal.entities[:3] == ["act", "house band", "slot"]
    assert proposal.reference == "r"


def test_the_things_of_an_mcp_server_are_what_its_tools_handle() -> None:
    proposal = read("name: kennel-desk\n- book_stay(dog_id): Book\n- list_pens(): Pens", "mcp_spec")
    assert proposal.name == "Kennel desk"
    assert proposal.entities[:2] == ["stay", "pen"]


def test_a_bare_name_gets_a_category_and_things_of_the_kind_it_is_most_like() -> None:
    proposal = read("name: Driving school for heavy vehicles", "name_seed")
    kind = nearest_kind("driving school")
    assert kind is not None
    assert proposal.category == kind.category
    assert set(kind.things) & set(proposal.entities)


def test_a_calculator_scores_less_than_a_library() -> None:
    proposals = [
        ThemeProposal(name=name, category="Any", description=about, entities=["thing", "loan", "member", "fine"])
        for name, about in (
            ("Unit converter", "Convert units and calculate sums."),
            ("Toy library", "Families borrow toys."),
        )
    ]
    converter, library = crud_suitability(CrudSuitabilityContext(proposals=proposals), seed=1).scores
    assert converter.score < 0.6 <= library.score


def test_tasks_are_sorted_by_whether_they_change_something_somewhere() -> None:
    texts = ["task: Cancel my fitting.\ndomain: tyre hotel", "task: Convert 72 degrees.\ndomain: math"]
    tasks = [SourceExcerpt(reference=str(n), kind="task_set", text=text) for n, text in enumerate(texts)]
    kept, dropped = task_filter(TaskFilterContext(tasks=tasks), seed=1).tasks
    assert (kept.stateful, kept.domain_specific, kept.environment) == (True, True, "Tyre hotel")
    assert not dropped.stateful and not dropped.environment
