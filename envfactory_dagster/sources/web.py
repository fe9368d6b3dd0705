"""Asking for one page: only of hosts that somebody named, and not of one's own network unless that was said.

A host's name is looked up once for each question and the address that was found is the one that is asked, so that a
name which points elsewhere a moment later leads nowhere.

Belongs here: addresses, redirects, robots.txt, limits of time and size. Does not: what is kept (`fetching`).
"""

import ipaddress
import socket
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import anyio

from envfactory_dagster.sources.parsing import Unreadable

AGENT = "envfactory-dagster"
REDIRECTS = 5
SECONDS = 30.0
ROBOTS_BYTES = 500_000
_INSIDE_AN_ADDRESS = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("2002::/16"))
"""IPv6 addresses that carry one of IPv4, which may be a private one."""

Site = tuple[str, str, int]
"""Scheme, host and port."""


@dataclass(frozen=True, slots=True)
class Page:
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
        self._robots: dict[Site, RobotFileParser] = {}
        self._asked = False
        self._client = httpx2.AsyncClient(trust_env=False, headers={"user-agent": AGENT})

    async def aclose(self) -> None:
        await self._client.aclose()

    def knows(self, address: str) -> bool:
        """Whether its host was named, by http or by https."""
        scheme, host, port = site_of(address)
        return (scheme, host, port) in self._sites or (scheme == "https" and ("http", host, 80) in self._sites)

    async def get(self, address: str, most_bytes: int) -> Page:
        """What is there. Raises Unreadable."""
        await self._refuse_unwanted(address)
        answer = await self._followed(address, most_bytes)
        if answer.status != 200:
            raise Unreadable(f"was answered with the status {answer.status}")
        return Page(answer.media_type, answer.text)

    async def _refuse_unwanted(self, address: str) -> None:
        """A host says in its robots.txt what programs should leave alone. One without it allows everything."""
        site = site_of(address)
        if site not in self._robots:
            rules = self._robots[site] = RobotFileParser()
            answer = await self._followed(urljoin(address, "/robots.txt"), ROBOTS_BYTES)
            rules.parse(answer.text.splitlines() if answer.status == 200 else [])
        if not self._robots[site].can_fetch(AGENT, address):
            raise Unreadable("is not to be read by programs, as the robots.txt of its host says")

    async def _followed(self, address: str, most_bytes: int) -> _Answer:
        for _ in range(REDIRECTS + 1):
            if not is_allowed(address):
                raise Unreadable("leads to something that is no page of the web")
            if not self.knows(address):
                raise Unreadable(f"leads to {urlsplit(address).hostname}, which is none of the hosts that you named")
            try:
                with anyio.fail_after(SECONDS):
                    answer = await self._answer(address, most_bytes)
            except TimeoutError:
                raise Unreadable(f"was not there within {SECONDS:.0f} seconds") from None
            if not answer.location:
                return answer
            address = urljoin(address, answer.location)
        raise Unreadable(f"leads on and on: more than {REDIRECTS} redirects")

    async def _answer(self, address: str, most_bytes: int) -> _Answer:
        import httpx2

        if self._asked:
            await anyio.sleep(self._pause_s)
        self._asked = True
        try:
            url = httpx2.URL(address)
            asked = url.copy_with(host=await self._address_of(url.host, site_of(address)[2]))
            request = self._client.build_request(
                "GET",
                asked,
                headers={"host": url.netloc.decode()},
                extensions={"sni_hostname": url.host},
            )
            answer = await self._client.send(request, stream=True)
            try:
                return await _read(answer, most_bytes)
            finally:
                await answer.aclose()
        except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:
            raise Unreadable(f"cannot be reached: {str(error) or type(error).__name__}") from None

    async def _address_of(self, host: str, port: int) -> str:
        try:
            found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise Unreadable(f"cannot be reached: {error.strerror or error}") from None
        addresses = [str(one[4][0]) for one in found]
        if not self._private and not all(map(_is_public, addresses)):
            raise Unreadable(
                f"is on {host}, which is a host of a private network (--private, where it is one of your own)"
            )
        return addresses[0]


def _is_public(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in _INSIDE_AN_ADDRESS)


async def _read(answer: Any, most_bytes: int) -> _Answer:
    location = answer.headers.get("location", "") if 300 <= answer.status_code < 400 else ""
    media_type = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    data = bytearray()
    if answer.status_code == 200:
        async for chunk in answer.aiter_bytes():
            data += chunk
            if len(data) > most_bytes:
                raise Unreadable(f"has more than {most_bytes / 1e6:.0f} MB")
    try:
        text = data.decode(answer.charset_encoding or "utf-8-sig", "replace")
    except LookupError:
        text = data.decode("utf-8-sig", "replace")
    return _Answer(answer.status_code, media_type, location, text)
