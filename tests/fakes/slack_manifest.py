"""Slack's rules for an app's manifest, in our own words, as far as we use it: fields, lengths, forms.

A subset of version 1 of the schema that Slack publishes (slackapi/manifest-schema): what is not in here we do not use,
and it is refused; limits are Slack's. `agent_view` follows Slack's reference of summer 2026.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Address = Annotated[str, Field(pattern=r"^https?://", max_length=3000)]
Name = Annotated[str, Field(min_length=1, max_length=50)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Metadata(Strict):
    major_version: int


class Display(Strict):
    name: str = Field(min_length=1, max_length=35)
    description: str = Field(min_length=1, max_length=140)
    long_description: str = Field(min_length=175, max_length=4000)
    background_color: str = Field(pattern=r"^#[0-9a-fA-F]{3}([0-9a-fA-F]{3})?$")


class Home(Strict):
    home_tab_enabled: bool
    messages_tab_enabled: bool
    messages_tab_read_only_enabled: bool


class BotUser(Strict):
    display_name: str = Field(min_length=1, max_length=80)
    always_online: bool


class Prompt(Strict):
    title: str = Field(min_length=1)
    message: str = Field(min_length=1)


class AgentView(Strict):
    agent_description: str = Field(min_length=1, max_length=300)
    suggested_prompts: list[Prompt] = Field(max_length=4)


class Command(Strict):
    command: str = Field(pattern=r"^/", min_length=2, max_length=32)
    url: Address
    description: str = Field(min_length=1, max_length=2000)
    usage_hint: str = Field(min_length=1, max_length=1000)
    should_escape: bool


class Shortcut(Strict):
    name: str = Field(min_length=1, max_length=24)
    type: Literal["message", "global"]
    callback_id: str = Field(min_length=1, max_length=255)
    description: str = Field(min_length=1, max_length=150)


class Features(Strict):
    app_home: Home
    bot_user: BotUser
    agent_view: AgentView
    shortcuts: list[Shortcut] = Field(max_length=10)
    slash_commands: list[Command] = Field(min_length=1, max_length=50)


class Scopes(Strict):
    bot: list[Name] = Field(max_length=255)


class OAuth(Strict):
    scopes: Scopes


class Events(Strict):
    request_url: Address
    bot_events: list[Name] = Field(max_length=100)


class Interactivity(Strict):
    is_enabled: bool
    request_url: Address


class AppSettings(Strict):
    event_subscriptions: Events
    interactivity: Interactivity
    org_deploy_enabled: bool
    socket_mode_enabled: bool
    token_rotation_enabled: bool


class Manifest(Strict):
    """The whole file."""

    metadata: Metadata = Field(alias="_metadata")
    display_information: Display
    features: Features
    oauth_config: OAuth
    settings: AppSettings
