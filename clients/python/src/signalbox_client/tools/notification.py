# Written by `npm run gen`. Do not edit.
"""Tools of the domain notification."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from .._models import Answer, Call, Open, Part
from .shapes import Notification


class NotificationMessageGetAnswerMessage(Answer):
    title: str
    body: str
    url: str | None = None


class NotificationMessageGetAnswerAttempts(Answer):
    number: int | float
    started_at: str
    ended_at: str | None
    outcome: str
    """delivered, refused, again (not received), unknown (it may have been), started"""
    reason: str | None


class NotificationMessageGetAnswer(Answer):
    notification: Notification
    message: NotificationMessageGetAnswerMessage
    attempts: list[NotificationMessageGetAnswerAttempts]


class NotificationMessageGet(Call[NotificationMessageGetAnswer]):
    """One notification with its message and each attempt to deliver it; of a dry run, what would have been sent."""

    tool: ClassVar[str] = "notification.message.get"

    notification_id: str


class NotificationMessageListAnswer(Answer):
    notifications: list[Notification]


class NotificationMessageList(Call[NotificationMessageListAnswer]):
    """The log of deliveries, newest first: what was sent to whom, what is under way, what failed, and of which nobody can tell."""

    tool: ClassVar[str] = "notification.message.list"

    status: Literal["queued", "delivered", "digested", "dry_run", "failed", "unknown", "cancelled"] | None = None
    channel: Literal["slack", "email", "webhook"] | None = None
    limit: int | None = None
    cursor: str | None = None


class NotificationMessageRetryAnswer(Answer):
    notification_id: str
    channel: Annotated[Literal["slack", "email", "webhook"], Open]
    sent_at: str
    """When it was delivered; before that, when it was taken"""
    status: Annotated[Literal["queued", "delivered", "digested", "dry_run", "failed", "unknown", "cancelled"], Open]
    job_id: str | None
    """Of its delivery"""


class NotificationMessageRetry(Call[NotificationMessageRetryAnswer]):
    """Sends one again that failed, was cancelled, or of which nobody can tell whether it arrived: then somebody may get it twice, so look first. It keeps its id."""

    tool: ClassVar[str] = "notification.message.retry"

    notification_id: str


class NotificationMessageSendAnswer(Answer):
    notification_id: str
    channel: Annotated[Literal["slack", "email", "webhook"], Open]
    sent_at: str
    """When it was delivered; before that, when it was taken"""
    status: Annotated[Literal["queued", "delivered", "digested", "dry_run", "failed", "unknown", "cancelled"], Open]
    job_id: str | None
    """Of its delivery"""


class NotificationMessageSendMessage(Part):
    title: str
    body: str
    url: str | None = None


class NotificationMessageSend(Call[NotificationMessageSendAnswer]):
    """Tells somebody by Slack, e-mail or a signed webhook, once. Equal messages within minutes count as one. Not delivered in ten seconds, it goes on as a job. In dry run nothing leaves."""

    tool: ClassVar[str] = "notification.message.send"

    channel: Literal["slack", "email", "webhook"]
    recipient: str
    """Id of a Slack channel, an e-mail address or a webhook's address"""
    message: NotificationMessageSendMessage
    priority: Literal["low", "normal", "high"] | None = None
    """low waits for the next digest of its recipient"""


class NotificationWebhookListAnswerWebhooks(Answer):
    host: str | None
    """Null: for all others"""
    updated_by: str
    updated_at: str


class NotificationWebhookListAnswer(Answer):
    webhooks: list[NotificationWebhookListAnswerWebhooks]


class NotificationWebhookList(Call[NotificationWebhookListAnswer]):
    """Which webhooks have a secret of their own for signed notifications, by their host. Secrets are not shown."""

    tool: ClassVar[str] = "notification.webhook.list"


class NotificationWebhookRemoveSecretAnswer(Answer):
    removed: bool


class NotificationWebhookRemoveSecret(Call[NotificationWebhookRemoveSecretAnswer]):
    """Forgets a webhook's own secret: notifications to it are then signed with the tenant's. Without url, that one is made anew."""

    tool: ClassVar[str] = "notification.webhook.remove_secret"

    url: str | None = None
    """Address of the webhook; left out: all that have no secret of their own"""


class NotificationWebhookSetSecretAnswer(Answer):
    secret: str


class NotificationWebhookSetSecret(Call[NotificationWebhookSetSecretAnswer]):
    """Sets the secret with which notifications to a webhook are signed (Standard Webhooks), or to all that have none of their own, and tells it this once. What was signed before stays signed with the old one."""

    tool: ClassVar[str] = "notification.webhook.set_secret"

    url: str | None = None
    """Address of the webhook; left out: all that have no secret of their own"""
    secret: str | None = None
    """whsec_ and base64; left out, one is made"""
