"""The provider's configuration, and the promise that nothing leaves this machine."""

import ipaddress
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from devkit.aws.data import Data, Table, number, table, tables, text
from devkit.aws.sdk import Failure, failures_of
from devkit.aws.values import is_unknown

PROVIDER = "pulumi:providers:aws"
ENDPOINT_VARIABLES = ("AWS_ENDPOINT_URL_ROUTE_53", "AWS_ENDPOINT_URL")
PLAIN = ("version", "pluginDownloadURL")
ON_THE_NETWORK = ("skipCredentialsValidation", "skipRequestingAccountId")


@dataclass(frozen=True, slots=True)
class Settings:
    """What the client needs.

    Attributes:
        url: Route53's endpoint; always loopback.
        tags: the provider's default tags.
        max_retries: attempts after the first one; 0 leaves it to the time limit.
    """

    url: str
    region: str
    access_key: str
    secret_key: str
    tags: Mapping[str, str] = field(default_factory=dict)
    max_retries: int = 0


def decode(inputs: Table) -> Table:
    """Return the configuration with its nested values, which the engine sends as JSON texts."""
    return {key: _decoded(value) for key, value in inputs.items() if key not in PLAIN}


def _decoded(value: Data) -> Data:
    if not isinstance(value, str) or is_unknown(value):
        return value
    if value[:1] not in ("[", "{") and value not in ("true", "false") and not value.isdigit():
        return value
    try:
        decoded: Data = json.loads(value)
    except ValueError:
        return value
    return decoded


def failures_in(inputs: Table) -> list[Failure]:
    """Return what is wrong with a configuration; unknown values pass."""
    config = decode(inputs)
    found = [
        failure
        for failure in failures_of(PROVIDER, config)
        if not _is_text_field(config, failure.path)
    ]
    for number_, endpoints in enumerate(tables(config, "endpoints")):
        for service, url in endpoints.items():
            reason = "" if is_unknown(url) else why_not_local(url)
            if reason:
                found.append(Failure(f"endpoints[{number_}].{service}", reason))
    return found


def _is_text_field(config: Table, path: str) -> bool:
    """Say whether a top-level text only looks like a number (an access key of digits)."""
    return isinstance(config.get(path), int) and path in ("accessKey", "secretKey", "token")


def why_not_local(url: Data) -> str:
    """Return why an endpoint is refused; empty where it is loopback.

    >>> why_not_local("http://127.0.0.1:5053")
    ''
    >>> why_not_local("https://route53.amazonaws.com")
    "this stand-in speaks to loopback only, not to 'https://route53.amazonaws.com'"
    """
    parts = urlsplit(url if isinstance(url, str) else "")
    host = parts.hostname or ""
    if parts.scheme in ("http", "https") and (host == "localhost" or _is_loopback(host)):
        return ""
    return f"this stand-in speaks to loopback only, not to '{url}'"


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def settings_from(inputs: Table) -> Settings | None:
    """Return the settings; None while the endpoint is not known yet.

    **Errors**: ValueError with one sentence.
    """
    failures = failures_in(inputs)
    if failures:
        raise ValueError("; ".join(f"{one.path}: {one.reason}" for one in failures))
    config = decode(inputs)
    url = _url(config)
    if is_unknown(url):
        return None
    missing = [name for name in ON_THE_NETWORK if config.get(name) is not True]
    if missing and not any(text(one, "sts") for one in tables(config, "endpoints")):
        raise ValueError(
            f"set {' and '.join(missing)} to true: the provider would ask STS on the network"
        )
    tags = table(table(config, "defaultTags"), "tags")
    return Settings(
        url=url,
        region=text(config, "region", "us-east-1"),
        access_key=str(config.get("accessKey") or "devkit"),
        secret_key=str(config.get("secretKey") or "devkit"),
        tags={key: str(value) for key, value in tags.items()},
        max_retries=number(config, "maxRetries"),
    )


def _url(config: Table) -> str:
    urls = [text(one, "route53") for one in tables(config, "endpoints") if text(one, "route53")]
    urls += [os.environ[name] for name in ENDPOINT_VARIABLES if os.environ.get(name)]
    if is_unknown(config.get("endpoints")):
        return text(config, "endpoints")
    if not urls:
        raise ValueError(
            "this stand-in of the AWS plugin needs endpoints: [{route53: URL}] with a loopback "
            "URL; it never speaks to an account"
        )
    reason = "" if is_unknown(urls[0]) else why_not_local(urls[0])
    if reason:
        raise ValueError(reason)
    return urls[0]
