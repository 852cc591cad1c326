"""From a git repository to versions in a real graph: what a person can then read about any day."""

from dataclasses import replace
from pathlib import Path

import pytest

from assistant.errors import Retry, UserFacing
from assistant.graph.servers.embedded import Servers
from assistant.graph.sources import heads, list_sources, save_source
from assistant.graph.space import Space
from assistant.graph.writing.writer import sole_writer
from assistant.model.times import FOREVER
from assistant.settings import Settings
from tests.fakes.git_history import START, Content
from tests.fakes.handbook import (
    CHANGED,
    OWNERS,
    PAGES,
    PEOPLE,
    REQUESTS,
    SUPERSEDES,
    VERSIONS,
    Handbook,
    another_space,
    page,
)


@pytest.fixture
def handbook(space: Space, tmp_path: Path) -> Handbook:
    return Handbook(space, tmp_path)


TRIAL = "Trial: A trial lasts {} days for every customer who asks, and sales may not prolong it."


def test_a_rule_that_goes_back_to_what_it_was_has_three_versions(handbook: Handbook) -> None:
    for n, days in enumerate((14, 30, 14), 1):
        handbook.commit({"a.md": page(TRIAL.format(days), "Other: Something else.")}, f"Change {n} (#{n})")
    report = handbook.ingest()
    assert (report.commits, report.versions, report.sections_changed) == (3, 4, 4)
    first, second, third = handbook.versions("Trial")
    assert first["text"] == third["text"] != second["text"]
    assert len({first["id"], second["id"], third["id"]}) == 3
    assert len({row["lineage"] for row in (first, second, third)}) == 1
    assert [row["valid_to"] for row in (first, second, third)] == [second["valid_from"], third["valid_from"], FOREVER]
    assert [row["change"] for row in (first, second, third)] == ["added", "modified", "modified"]
    assert [row["merge_request"] for row in (first, second, third)] == ["1", "2", "3"]
    supersedes = {(row["new"], row["old"]) for row in handbook.rows(SUPERSEDES)}
    assert supersedes == {(third["id"], second["id"]), (second["id"], first["id"])}


def test_commits_people_and_requests(handbook: Handbook) -> None:
    handbook.commit({"a.md": "# A\n\nwords\n"}, "One (#7)", author="Ada <Ada@Example.com>")
    handbook.commit(
        {"a.md": "# A\n\nother words\n"}, "Two\n\nSee merge request g/p!8", author="Ada L. <ada@example.com>"
    )
    handbook.commit({"x.txt": "no page"}, "Three", author="Bob <>")
    handbook.ingest()
    assert handbook.rows(PEOPLE) == [
        {"subject": "One (#7)", "id": "ada@example.com", "name": "Ada"},
        {"subject": "Two", "id": "ada@example.com", "name": "Ada"},
        {"subject": "Three", "id": "bob", "name": "Bob"},
    ]
    assert [(row["number"], row["sha"]) for row in handbook.rows(REQUESTS)] == [
        ("7", handbook.history.sha(1)),
        ("8", handbook.history.sha(2)),
    ]


def test_times_rise_strictly_whatever_the_clocks_said(handbook: Handbook) -> None:
    for days, at in enumerate((START, START, START - 5000, START + 10)):
        handbook.commit({"a.md": page(TRIAL.format(days))}, at=at)
    handbook.ingest()
    assert [row["valid_from"] - START * 1_000_000 for row in handbook.versions("Trial")] == [0, 1, 2, 10_000_000]


LONG = "The rule about {} is long enough that nobody mistakes it for another one, whatever else stands on the page."


def test_a_renamed_file_keeps_page_and_lineages(handbook: Handbook) -> None:
    text = page(*(f"{name}: {LONG.format(name)}" for name in ("Cats", "Dogs", "Birds")))
    handbook.commit({"old/pets.md": text})
    handbook.commit({"old/pets.md": None, "new/animals.md": text.replace("whatever else", "whatever")})
    handbook.commit({"new/animals.md": text})
    handbook.ingest()
    assert [(row["path"], row["valid_to"]) for row in handbook.rows(PAGES)] == [("new/animals.md", FOREVER)]
    for name in ("Cats", "Dogs", "Birds"):
        rows = handbook.versions(name)
        assert [row["path"] for row in rows] == ["old/pets.md", "new/animals.md", "new/animals.md"]
        assert len({row["lineage"] for row in rows}) == len({row["page"] for row in rows}) == 1
        assert len({row["position"] for row in rows}) == 1


