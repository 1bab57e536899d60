"""The provider's configuration: loopback or nothing."""

import pytest

from devkit.aws.sdk import Failure
from devkit.aws.settings import failures_in, settings_from
from devkit.aws.values import UNKNOWN

SAFE = {"skipCredentialsValidation": "true", "skipRequestingAccountId": "true"}


@pytest.fixture(autouse=True)
def no_endpoints_around(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the machine has set must not decide."""
    for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_ROUTE_53"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    "url",
    [
        "https://route53.amazonaws.com",
        "http://192.0.2.1:4580",
        "http://127.0.0.1.example.org",
        "http://localhost.example.org",
        "http://0.0.0.0:4580",
        "http://user@127.0.0.1@evil.example.org",
        "ftp://127.0.0.1",
        "127.0.0.1:4580",
        "",
    ],
)
def test_an_endpoint_elsewhere_is_refused(url: str) -> None:
    config = {"endpoints": f'[{{"route53":"{url}"}}]', **SAFE}
    (failure,) = failures_in(dict(config))
    assert failure == Failure(
        "endpoints[0].route53", f"this stand-in speaks to loopback only, not to '{url}'"
    )
    with pytest.raises(ValueError, match="speaks to loopback only"):
        settings_from(dict(config))


@pytest.mark.parametrize("url", ["http://127.0.0.1:4580", "http://localhost:1", "http://[::1]:80"])
def test_an_endpoint_on_loopback_is_taken(url: str) -> None:
    settings = settings_from({"endpoints": f'[{{"route53":"{url}"}}]', **SAFE})
    assert settings is not None
    assert settings.url == url


def test_another_services_endpoint_elsewhere_is_refused() -> None:
    config = '[{"route53":"http://127.0.0.1:1","sts":"https://sts.amazonaws.com"}]'
    (failure,) = failures_in({"endpoints": config})
    assert failure.path == "endpoints[0].sts"


def test_without_an_endpoint_it_does_not_run() -> None:
    with pytest.raises(ValueError, match=r"needs endpoints: \[\{route53: URL\}\]"):
        settings_from({"region": "us-east-1", **SAFE})


def test_an_endpoint_of_the_environment_must_be_loopback_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_ROUTE_53", "https://route53.amazonaws.com")
    with pytest.raises(ValueError, match="speaks to loopback only"):
        settings_from(dict(SAFE))


def test_a_provider_that_would_ask_sts_is_refused() -> None:
    with pytest.raises(ValueError, match="set skipRequestingAccountId to true"):
        settings_from(
            {
                "endpoints": '[{"route53":"http://127.0.0.1:1"}]',
                "skipCredentialsValidation": "true",
            }
        )


def test_an_endpoint_that_is_not_known_yet_waits() -> None:
    assert failures_in({"endpoints": UNKNOWN}) == []
    assert settings_from({"endpoints": UNKNOWN, **SAFE}) is None


def test_a_misspelt_setting_is_named() -> None:
    (failure,) = failures_in({"regoin": "us-east-1"})
    assert failure.reason == "unknown property 'regoin', did you mean 'region'?"


def test_default_tags_and_retries_are_read() -> None:
    settings = settings_from(
        {
            "endpoints": '[{"route53":"http://127.0.0.1:1"}]',
            "defaultTags": '{"tags":{"team":"a"}}',
            "maxRetries": "3",
            "accessKey": "123",
            **SAFE,
        }
    )
    assert settings is not None
    assert (settings.tags, settings.max_retries, settings.access_key) == ({"team": "a"}, 3, "123")
