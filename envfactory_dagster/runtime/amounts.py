"""Numbers and amounts of money, read in the forms in which people write them.

Belongs here: what a JSON number, figures, a number in words or an amount in some currency comes to. Does not: the other
types of answers and what stands beside a value (`answer_values`). Python's standard library only: the text is part of
every bundle's scripts.
"""

import re
from decimal import Decimal, InvalidOperation

_MOST_DIGITS = 30
_LONGEST_AMOUNT = 100

_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBER_OF_WORD = {word: n for n, word in enumerate(_ONES)} | {word: 10 * n for n, word in enumerate(_TENS, start=2)}
_NUMBER_OF_WORD |= {"no": 0, "none": 0, "nothing": 0, "never": 0, "once": 1, "twice": 2}
_FIGURE = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")


def decimal_of(value: object) -> Decimal | None:
    """A JSON number, figures or a number in words."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        number = Decimal(str(value))
        return number if number.is_finite() and number.adjusted() < _MOST_DIGITS else None
    if not isinstance(value, str) or len(value) > _LONGEST_AMOUNT:
        return None
    text = result_of(value).strip(" °").casefold().replace("−", "-")  # whoever shows the sum says what it is
    text = re.sub(r"(?<=\d)[ \u00a0\u202f](?=\d{3}\b)", "", text).removesuffix(",-")
    if re.fullmatch(r"[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+),\d{1,2}", text):
        text = text.replace(".", "").replace(",", ".")
    if text.startswith("minus "):
        positive = decimal_of(text.removeprefix("minus "))
        return None if positive is None else -positive
    if text.endswith("½"):
        text = f"{text[:-1].strip() or 0}.5"
    if text.endswith(" and a half"):
        whole = decimal_of(text.removesuffix(" and a half"))
        return None if whole is None else whole + Decimal("0.5")
    if _FIGURE.fullmatch(text):
        try:
            return Decimal(text.replace(",", "")) if len(text) <= _MOST_DIGITS else None
        except InvalidOperation:
            return None
    return _in_words(text)


def result_of(text: str) -> str:
    """What a shown sum comes to: `26.00 - 16.00 = 10.00 EUR`. Before the sign stands arithmetic and nothing else."""
    before, equals, after = text.rpartition("=")
    shown = re.fullmatch(r"[\d\s.,()€$£]*\d[\d\s.,()€$£]*[+*/×−–-][\d\s.,()€$£+*/×−–-]*", before)
    return after if equals and shown else text


def _in_words(text: str) -> Decimal | None:
    """`twenty-one`, `a hundred and five`, `two thousand three hundred`."""
    words = [word for word in re.split(r"[\s-]+", text) if word and word != "and"]
    if not words:
        return None
    if len(words) > 1 and words[0] in ("a", "an"):
        words[0] = "one"
    total, group, last = 0, 0, 1_000_000
    for word in words:
        if word in _NUMBER_OF_WORD:
            value = _NUMBER_OF_WORD[word]
            # After a word for a number only a smaller one may follow: "twenty one", not "one two".
            if last <= value or (last < 100 and not (last >= 20 and value < 10)):
                return None
            group, last = group + value, max(value, 1)
        elif word == "hundred" and 0 < group < 10:
            group, last = group * 100, 100
        elif word == "thousand" and 0 < group < 1_000 and not total:
            total, group, last = group * 1_000, 0, 1_000
        else:
            return None
    return Decimal(total + group)


# -- money -------------------------------------------------------------------------------------------------------------

_DOLLARS = re.compile(r"\b(us|ca|c|a|au|nz|hk|s)(?:\$| dollars?)")
_MINOR = re.compile(r"\s*(?:cents?|ct|pence|p|¢)$")
_EUROS_AND_CENTS = re.compile(r"(.+?(?:euros?|dollars?|pounds?)),?(?: and)? (.+(?:cents?|pence))")
TWO_FIGURES = rf"(?:\d{{2}}|{'|'.join(_ONES[10:])}|(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_ONES[1:10])}))?)"
"""A pattern of the cents in `five euros forty`."""
_EUROS_AND_TWO_FIGURES = re.compile(rf"(.+?(?:euros?|dollars?|pounds?)) ({TWO_FIGURES})")
SYMBOLS = "€$£¥₹"
_CURRENCIES_CALLED = {
    **dict.fromkeys(("€", "euro", "euros"), ("eur",)),
    **dict.fromkeys(("£", "pound", "pounds"), ("gbp",)),
    "$": ("usd", "cad", "aud", "nzd", "sgd", "hkd", "mxn", "clp", "ars", "cop", "uyu"),
    **dict.fromkeys(("dollar", "dollars"), ("usd", "cad", "aud", "nzd", "sgd", "hkd")),
    **dict.fromkeys(("peso", "pesos"), ("mxn", "clp", "ars", "cop", "uyu", "php")),
    **dict.fromkeys(("kr", "kr.", "krone", "kroner", "krona", "kronor", "crowns"), ("nok", "sek", "dkk", "isk")),
    **dict.fromkeys(("kč", "koruna", "koruny", "korun"), ("czk",)),
    **dict.fromkeys(("zł", "zloty", "zlotys", "złoty", "złotych"), ("pln",)),
    **dict.fromkeys(("ft", "forint", "forints"), ("huf",)),
    **dict.fromkeys(("fr.", "franc", "francs"), ("chf", "xof", "xaf")),
    **dict.fromkeys(("₹", "rupee", "rupees"), ("inr",)),
    **dict.fromkeys(("¥", "yen"), ("jpy", "cny")),
}
"""Signs and names of currencies, each with the codes it may stand for; the currency of the field decides."""
CURRENCY_NAMES = "|".join(sorted(map(re.escape, filter(str.isalpha, _CURRENCIES_CALLED)), key=len, reverse=True))
"""A pattern of the names that are words, without signs."""
_OF_A_COUNTRY = {"us": "usd", "ca": "cad", "c": "cad", "a": "aud", "au": "aud", "nz": "nzd", "hk": "hkd", "s": "sgd"}
_MINOR_UNITS = {
    **dict.fromkeys(("bif", "clp", "djf", "gnf", "isk", "jpy", "kmf", "krw", "pyg"), 1),
    **dict.fromkeys(("rwf", "ugx", "uyi", "vnd", "vuv", "xaf", "xof", "xpf"), 1),
    **dict.fromkeys(("bhd", "iqd", "jod", "kwd", "lyd", "omr", "tnd"), 1000),
}
"""By ISO 4217; of all other currencies a hundred make one."""


def minor_units(unit: str) -> int:
    """How many of the smallest units make one of this currency: 100 cents, and 1 where there is nothing smaller."""
    currency, *_ = _CURRENCIES_CALLED.get(unit.casefold(), (unit.casefold(),))
    return _MINOR_UNITS.get(currency, 100)


def in_whole_units(amount: int, unit: str) -> str:
    """An amount that is counted in the smallest unit, as people write it: 1250 euro cents are 12.50."""
    units = minor_units(unit)
    return f"{Decimal(amount) / units:.{len(str(units)) - 1}f}"


def money_of(unit: str, value: object) -> frozenset[Decimal]:
    """What an amount may come to in the smallest unit of this currency. A bare whole number may be counted in either;
    an amount of another currency is nothing."""
    if not isinstance(value, str):
        number = decimal_of(value)
        return frozenset() if number is None else _in_minor_units(number, unit, bare=True)
    if len(value) > _LONGEST_AMOUNT:
        return frozenset()
    text = result_of(value).strip().casefold()
    if both := _EUROS_AND_CENTS.fullmatch(text):
        whole, rest = money_of(unit, both[1]), money_of(unit, both[2])
        return frozenset(a + b for a in whole for b in rest) if len(whole) == len(rest) == 1 else frozenset()
    if both := _EUROS_AND_TWO_FIGURES.fullmatch(text):
        euros, cents = money_of(unit, both[1]), decimal_of(both[2])
        return frozenset(a + cents for a in euros) if cents is not None and minor_units(unit) == 100 else frozenset()
    if minor := _MINOR.search(text):
        is_british = "gbp" in (unit.casefold(), *_CURRENCIES_CALLED.get(unit.casefold(), ()))
        fits = is_british if minor[0].strip().startswith("p") else minor_units(unit) == 100 and not is_british
        number = decimal_of(_MINOR.sub("", text)) if fits else None
        return frozenset() if number is None else frozenset((number,))
    text = re.sub(r"(?<=\d)['’](?=\d{3})", "", text)
    text = _DOLLARS.sub(lambda found: f" {_OF_A_COUNTRY[found[1]]} ", text)
    words = re.sub(rf"([{SYMBOLS}])", r" \1 ", text).split()
    left = [word for word in words if not _may_mean(word, unit.casefold())]
    amount = " ".join(left).replace("- ", "-")
    if minor_units(unit) < 1000 and re.fullmatch(r"\d{1,3}(?:\.\d{3})+", amount):  # an amount has no three decimals
        amount = amount.replace(".", "")
    if re.fullmatch(r"-?\d+,\d{2}", amount):
        amount = amount.replace(",", ".")
    number = decimal_of(amount)
    bare = len(left) == len(words) and "." not in amount and "," not in amount
    return frozenset() if number is None else _in_minor_units(number, unit, bare=bare)


def names_a_currency(text: str) -> bool:
    """Whether a sign, a name or a code of some currency stands beside an amount."""
    known = {code for codes in _CURRENCIES_CALLED.values() for code in codes} | _CURRENCIES_CALLED.keys()
    return not known.isdisjoint(re.sub(rf"([{SYMBOLS}])", r" \1 ", text.casefold()).split())


def _may_mean(word: str, unit: str) -> bool:
    """Whether a word beside an amount names this currency."""
    return bool({word, *_CURRENCIES_CALLED.get(word, ())} & {unit, *_CURRENCIES_CALLED.get(unit, ())})


def _in_minor_units(number: Decimal, unit: str, *, bare: bool) -> frozenset[Decimal]:
    both = {number * minor_units(unit)} | ({number} if bare else set())
    return frozenset(amount for amount in both if amount == amount.to_integral_value())