def test_a_section_that_moves_to_another_page_keeps_its_lineage(handbook: Handbook) -> None:
    cats, dogs = f"Cats: {LONG.format('cats')}", f"Dogs: {LONG.format('dogs')}"
    handbook.commit({"a.md": page(cats, dogs), "b.md": page("Fish: Fish are kept in water.")})
    handbook.commit({"a.md": page(cats), "b.md": page("Fish: Fish are kept in water.", dogs)})
    handbook.ingest()
    before, after = handbook.versions("Dogs")
    assert (before["path"], after["path"], after["change"]) == ("a.md", "b.md", "moved")
    assert before["lineage"] == after["lineage"]
    assert before["page"] != after["page"]
    assert len(handbook.versions("Cats")) == len(handbook.versions("Fish")) == 1


def test_removed_sections_say_which_commit_removed_them(handbook: Handbook) -> None:
    handbook.commit({"a.md": page(TRIAL.format(14), "Other: words"), "b.md": "# B\n\nwords\n"})
    handbook.commit({"a.md": page("Other: words")})
    handbook.commit({"b.md": None})
    handbook.ingest()
    removed = [(row["sha"], row["id"]) for row in handbook.rows(CHANGED) if row["kind"] == "removed"]
    trial, b = handbook.versions("Trial")[0], handbook.versions("B")[0]
    assert removed == [(handbook.history.sha(2), trial["id"]), (handbook.history.sha(3), b["id"])]
    assert trial["valid_to"] == handbook.versions("Trial")[0]["valid_to"] < b["valid_to"] < FOREVER
    assert [row["path"] for row in handbook.rows(PAGES) if row["valid_to"] == FOREVER] == ["a.md"]


def test_a_page_that_comes_back_begins_anew(handbook: Handbook) -> None:
    for text in (page(TRIAL.format(14)), None, page(TRIAL.format(14))):
        handbook.commit({"a.md": text})
    handbook.ingest()
    first, second = handbook.versions("Trial")
    assert first["lineage"] != second["lineage"]
    assert [second["change"], second["valid_to"]] == ["added", FOREVER]
    assert len(handbook.rows(PAGES)) == 2


def test_duplicate_headings_and_new_ones_between_keep_reading_order(handbook: Handbook) -> None:
    one, two, three = ("Note: First of all.", "Note: Second thing here.", "Note: Third and last.")
    handbook.commit({"a.md": page(one, three)})
    handbook.commit({"a.md": page(one, two, three)})
    handbook.commit({"a.md": page(three, one, two)})
    handbook.ingest()
    assert handbook.current() == {"a.md": page(three, one, two)}
    positions = [row["position"] for row in handbook.versions("Note") if row["valid_to"] == FOREVER]
    assert len(set(positions)) == 3


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf---\r\ntitle: T\r\n---\r\n# A\r\n\r\nwords\r\n",
        b"no heading at all",
        b"# \n\nempty heading\n#\n",
        b"",
        b"caf\xe9 in latin\n\n# H\xe9ading\n",
        "# 規則\n\n試用期間は14日です。\n".encode(),
        b"# A" * 3 + b"\n" * 50,
        b"# Quote \" and \\ backslash ' tick `\n\n$1 {x} \\u0041 \x01\x02\n",
    ],
)
def test_every_text_comes_back_as_it_was(handbook: Handbook, data: bytes) -> None:
    handbook.commit({"a.md": data, "b.md": "x"})
    handbook.ingest()
    assert handbook.current().get("a.md", "") == data.decode("utf-8", "replace")


def test_titles_of_pages(handbook: Handbook) -> None:
    handbook.commit(
        {
            "a.md": "---\ntitle: From front matter\n---\n# Heading\n",
            "b.md": "text\n\n# First heading\n",
            "team/index.md": "no heading",
            "time-off_policy.md": "no heading",
        }
    )
    handbook.ingest()
    titles = {row["path"]: row["title"] for row in handbook.rows(PAGES)}
    assert titles == {
        "a.md": "From front matter",
        "b.md": "First heading",
        "team/index.md": "team",
        "time-off_policy.md": "time off policy",
    }


