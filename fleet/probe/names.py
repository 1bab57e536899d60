"""Asks public names, through the system's resolver or a server that is given."""

import socket
from collections.abc import Iterable
from dataclasses import dataclass

import dns.exception
import dns.resolver

from fleet.errors import FleetError

ASK_SECONDS = 3.0
_ADDRESSES = ("A", "AAAA")


class NoServerError(FleetError):
    """There is no name server to ask."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What one question gave: addresses and the names on the way, or why not."""

    values: frozenset[str] = frozenset()
    error: str = ""


def resolver_of(server: str | None) -> dns.resolver.Resolver:
    """The system's resolver, or one that asks `host:port` (port 53 where none is said).

    **Errors**: NoServerError in one sentence.
    """
    try:
        if server is None:
            return dns.resolver.Resolver()
        host, _, port = server.rpartition(":") if _has_port(server) else (server, "", "53")
        found = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_DGRAM)
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = [str(found[0][4][0])], int(port)
    except (OSError, ValueError, dns.exception.DNSException) as error:
        where = "the system" if server is None else f"'{server}'"
        raise NoServerError(f"{where} is no name server to ask: {error}") from None
    return resolver


def ask(resolver: dns.resolver.Resolver, name: str, kind: str) -> Asked:
    """One question, answered anew; the answer of a name that does not exist is an error."""
    try:
        answer = resolver.resolve(
            name, kind, raise_on_no_answer=False, lifetime=ASK_SECONDS, search=False
        )
    except dns.resolver.NXDOMAIN:
        return Asked(error="the name does not exist")
    except dns.resolver.LifetimeTimeout:
        return Asked(error="no answer in time")
    except dns.resolver.NoNameservers:
        return Asked(error="no name server answers it")
    except (dns.exception.DNSException, OSError) as error:
        return Asked(error=str(error).partition("\n")[0])
    values = frozenset(
        each.to_text().removesuffix(".").lower() for part in answer.response.answer for each in part
    )
    return Asked(values) if values else Asked(error="the answer is empty")


def addresses_of(resolver: dns.resolver.Resolver, targets: Iterable[str]) -> frozenset[str]:
    """The targets of a record and, of host names, what they lead to."""
    found: set[str] = set()
    for target in targets:
        name = target.removesuffix(".").lower()
        found.add(name)
        if not _is_address(name):
            for kind in _ADDRESSES:
                found |= ask(resolver, name, kind).values
    return frozenset(found)


def _is_address(text: str) -> bool:
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, text)
        except OSError:
            continue
        return True
    return False


def _has_port(server: str) -> bool:
    """Whether a port is said; an IPv6 address with one stands in brackets."""
    return "]:" in server or (server.count(":") == 1)
