"""Words that rows are made of in every domain: people, places, streets, remarks, names for things.

Belongs here: vocabulary shared by modules. Does not: the names of one domain's things (its blueprint has those), or the
vocabulary of one module (it keeps its own).
"""

import random
from collections.abc import Sequence

from envfactory_dagster.language.embedded.text import words_of

GIVEN_NAMES: Sequence[str] = words_of(
    """
    Amara Bjorn Camila Dmitri Elena Farid Grace Hiro Ingrid Jamal Katya Liam Mei Nadia Omar Priya Quentin Rosa
    Samuel Tariq Ursula Viktor Wanjiru Ximena Yusuf Zoe Aiko Beatriz Carlos Dalia Emeka Freya Giulia Hassan Isla
    Jonas Keiko Lucia Mateo Noor Olga Paolo Rania Sven Thandi Uma Valentin Winona Yara Zoltan Anders Bianca
    Chidi Daria Eamon Fatima Gustav Hana Imran Juno Kofi Leila Marek Nia Oskar Petra Ravi Selma Tomas Vera Wes
    Yuki
    """
)
FAMILY_NAMES: Sequence[str] = words_of(
    """
    Abara Bergstrom Castillo Dimitrov Eriksen Farouk Garcia Hayashi Ivanova Jensen Kowalski Lindqvist Moreau
    Nakamura Okafor Petrov Quispe Rossi Santos Tanaka Ueda Vasquez Weber Xu Yilmaz Zhang Adeyemi Bauer Chowdhury
    Duarte Engel Ferrari Gupta Hoffmann Ito Johansson Keller Laurent Mensah Novak Olsen Pereira Rahman Schmidt
    Thapa Urbina Vargas Walsh Yamamoto Zielinski Achterberg Brennan Cohen Delgado Fischer Haddad Kimani Larsen
    Mbeki Nguyen
    """
)
CITIES: Sequence[str] = words_of(
    """
    Aldermouth Brackley Cedarvale Dunhaven Eastmere Fairwick Glenport Harrowgate Ironbridge Juniper Kestrel
    Lakemoor Millbrook Northam Oakridge Pinecrest Quarry Riverton Stonebury Thornfield Upperton Valemont
    Westbrook Yarrow
    """
)
STREETS: Sequence[str] = (
    "Mill Lane",
    "Station Road",
    "Harbour Street",
    "Orchard Avenue",
    "Chapel Hill",
    "Market Square",
    "Bridge Street",
    "Willow Close",
    "Foundry Row",
    "Park Terrace",
    "Canal Side",
    "Observatory Road",
)
_QUALITIES: Sequence[str] = words_of(
    """
    compact classic northern eastern morning evening premium standard silver amber coastal alpine heritage
    modern quiet grand little upper lower green blue scarlet maple cedar summit harbour garden river express
    """
)
_MONTHS: Sequence[str] = words_of(
    "January February March April May June July August September October November December"
)
_DOMAINS: Sequence[str] = ("mailbox.example", "post.example", "inbox.example", "letters.example")


def person_name(rng: random.Random) -> str:
    return f"{rng.choice(GIVEN_NAMES)} {rng.choice(FAMILY_NAMES)}"


def email(name: str, rng: random.Random) -> str:
    return f"{name.lower().replace(' ', '.')}@{rng.choice(_DOMAINS)}"


def phone(rng: random.Random) -> str:
    return f"+1-555-{rng.randint(100, 999)}-{rng.randint(1000, 9999)}"


def address(rng: random.Random) -> str:
    return f"{rng.randint(1, 180)} {rng.choice(STREETS)}, {rng.choice(CITIES)}"


def cities(rng: random.Random, count: int) -> list[str]:
    """Different cities."""
    return rng.sample(CITIES, count)


def thing_names(noun: str, rng: random.Random) -> list[str]:
    """Names for things of a kind nobody gave names for: "Cedar kiln", "Little kiln"."""
    return [f"{quality} {noun}" for quality in rng.sample(_QUALITIES, len(_QUALITIES))]


def price_cents(rng: random.Random, lowest: int, highest: int) -> int:
    """A price as shops write them: whole amounts, halves, or ending in 95."""
    whole = rng.randint(lowest // 100, highest // 100)
    return max(100, whole * 100 + rng.choice((0, 0, 50, 95)))


def words_for_date(day: str) -> str:
    """A date as people say it: `2026-03-06` is "6 March 2026"."""
    year, month, number = day.split("-")
    return f"{int(number)} {_MONTHS[int(month) - 1]} {year}"


def money(cents: int) -> str:
    """An amount as people say it: `1250` is "12.50"."""
    return f"{cents // 100}.{cents % 100:02d}"