def test_owner_files_as_of_each_commit(handbook: Handbook) -> None:
    handbook.commit({"a.md": "x", "CODEOWNERS": "* @one\n"})
    handbook.commit({"CODEOWNERS": "[Docs]\n* @two\n"})
    handbook.commit({"CODEOWNERS": None, ".gitlab/CODEOWNERS": "* @three\n", "sub/CODENOTIFY": "**/*.md @four\n"})
    handbook.ingest(subdir="content")
    rows = handbook.rows(OWNERS)
    assert [(row["path"], row["kind"], row["valid_to"] == FOREVER) for row in rows] == [
        ("CODEOWNERS", "github", False),
        ("CODEOWNERS", "gitlab", False),
        (".gitlab/CODEOWNERS", "gitlab", True),
        ("sub/CODENOTIFY", "codenotify", True),
    ]
    assert rows[0]["valid_to"] == rows[1]["valid_from"]
    assert rows[1]["valid_to"] == rows[2]["valid_from"]


def test_an_owner_file_given_by_hand_counts_from_the_start(handbook: Handbook, tmp_path: Path) -> None:
    given = tmp_path / "owners.txt"
    given.write_text("* @given\n")
    handbook.commit({"a.md": "x", "CODEOWNERS": "* @own\n", "CODENOTIFY": "* @told\n"})
    handbook.ingest(codeowners=given)
    first, *_ = handbook.rows(OWNERS)
    assert (first["path"], first["text"], first["valid_from"]) == ("CODEOWNERS", "* @given\n", 0)
    assert [row["text"] for row in handbook.rows(OWNERS)] == ["* @given\n", "* @told\n"]
    before = handbook.dump()
    handbook.ingest(codeowners=given)
    assert handbook.dump() == before
    handbook.commit({"CODEOWNERS": "* @own2\n"})
    handbook.ingest()
    given.write_text("* @changed\n")
    handbook.ingest(codeowners=given)
    current = [row["text"] for row in handbook.rows(OWNERS) if row["valid_to"] == FOREVER]
    assert sorted(current) == ["* @changed\n", "* @told\n"]


def test_ingesting_again_changes_nothing(handbook: Handbook) -> None:
    handbook.commit({"a.md": page(TRIAL.format(14)), "empty.md": ""})
    handbook.commit({"a.md": page(TRIAL.format(30)), "empty.md": "# Now\n"})
    first = handbook.ingest()
    before = handbook.dump()
    again = handbook.ingest()
    assert (again.commits, again.versions, again.head, again.cursor) == (0, 0, first.head, first.cursor)
    assert handbook.dump() == before


def test_until_stops_there_or_where_the_commit_landed(handbook: Handbook) -> None:
    one = handbook.commit({"a.md": page(TRIAL.format(14))})
    side = handbook.commit({"b.md": "# B\n"}, branch="side", parent=one)
    merge = handbook.commit({"b.md": "# B\n"}, merge=side)
    handbook.commit({"c.md": "# C\n"})
    handbook.history.write()
    sha = handbook.history.sha
    assert handbook.ingest(until=sha(one)).cursor == sha(one)
    assert handbook.ingest(until=sha(side)).cursor == sha(merge)
    assert handbook.ingest(until=sha(one)).commits == 0
    assert handbook.ingest().commits == 1


def test_run_by_run_gives_the_same_graph_as_at_once(
    handbook: Handbook, tmp_path: Path, shared_settings: Settings, servers: Servers
) -> None:
    for n in range(12):
        files: dict[str | bytes, Content] = {
            f"{n % 3}.md": page(*(f"S{k}: {LONG.format(n * k)}" for k in range(n % 4 + 1))),
            "move.md" if n % 5 else f"moved{n}.md": page(f"Move: {LONG.format('moving')}", f"N: {n}"),
            "move.md" if not n % 5 else "none.md": None,
            "CODEOWNERS": f"* @{n}",
        }
        handbook.commit(files, f"Edit (#{n})")
        handbook.ingest()
    with another_space(shared_settings, servers) as space:
        once = Handbook(space, tmp_path / "once")
        once.ingest(path=handbook.history.folder)
        assert once.dump() == handbook.dump()


