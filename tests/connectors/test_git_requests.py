"""Messages of commits: which request brought them, and which only speak of one."""

import pytest

from connectors.git.requests import merge_request, reverted, subject_and_body

SHA = "1c28f5f9463fe64087f2a0be3cb9fe20953956cf"

BROUGHT = {
    "Raise the limit (#123)": "123",
    "Raise the limit (acme/handbook#123)": "123",
    "Raise the limit (#12) (#34)": "34",
    "Raise the limit (!77)": "77",
    "Raise the limit (group/sub/handbook!77)": "77",
    "Raise the limit (#1900) to inculude header": "1900",
    "A subject so long that it was\nwrapped onto a second line (#55)\n\nBody": "55",
    "Raise the limit (#8)\nOrigin-Sha: abc\n": "8",
    "Raise the limit (#8)\n\n* Earlier (#7)\n* Fix #6": "8",
    'Revert "Raise the limit (#12)" (#34)': "34",
    "Merge pull request #12 from acme/branch\n\nRaise the limit": "12",
    "Merge pull request acme/handbook#12 from x": "12",
    "Merge pull request 'Raise the limit (x)' (#12) from a/b into main": "12",
    "Merged in limit (pull request #12)\n\nRaise": "12",
    "Merged PR 4711: Raise the limit": "4711",
    "Merge branch 'x' into 'master'\n\nRaise\n\nSee merge request gitlab-com/www-gitlab-com!114762": "114762",
    "Merge branch 'x' into 'master'\n\nRaise\n\nSee merge request !9\n\nOrigin-Sha: abc": "9",
    "Raise\r\n\r\nSee merge request group/proj!123\r\n": "123",
    "Raise\n\nSee merge request https://gitlab.com/g/p/-/merge_requests/5": "5",
    "Raise the limit #99\n\nMerge-Request: !5": "5",
    "Raise the limit\n\nMerge-Request: group/proj!5": "5",
    "Raise the limit\n\nPull-Request: #17": "17",
    "Raise the limit\n\nPull-Request: https://github.com/a/b/pull/17": "17",
    "Raise the limit\n\nReviewed-on: https://git.example.org/a/b/pulls/41": "41",
    "Raise the limit\n\nReviewed-on: https://review.example.org/c/site/+/4711": "4711",
    "Raise the limit\n\nPR-URL: https://github.com/nodejs/node/pull/31337": "31337",
    "Raise the limit\n\n!123": "123",
}

ONLY_MENTIONED = (
    "fix #123",
    "Fix the limit, closes #12",
    "Raise the limit\n\nCloses #12",
    "Raise the limit (fixes #12)",
    "Attempt #2 to fix relative paths",
    "Raise the limit\n\nThis follows https://github.com/acme/handbook/pull/2506",
    "Raise the limit\n\n* Earlier change (#7)\n* Another (#8)",
    "Raise the limit\n* Earlier change (#7)",
    'Revert "Raise the limit (#12)"',
    "Raise the limit\n\nReverts acme/handbook#12",
    "Raise the limit\n\nWe will see merge request !12 next week",
    "Merge branch 'main' of https://github.com/acme/about into main",
    "Version 1.2 (12)",
    "Wow!12",
    "",
)


@pytest.mark.parametrize(("message", "number"), BROUGHT.items())
def test_a_request_that_brought_the_commit(message: str, number: str) -> None:
    assert merge_request(message) == number


@pytest.mark.parametrize("message", ONLY_MENTIONED)
def test_a_mention_is_no_request(message: str) -> None:
    assert merge_request(message) is None


def test_what_a_commit_takes_back() -> None:
    other = "43c20ece8d20002add2bf7fb88a8337baf45b3db"
    assert reverted(f'Revert "X"\n\nThis reverts commit {SHA}.') == (SHA,)
    assert reverted(f"Back\n\nThis reverts commit {SHA}, reversing\nchanges made to {other}.") == (SHA,)
    assert reverted(f"Back\n\nThis reverts commits {SHA} and {other}.") == (SHA, other)
    assert reverted(f"See commit {SHA}; nothing is reverted") == ()


def test_trailers_under_the_subject_are_body() -> None:
    assert subject_and_body("Raise it (#8)\nOrigin-Sha: abc\n") == ("Raise it (#8)", "Origin-Sha: abc")
    assert subject_and_body("One\ntwo\n\nthree\n") == ("One two", "three")
    assert subject_and_body("") == ("", "")
