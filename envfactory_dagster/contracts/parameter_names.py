"""How the parameters of a tool are called in Python: as in its schema, but for names that no parameter can have there.

Those get an underscore at their end: a function declares `from` as `from_`. Calls say `from` wherever they are written
down. Belongs here: the two directions, and which names a call can have as they are. Does not: the names of tools, which
are those of functions.
"""

import keyword

NOT_NAMES = frozenset([*keyword.kwlist, "env", "self"])
"""No parameter can be called so: words of Python, and what the runtime passes itself."""


def parameter_name(name: str) -> str:
    """How a function declares the property of a schema."""
    return f"{name}_" if name in NOT_NAMES else name


def property_name(parameter: str) -> str:
    """The property of the schema that a parameter of a function stands for."""
    return parameter[:-1] if parameter.endswith("_") and parameter[:-1] in NOT_NAMES else parameter


def can_stand_in_a_call(name: str) -> bool:
    """Whether a program can write `tools.find(NAME=…)`. Python reads names beyond ASCII in another form."""
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name)