def test_clone_bare_and_bundle_are_one_source(handbook: Handbook, tmp_path: Path) -> None:
    handbook.commit({"a.md": page(TRIAL.format(14))})
    handbook.history.write()
    bundle = handbook.history.bundle(tmp_path / "x.bundle")
    handbook.ingest(path=bundle)
    handbook.commit({"a.md": page(TRIAL.format(30))})
    report = handbook.ingest()
    assert report.commits == 1
    [source] = list_sources(handbook.space.reader)
    assert (source.path, source.ref) == (str(handbook.history.folder), "main")
    assert heads(handbook.space.reader) == {source.id: source.head}
    assert handbook.ingest(path=bundle).commits == 0, "an old copy takes nothing back"
    assert len(handbook.versions("Trial")) == 2


def test_folders_of_a_repository_are_sources_of_their_own_unless_they_overlap(handbook: Handbook) -> None:
    handbook.commit({"a/x.md": "# X\n", "b/y.md": "# Y\n"})
    one, two = handbook.ingest(subdir="a"), handbook.ingest(subdir="b/")
    assert one.source != two.source
    assert {row["path"] for row in handbook.rows(VERSIONS)} == {"a/x.md", "b/y.md"}
    for subdir in ("", "a/deeper"):
        with pytest.raises(UserFacing, match="this repository is here already, --subdir"):
            handbook.ingest(subdir=subdir)


def test_audience_and_link_stay_unless_given_anew(handbook: Handbook) -> None:
    handbook.commit({"a.md": page(TRIAL.format(14)), "CODEOWNERS": "* @a"}, "One (#1)")
    report = handbook.ingest(audience="channel:C1", web_url="https://example.com/x")
    handbook.commit({"a.md": page(TRIAL.format(30))})
    handbook.ingest()
    [source] = list_sources(handbook.space.reader)
    assert source.id == report.source
    assert (source.audience, source.web_url) == ("channel:C1", "https://example.com/x")
    assert '"audience": "public"' not in "\n".join(handbook.dump())
    handbook.ingest(audience="public")
    assert "channel:C1" not in "\n".join(handbook.dump())


def test_a_run_that_died_while_it_hid_a_source_is_finished_by_the_next(handbook: Handbook) -> None:
    handbook.commit({"a.md": page("A: Words that stood here first.")}, "First (#1)")
    handbook.ingest()
    [source] = list_sources(handbook.space.reader)
    with sole_writer(handbook.space.graph) as fence:
        save_source(handbook.space.graph, replace(source, audience="channel:C1"), fence)
    handbook.commit({"a.md": page("A: Words that stand here now.")}, "Second (#2)")
    handbook.ingest()
    assert '"audience": "public"' not in "\n".join(handbook.dump())
    assert '"audience": "channel:C1"' in "\n".join(handbook.dump())


@pytest.mark.parametrize("audience", ["everyone", "channel:", "channel:a b", "Public"])
def test_an_audience_that_is_none_is_refused(handbook: Handbook, audience: str) -> None:
    handbook.commit({"a.md": "# A\n"})
    with pytest.raises(UserFacing, match="it is `public` or `channel:ID`"):
        handbook.ingest(audience=audience)
    assert list_sources(handbook.space.reader) == []


def test_one_run_at_a_time(handbook: Handbook) -> None:
    handbook.commit({"a.md": "# A\n"})
    with sole_writer(handbook.space.graph), pytest.raises(Retry, match="is filling this knowledge base"):
        handbook.ingest()
    assert handbook.ingest().commits == 1


def test_progress_is_told(handbook: Handbook) -> None:
    for n in range(3):
        handbook.commit({"a.md": f"# A\n\n{n}\n"})
    told: list[tuple[int, int]] = []
    handbook.ingest(progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (3, 3)


def test_files_that_are_no_text_are_counted_and_their_pages_end(handbook: Handbook) -> None:
    handbook.commit({"a.md": "# A\n\nwords\n"})
    handbook.commit({"a.md": b"\0binary"})
    report = handbook.ingest()
    assert report.skipped == {"binary": 1}
    assert handbook.current() == {}
