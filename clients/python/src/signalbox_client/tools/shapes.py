# Written by `npm run gen`. Do not edit.
"""Objects that several answers share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from .._models import Answer, Open


class MadeKey(Answer):
    key_id: str
    name: str
    role: Annotated[Literal["admin", "pm", "pm_leader", "operator", "new_pm", "stakeholder", "agent", "readonly"], Open]
    kind: Annotated[Literal["human", "agent"], Open]
    state: Annotated[Literal["valid", "ended", "revoked"], Open]
    scopes: list[str]
    capabilities: list[str]
    profile: str | None
    policy: str
    team: str | None
    line: str
    """Id of its first key: rotations keep it"""
    replaces: str | None
    made_by: str | None
    """null: by the command line, or signed in by an issuer"""
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    """To the minute"""
    revoked_at: str | None
    api_key: str | None
    """Shown once and stored nowhere; null in a repeated or approved answer: use access.key.collect"""


class Rate(Answer):
    limit: int | float
    """Calls per minute"""
    burst: int | float
    used: int | float
    """In this minute; calls that a process has reserved count as made"""
    resets_in_seconds: int | float


class A2aTaskDetailHistoryParts(Answer):
    text: str | None = None
    raw: str | None = None
    url: str | None = None
    data: Any = None
    media_type: str | None = Field(default=None, alias="mediaType")
    filename: str | None = None


class A2aTaskDetailHistory(Answer):
    message_id: str = Field(alias="messageId")
    role: Annotated[Literal["ROLE_USER", "ROLE_AGENT"], Open]
    parts: list[A2aTaskDetailHistoryParts]


class A2aTaskDetailStatusMessageParts(Answer):
    text: str | None = None
    raw: str | None = None
    url: str | None = None
    data: Any = None
    media_type: str | None = Field(default=None, alias="mediaType")
    filename: str | None = None


class A2aTaskDetailStatusMessage(Answer):
    message_id: str = Field(alias="messageId")
    role: Annotated[Literal["ROLE_USER", "ROLE_AGENT"], Open]
    parts: list[A2aTaskDetailStatusMessageParts]


class A2aTaskDetailAnswerParts(Answer):
    text: str | None = None
    raw: str | None = None
    url: str | None = None
    data: Any = None
    media_type: str | None = Field(default=None, alias="mediaType")
    filename: str | None = None


class A2aTaskDetailAnswer(Answer):
    message_id: str = Field(alias="messageId")
    role: Annotated[Literal["ROLE_USER", "ROLE_AGENT"], Open]
    parts: list[A2aTaskDetailAnswerParts]


class A2aTaskDetailArtifactsParts(Answer):
    text: str | None = None
    raw: str | None = None
    url: str | None = None
    data: Any = None
    media_type: str | None = Field(default=None, alias="mediaType")
    filename: str | None = None


class A2aTaskDetailArtifacts(Answer):
    artifact_id: str = Field(alias="artifactId")
    name: str | None = None
    parts: list[A2aTaskDetailArtifactsParts]


class A2aTaskDetail(Answer):
    task_id: str
    context_id: str
    state: Annotated[Literal["submitted", "working", "input_required", "auth_required", "completed", "failed", "canceled", "rejected"], Open]
    changed_at: str
    asked_by: str
    skill: str | None
    tool_: str | None = Field(alias="tool")
    """Which tool it calls"""
    work_task_id: str | None
    """The task on the board that it waits for"""
    first_text: str
    """Beginning of the first message"""
    history: list[A2aTaskDetailHistory]
    status_message: A2aTaskDetailStatusMessage | None
    answer: A2aTaskDetailAnswer | None
    """Set if the message was answered by a message"""
    artifacts: list[A2aTaskDetailArtifacts]


class Session(Answer):
    session_id: str
    participants: list[str]
    task_references: list[str]
    status: Annotated[Literal["open", "closed"], Open]
    closed_reason: str | None
    created_at: str
    last_active_at: str
    expires_at: str


class SessionMessage(Answer):
    id: str
    seq: int | float
    type: Annotated[Literal["capability_query", "capability_response", "task_request", "task_progress", "task_result", "heartbeat", "error"], Open]
    sender: str
    recipient: str | None
    body: dict[str, Any]
    created_at: str


class ProgressOf(Answer):
    done: int | float | None = None
    total: int | float | None = None
    message: str | None = None


class DelegatedTaskError(Answer):
    code: str
    message: str


class DelegatedTask(Answer):
    task_id: str
    direction: Annotated[Literal["sent", "received"], Open]
    source_agent: str
    target_agent: str
    capability_name: str
    priority: int | float
    timeout_seconds: int | float
    correlation_id: str
    status: Annotated[Literal["pending", "accepted", "running", "completed", "failed", "cancelled"], Open]
    progress: ProgressOf | None
    error: DelegatedTaskError | None
    session_id: str | None
    work_task_id: str | None
    remote_id: str | None
    created_at: str
    deadline: str
    completed_at: str | None


class Approval(Answer):
    approval_id: str
    status: Annotated[Literal["pending", "approved", "rejected", "expired", "cancelled", "started", "completed", "failed", "ambiguous"], Open]
    tool_: str = Field(alias="tool")
    called_as: str
    requested_by: str
    requester_kind: str
    requested_by_me: bool
    four_eyes: bool
    """The requester may not decide"""
    you_may_decide: bool
    """It waits, and this caller may approve or reject it"""
    reason: str
    """Why it asks"""
    arguments: Any
    """What the call is about, without secrets"""
    input_hash: str
    tool_call_id: str
    """The call that asked"""
    key_id: str
    policy: str
    policy_version: str
    requested_at: str
    expires_at: str
    decided_by: str | None
    decided_at: str | None
    note: str | None
    finished_at: str | None
    answer: Any
    """The call's own answer, once it has run"""


