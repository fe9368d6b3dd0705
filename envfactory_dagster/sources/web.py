"""Asking for one page: only of hosts that somebody named, and not of one's own network unless that was said.

A host's name is looked up once for each question and the address that was found is the one that is asked, so that a
name which points elsewhere a moment later leads nowhere.

Belongs here: addresses, redirects, limits of time and size. Does not: what is kept (`fetching`), or what a robots.txt
says (`robots`).
"""

import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import anyio

from envfactory_dagster.sources.parsing import UnreadableFile
from envfactory_dagster.sources.robots import Robots

if TYPE_CHECKING:
    import httpx2


AGENT = "envfactory-dagster"
REDIRECTS = 5
SECONDS = 30.0
ROBOTS_BYTES = 500_000
_PUBLIC_IPV6 = ipaddress.ip_network("2000::/3")
_IPV4_IN_IPV6 = ipaddress.ip_network("2002::/16")
"""Such an address carries one of IPv4, which may be a private one."""

Site = tuple[str, str, int]
"""Scheme, host and port."""


@dataclass(frozen=True, slots=True)
class FetchedPage:
    media_type: str
    text: str


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    media_type: str
    location: str
    text: str


def is_allowed(address: str) -> bool:
    """Whether it is an address of the web, without a password."""
    try:
        parts = urlsplit(address)
        return (
            parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and "@" not in parts.netloc
        )
    except ValueError:
        return False


def site_of(address: str) -> Site:
    parts = urlsplit(address)
    return parts.scheme, parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


class Web:
    """The named sites, asked one question after the other."""

    def __init__(self, sites: set[Site], private: bool, pause_s: float) -> None:
        import httpx2

        self._sites, self._private, self._pause_s = sites, private, pause_s
        self._robots: dict[Site, Robots | str] = {}
        """What may be read of a site, or why that is not known."""
        self._asked = False
        # A connection is kept by its numeric address, and would serve another host there without checking who that is.
        once = httpx2.Limits(max_keepalive_connections=0)
        self._client = httpx2.AsyncClient(
            trust_env=False, verify=httpx2.create_ssl_context(), headers={"user-agent": AGENT}, limits=once
        )

    async def aclose(self) -> None:
        await self._client.aclose()

    def knows(self, address: str) -> bool:
        """Whether its host was named, by http or by https."""
        scheme, host, port = site_of(address)
        return (scheme, host, port) in self._sites or (scheme == "https" and ("http", host, 80) in self._sites)

    async def get(self, address: str, most_bytes: int) -> FetchedPage:
        """What is there. Raises UnreadableFile."""
        answer = await self._followed(address, most_bytes)
        if answer.status != 200:
            raise UnreadableFile(f"was answered with the status {answer.status}")
        return FetchedPage(answer.media_type, answer.text)

    async def _refuse_unwanted(self, address: str) -> None:
        site = site_of(address)
        if site not in self._robots:
            self._robots[site] = await self._rules(urljoin(address, "/robots.txt"))
        rules = self._robots[site]
        if isinstance(rules, str):
            raise UnreadableFile(rules)
        if not rules.allow(address):
            raise UnreadableFile("is not to be read by programs, as the robots.txt of its host says")

    async def _rules(self, address: str) -> Robots | str:
        """A host says in its robots.txt what programs should leave alone. One without it allows everything."""
        try:
            answer = await self._followed(address, ROBOTS_BYTES, robots=True)
            if answer.status >= 500:
                raise UnreadableFile(f"was answered with the status {answer.status}")
        except UnreadableFile as problem:
            return f"is left alone, because the robots.txt of its host {problem}"
        return Robots(answer.text if answer.status == 200 else "", AGENT)

    async def _followed(self, address: str, most_bytes: int, *, robots: bool = False) -> _Answer:
        """The answer at the end of the redirects. Of a robots.txt that is too long only the beginning counts."""
        for _ in range(REDIRECTS + 1):
            if not is_allowed(address):
                raise UnreadableFile("leads to something that is no page of the web")
            if not self.knows(address):
                raise UnreadableFile(
                    f"leads to {urlsplit(address).hostname}, which is none of the hosts that you named"
                )
            if not robots:
                await self._refuse_unwanted(address)
            try:
                with anyio.fail_after(SECONDS):
                    answer = await self._answer(address, most_bytes, robots)
            except TimeoutError:
                raise UnreadableFile(f"was not there within {SECONDS:.0f} seconds") from None
            if not answer.location:
                return answer
            try:
                address = urljoin(address, answer.location)
            except ValueError:
                raise UnreadableFile("leads to something that is no page of the web") from None
        raise UnreadableFile(f"leads on and on: more than {REDIRECTS} redirects")

    async def _answer(self, address: str, most_bytes: int, cut: bool) -> _Answer:
        import httpx2

        if self._asked:
            await anyio.sleep(self._pause_s)
        self._asked = True
        try:
            url = httpx2.URL(address)
            host = url.raw_host.decode()
            answer = await self._opened(url, await self._addresses_of(host, site_of(address)[2]))
            try:
                return await _read(answer, most_bytes, cut)
            finally:
                await answer.aclose()
        except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:
            raise UnreadableFile(f"cannot be reached: {str(error) or type(error).__name__}") from None

    async def _opened(self, url: "httpx2.URL", addresses: Sequence[str]) -> "httpx2.Response":
        """The answer of the first of a host's addresses that takes a connection."""
        import httpx2

        name = url.raw_host.decode()
        self._client.cookies.clear()  # they are kept by numeric address too
        for number, ip in enumerate(addresses, 1):
            request = self._client.build_request(
                "GET",
                url.copy_with(host=ip),
                headers={"host": url.netloc.decode()},
                extensions={"sni_hostname": name},
            )
            try:
                return await self._client.send(request, stream=True)
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                if number == len(addresses):
                    raise
        raise UnreadableFile("cannot be reached: its name leads nowhere")

    async def _addresses_of(self, host: str, port: int) -> list[str]:
        try:
            found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise UnreadableFile(f"cannot be reached: {error.strerror or error}") from None
        addresses = [str(one[4][0]) for one in found]
        if not self._private and not all(map(_is_public, addresses)):
            raise UnreadableFile(
                f"is on {host}, which is a host of a private network (--private, where it is one of your own)"
            )
        return addresses


def _is_public(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    if ip.version == 6 and (ip not in _PUBLIC_IPV6 or ip in _IPV4_IN_IPV6):
        return False
    return ip.is_global and not ip.is_multicast


async def _read(answer: "httpx2.Response", most_bytes: int, cut: bool) -> _Answer:
    location = answer.headers.get("location", "") if 300 <= answer.status_code < 400 else ""
    media_type = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    data = bytearray()
    if answer.status_code == 200:
        async for chunk in answer.aiter_bytes():
            data += chunk
            if len(data) > most_bytes and cut:
                break
            if len(data) > most_bytes:
                raise UnreadableFile(f"has more than {most_bytes / 1e6:.0f} MB")
    return _Answer(answer.status_code, media_type, location, _decoded(data, answer.charset_encoding))


def _decoded(data: bytearray, charset: str | None) -> str:
    """In the charset that the host names, or as UTF-8 where that is none."""
    try:
        text = data.decode(charset or "utf-8", "replace")
    except (LookupError, UnicodeError):
        text = data.decode("utf-8", "replace")
    return text.encode("utf-8", "replace").decode().removeprefix("\ufeff")
