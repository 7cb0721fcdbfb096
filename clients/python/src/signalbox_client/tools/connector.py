# Written by `npm run gen`. Do not edit.
"""Tools of the domain connector."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from .._models import Answer, Call
from .shapes import Mount


class ConnectorHubspotUpdateDealAnswer(Answer):
    deal_id: str
    updated_at: str | None
    """Null: not sent (yet)"""
    dry_run: bool
    would_send: dict[str, Any] | None = None
    """In dry run: what would have been sent"""
    job_id: str | None = None
    """It goes on: system.job.get tells how it ended"""


class ConnectorHubspotUpdateDeal(Call[ConnectorHubspotUpdateDealAnswer]):
    """Sets properties of a deal in HubSpot, e.g. its stage or amount. In dry run it answers what would be sent. Not answered in ten seconds, it goes on as a job."""

    tool: ClassVar[str] = "connector.hubspot.update_deal"

    deal_id: str
    """Number of the deal"""
    properties: dict[str, str | int | float | bool | None]
    """By HubSpot's internal names; null clears one"""


class ConnectorMountListAnswer(Answer):
    mounts: list[Mount]


class ConnectorMountList(Call[ConnectorMountListAnswer]):
    """Which other systems may be written to from here, and which of them are in dry run. Never shows credentials."""

    tool: ClassVar[str] = "connector.mount.list"


class ConnectorMountRemoveAnswer(Answer):
    removed: bool


class ConnectorMountRemove(Call[ConnectorMountRemoveAnswer]):
    """Forgets the credentials for Slack or HubSpot: nothing is written there any more. What was sent stays there."""

    tool: ClassVar[str] = "connector.mount.remove"

    provider: Literal["slack", "hubspot"]
    """Slack or HubSpot"""


class ConnectorMountSetAnswer(Answer):
    mount: Mount


class ConnectorMountSet(Call[ConnectorMountSetAnswer]):
    """Lets agents write to Slack or HubSpot with this token, which is kept sealed and never shown. A new mount is in dry run: nothing leaves until dry_run is false."""

    tool: ClassVar[str] = "connector.mount.set"

    provider: Literal["slack", "hubspot"]
    """Slack or HubSpot"""
    token: str | None = None
    """Bot or app token; absent: the one it has"""
    dry_run: bool | None = None
    """Answer what would be sent, and send nothing; default for a new mount"""


class ConnectorSlackPostMessageAnswer(Answer):
    ts: str | None
    """Names the message; null: not sent (yet)"""
    channel: str
    permalink: str | None
    dry_run: bool
    would_send: dict[str, Any] | None = None
    """In dry run: what would have been sent"""
    job_id: str | None = None
    """It goes on: system.job.get tells how it ended"""


class ConnectorSlackPostMessage(Call[ConnectorSlackPostMessageAnswer]):
    """Posts a message to a Slack channel or thread, once. In dry run it answers what would be sent. Not answered in ten seconds, it goes on as a job."""

    tool: ClassVar[str] = "connector.slack.post_message"

    channel: str
    """Id of the channel, or its name"""
    text: str
    """In Slack's mrkdwn"""
    thread_ts: str | None = None
    """Answer in this thread: ts of its first message"""
