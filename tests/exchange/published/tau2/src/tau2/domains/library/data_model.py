"""A lending library in the form of a domain of tau2-bench, written for the tests."""

from typing import Literal

from pydantic import BaseModel, Field
from tau2.domains.library.utils import LIBRARY_DB_PATH
from tau2.environment.db import DB


class Book(BaseModel):
    title: str = Field(description="Its title")
    lent_to: str | None = None
    condition: Literal["good", "worn"] = "good"


class LibraryDB(DB):
    """All books."""

    books: dict[str, Book]
    readers: dict[str, str]


PATH = LIBRARY_DB_PATH
