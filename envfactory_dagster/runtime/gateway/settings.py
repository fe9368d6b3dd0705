"""What a gateway may be told, and what it refuses to be told."""

from dataclasses import dataclass, field
from pathlib import Path

from envfactory_dagster.contracts.errors import UsageError


@dataclass(frozen=True, slots=True)
class GatewaySettings:
    max_sessions: int = 1_000
    """How many sessions may be open at once, over all environments."""
    idle_seconds: float = 1_800.0
    """A session that has heard no request for this long is closed."""
    lost_seconds: float = 60.0
    """The same for an MCP client whose listening stream has broken: it may come back, or be gone without a word."""
    max_connections: int = 2_000
    """How many connections may be open at once. Half of the files that the process may open, where that is less."""
    head_seconds: float = 10.0
    """How long a client may take to send the headers of a request, from its first byte or from connecting."""
    body_seconds: float = 30.0
    """How long a client may take to send the body of a request once its headers are there."""
    token: str | None = field(default=None, repr=False)
    """When set, every request but the health check must carry it as `Authorization: Bearer TOKEN`."""
    allowed_hosts: frozenset[str] = frozenset()
    """Names, besides addresses and `localhost`, by which clients may call this server."""

    site: Path | None = None
    """A folder of pages that is served at `/site`: those of `envfactory view` let a person call tools."""

    def __post_init__(self) -> None:
        if self.site is not None and not (self.site / "index.html").is_file():
            raise UsageError(f"There is no site in {self.site}: it has no index.html. `envfactory view` writes one.")
        if self.site is not None and self.token is not None:
            raise UsageError("A browser sends no token with the pages it asks for: serve a site without one.")
        if self.max_sessions < 1:
            raise UsageError(f"A gateway needs room for at least one session, not {self.max_sessions}.")
        if self.idle_seconds <= 0 or self.lost_seconds <= 0:
            raise UsageError("The time after which a session is closed must be more than 0 seconds.")
        if self.head_seconds <= 0 or self.body_seconds <= 0:
            raise UsageError("The time in which a request must arrive must be more than 0 seconds.")
        if self.max_connections < 1:
            raise UsageError(f"A gateway needs room for at least one connection, not {self.max_connections}.")
        if self.token is not None and not (self.token.isascii() and self.token.isprintable() and self.token.strip()):
            raise UsageError("A token is one line of printable ASCII characters, and not empty.")