class DraftStatement(Answer):
    text: str
    """Plain text"""
    sources: list[int | float]
    """Numbers of provenance"""


class DraftSection(Answer):
    heading: str
    text: str
    """Markdown"""
    statements: list[DraftStatement]
    to_fill: bool
    """Left for the person"""


class DraftIssue(Answer):
    title: str
    description: str
    """Markdown"""
    acceptance_criteria: list[str]
    labels: list[str]
    priority: Annotated[Literal["Highest", "High", "Medium", "Low"], Open]
    issue_type: Annotated[Literal["epic", "story", "bug", "task"], Open]


class DraftSource(Answer):
    ref: str
    kind: str
    excerpt: str
    occurred_at: str
    weight: int | float
    number: int | float


class DraftFreshness(Answer):
    newest_signal_at: str
    oldest_signal_at: str
    generated_at: str


class BriefTopic(Answer):
    name: str
    keywords: list[str] | None = None
    """Further words for it"""
    weight: int | float | None = None
    """Beside the other topics"""


class BriefEvidence(Answer):
    title: str
    url: str
    source: str
    published_at: str | None
    relevance_score: int | float


class BriefHighlight(Answer):
    title: str
    significance: str
    """What it says of its weight, in the articles' words; empty where nothing says so"""
    strategic_implications: str
    """What follows from it, likewise"""
    url: str
    relevance_score: int | float
    categories: list[str]
    evidence: list[BriefEvidence]
    """All articles of this story, the one it is told from first"""


class ScheduledReport(Answer):
    report_type: Annotated[Literal["customer_health_summary", "roadmap_summary", "customer_impact_brief", "weekly_digest", "competitive_intel", "product_area_overview"], Open]
    format: Annotated[Literal["executive_summary", "detailed", "one_pager"], Open]
    audience: Annotated[Literal["engineering", "design", "leadership", "cs_sales", "general"], Open]
    time_window_days: int | float
    filter_area: str | None = None
    filter_customer: str | None = None
    for_team: str | None = None


