"""Paths, as tau2-bench's domains have them; written for the tests."""

from tau2.utils.utils import DATA_DIR

LIBRARY_DB_PATH = DATA_DIR / "tau2" / "domains" / "library" / "db.json"
