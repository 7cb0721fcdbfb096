# Written by `npm run gen`. Do not edit.
"""Tools of the domain event."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from .._models import Answer, Call, Open
from .shapes import Event, Subscription


class EventDeliveryListAnswerDeliveries(Answer):
    delivery_id: str
    subscription_id: str
    status: Annotated[Literal["dead", "retrying", "delivered"], Open]
    attempts: int
    last_error: str | None
    first_failed_at: str
    updated_at: str
    event: Event


class EventDeliveryListAnswer(Answer):
    deliveries: list[EventDeliveryListAnswerDeliveries]


class EventDeliveryList(Call[EventDeliveryListAnswer]):
    """Dead letters of subscriptions, latest first: the event, why it did not arrive and how often it was tried. event.delivery.retry has them delivered again."""

    tool: ClassVar[str] = "event.delivery.list"

    subscription_id: str | None = None
    """As event.subscription.save answered it"""
    include_delivered: bool | None = None
    """Those that arrived when they were retried, too"""
    limit: int | None = None
    cursor: str | None = None


class EventDeliveryRetryAnswer(Answer):
    retrying: int


class EventDeliveryRetry(Call[EventDeliveryRetryAnswer]):
    """Has one dead letter, or all of a subscription, delivered again under the same event id. A paused subscription does so once it is resumed."""

    tool: ClassVar[str] = "event.delivery.retry"

    delivery_id: str | None = None
    """As event.delivery.list shows it"""
    subscription_id: str | None = None
    """As event.subscription.save answered it"""


class EventStreamSubscribeAnswer(Answer):
    events: list[Event]
    next: str
    """Where to go on: give it as after"""


class EventStreamSubscribe(Call[EventStreamSubscribeAnswer]):
    """Events of your tenant, in order: what was ingested, flagged, merged, generated or waits for somebody. Waits until there is one. Call again with after = next to miss none; GET /api/agents/v1/events streams the same, and event.subscription.save has them delivered."""

    tool: ClassVar[str] = "event.stream.subscribe"

    types: list[Literal["signal.ingested", "signal.corrected", "issue.flagged", "issue.trend_changed", "entity.review_requested", "entity.merged", "entity.split", "opportunity.created", "opportunity.status_changed", "opportunity.changed", "report.generated", "draft.generated", "brief.generated", "agent.output_pending_review", "agent.status_changed", "agent.message_sent", "agent.a2a_changed", "approval.requested", "approval.decided", "approval.finished", "review.decided", "ingestion.completed", "ingestion.failed", "dlq.item_added", "dlq.item_closed", "subscription.paused", "notification.failed", "external.tool_changed", "external.server_health", "policy.saved", "job.changed", "agent.task_changed", "key.changed", "key.used_first", "key.called", "work.task_changed", "work.phase_changed", "work.run_opened", "work.run_changed", "work.run_ended", "work.run_approved", "work.budget_spent", "work.task_ready", "work.task_claimed", "work.task_review", "work.task_failed", "work.task_done", "work.task_stuck", "work.agent_waiting"]] | None = None
    """Only these types or names; empty: all"""
    subject: str | None = None
    """Only events about this: the id of an entity, agent, job, opportunity, …"""
    after: str | None = None
    """The id of the last event you have (or `next` of the last answer); oldest: all that are kept; absent: from now on"""
    wait_seconds: int | float | None = None
    """How long to wait for the first one"""
    limit: int | None = None


class EventSubscriptionGetAnswer(Answer):
    subscription: Subscription


class EventSubscriptionGet(Call[EventSubscriptionGetAnswer]):
    """What it is told, how far it has been told, and why not further."""

    tool: ClassVar[str] = "event.subscription.get"

    subscription_id: str
    """As event.subscription.save answered it"""


class EventSubscriptionGetSecretAnswer(Answer):
    secret: str


class EventSubscriptionGetSecret(Call[EventSubscriptionGetSecretAnswer]):
    """What the deliveries of a webhook are signed with (Standard Webhooks, whsec_…). The receiver verifies webhook-signature with it."""

    tool: ClassVar[str] = "event.subscription.get_secret"

    subscription_id: str
    """As event.subscription.save answered it"""


class EventSubscriptionListAnswer(Answer):
    subscriptions: list[Subscription]


class EventSubscriptionList(Call[EventSubscriptionListAnswer]):
    """Who is told of events, where, and whether it arrives."""

    tool: ClassVar[str] = "event.subscription.list"


class EventSubscriptionRemoveAnswer(Answer):
    removed: bool


class EventSubscriptionRemove(Call[EventSubscriptionRemoveAnswer]):
    """Nothing more is delivered to it; its dead letters go with it. One that is not there is an error."""

    tool: ClassVar[str] = "event.subscription.remove"

    subscription_id: str
    """As event.subscription.save answered it"""


class EventSubscriptionResumeAnswer(Answer):
    subscription: Subscription


class EventSubscriptionResume(Call[EventSubscriptionResumeAnswer]):
    """Has a subscription go on after what it was told last, and at once where it waits for its target. Events older than seven days are no longer kept; missed counts them."""

    tool: ClassVar[str] = "event.subscription.resume"

    subscription_id: str
    """As event.subscription.save answered it"""


class EventSubscriptionSaveAnswer(Answer):
    subscription: Subscription


class EventSubscriptionSave(Call[EventSubscriptionSaveAnswer]):
    """Has events delivered, in order and at least once: posted to a webhook, signed (Standard Webhooks), or told to people by Slack, e-mail or webhook. It hears of what happens from now on. With subscription_id it replaces what that one says. event.subscription.test tries it out."""

    tool: ClassVar[str] = "event.subscription.save"

    subscription_id: str | None = None
    """Of the one to change; absent: a new one"""
    target: Literal["webhook", "notification"] | None = None
    """webhook: events are posted to url; notification: they are told to people"""
    url: str | None = None
    """Of a webhook; it is posted to, redirects are not followed. Absent in a change: as it was"""
    channel: Literal["slack", "email", "webhook"] | None = None
    """Of a notification"""
    recipient: str | None = None
    """Of a notification: Slack channel, e-mail address or webhook address"""
    types: list[Literal["signal.ingested", "signal.corrected", "issue.flagged", "issue.trend_changed", "entity.review_requested", "entity.merged", "entity.split", "opportunity.created", "opportunity.status_changed", "opportunity.changed", "report.generated", "draft.generated", "brief.generated", "agent.output_pending_review", "agent.status_changed", "agent.message_sent", "agent.a2a_changed", "approval.requested", "approval.decided", "approval.finished", "review.decided", "ingestion.completed", "ingestion.failed", "dlq.item_added", "dlq.item_closed", "subscription.paused", "notification.failed", "external.tool_changed", "external.server_health", "policy.saved", "job.changed", "agent.task_changed", "key.changed", "key.used_first", "key.called", "work.task_changed", "work.phase_changed", "work.run_opened", "work.run_changed", "work.run_ended", "work.run_approved", "work.budget_spent", "work.task_ready", "work.task_claimed", "work.task_review", "work.task_failed", "work.task_done", "work.task_stuck", "work.agent_waiting"]] | None = None
    """Only these types or names; empty: all"""
    subject: str | None = None
    """Only events about this: the id of an entity, agent, job, opportunity, …"""
    approve_links: bool | None = None
    """Of a notification by Slack or e-mail: alerts about waiting calls carry a link with which the recipient decides without signing in. Only whoever may approve can set it; the link has their rights"""
    description: str | None = None
    """What it is for"""
    secret: str | None = None
    """What deliveries are signed with (Standard Webhooks); default: one is made, event.subscription.get_secret shows it"""
    after: str | None = None
    """Of a new one: begin after this event instead of now; oldest: all that are kept"""


class EventSubscriptionTestAnswer(Answer):
    arrived: bool
    """A notification has arrived once it was taken for delivery"""
    error: str | None
    ping_id: str
    latency_ms: int | float


class EventSubscriptionTest(Call[EventSubscriptionTestAnswer]):
    """Sends a ping (type "ping", signed like an event) to the target of a subscription, once, and tells whether it arrived. Works while it is paused, too."""

    tool: ClassVar[str] = "event.subscription.test"

    subscription_id: str
    """As event.subscription.save answered it"""
