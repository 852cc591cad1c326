"""Settings: what is read from where, and what is refused."""

from pathlib import Path

import pytest

from assistant.errors import UserFacing
from assistant.settings import Settings, environment_name, load_settings


def test_only_documented_names_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for stray in ("HOST", "host", "PORT", "port", "home", "CACHE", "cache", "allowed_channels"):
        monkeypatch.setenv(stray, "stray")
    untouched = load_settings()
    assert (untouched.host, untouched.port, untouched.allowed_channels) == ("127.0.0.1", 3000, ())
    assert "stray" not in str(untouched)


def test_every_setting_is_read_by_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BRAIN_HOME", str(tmp_path))
    monkeypatch.setenv("BRAIN_PORT", "4000")
    monkeypatch.setenv("BRAIN_ALLOWED_CHANNELS", "C1, C2 C3")
    monkeypatch.setenv("BRAIN_TIMEZONE", "Europe/Berlin")
    monkeypatch.setenv("SLACK_BOT_TOKEN", "")
    read = load_settings()
    assert (read.home, read.port, read.allowed_channels, read.zone.key) == (
        tmp_path,
        4000,
        ("C1", "C2", "C3"),
        "Europe/Berlin",
    )
    assert read.slack_bot_token is None
    assert len({environment_name(field) for field in Settings.model_fields}) == len(Settings.model_fields)


def test_a_home_given_by_hand_means_its_own_servers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FALKORDB_URL", "redis://graph")
    monkeypatch.setenv("REDIS_URL", "redis://queue")
    assert (load_settings().falkordb_url, load_settings().redis_url) == ("redis://graph", "redis://queue")
    by_hand = load_settings(tmp_path)
    assert (by_hand.home, by_hand.falkordb_url, by_hand.redis_url) == (tmp_path, None, None)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("BRAIN_PORT", "http", "BRAIN_PORT"),
        ("BRAIN_TIMEZONE", "Mars/Base", "Europe/Berlin"),
        ("BRAIN_RETENTION_DAYS", "0", "a day at least"),
    ],
)
def test_a_value_that_cannot_be_is_told(monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(UserFacing, match=says):
        load_settings()


def test_tokens_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET", "FALKORDB_URL", "REDIS_URL"):
        monkeypatch.setenv(name, "redis://:secret@x")
    assert "secret" not in repr(load_settings()).replace("signing_secret", "")
