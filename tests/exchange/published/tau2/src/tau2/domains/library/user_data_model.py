"""What a reader has on them."""


from tau2.environment.db import DB


class LibraryUserDB(DB):
    notes: dict[str, str] = {}
