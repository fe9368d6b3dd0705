"""Discovery: worlds proposed from sources or invented, judged for CRUD, tasks sorted into worlds.

Belongs here: answers of the schemas `theme_proposals`, `crud_suitability`, `task_filter`. Does not: reading source
folders or de-duplication (`authoring`), composing invented worlds (`invention`), or what a recognised theme becomes
(`plan`).
"""

import re
from collections.abc import Sequence

from envfactory_dagster.contracts import requests
from envfactory_dagster.contracts.requests import CrudScore, FilteredTask, SourceExcerpt, ThemeProposal
from envfactory_dagster.language.embedded.invention import turn_of, worlds_of
from envfactory_dagster.language.embedded.kinds import Kind, all_kinds, nearest_kind
from envfactory_dagster.language.embedded.recognition import blueprint_of, modules_for, nouns_in
from envfactory_dagster.language.embedded.seeds import rng_of
from envfactory_dagster.language.embedded.text import sentence, words_of
from envfactory_dagster.language.nouns import plural, singular

_CHANGING_VERBS = frozenset(
    words_of(
        """
    accept add approve assign attach book borrow buy cancel change close collect confirm correct create credit delete
    end enrol extend file freeze give grant hire hold issue join lend list move offer open order pause pay place post
    put raise record refund register reject release remove rename renew replace reply report request reschedule
    reserve resolve return schedule send set ship sign split submit swap take transfer update upgrade withdraw
    """
    )
)
_STATELESS = frozenset(
    words_of(
        """
    weather translate translation summarize summary summarise calculate calculator convert converter trivia joke poem
    essay definition explain sentiment classify caption dictionary encyclopedia fibonacci function capital
    """
    )
)
_NO_WORLD = frozenset(words_of("general coding math maths trivia chat writing knowledge other none"))
"""What task sets call tasks that belong nowhere."""

_MARKUP = re.compile(r"<[^>]{0,200}>|[`*_#{}\[\]\"|]")
_LINE = re.compile(r"^\s*(title|name|category|things|domain|environment|service|app)\s*[:=]\s*(.+)$", re.IGNORECASE)
_TOOL = re.compile(r"^- ([A-Za-z]\w*)\(")
_PATH = re.compile(r"^- [A-Z]+ /([A-Za-z-]+)")
_LONGEST_NAME = 60
_LONGEST_READ = 20_000
_LONGEST_SENTENCE = 300
_MOST_THINGS = 10
_OTHER = "Services"


def theme_proposals(context: requests.ThemeProposalsContext, seed: int) -> requests.ThemeProposals:
    if context.sources:
        shown = context.sources[: context.count]
        return requests.ThemeProposals(proposals=[_from_source(source, context.known_categories) for source in shown])
    return requests.ThemeProposals(proposals=_invented(context, seed))


def crud_suitability(context: requests.CrudSuitabilityContext, seed: int) -> requests.CrudSuitability:
    return requests.CrudSuitability(scores=[_scored(proposal) for proposal in context.proposals])


def task_filter(context: requests.TaskFilterContext, seed: int) -> requests.TaskFilter:
    return requests.TaskFilter(tasks=[_filtered(task) for task in context.tasks])


def entities_of(proposal: ThemeProposal) -> list[str]:
    """The things a proposal is about when it names none: its blueprint's, else nouns of its own text."""
    blueprint = blueprint_of(proposal.name, proposal.category, [])
    known = [noun.partition("|")[0] for roles in blueprint.uses.values() for noun in roles.values()]
    return known or nouns_in(f"{proposal.name} {proposal.description}"[:_LONGEST_READ]) or ["record"]


def _invented(context: requests.ThemeProposalsContext, seed: int) -> list[ThemeProposal]:
    """Worlds of kinds in the wanted categories; with none wanted, of kinds in any."""
    rng = rng_of("invent", seed, context.round, *context.wanted_categories, *context.known_names[-20:])
    wanted = {category.lower() for category in context.wanted_categories}
    kinds = [kind for kind in all_kinds() if not wanted or kind.category.lower() in wanted]
    known = {name.lower() for name in context.known_names}
    return list(worlds_of(kinds, rng, turn_of(context.round, not wanted), known, context.count))


def _from_source(source: SourceExcerpt, known_categories: Sequence[str]) -> ThemeProposal:
    """A world in the source's own words; what it leaves out comes from the kind it is most like."""
    text = source.text[:_LONGEST_READ]
    said = _fields(text)
    name = _name_of(said.get("title") or said.get("name"), text, source.reference)
    kind = nearest_kind(f"{name} {name} {text}")
    things = _things_of(text, said, kind)
    category = said.get("category") or (kind.category if kind else _OTHER)
    spelled = {known.lower(): known for known in known_categories}
    return ThemeProposal(
        name=name,
        category=spelled.get(category.strip().lower(), sentence(category.strip())),
        description=_description(name, text, things, kind),
        entities=things,
        reference=source.reference,
    )