class Timing(Answer):
    cron: str | None = None
    every: Annotated[Literal["day", "week"], Open] | None = None
    at: str | None = None
    weekday: Annotated[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"], Open] | None = None


class ReportScheduleRecipients(Answer):
    channel: Annotated[Literal["slack", "email", "webhook"], Open]
    recipient: str
    """Of a webhook the host alone"""


class ReportScheduleLast(Answer):
    fired_at: str
    outcome: Annotated[Literal["started", "sent", "partly", "quiet", "failed", "skipped"], Open]
    error: str | None
    draft_id: str | None


class ReportSchedule(Answer):
    schedule_id: str
    name: str
    report: ScheduledReport
    timing: Timing
    timezone: str
    recipients: list[ReportScheduleRecipients]
    status: Annotated[Literal["active", "paused"], Open]
    paused_because: str | None
    failures: int | float
    """In a row; after three it is paused"""
    last: ReportScheduleLast | None
    created_by: str
    created_at: str
    updated_at: str


class SubstrateEvidence(Answer):
    evidence_id: str
    ref: str
    stance: Annotated[Literal["supports", "refutes", "context"], Open]
    note: str | None
    linked_by: str
    at: str


class Decision(Answer):
    seq: int | float
    decision: Annotated[Literal["accepted", "rejected", "needs_more_evidence"], Open]
    rationale: str
    decided_by: str
    at: str


class ClaimDetailEvidenceCounts(Answer):
    supports: int | float
    refutes: int | float
    context: int | float


class ClaimDetail(Answer):
    claim_id: str
    statement: str
    subject_ref: str | None
    confidence: int | float | None
    status: Annotated[Literal["open", "accepted", "rejected", "needs_more_evidence"], Open]
    rationale: str | None
    decided_by: str | None
    decided_at: str | None
    evidence_counts: ClaimDetailEvidenceCounts
    created_by: str
    created_at: str
    evidence: list[SubstrateEvidence]
    decisions: list[Decision]


class Mount(Answer):
    provider: Annotated[Literal["slack", "hubspot"], Open]
    """Slack or HubSpot"""
    dry_run: bool
    has_credentials: bool
    updated_by: str
    created_at: str
    updated_at: str


class Place(Answer):
    start_line: int | float | None = None
    end_line: int | float | None = None
    page: int | float | None = None
    slide: int | float | None = None
    sheet: str | None = None
    start_time: str | None = None
    end_time: str | None = None
    speaker: str | None = None
    headings: list[str] | None = None


class Entity(Answer):
    entity_id: str
    name: str
    type: str
    aliases: list[str]
    signal_count: int | float
    metadata: dict[str, Any]


class ProfiledLinks(Answer):
    external_system: str
    external_id: str
    url: str | None


class Profiled(Answer):
    entity_id: str
    name: str
    type: str
    signal_count: int | float
    state: str | None
    """As entity.status.set keeps it"""
    links: list[ProfiledLinks]
    """To records in other systems"""


class Mark(Answer):
    start: int | float
    end: int | float


class MentionedPassage(Answer):
    citation: str
    document_id: str
    title: str
    content: str
    occurred_at: str
    marks: list[Mark]


class EntityRef(Answer):
    entity_id: str
    name: str
    type: str
    signal_count: int | float


class Ref(Answer):
    type: Annotated[Literal["artifact", "pointer", "run", "job", "workflow", "approval", "entity", "task", "document", "source", "signal", "opportunity", "draft", "manifest", "claim", "schema", "agent", "feed", "brief", "notification", "subscription", "schedule", "server", "policy", "key", "external_tool"], Open]
    id: str
    sha256: str | None = None
    url: str | None = None


class Event(Answer):
    id: str
    type: Annotated[Literal["signal.ingested", "signal.corrected", "issue.flagged", "issue.trend_changed", "entity.review_requested", "entity.merged", "entity.split", "opportunity.created", "opportunity.status_changed", "opportunity.changed", "report.generated", "draft.generated", "brief.generated", "agent.output_pending_review", "agent.status_changed", "agent.message_sent", "agent.a2a_changed", "approval.requested", "approval.decided", "approval.finished", "review.decided", "ingestion.completed", "ingestion.failed", "dlq.item_added", "dlq.item_closed", "subscription.paused", "notification.failed", "external.tool_changed", "external.server_health", "policy.saved", "job.changed", "agent.task_changed", "key.changed", "key.used_first", "key.called", "work.task_changed", "work.phase_changed", "work.run_opened", "work.run_changed", "work.run_ended", "work.run_approved", "work.budget_spent"], Open]
    name: Annotated[Literal["work.task_ready", "work.task_claimed", "work.task_review", "work.task_failed", "work.task_done", "work.task_stuck", "work.agent_waiting"], Open] | None = None
    """What happened in particular; types of a filter may name it"""
    occurred_at: str
    tenant_id: str
    subject: str
    data: dict[str, Any]
    refs: list[Ref]


class Subscription(Answer):
    subscription_id: str
    target: Annotated[Literal["webhook", "notification"], Open]
    url: str | None
    """The host alone: addresses of webhooks give access"""
    channel: Annotated[Literal["slack", "email", "webhook"], Open] | None
    recipient: str | None
    """Of a webhook the host alone"""
    types: list[Annotated[Literal["signal.ingested", "signal.corrected", "issue.flagged", "issue.trend_changed", "entity.review_requested", "entity.merged", "entity.split", "opportunity.created", "opportunity.status_changed", "opportunity.changed", "report.generated", "draft.generated", "brief.generated", "agent.output_pending_review", "agent.status_changed", "agent.message_sent", "agent.a2a_changed", "approval.requested", "approval.decided", "approval.finished", "review.decided", "ingestion.completed", "ingestion.failed", "dlq.item_added", "dlq.item_closed", "subscription.paused", "notification.failed", "external.tool_changed", "external.server_health", "policy.saved", "job.changed", "agent.task_changed", "key.changed", "key.used_first", "key.called", "work.task_changed", "work.phase_changed", "work.run_opened", "work.run_changed", "work.run_ended", "work.run_approved", "work.budget_spent", "work.task_ready", "work.task_claimed", "work.task_review", "work.task_failed", "work.task_done", "work.task_stuck", "work.agent_waiting"], Open]]
    """Types and names; empty: all"""
    subject: str | None
    approve_links: bool
    """Alerts about waiting calls carry a link for the decision"""
    description: str
    status: Annotated[Literal["active", "paused"], Open]
    paused_reason: str | None
    delivered: int
    """Events delivered so far"""
    last_delivered_at: str | None
    attempts: int
    """Failed attempts for the next event"""
    failing_since: str | None
    retry_at: str | None
    last_error: str | None
    dead_letters: int
    """Events that could not be delivered: event.delivery.list"""
    missed: int
    """Events for it that were no longer kept when it could have been told"""
    created_by: str
    created_at: str
    updated_at: str


class ExternalServerTools(Answer):
    approved: int | float
    waiting: int | float
    changed: int | float
    gone: int | float


class ExternalServer(Answer):
    name: str
    transport: Annotated[Literal["stdio", "http", "sse"], Open]
    target: dict[str, Any]
    credentials: list[str]
    enabled: bool
    timeout_ms: int | float
    concurrency: int | float
    approval: Annotated[Literal["A0", "A1", "A2"], Open]
    health: Annotated[Literal["unknown", "healthy", "unhealthy"], Open]
    last_error: str | None
    last_seen_at: str | None
    server_name: str | None
    server_version: str | None
    protocol_version: str | None
    tools: ExternalServerTools
    created_by: str
    created_at: str


class ToolFlag(Answer):
    kind: Annotated[Literal["instructions", "hidden_text", "other_tool", "long", "schema"], Open]
    what: str


class ToolMark(Answer):
    path: str
    """JSON pointer of the text in the definition"""
    key: bool
    """It is in the field's name, not in its value"""
    start: int
    """In UTF-16 units"""
    end: int
    kind: Annotated[Literal["instructions", "hidden_text", "other_tool", "long", "schema"], Open]
    what: str


class ItemCounts(Answer):
    total: int | float
    done: int | float
    unchanged: int | float
    refused: int | float
    failed: int | float
    left: int | float


class IngestAnswerItemsError(Answer):
    code: str
    message: str


class IngestAnswerItems(Answer):
    title: str | None
    url: str | None
    status: str
    source_id: str | None
    chunk_count: int | float | None
    error: IngestAnswerItemsError | None


class IngestAnswerSkipped(Answer):
    what: str
    reason: str


class IngestAnswer(Answer):
    job_id: str
    workflow_id: str
    status: Annotated[Literal["queued", "running", "completed", "failed", "cancelled"], Open]
    source_id: str | None = None
    document_id: str | None = None
    chunk_count: int | float | None = None
    page_count: int | float | None = None
    statement_count: int | float | None = None
    left_out: dict[str, int | float] | None = None
    counts: ItemCounts | None = None
    items: list[IngestAnswerItems] | None = None
    skipped: list[IngestAnswerSkipped] | None = None


class FeedSource(Answer):
    feed_id: str
    """Id of a feed, e.g. techcrunch_ai"""
    kind: Annotated[Literal["rss", "api"], Open]
    title: str
    url: str
    enabled: bool
    categories: list[str]
    language: str | None
    settings: dict[str, Any]
    credentials: list[str]
    last_fetched_at: str | None
    last_status: int | None
    last_error: str | None
    failures: int
    retry_at: str | None
    created_by: str
    created_at: str
    updated_at: str


class Episode(Answer):
    episode_id: str
    kind: Annotated[Literal["memory", "knowledge"], Open]
    name: str
    source: Annotated[Literal["text", "json", "message"], Open]
    source_description: str
    said_at: str
    status: Annotated[Literal["queued", "done", "failed"], Open]
    position: int | float | None
    error: str | None
    created_by: str
    created_at: str


class GraphEvidence(Answer):
    ref: str
    kind: str
    excerpt: str | None = None
    occurred_at: str | None = None
    weight: int | float | None = None


class OpportunityItem(Answer):
    opportunity_id: str
    title: str
    status: Annotated[Literal["new", "reviewing", "accepted", "rejected"], Open]
    score: int | float
    signal_count: int | float
    statement_count: int | float
    customer_count: int | float
    trend: Annotated[Literal["emerging", "growing", "declining", "stable"], Open]
    classes: dict[str, int | float]
    created_at: str
    first_signal_at: str
    last_signal_at: str


class CodeExample(Answer):
    language: str | None = None
    code: str


class SearchHitMetadataScores(Answer):
    bm25: int | float | None = None
    cosine: int | float | None = None
    rerank: int | float | None = None


class SearchHitMetadata(Answer):
    kb_id: str
    type: str
    tags: list[str]
    context: str | None = None
    has_code: bool
    place: Place
    scores: SearchHitMetadataScores


class SearchHit(Answer):
    content: str
    source: str
    source_id: str
    document_id: str
    url: str | None
    score: int | float
    citation: str
    metadata: SearchHitMetadata
    code_examples: list[CodeExample] | None = None
    matches: list[Mark] | None = None


class DlqItem(Answer):
    dlq_id: str
    signal_id: str | None
    source_id: str | None
    job_id: str
    workflow_id: str
    title: str
    stage: Annotated[Literal["extraction", "entity_resolution", "neo4j_sync", "embedding"], Open]
    step: str
    error: str
    error_code: str
    attempts: int | float
    status: Annotated[Literal["parked", "refused", "retrying", "resolved", "abandoned"], Open]
    first_failed_at: str
    last_failed_at: str


class RunLogStats(Answer):
    sources_checked: int | None = None
    articles_fetched: int | None = None
    articles_stored: int | None = None
    duplicates_skipped: int | None = None
    brief_generated: bool | None = None
    errors: list[str | dict[str, Any]] | None = None


class RunLog(Answer):
    run_id: str
    status: Annotated[Literal["running", "completed", "failed"], Open]
    stats: RunLogStats
    started_at: str | None
    completed_at: str | None
    created_by: str
    created_at: str
    logged_at: str


class DocumentHead(Answer):
    document_id: str
    source_id: str
    kb_id: str
    title: str
    type: str
    format: str
    url: str | None
    tags: list[str]
    passage_count: int | float
    version: int | float
    said_at: str | None
    created_at: str


class MentionedHere(Answer):
    start: int | float
    end: int | float
    entity_id: str
    name: str
    type: str


class SignalHere(Answer):
    start: int | float
    end: int | float
    signal_id: str
    class_: str = Field(alias="class")
    severity: str
    author: str | None
    occurred_at: str


class CitedHere(Answer):
    draft_id: str
    title: str
    type: str
    number: int | float
    excerpt: str


class ReadPassage(Answer):
    citation: str
    ordinal: int | float
    content: str
    context: str | None
    place: Place
    mentions: list[MentionedHere] | None = None
    signals: list[SignalHere]
    cited_by: list[CitedHere]


class SourceDetail(Answer):
    id: str
    kb_id: str
    title: str
    type: str
    url: str | None
    tags: list[str]
    status: Annotated[Literal["active", "indexing", "error"], Open]
    chunk_count: int | float
    description: str | None
    priority: int | float
    document_id: str | None
    metadata: dict[str, Any]
    created_at: str
    updated_at: str


class MemoryOrigin(Answer):
    conversation: str
    turn: int | float
    speaker: str | None
    quote: str
    citation: str | None = None


class MemoryVersion(Answer):
    memory_id: str
    content: str
    category: str
    tags: list[str]
    metadata: dict[str, Any]
    created_by: str
    created_at: str
    scope: Annotated[Literal["team", "user", "agent", "session"], Open]
    expires_at: str | None
    valid_from: str
    valid_to: str | None
    superseded_by: str | None
    origin: MemoryOrigin | None


class NotificationError(Answer):
    code: str
    message: str
    hint: str | None = None


class Notification(Answer):
    notification_id: str
    channel: Annotated[Literal["slack", "email", "webhook"], Open]
    recipient: str
    """Of a webhook the host alone: addresses of webhooks give access"""
    title: str
    priority: Annotated[Literal["low", "normal", "high"], Open]
    status: Annotated[Literal["queued", "delivered", "digested", "dry_run", "failed", "unknown", "cancelled"], Open]
    attempts: int | float
    repeats: int | float
    """Asked for again with equal content while it was fresh, and not sent again"""
    digest_id: str | None
    """The notification that it was delivered in"""
    error: NotificationError | None
    job_id: str | None
    created_by: str
    created_at: str
    sent_at: str | None


class FactorViewOverride(Answer):
    value: int | float
    reason: str | None
    set_by: str
    set_at: str


class FactorView(Answer):
    value: int | float
    computed: int | float
    reason: str
    override: FactorViewOverride | None = None


class FactorViews(Answer):
    impact: FactorView
    confidence: FactorView
    strategic_alignment: FactorView
    urgency: FactorView
    effort: FactorView


class RunDetail(Answer):
    run_id: str
    name: str
    kind: str
    parent_run_id: str | None
    status: Annotated[Literal["created", "running", "completed", "failed", "cancelled"], Open]
    created_by: str
    created_at: str
    started_at: str | None
    finished_at: str | None
    input: Any
    outputs: Any
    error: str | None


class Run(Answer):
    run_id: str
    name: str
    kind: str
    parent_run_id: str | None
    status: Annotated[Literal["created", "running", "completed", "failed", "cancelled"], Open]
    created_by: str
    created_at: str
    started_at: str | None
    finished_at: str | None


class Pointer(Answer):
    id: str
    name: str
    manifest_sha256: str
    updated_at: str
    rev: int | float
    metadata: dict[str, Any]
    updated_by: str
    created_at: str


class LedgerEntry(Answer):
    event_id: str
    tool_call_id: str
    type: str
    tool_: str = Field(alias="tool")
    called_as: str
    tool_version: int | float
    effect: str
    front: str
    key_id: str
    principal: str
    principal_kind: str
    persona: str
    input_hash: str
    status: str | None
    error_code: str | None
    refs: list[Any]
    duration_ms: int | float | None
    trace_id: str | None
    policy: str | None
    """Name and version of the policy that judged it"""
    approval_id: str | None
    session_id: str | None
    at: str


class ExportAnswer(Answer):
    job_id: str
    status: str
    export_type: str
    format: str
    export_id: str | None = None
    artifact_ref: str | None = None
    """SHA-256 of the file; the link alone gives it out"""
    link: str | None = None
    """Needs no key: whoever has it can download the file until expires_at"""
    filename: str | None = None
    size_bytes: int | float | None = None
    row_counts: dict[str, int | float] | None = None
    """By table"""
    expires_at: str | None = None


class InboxItem(Answer):
    kind: Annotated[Literal["call", "ambiguous", "review", "run", "output", "dead_letter", "definition", "undelivered", "notice"], Open]
    id: str
    """As the tool that decides it takes it: approval, feedback, run, output, dlq, delivery or notification id; server/tool"""
    title: str
    """The tool, the document, the output"""
    who: str | None
    """Its origin: a person, an agent, a server"""
    note: str | None
    """Why it waits"""
    since: str
    expires_at: str | None
    open: bool
    """False: it was decided"""
    data: dict[str, Any]
    """What else this kind has"""


class JobError(Answer):
    code: str
    message: str


class Job(Answer):
    job_id: str
    kind: str
    title: str
    status: Annotated[Literal["queued", "running", "completed", "failed", "cancelled"], Open]
    progress: dict[str, Any]
    result: dict[str, Any] | None
    error: JobError | None
    workflow_id: str
    created_by: str
    created_at: str
    updated_at: str
    finished_at: str | None


class PolicyRule(Answer):
    when: str
    """CEL over tool, caller and session, e.g. tool.domain == "connector" && caller.kind == "agent" """
    effect: Annotated[Literal["allow", "ask", "deny"], Open]
    reason: str
    """Told to whoever is refused or has to wait"""


class PolicyDefinition(Answer):
    base: Annotated[Literal["open", "standard", "careful", "strict"], Open]
    """What holds where no rule fits"""
    rules: list[PolicyRule] | None = None
    """In order; the first that fits decides, but what always needs a person still does"""
    four_eyes: bool | None = None
    """The requester of a call may not approve it, whatever their role"""


class PolicyVersion(Answer):
    name: str
    version: int | float
    """0: built in"""
    definition: PolicyDefinition
    note: str | None
    created_by: str | None
    created_at: str | None


class Judged(Answer):
    effect: Annotated[Literal["allow", "ask", "deny"], Open]
    rule: str
    reason: str


class ListedTaskParts(Answer):
    total: int
    done: int


class ListedTask(Answer):
    id: str
    description: str
    phase_id: int | float
    status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]
    priority: Annotated[Literal["high", "medium", "low"], Open]
    assigned_agent_id: str | None
    created_at: str
    title: str | None
    tags: list[str]
    blocked_by: list[str]
    lease_seconds: int | float | None = None
    lease_expires_at: str | None = None
    attempts: int | float | None = None
    max_attempts: int | float | None = None
    needs_review: bool | None = None
    due_at: str | None = None
    reserved_for: str | None = None
    """A claim gives it to this worker only"""
    parent_id: str | None = None
    """The task that it is a part of"""
    cancelled: bool | None = None
    """It has failed because it is no longer wanted"""
    archived_at: str | None = None
    """Left out of lists and boards since then"""
    parts: ListedTaskParts | None = None
    """Null: it has no parts"""
    failure: str | None = None
    """Its first 200 characters; work.task.get has all"""
    stuck: Annotated[Literal["lapsed", "silent", "blocked", "exhausted", "waiting"], Open] | None = None
    """lapsed: its lease has ended; silent: no heartbeat for half the lease; blocked: a blocker has failed; exhausted: no attempt left; waiting: ready for three times as long as usual in its phase"""
    updated_at: str | None = None
    completed_at: str | None = None
    rev: int | None = None
    """Increases with each change of status, lease or blockers"""


