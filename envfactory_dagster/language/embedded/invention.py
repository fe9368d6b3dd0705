"""Inventing worlds: a kind, settled into one place, for somebody, run by somebody, with a peculiarity of its own.

Belongs here: the words an invented world is composed of, and composing it. Does not: which worlds were asked for
(`discovery`), or the kinds (`kinds`).
"""

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from envfactory_dagster.contracts.requests import ThemeProposal
from envfactory_dagster.language.embedded import vocabulary
from envfactory_dagster.language.embedded.kinds import Kind
from envfactory_dagster.language.embedded.modules import all_modules
from envfactory_dagster.language.embedded.seeds import seed_of
from envfactory_dagster.language.embedded.text import sentence, with_article, words_of
from envfactory_dagster.language.nouns import plural

CLIENTS = """
night shift nurses|families with twins|retired sailors|visiting scholars|wheelchair users|deaf customers
seasonal workers|first-year students|small schools|newcomers to town|fishing crews|amateur collectors|touring bands
mountain farmers|young parents|grandparents|commuters|lorry drivers|hospital wards|theatre people
left-handed people|beginners over sixty|neighbours of one street|veterans|long-term travellers|teenagers
sports clubs|single households|village councils|monks|allergy sufferers|film crews|cyclists|market traders
night owls|early risers|people on low incomes|scout troops|embassy staff|parish groups|apprentices|widowers
expatriates|language learners|shipyard workers|foster families
""".strip().replace("\n", "|").split("|")  # fmt: skip

PLACES = tuple(
    front + back
    for back in words_of(
        "bury combe dale ford gate ham ley mere stead wick bridge cross den field hurst minster port shaw thorpe well"
    )
    for front in words_of("Alder Birch Clover Dray Elm Fern Gorse Heather Ivy Kiln Lark Marl Nettle Otter Plover Rowan")
)

SETTINGS = """
a former grain silo by the canal|two railway carriages on a disused siding|the cellar of the old town hall
a glasshouse behind the botanical garden|a converted fire station|the upper deck of a moored paddle steamer
a row of market arches|a farmhouse above the tree line|a shopping centre that stands half empty
the ground floor of a tower block|a decommissioned airfield|three shipping containers at the harbour
a former convent with a walled orchard|a lighthouse keeper's house|a strip of allotments outside the ring road
an old tannery at the river|a caravan that changes its place each month|the back rooms of a pharmacy
a school that closed for lack of children|a quarry turned into a park|the gatehouse of a castle
a hospital campus with underground corridors|a border town with customers from both sides|an island without cars
a ski resort outside its season|a suburb of terraced houses|the attic of a department store
a mining village with its own narrow-gauge line|a spa town full of pensioners|a university quarter
a trading estate beside the motorway|a fishing port where half the boats are gone|a valley with forty hamlets
a drained polder below sea level|the vaults under a viaduct|a new town without a centre
""".strip().replace("\n", "|").split("|")  # fmt: skip

OWNERS = """
a retired couple and their niece|a workers' cooperative|the parish|a foundation from a shipowner's will
a municipal department of three people|the third generation of one family|a students' association
a former competitor who bought it at auction|an employee-owned company|volunteers with one paid coordinator
a franchise that leaves locals a free hand|the union of craftsmen|a university institute|an order of nuns
two brothers who do not speak to each other|a housing association|a social enterprise for people back from prison
the county|a network of seven small firms|a start-up that grew too fast|a regional bank's charity
a sports federation|an insurer as a side business|a women's collective|the farmers' union|a school for its pupils
""".strip().replace("\n", "|").split("|")  # fmt: skip

PECULIARITIES = """
Half of all places are kept back for those who have waited longest
Prices fall with the third order in a month and rise again after a break
Whoever cancels late works it off with an hour of help
Nothing is handed over without the signature of a second person
Regulars may lend what they have reserved to somebody else, once
Every refusal is explained in writing and may be appealed within a week
In winter it opens on three days only, and requests pile up
Deposits are returned in vouchers that expire after a year
Each item carries a paper tag whose number leads to its whole history
A lottery on Mondays decides when there are more requests than places
It pays its suppliers by weight and its helpers by the hour
New customers need the word of two old ones
Complaints older than ten days go to an outside arbiter
Every first Friday stock is counted and differences are written off
Deliveries are combined so that no van leaves less than half full
Large orders are split over two weeks unless a surcharge is paid
Damage is graded in five steps, each with its fixed charge
Foreign visitors pay ahead and are refunded the difference
Opening hours follow the tide table
Members vote each quarter on what is bought next
A standby list is called an hour before anything goes unused
Subsidies of the region pay a third, against monthly reports
Anything left behind is sold after ninety days for a good cause
A mobile team visits those who cannot come, on fixed routes
Inspections come unannounced, and each finding has a deadline
Group requests need one responsible person and a list of names
Children have accounts of their own that parents can freeze
Spare capacity is offered to two partner houses at cost
All changes after noon wait until the next working day
Certificates lapse after two years unless a refresher is taken
A loyalty ledger counts visits, not money
Quality is tasted, measured or tried by a jury of three
Seasonal permits are numbered and may be passed on once
Emergencies jump the queue but cost double
The oldest paper files are being entered year by year
Gifts in kind are valued by a committee before they count
Rooms and gear are booked separately and must fit together
Contracts run from harvest to harvest
A blacklist is reviewed every six months
Interpreters in five languages can be asked for with each visit
Half-finished work may be stored for a season
Surplus is auctioned online on the last day of a month
""".strip().split("\n")  # fmt: skip

