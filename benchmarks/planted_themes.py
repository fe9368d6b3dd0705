"""Made-up themes of eight kinds, to see whether clustering finds the kinds again.

Belongs here: words, and drawing themes from them. Does not: embedding and clustering (`arena`).

Themes of one kind share no sentence: each draws a few of its kind's things and deeds. All kinds share places, people
and what is done with records anywhere, as real themes do.
"""

import random
from dataclasses import dataclass

from envfactory_dagster.arena.taxonomy.described import DescribedEnvironment

PLACES = (
    "Alder Quay", "Bramble Hill", "Castle Row", "Dunmore", "Eastgate", "Fennick", "Gull Point", "Harrow Lane",
    "Ivy Bridge", "Juniper Street", "Kestrel Bay", "Lindow", "Marl Green", "North Mole", "Oakham", "Pell Yard",
    "Quarry Road", "Rowan Square", "Salt Wharf", "Tern Island",
)  # fmt: skip
SHARED_DEEDS = (
    "People book, move and cancel appointments.",
    "Members pay their fees and ask for receipts.",
    "A waiting list moves up when somebody cancels.",
    "Staff approve requests and note why they refuse one.",
    "Customers leave a message when something has to change.",
    "Every change is kept with its date.",
)
SHARED_THINGS = ("member", "booking", "invoice", "staff member", "message", "opening hour")


@dataclass(frozen=True, slots=True)
class Mixture:
    """How much of a theme is of its kind, and how much is said of any."""

    things: int = 4
    deeds: int = 2
    shared_things: int = 3
    shared_deeds: int = 2


BLURRED = Mixture(things=3, deeds=1, shared_things=3, shared_deeds=3)
"""Half of the things and three quarters of the sentences say nothing of the kind."""


@dataclass(frozen=True, slots=True)
class Kind:
    houses: tuple[str, ...]
    things: tuple[str, ...]
    deeds: tuple[str, ...]


KINDS = {
    "clinic": Kind(
        ("dental surgery", "eye clinic", "physiotherapy practice", "skin clinic", "hearing centre"),
        ("patient", "treatment", "prescription", "referral", "diagnosis", "recall", "dentist", "therapist", "x-ray"),
        (
            "Patients come for treatment and are recalled for a check.",
            "A doctor writes a prescription or a referral to a specialist.",
            "A treatment plan is priced and the patient consents to it.",
            "A therapist notes the diagnosis and the progress of a patient.",
        ),
    ),
    "vehicles": Kind(
        ("van rental", "bicycle hire", "car sharing garage", "camper rental", "scooter fleet"),
        ("vehicle", "driver", "rental", "mileage", "damage report", "licence", "tyre", "deposit", "fuel card"),
        (
            "Drivers rent a vehicle and bring it back with a full tank.",
            "Mileage and damage are noted when a vehicle returns.",
            "A deposit is blocked until the rental is closed.",
            "A vehicle goes to the garage for tyres and inspection.",
        ),
    ),
    "lending": Kind(
        ("public library", "toy library", "map archive", "music library", "comic reading room"),
        ("book", "loan", "reader", "copy", "shelf", "reservation", "overdue fine", "author", "catalogue card"),
        (
            "Readers borrow books and renew a loan once.",
            "A copy that is overdue costs a fine by the day.",
            "A title is reserved and waits on the shelf for its reader.",
            "Librarians catalogue new titles by author and edition.",
        ),
    ),
    "kitchen": Kind(
        ("restaurant", "bakery", "pizza kitchen", "supper club", "canteen"),
        ("dish", "menu", "recipe", "ingredient", "table", "allergen", "chef", "oven", "portion"),
        (
            "Guests order a dish and name their allergens.",
            "The chef changes the menu with the season's ingredients.",
            "A table is laid for a party and a set menu is agreed on.",
            "Recipes are scaled to portions and ingredients are bought.",
        ),
    ),
    "school": Kind(
        ("evening school", "language school", "music school", "driving academy", "pottery course"),
        ("course", "student", "teacher", "lesson", "exam", "grade", "classroom", "certificate", "homework"),
        (
            "Students enrol in a course and sit an exam at its end.",
            "A teacher grades homework and writes a certificate.",
            "A lesson moves to another classroom when a course is full.",
            "Students who miss lessons repeat the course at half price.",
        ),
    ),
    "freight": Kind(
        ("parcel depot", "freight forwarder", "pallet warehouse", "courier hub", "container terminal"),
        (
            "parcel",
            "pallet",
            "shipment",
            "route",
            "courier",
            "customs paper",
            "container",
            "warehouse bay",
            "consignee",
        ),
        (
            "Shipments are weighed, labelled and put on a route.",
            "A courier delivers parcels and notes a failed delivery.",
            "Containers wait in a bay until customs papers are complete.",
            "Pallets are stacked by weight and shipped to the consignee.",
        ),
    ),
    "energy": Kind(
        ("solar cooperative", "heating network", "wind farm", "battery park", "water works"),
        ("meter", "tariff", "turbine", "panel", "outage", "grid connection", "kilowatt hour", "boiler", "reading"),
        (
            "Households read the meter and choose a tariff.",
            "An outage is reported and a crew repairs the grid connection.",
            "Turbines and panels are serviced before the season.",
            "Kilowatt hours fed into the grid are paid by the quarter.",
        ),
    ),
    "sport": Kind(
        ("tennis club", "climbing hall", "rowing club", "swimming pool", "judo school"),
        ("court", "coach", "team", "match", "league", "training", "player", "referee", "tournament"),
        (
            "Players book a court and challenge each other in a ladder.",
            "A coach sets up training for a team before a match.",
            "A tournament is drawn and referees are assigned.",
            "The league counts points after every match.",
        ),
    ),
}
VERBS = ("list", "get", "create", "update", "cancel", "search")


def planted(each: int, seed: int, mixture: Mixture = Mixture()) -> tuple[list[DescribedEnvironment], list[str]]:
    """Shuffled themes, `each` of every kind, and the kind of each theme."""
    rng = random.Random(seed)
    drawn = [(_theme(kind, number, rng, mixture), name) for name, kind in KINDS.items() for number in range(each)]
    rng.shuffle(drawn)
    return [one for one, _ in drawn], [name for _, name in drawn]


def _theme(kind: Kind, number: int, rng: random.Random, mixture: Mixture) -> DescribedEnvironment:
    house, place = rng.choice(kind.houses), rng.choice(PLACES)
    things = [*rng.sample(kind.things, mixture.things), *rng.sample(SHARED_THINGS, mixture.shared_things)]
    sentences = [*rng.sample(kind.deeds, mixture.deeds), *rng.sample(SHARED_DEEDS, mixture.shared_deeds)]
    rng.shuffle(sentences)
    tools = [f"{rng.choice(VERBS)} {thing}s: {rng.choice(VERBS).capitalize()}s one {thing}." for thing in things]
    return DescribedEnvironment(
        key=f"{house}-{number}-{rng.randrange(10**9)}".replace(" ", "-"),
        name=f"{house.capitalize()} of {place}",
        category=house,
        description=" ".join(sentences),
        entities=things,
        tools=tools,
    )