class TaskFilter(Answer):
    phase_id: int | None = None
    search: str | None = None
    """Words of title and description, all of them, or an id"""
    priority: Annotated[Literal["high", "medium", "low"], Open] | None = None
    tags: list[str] | None = None
    """Tasks that carry all of these"""
    assigned_to: str | None = None
    """Empty: nobody"""
    stuck: Annotated[Literal["any", "lapsed", "silent", "blocked", "exhausted", "waiting"], Open] | None = None
    """Tasks that do not move, for this reason or any"""
    overdue: bool | None = None
    """Open tasks whose due date has passed"""
    reserved_for: str | None = None
    """Tasks that only this worker is given"""
    parent_id: str | None = None
    """Parts of this task"""
    archived: bool | None = None
    """Only archived ones; without it there are none"""


class SavedBoard(Answer):
    name: str
    filter: TaskFilter
    created_by: str
    updated_at: str


class RunBudget(Answer):
    phase_id: int | float | None
    """Null: all phases together"""
    tokens_per_day: int | None
    usd_per_day: int | float | None
    tokens_today: int
    usd_today: int | float
    spent: bool
    """Runners get no new task today"""


class Phase(Answer):
    id: int | float
    name: str
    description: str
    done_definitions: list[str]
    additional_notes: str | None
    working_directory: str | None
    needs_review: bool
    setup: list[str]
    """Commands that prepare a worktree for an agent"""
    checks: list[str]
    """Commands that finished work must pass"""
    merge: Annotated[Literal["merge", "rebase", "patch", "pull_request"], Open] | None
    """How finished work reaches the base branch; null: the runner decides"""
    stuck_minutes: int | None
    """Minutes without output after which an agent is stuck; null: 10"""
    stuck_repeats: int | None
    """Equal steps in a row after which an agent is stuck; null: 5"""