def _fields(text: str) -> dict[str, str]:
    """What the text says under a name of its own, the first time it does."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        if match := _LINE.match(line):
            found.setdefault(match[1].lower(), _plain(match[2]))
    return found


def _things_of(text: str, said: dict[str, str], kind: Kind | None) -> list[str]:
    """Things the source names as such, else objects of its tools and paths, else its nouns, then those of its kind."""
    named = [_spaced(word) for word in said.get("things", "").split(",") if word.strip()]
    for line in text.splitlines():
        if match := _TOOL.match(line):
            named.append(" ".join(_spaced(match[1]).split()[1:]))
        elif match := _PATH.match(line):
            named.append(_spaced(match[1]))
    plain = [singular(word) for word in named if word and len(word) <= 30]
    nouns = plain or nouns_in(text, most=5)
    return list(dict.fromkeys([*nouns, *(kind.things if kind and len(nouns) < 6 else ())]))[:_MOST_THINGS] or ["record"]


def _description(name: str, text: str, things: Sequence[str], kind: Kind | None) -> str:
    """Sentences of the source where it has any, then what is kept track of, then what its kind is known for."""
    prose = [_plain(line) for line in text.splitlines() if line[:1] not in "-#*|" and not _LINE.match(line)]
    own = " ".join(line for line in prose if line.count(" ") >= 5)[:_LONGEST_SENTENCE]
    tracked = ", ".join(plural(thing) for thing in things[:4])
    parts = [own.rsplit(". ", 1)[0].rstrip(".") or name, f"It keeps track of {tracked} for the people who use it"]
    if kind and not own:
        parts.append(kind.about)
    return ". ".join(parts) + "."


def _name_of(named: str | None, text: str, reference: str) -> str:
    lines = [line.strip(" -:.") for line in _plain_lines(text) if re.search("[a-zA-Z]{3}", line)]
    raw = named or (lines[0] if lines else reference) or "Record keeping"
    words = re.sub(r"[^A-Za-z0-9&' -]+", " ", raw.replace("_", " ")).split()
    short = ""
    for word in words:
        if len(short) + len(word) >= _LONGEST_NAME:
            break
        short = f"{short} {word}".strip()
    if short.count("-") and " " not in short:
        short = short.replace("-", " ")
    return sentence(short or "Record keeping")


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub(" ", text).split())


def _plain_lines(text: str) -> list[str]:
    return [_plain(line) for line in text.splitlines()]


def _spaced(word: str) -> str:
    """`GearLoan`, `gear-loans` and `gear_loan` as words."""
    return " ".join(re.findall(r"[A-Z]?[a-z]+|[A-Z]+", word)).lower()


def _scored(proposal: ThemeProposal) -> CrudScore:
    text = f"{proposal.name} {proposal.description} {' '.join(proposal.entities)}"[:_LONGEST_READ]
    capabilities = modules_for(text)
    stateless = _STATELESS & set(re.findall("[a-z]+", text.lower()))
    score = 0.4 + 0.15 * min(len(capabilities), 3) + 0.05 * min(len(proposal.entities), 5) - 0.2 * len(stateless)
    if len(stateless) > 1 or (stateless and not capabilities):
        reason = f"Mostly computes or looks up ({', '.join(sorted(stateless))}); little state to create or change."
    elif capabilities:
        reason = f"Keeps state that people create, read, update and delete: {', '.join(capabilities[:3])}."
    else:
        reason = "Names things that can be stored, but no clear life cycle."
    return CrudScore(name=proposal.name, score=min(max(round(score, 2), 0.0), 1.0), reason=reason)


def _filtered(task: SourceExcerpt) -> FilteredTask:
    text = task.text[:_LONGEST_READ]
    said = _fields(text)
    place = next((said[key] for key in ("environment", "domain", "service", "app") if said.get(key)), "")
    words = set(re.findall("[a-z]+", text.lower()))
    stateful = bool(words & _CHANGING_VERBS) and not words & _STATELESS
    environment = _environment(text, place) if stateful and place.lower() not in _NO_WORLD else ""
    return FilteredTask(
        reference=task.reference,
        stateful=stateful,
        domain_specific=bool(environment) or (not stateful and bool(place) and place.lower() not in _NO_WORLD),
        environment=environment,
        usefulness=8 if environment else 3,
        modelability=8 if stateful else 3,
    )


def _environment(text: str, place: str) -> str:
    """The service a task belongs to: as it says itself, else the kind it is most like, else what it handles."""
    if place:
        return sentence(place)
    if kind := nearest_kind(text):
        return sentence(kind.name)
    capabilities, nouns = modules_for(text), nouns_in(text, most=1)
    return sentence(f"{nouns[0]} {capabilities[0].replace('_', ' ')}") if capabilities and nouns else ""
