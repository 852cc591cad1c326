"""Addresses of sections, commits and requests, as GitHub and GitLab write them."""

from assistant.agent.links import Links

LINKS = Links(
    {
        "hub": "https://github.com/acme/handbook.git",
        "lab": "https://gitlab.example.com/acme/handbook/",
        "odd": "file:///somewhere",
    }
)


def test_github() -> None:
    assert LINKS.section("hub", "c0ffee", "a b/ü.md", "what-we-do") == (
        "https://github.com/acme/handbook/blob/c0ffee/a%20b/%C3%BC.md#what-we-do"
    )
    assert LINKS.commit("hub", "c0ffee") == "https://github.com/acme/handbook/commit/c0ffee"
    assert LINKS.merge_request("hub", "7") == "https://github.com/acme/handbook/pull/7"
    assert LINKS.sign("hub") == "#"


def test_gitlab() -> None:
    assert LINKS.section("lab", "c0ffee", "a.md", "") == "https://gitlab.example.com/acme/handbook/-/blob/c0ffee/a.md"
    assert LINKS.commit("lab", "c0ffee") == "https://gitlab.example.com/acme/handbook/-/commit/c0ffee"
    assert LINKS.merge_request("lab", "7") == "https://gitlab.example.com/acme/handbook/-/merge_requests/7"
    assert LINKS.sign("lab") == "!"


def test_no_address_without_a_web_address_of_the_source() -> None:
    for source in ("odd", "unknown"):
        assert LINKS.section(source, "c0ffee", "a.md", "a") is None
        assert LINKS.commit(source, "c0ffee") is None
        assert LINKS.merge_request(source, "7") is None
