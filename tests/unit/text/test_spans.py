"""Numbers, dates, request numbers, names: what a claim says must stand in its evidence, however written there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.text.spans import dates, is_verbatim, names, numbers, requests, unsupported


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("5,500 and 5500", {"5500"}),
        ("$1,234.56 or €0.5", {"1234.56", "0.5"}),
        ("25% of 30 percent, 40 per cent", {"25", "25%", "30", "30%", "40", "40%"}),
        ("-5 degrees; 5-10 days; 5–10", {"-5", "5", "10"}),
        ("v3.40.1 or 1.2.3", {"3.40.1", "1.2.3"}),
        ("at 14:00", {"14:00"}),
        ("the 3rd of 12th", {"3", "12"}),
        ("three days, twenty-five people, twenty one", {"3", "25", "21"}),
        ("one of them, the first", set()),
        ("the third time, twice", {"3", "2"}),
        ("5k, 1.5 million, two hundred, a dozen", {"5000", "1500000", "200", "12"}),
        ("ten percent", {"10", "10%"}),
        ("007 agents", {"7"}),
        ("on 2020-03-01 and in May 2021", {"2020", "2021"}),
        ("since 2019", {"2019"}),
        ("#354 and PR 12", set()),
        ("L2 and SOC2", set()),
        ("", set()),
    ],
)
def test_numbers(text: str, found: set[str]) -> None:
    assert numbers(text) == found


@pytest.mark.parametrize(
    ("text", "day"),
    [
        (text, "2020-03-01")
        for text in (
            "2020-03-01", "2020/3/1", "2020.03.01", "March 1, 2020", "March 1st 2020", "Mar. 1, 2020", "1 March 2020",
            "1st of March, 2020", "1 Mar 2020", "3/1/2020", "1.3.2020", "2020年3月1日", "on 2020-03-01T10:00:00Z",
        )
    ]
    + [("May 3", "--05-03"), ("3 May", "--05-03")]
    + [("in May 2021", "2021-05"), ("2021-05 on", "2021-05"), ("2021年5月", "2021-05")],
)  # fmt: skip
def test_dates(text: str, day: str) -> None:
    assert day in dates(text)


@pytest.mark.parametrize(
    "text", ["you may 5 times not", "February 30, 2020", "3.40.1", "in 2020", "1/2 of it", "13/13/2020", "10-20"]
)
def test_no_dates(text: str) -> None:
    assert {day for day in dates(text) if day != "--05-05"} == set()


def test_a_full_date_says_its_month_and_day_too() -> None:
    assert dates("2020-03-01") == {"2020-03-01", "2020-03", "--03-01"}
    assert not unsupported("on March 1", "on 2020-03-01")
    assert unsupported("on March 1, 2020", "in March 2020") == {"2020-03-01", "--03-01"}


@pytest.mark.parametrize(
    "text",
    [
        "#12",
        "(!12)",
        "PR 12",
        "MR !12",
        "pull request #12",
        "merge requests 12",
        "https://x.y/pull/12",
        "a/-/merge_requests/12",
    ],
)
def test_requests(text: str) -> None:
    assert requests(text) == {"12"}


@pytest.mark.parametrize("text", ["&#12;", "a#12", "12", "page#12", "C#", "# 12"])
def test_no_requests(text: str) -> None:
    assert requests(text) == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ask Anna or the Board.", {"anna", "board"}),
        ("Ask first. Then write.", set()),
        ("GitLab is used; iOS, too", {"gitlab", "ios"}),
        ("I write in May to @ann.lee", {"@ann.lee"}),
        ("the Ops team's O'Neil", {"ops", "o'neil"}),
        ("- Item starts\n- **Bold** starts", set()),
        ("Kubernetes first", {"kubernetes"}),
        ("the Düsseldorf office", {"düsseldorf"}),
    ],
)
def test_names(text: str, found: set[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("claim", "evidence", "missing"),
    [
        ("Up to $5,500 a year.", "The yearly limit is 5500 dollars", set()),
        ("It is 25.", "It is 25%.", set()),
        ("It is 25%.", "It is 25.", {"25%"}),
        ("Three days.", "We give 3 days.", set()),
        ("Anna decides.", "Slack: ask Anna", set()),
        ("the Slack channel", "Slack is where we talk", set()),
        ("Ask Bob.", "Ask Anna.", {"bob"}),
        ("Changed by #12.", "Benefits (#12)", set()),
        ("Changed by #13.", "Benefits (#12)", {"13"}),
        ("Changed by #12.", "request 12", set()),
        ("since 1 March 2020", "2020-03-01T10:00", set()),
        ("since 2020", "2020-03-01T10:00", set()),
        ("It was 31 before.", "It is 25 now.", {"31"}),
    ],
)
def test_what_evidence_does_not_hold(claim: str, evidence: str, missing: set[str]) -> None:
    assert unsupported(claim, evidence) == missing


def test_verbatim_is_white_space_aside() -> None:
    assert is_verbatim("two\n words", "it says two words here")
    assert is_verbatim("words", "words")
    assert not is_verbatim("Two words", "two words")
    assert not is_verbatim("two  word s", "two words")
    assert not is_verbatim(" ", "anything")


@given(st.text(max_size=120), st.text(max_size=60))
def test_any_text_supports_itself(text: str, more: str) -> None:
    assert not unsupported(text, text)
    assert is_verbatim(text, f"{more} {text} {more}") is bool(text.split())


@given(st.integers(0, 10**9))
def test_a_number_is_found_however_it_is_grouped(number: int) -> None:
    assert numbers(f"at most {number:,} a year") == numbers(f"at most {number} a year") == {str(number)}