class RecurrenceLast(Answer):
    fired_at: str | None
    task_id: str | None
    error: str | None


class Recurrence(Answer):
    recurrence_id: str
    name: str
    template: str
    variables: dict[str, str]
    timing: Timing
    timezone: str
    status: Annotated[Literal["active", "paused"], Open]
    last: RecurrenceLast | None
    """Null: it has not run yet"""
    created_by: str
    updated_at: str


class RunStuck(Answer):
    reason: Annotated[Literal["no_output", "no_progress", "repeating"], Open]
    since: str
    detail: str | None
    """What is repeated, and how often"""


class RunCheck(Answer):
    command: str
    exit_code: int | None
    """Null: it was stopped at its time limit"""
    seconds: int | float
    output: str
    """The last lines"""


class RunUsage(Answer):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: int | float | None = None


class PullRequest(Answer):
    number: int | None
    url: str | None
    state: Annotated[Literal["wanted", "open", "merged", "closed", "dropped"], Open]
    error: str | None
    """Why it could not be opened yet"""


class RunReview(Answer):
    verdict: Annotated[Literal["approve", "send_back"], Open]
    by: str
    at: str
    note: str | None


class WorkRun(Answer):
    id: str
    task_id: str
    title: str
    """First line of the task"""
    phase_id: int | float
    attempt: int
    agent: str
    """claude, codex, …, or the name of a program"""
    agent_version: str | None
    worker: str
    host: str
    repository: str | None
    branch: str | None
    base: str | None
    """The branch that the work is for"""
    base_commit: str | None
    head_commit: str | None
    session_id: str | None
    """The agent's own session, with which it can be resumed"""
    state: Annotated[Literal["running", "review", "approved", "completed", "failed", "returned", "lost"], Open]
    stuck: RunStuck | None
    """The agent seems to get nowhere, by the signs of its run; nothing is ended by it"""
    outcome: Annotated[Literal["done", "blocked", "question", "failed", "released"], Open] | None
    summary: str | None
    reason: str | None
    checks: list[RunCheck]
    """In lists without their output"""
    commits: int
    files_changed: int
    insertions: int
    deletions: int
    patch_artifact: str | None
    """The diff; substrate.artifact.get returns it"""
    log_artifact: str | None
    """What the agent printed"""
    events: int
    usage: RunUsage
    merge: Annotated[Literal["merge", "rebase", "patch", "pull_request"], Open]
    merged_commit: str | None
    pull_request: PullRequest | None
    review: RunReview | None
    started_at: str
    last_event_at: str | None
    ended_at: str | None


