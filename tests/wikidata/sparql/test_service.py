"""Whom makieval asks, and as whom."""

import pytest

from makieval.errors import InputError
from makieval.wikidata.sparql import Service, SparqlSource, is_endpoint

CONTACT = "someone@makieval.invalid"


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MAKIEVAL_CONTACT", raising=False)


def test_the_public_service_is_not_asked_without_a_contact() -> None:
    """Fault 6: refused before anything is sent, in one line that says what to do."""
    with pytest.raises(InputError, match=r"MAKIEVAL_CONTACT"):
        SparqlSource.open("wikidata")
    with pytest.raises(InputError, match="not asked without a contact"):
        Service.of("https://sparql.university.invalid/query")


def test_the_contact_may_come_from_the_study_or_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert f"({CONTACT})" in Service.of("wikidata", CONTACT).agent
    monkeypatch.setenv("MAKIEVAL_CONTACT", "https://makieval.invalid/about")
    assert "(https://makieval.invalid/about)" in Service.of("wikidata").agent
    assert f"({CONTACT})" in Service.of("wikidata", CONTACT).agent


@pytest.mark.parametrize(
    "contact",
    [
        "me",
        "Mozilla/5.0 (X11)",
        "me@chrome",
        "a@b.c\r\nX-Evil: 1",
        "a@b.c) Mozilla/5.0 (",
        "@",
        "-",
    ],
)
def test_a_contact_that_is_none_or_passes_for_a_browser_is_refused(contact: str) -> None:
    with pytest.raises(InputError, match="contact"):
        Service.of("wikidata", contact)


def test_the_agent_names_the_client_the_contact_and_the_libraries() -> None:
    agent = Service.of("wikidata", CONTACT).agent
    name, _, rest = agent.partition(" ")
    assert name.startswith("makieval/")
    assert "SPARQLWrapper/" in rest
    assert "requests/" in rest


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:7878/query", "http://localhost/sparql", "http://10.0.0.5/sparql"]
)
def test_a_service_of_ones_own_needs_no_contact(address: str) -> None:
    assert Service.of(address).address == address


@pytest.mark.parametrize(
    "address",
    [
        "http://me:secret-9f2@127.0.0.1/sparql",
        "http://secret-9f2@127.0.0.1/sparql",
        "http://127.0.0.1/sparql?api_key=secret-9f2",
        "http://127.0.0.1/sparql#secret-9f2",
    ],
)
def test_an_address_with_a_key_in_it_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(InputError) as caught:
        Service.of(address)
    assert "secret-9f2" not in str(caught.value)


@pytest.mark.parametrize("address", ["ftp://127.0.0.1/", "http://", "http://:80/", "", "a b"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(InputError):
        Service.of(address)


def test_an_endpoint_is_told_from_a_snapshot() -> None:
    assert is_endpoint("wikidata")
    assert is_endpoint("https://127.0.0.1/sparql")
    assert not is_endpoint("starter")
    assert not is_endpoint("wikidata.duckdb")