FORMS = (
    "{place} {kind} for {clients}",
    "{family} {kind} in {place} for {clients}",
    "{family} and Daughters {kind} for {clients}",
)
THINGS_OF_ITS_OWN = 5
BORROWED_THINGS = 2
TRIES = 3
TURNS_PER_ROUND = 7
"""More than there are worlds of one kind in a round."""
TURNS_WHEN_FREE = 3
"""A question without wanted categories may be asked beside one with: both must not make the same of a kind."""


def worlds_of(
    kinds: Sequence[Kind], rng: random.Random, turn: int, known: Collection[str], count: int
) -> Iterator[ThemeProposal]:
    """So many worlds with names that are not known, their kinds in turn."""
    made: Counter[Kind] = Counter()
    for kind in _in_turn(kinds, rng, TRIES * count):
        if made.total() == count:
            return
        world = _settled(kind, turn + made[kind], rng)
        if world.name.lower() not in known:
            made[kind] += 1
            yield world


def turn_of(round_number: int, is_free: bool) -> int:
    return TURNS_PER_ROUND * round_number + (TURNS_WHEN_FREE if is_free else 0)


def _in_turn(kinds: Sequence[Kind], rng: random.Random, most: int) -> Iterator[Kind]:
    """Category by category, and within each its kinds in a drawn order, over and over."""
    by_category: dict[str, list[Kind]] = {}
    for kind in rng.sample(kinds, len(kinds)):
        by_category.setdefault(kind.category, []).append(kind)
    lists = list(by_category.values())
    for turn in range(most if lists else 0):
        kinds_of_one = lists[turn % len(lists)]
        yield kinds_of_one[(turn // len(lists)) % len(kinds_of_one)]


def _settled(kind: Kind, turn: int, rng: random.Random) -> ThemeProposal:
    """One world of the kind. Who, where and for whom goes round with the turn, so that two of a kind share as little
    as can be: left to chance, a few of a thousand would be the same place for other people."""
    number = seed_of(kind.name) + turn

    def one_of(words: Sequence[str]) -> str:
        return words[number % len(words)]

    clients = one_of(kind.flavours) if kind.flavours and rng.random() < 0.5 else one_of(CLIENTS)
    place, setting, owner, family = one_of(PLACES), one_of(SETTINGS), one_of(OWNERS), one_of(vocabulary.FAMILY_NAMES)
    name = rng.choice(FORMS).format(kind=kind.name, clients=clients, family=family, place=place)
    things = rng.sample(kind.things, min(THINGS_OF_ITS_OWN, len(kind.things)))
    things += _borrowed(things, rng)
    peculiar, also = rng.sample(PECULIARITIES, 2)
    about = rng.choice(
        (
            f"{kind.about}",
            f"It keeps track of {plural(things[0])}, {plural(things[1])} and {plural(things[2])}",
            f"For {clients} it arranges {plural(things[0])} and {plural(things[-1])}",
        )
    )
    opening = rng.choice(
        (
            f"{sentence(with_article(kind.name))} in {place}, in {setting}, run by {owner}",
            f"Run by {owner}, this {kind.name} serves {clients} from {setting}",
            f"{sentence(clients)} come to {setting} in {place}",
        )
    )
    return ThemeProposal(
        name=name,
        category=kind.category,
        description=". ".join((opening, about, peculiar, also)) + ".",
        entities=things,
    )


def _borrowed(things: Sequence[str], rng: random.Random) -> list[str]:
    """Things that any kind may have besides its own: default nouns of modules drawn at random."""
    modules = rng.sample(sorted(all_modules().values(), key=lambda module: module.name), BORROWED_THINGS)
    nouns = [rng.choice(rng.choice(list(module.roles.values()))).partition("|")[0] for module in modules]
    return [noun for noun in dict.fromkeys(nouns) if noun not in things]