class ClosedRun(Answer):
    run: WorkRun
    task_status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]


class Task(Answer):
    id: str
    title: str | None
    description: str
    phase_id: int | float
    priority: Annotated[Literal["high", "medium", "low"], Open]
    status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]
    kanban_column: Annotated[Literal["backlog", "ready", "in_progress", "review", "done"], Open]
    tags: list[str]
    metadata: dict[str, Any]
    created_by: str
    assigned_agent_id: str | None
    fencing_token: int | float | None
    """For whoever claimed, in the session of the claim; null for others"""
    lease_seconds: int | float
    lease_expires_at: str | None
    attempts: int | float
    max_attempts: int | float
    needs_review: bool
    blocked_by: list[str]
    progress: str | None
    result: str | None
    failure: str | None
    ended_by: str | None
    """Who ended the last lease, or the task without one"""
    ended_as: Annotated[Literal["holder", "person", "creator", "reviewer", "platform"], Open] | None
    """As what: the holder, its creator, a person, a reviewer, the platform"""
    due_at: str | None
    reserved_for: str | None
    """A claim gives it to this worker only"""
    parent_id: str | None
    """The task that it is a part of"""
    cancelled: bool
    """It has failed because it is no longer wanted"""
    archived_at: str | None
    """Left out of lists and boards since then"""
    created_at: str
    updated_at: str
    started_at: str | None
    completed_at: str | None
    rev: int
    """Increases with each change of status, lease or blockers"""
    edit_rev: int
    """Increases with each edit; pass it as expected_rev"""


class Attachment(Answer):
    artifact_sha256: str
    """substrate.artifact.get returns its content"""
    name: str
    attached_by: str
    attached_at: str


class Comment(Answer):
    id: str
    author: str
    body: str
    created_at: str
    run_id: str | None
    path: str | None
    line: int | None


class TaskLink(Answer):
    id: str
    description: str
    status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]
    assigned_agent_id: str | None


class Heartbeats(Answer):
    count: int
    first_at: str
    last_at: str
    longest_gap_seconds: int | float
    """Longest time without one, from the beginning of the lease"""


class TemplateTask(Answer):
    title: str | None = None
    """{{name}} is a variable, here and in description and tags"""
    description: str | None = None
    phase_id: int
    priority: Annotated[Literal["high", "medium", "low"], Open] | None = None
    tags: list[str] | None = None
    metadata: dict[str, Any] | None = None
    lease_seconds: int | None = None
    max_attempts: int | None = None
    needs_review: bool | None = None
    assign_to: str | None = None
    """Reserve its tasks for this worker"""


class Template(Answer):
    name: str
    task: TemplateTask
    variables: list[str]
    created_by: str
    updated_at: str


class TrackerFilter(Answer):
    labels: list[str] | None = None
    """Issues that carry all of these"""
    assignee: str | None = None
    """User name; in Jira and Linear the name shown, or the address; left out: whoever"""


class TrackerLast(Answer):
    imported: int
    """Issues that became tasks"""
    changed: int
    """Tasks that were edited or ended after their issue"""
    comments: int
    """Comments that came in"""
    written: int
    """Comments written to issues, and issues closed"""
    pulls: int
    """Pull requests opened, merged or closed"""
    left: int
    """Tasks whose issue left those of the tracker, or came back"""
    started_at: str
    ended_at: str
    error: str | None


class Tracker(Answer):
    tracker_id: str
    name: str
    kind: Annotated[Literal["github", "gitlab", "jira", "linear"], Open]
    base_url: str
    repository: str
    remote: str | None
    """Runs of agents in this repository are its pull requests; null: there is no code"""
    filter: TrackerFilter
    phase_id: int | float
    close_done: bool
    every_minutes: int
    status: Annotated[Literal["active", "paused"], Open]
    limited_until: str | None
    """Nothing is asked until then: the other side limits calls"""
    last: TrackerLast | None
    """Null: it has not run yet"""
    created_by: str
    updated_at: str
