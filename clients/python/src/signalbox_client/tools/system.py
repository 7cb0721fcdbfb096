# Written by `npm run gen`. Do not edit.
"""Tools of the domain system."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from .._models import Answer, Call, Open, Part
from .shapes import Approval, ExportAnswer, InboxItem, Job, Judged, LedgerEntry, PolicyVersion, Rate, Ref


class SystemBudgetSaveAnswerBudget(Answer):
    tokens_per_day: int | float | None
    usd_per_day: int | float | None


class SystemBudgetSaveAnswerToday(Answer):
    tokens: int | float
    cost_usd: int | float


class SystemBudgetSaveAnswer(Answer):
    budget: SystemBudgetSaveAnswerBudget
    today: SystemBudgetSaveAnswerToday


class SystemBudgetSave(Call[SystemBudgetSaveAnswer]):
    """What your tenant may use of the language model in a day (UTC), in tokens or USD; null is no limit, 0 switches it off. use_default takes your own budget back. For admins."""

    tool: ClassVar[str] = "system.budget.save"

    tokens_per_day: int | None = None
    usd_per_day: int | float | None = None
    use_default: bool | None = None
    """Back to what is configured for everybody; the other two are not looked at"""


class SystemCallGetAnswerCallJobsError(Answer):
    code: str
    message: str


class SystemCallGetAnswerCallJobs(Answer):
    job_id: str
    kind: str
    title: str
    status: Annotated[Literal["queued", "running", "completed", "failed", "cancelled"], Open]
    progress: dict[str, Any]
    result: dict[str, Any] | None
    error: SystemCallGetAnswerCallJobsError | None
    workflow_id: str
    created_by: str
    created_at: str
    updated_at: str
    finished_at: str | None
    url: str | None


class SystemCallGetAnswerCallSteps(Answer):
    kind: Annotated[Literal["call", "wait", "run", "job"], Open]
    """wait: for a person; run: of the approved call"""
    id: str
    name: str
    started_at: str
    ended_at: str | None
    """null: not over"""
    status: str | None
    error_code: str | None
    url: str | None
    """Of its process"""


class SystemCallGetAnswerCall(Answer):
    tool_call_id: str
    tool_: str = Field(alias="tool")
    called_as: str
    tool_version: int | float
    effect: str
    front: str
    key_id: str
    principal: str
    principal_kind: str
    persona: str
    session_id: str | None
    policy: str | None
    """Name and version of the policy that judged it"""
    input_hash: str
    """Hash of the arguments, which are not stored"""
    status: str | None
    """null: no end was recorded"""
    error_code: str | None
    started_at: str
    ended_at: str | None
    duration_ms: int | float | None
    tokens: int | float | None
    trace_id: str | None
    refs: list[Ref]
    """Records in its answer"""
    entries: list[LedgerEntry]
    approval: Approval | None
    """Only for those who may see it"""
    asked_by_call: str | None
    """The call that asked for what this one ran"""
    ran_as_call: str | None
    """The call that ran after the approval"""
    jobs: list[SystemCallGetAnswerCallJobs]
    steps: list[SystemCallGetAnswerCallSteps]
    """By start: the call, its wait for a person, its jobs, and at most 200 calls of its trace"""


class SystemCallGetAnswer(Answer):
    call: SystemCallGetAnswerCall


class SystemCallGet(Call[SystemCallGetAnswer]):
    """One call in full: caller, verdict and policy, outcome, decision, records in its answer, its jobs, and a timeline with the calls of its trace. Only the hash of the arguments is stored. system.ledger.search finds calls."""

    tool: ClassVar[str] = "system.call.get"

    tool_call_id: str


class SystemCapabilityListAnswerCapabilities(Answer):
    name: str
    tools: list[str]
    description: str


class SystemCapabilityListAnswer(Answer):
    capabilities: list[SystemCapabilityListAnswerCapabilities]
    yours: list[str]
    """Of your key; empty: it is not restricted by capabilities"""


class SystemCapabilityList(Call[SystemCapabilityListAnswer]):
    """What the capabilities of keys stand for, where your tenant says so; cap:index and the like stand for a domain, cap:index:read and cap:index:write for parts of it."""

    tool: ClassVar[str] = "system.capability.list"


class SystemCapabilitySaveAnswer(Answer):
    name: str
    tools: list[str]


class SystemCapabilitySave(Call[SystemCapabilitySaveAnswer]):
    """Names the tools that keys with a capability may use; a star at the end stands for the rest. An empty list takes your own meaning back. For admins."""

    tool: ClassVar[str] = "system.capability.save"

    name: str
    """cap:index stands for a domain, cap:index:read for its reading tools, cap:index:write for the others; or a name of your own"""
    tools: list[str]
    """Canonical names, e.g. work.task.claim or index.*"""
    description: str | None = None


class SystemConnectionDescribeAnswerClients(Answer):
    name: Annotated[Literal["claude-code", "claude-desktop", "cursor", "vscode", "windsurf", "opencode", "codex", "gemini", "qwen", "curl", "langgraph", "a2a"], Open]
    title: str
    format: Annotated[Literal["json", "toml", "sh", "ts"], Open]
    text: str
    file: str | None = None
    """Configuration file of a project"""
    user_file: str | None = None
    command: str | None = None
    """Does the same as the text"""
    after: str
    """What to do next"""


class SystemConnectionDescribeAnswerProfiles(Answer):
    name: Annotated[Literal["core", "worker", "pm-intelligence", "devflow", "agentic-rag", "intelli-platform", "perception", "unified", "all"], Open]
    tools: int | float
    tokens: int | float
    """About"""


class SystemConnectionDescribeAnswerPresets(Answer):
    name: str
    title: str
    role: str
    scopes: list[str]


class SystemConnectionDescribeAnswer(Answer):
    key_placeholder: str
    clients: list[SystemConnectionDescribeAnswerClients]
    profiles: list[SystemConnectionDescribeAnswerProfiles]
    presets: list[SystemConnectionDescribeAnswerPresets]
    scopes: list[str]
    """All scopes that tools require"""


class SystemConnectionDescribe(Call[SystemConnectionDescribeAnswer]):
    """What to copy into the configuration of each client (Claude Code, Cursor, VS Code, …, curl, LangGraph, A2A), with a placeholder for the key; the profiles with their number of tools and tokens; sets of scopes for new keys."""

    tool: ClassVar[str] = "system.connection.describe"

    url: str
    """Address of this server, as the client reaches it"""
    client: Literal["claude-code", "claude-desktop", "cursor", "vscode", "windsurf", "opencode", "codex", "gemini", "qwen", "curl", "langgraph", "a2a"] | None = None
    """Only this one"""
    profile: Literal["core", "worker", "pm-intelligence", "devflow", "agentic-rag", "intelli-platform", "perception", "unified", "all"] | None = None
    """Which tools the client is shown"""
    agent_id: str | None = None
    """Name of the worker"""
    keyed: bool | None = None
    """false: the server needs no key"""


class SystemDataExport(Call[ExportAnswer]):
    """Writes your tenant's records into one file and answers with a link to it that needs no key and ends after 24 hours. Everything in the file is of one moment. system.export.get gives the link of one that took longer."""

    tool: ClassVar[str] = "system.data.export"

    export_type: Literal["entities", "signals", "opportunities", "knowledge_graph", "feedback_log", "full_backup"]
    """feedback_log: what people decided; knowledge_graph: entities, relations, facts and where they are from; full_backup: all records"""
    format: Literal["json", "csv"] | None = None
    """json: one file, exact; csv: a zip with one CSV per table, safe for spreadsheets"""
    date_from: str | None = None
    """By when it happened or was recorded; a date alone is its whole day, UTC"""
    date_to: str | None = None
    """Included"""


class SystemDeprecationListAnswerDeprecatedToolsCallers(Answer):
    principal: str
    calls: int | float


class SystemDeprecationListAnswerDeprecatedTools(Answer):
    name: str
    tool_: str = Field(alias="tool")
    replacement: str
    removed_in: str | None
    """The version that goes without it; null: it stays"""
    since: str | None
    calls_14_days: int | float
    last_used_at: str | None
    callers: list[SystemDeprecationListAnswerDeprecatedToolsCallers]
    """Who called it in these days, at most five"""
    unused: bool
    """Not called for 14 days, and deprecated for 30: nothing of your tenant is in the way of its removal"""


class SystemDeprecationListAnswer(Answer):
    deprecated_tools: list[SystemDeprecationListAnswerDeprecatedTools]


class SystemDeprecationList(Call[SystemDeprecationListAnswer]):
    """Every deprecated name of a tool with its replacement, the version that removes it, if any, and how your tenant still uses it: calls in the last 14 days and the last one."""

    tool: ClassVar[str] = "system.deprecation.list"


class SystemExportGet(Call[ExportAnswer]):
    """How far an export is, and the link to its file once it is done. For people of the tenant, and for the key that asked for it. The file ends 24 hours after it was written."""

    tool: ClassVar[str] = "system.export.get"

    job_id: str
    """Of system.data.export or system.ledger.export"""


class SystemExportListAnswerExportsError(Answer):
    code: str
    message: str


class SystemExportListAnswerExports(Answer):
    job_id: str
    status: str
    export_type: str
    format: str
    filename: str | None = None
    size_bytes: int | float | None = None
    row_counts: dict[str, int | float] | None = None
    """By table"""
    expires_at: str | None = None
    created_by: str
    created_at: str
    finished_at: str | None
    downloadable: bool
    """system.export.get gives the link; false: not written, or expired"""
    error: SystemExportListAnswerExportsError | None


class SystemExportListAnswer(Answer):
    exports: list[SystemExportListAnswerExports]


class SystemExportList(Call[SystemExportListAnswer]):
    """Exports of records and of the ledger, newest first: content, who requested it, outcome, and until when the file can be downloaded. People see all exports of the tenant, agents their own. system.export.get gives the link."""

    tool: ClassVar[str] = "system.export.list"

    limit: int | None = None
    cursor: str | None = None
    """metadata.next_cursor of the page before"""


class SystemHealthGetAnswerDatabase(Answer):
    status: Annotated[Literal["up", "down"], Open]
    latency_ms: int | float | None


class SystemHealthGetAnswerNeo4jSync(Answer):
    status: Annotated[Literal["disabled", "in_sync", "behind", "down"], Open]
    """disabled: the graph is traversed in Postgres alone"""
    pending: int | float | None
    """Entities whose last change is not in Neo4j"""
    lag_seconds: int | float | None


class SystemHealthGetAnswerWorkflowEngine(Answer):
    status: Annotated[Literal["up", "down"], Open]


class SystemHealthGetAnswerVectorStore(Answer):
    kind: Annotated[Literal["pgvector", "qdrant"], Open]
    status: Annotated[Literal["up", "down"], Open]


class SystemHealthGetAnswerEmbeddings(Answer):
    status: Annotated[Literal["up", "down", "disabled"], Open]
    """down: its server does not answer, searches go by words"""
    model: str | None


class SystemHealthGetAnswerLastPipelineRun(Answer):
    job_id: str
    scope: str | None
    status: str
    started_at: str
    finished_at: str | None
    documents: int | float | None
    done: int | float | None
    """Documents so far, while it runs"""
    total: int | float | None


class SystemHealthGetAnswer(Answer):
    status: Annotated[Literal["healthy", "degraded", "unhealthy"], Open]
    """degraded: it works, with less; unhealthy: without its records"""
    database: SystemHealthGetAnswerDatabase
    neo4j_sync: SystemHealthGetAnswerNeo4jSync
    workflow_engine: SystemHealthGetAnswerWorkflowEngine
    vector_store: SystemHealthGetAnswerVectorStore
    embeddings: SystemHealthGetAnswerEmbeddings
    pending_ingestion_jobs: int | float | None
    failed_stages_waiting: int | float | None
    """Items of the dead letter queue that wait for a decision"""
    entity_resolution_queue: int | float | None
    """Doubtful matches that wait for a person"""
    last_pipeline_run: SystemHealthGetAnswerLastPipelineRun | None
    """Null also when there was none"""


class SystemHealthGet(Call[SystemHealthGetAnswer]):
    """Whether the database, the synchronisation with Neo4j, the workflow engine and the vector store work, how many ingestions and doubtful entity matches wait, and how the last pipeline run ended."""

    tool: ClassVar[str] = "system.health.get"


class SystemHealthHistoryAnswerPartsSpans(Answer):
    status: str
    """As system.health.get has it; unwatched: no api looked"""
    from_: str = Field(alias="from")
    to: str
    seconds: int | float


class SystemHealthHistoryAnswerParts(Answer):
    part: Annotated[Literal["database", "workflow_engine", "vector_store", "neo4j_sync"], Open]
    spans: list[SystemHealthHistoryAnswerPartsSpans]


class SystemHealthHistoryAnswer(Answer):
    since: str
    until: str
    parts: list[SystemHealthHistoryAnswerParts]
    """Those that the platform has"""


class SystemHealthHistory(Call[SystemHealthHistoryAnswer]):
    """How the parts of the platform were in the last hours: when each was up, down or behind, and when nobody looked."""

    tool: ClassVar[str] = "system.health.history"

    hours: int | None = None
    """Back from now"""


class SystemInboxGetAnswer(Answer):
    item: InboxItem


class SystemInboxGet(Call[SystemInboxGetAnswer]):
    """One item of system.inbox.list with its full texts, also after its decision. approval.request.get has more about calls."""

    tool: ClassVar[str] = "system.inbox.get"

    kind: Literal["call", "ambiguous", "review", "run", "output", "dead_letter", "definition", "undelivered", "notice"]
    id: str


class SystemInboxListAnswer(Answer):
    items: list[InboxItem]
    counts: dict[str, int]
    """By kind that you may see; 10,001 means more than 10,000"""


class SystemInboxList(Call[SystemInboxListAnswer]):
    """One list: calls to approve, calls of unknown outcome, entity reviews, outputs to judge, dead letters, changed tools of other servers, undelivered events, failed notices. Items that expire first come first. Decide each with its own tool."""

    tool: ClassVar[str] = "system.inbox.list"

    kinds: list[Literal["call", "ambiguous", "review", "run", "output", "dead_letter", "definition", "undelivered", "notice"]] | None = None
    """Only items of these kinds; all kinds are counted"""
    mine: bool | None = None
    """Only calls that you requested"""
    limit: int | None = None
    cursor: str | None = None


class SystemJobCancelAnswer(Answer):
    job: Job


class SystemJobCancel(Call[SystemJobCancelAnswer]):
    """Asks a running job to stop. It takes back what it had half done."""

    tool: ClassVar[str] = "system.job.cancel"

    job_id: str


class SystemJobGetAnswer(Answer):
    job: Job


class SystemJobGet(Call[SystemJobGetAnswer]):
    """State, progress and result of work that goes on after its call was answered, or waits for approval. wait_seconds waits for its end."""

    tool: ClassVar[str] = "system.job.get"

    job_id: str
    wait_seconds: int | None = None


class SystemJobListAnswerJobsError(Answer):
    code: str
    message: str


class SystemJobListAnswerJobs(Answer):
    job_id: str
    kind: str
    title: str
    status: Annotated[Literal["queued", "running", "completed", "failed", "cancelled"], Open]
    progress: dict[str, Any]
    result: dict[str, Any] | None
    error: SystemJobListAnswerJobsError | None
    workflow_id: str
    created_by: str
    created_at: str
    updated_at: str
    finished_at: str | None
    dead_letters: int | float
    """Its stages that are parked: ingest.dlq.list"""
    url: str | None
    """Its process in Temporal's UI"""


class SystemJobListAnswer(Answer):
    jobs: list[SystemJobListAnswerJobs]


class SystemJobList(Call[SystemJobListAnswer]):
    """Work that goes on after its call was answered (ingestions, drafts, merges, exports …), newest first, with stage and progress, its parked stages and its process. system.job.get shows one, system.job.cancel stops it."""

    tool: ClassVar[str] = "system.job.list"

    status: Literal["queued", "running", "completed", "failed", "cancelled", "unfinished"] | None = None
    """unfinished: queued and running"""
    kind: Literal["ingest", "ingest_run", "removal", "pipeline", "merge", "split", "clear_graph", "table_link", "draft", "brief", "daily_brief", "connector_call", "notification", "ledger_verify", "export"] | None = None
    job_ids: list[str] | None = None
    """Only these"""
    limit: int | None = None
    cursor: str | None = None
    """metadata.next_cursor of the page before"""


class SystemLedgerExport(Call[ExportAnswer]):
    """Writes the ledger of your tenant, or a part of it, as JSON lines with the links of its chain, and answers with a link that ends after 24 hours. By time alone the part is widened to whole links, so that signalbox ledger verify --file can hold it against them without the database."""

    tool: ClassVar[str] = "system.ledger.export"

    since: str | None = None
    until: str | None = None
    tool_: str | None = Field(default=None, alias="tool")
    """Canonical name or the spelling used; with any filter but time, links are left out"""
    tool_call_id: str | None = None
    type: Literal["tool.call.started", "tool.call.completed", "tool.call.failed", "tool.call.approval_requested", "tool.call.approved", "tool.call.rejected"] | None = None
    principal: str | None = None
    error_code: str | None = None


class SystemLedgerSearchAnswer(Answer):
    events: list[LedgerEntry]


class SystemLedgerSearch(Call[SystemLedgerSearchAnswer]):
    """Who called which tool when, with what outcome: started, completed and failed events, and what was decided about those that asked a person, newest first. Holds hashes and references, never arguments."""

    tool: ClassVar[str] = "system.ledger.search"

    tool_call_id: str | None = None
    tool_: str | None = Field(default=None, alias="tool")
    """Canonical name or the spelling used"""
    type: Literal["tool.call.started", "tool.call.completed", "tool.call.failed", "tool.call.approval_requested", "tool.call.approved", "tool.call.rejected"] | None = None
    principal: str | None = None
    error_code: str | None = None
    front: Literal["mcp", "rest", "execute", "sse", "stdio", "a2a", "console", "workflow", "link"] | None = None
    changes_only: bool | None = None
    """Only calls of tools that change something"""
    key_id: str | None = None
    trace_id: str | None = None
    session_id: str | None = None
    approval_id: str | None = None
    folded: bool | None = None
    """One entry per call: its end, or its start while it runs. Decisions keep their own entries"""
    since: str | None = None
    until: str | None = None
    limit: int | None = None
    cursor: str | None = None


class SystemLedgerVerifyAnswerHead(Answer):
    link: str
    hash: str


class SystemLedgerVerifyAnswerContains(Answer):
    link: str
    at: str


class SystemLedgerVerifyAnswerBreaches(Answer):
    kind: Annotated[Literal["edited", "missing", "inserted", "unsigned", "broken_link"], Open]
    event_id: str | None = None
    link: str | None = None
    what: str


class SystemLedgerVerifyAnswer(Answer):
    job_id: str
    status: str
    intact: bool | None = None
    """Absent, as all below, while the job goes on"""
    events: int | float | None = None
    links: int | float | None = None
    unlinked: int | float | None = None
    """Written within the last seconds: their own signatures were checked, their order was not"""
    head: SystemLedgerVerifyAnswerHead | None = None
    contains: SystemLedgerVerifyAnswerContains | None = None
    """Link with the given head; null: the chain does not contain it"""
    breaches: list[SystemLedgerVerifyAnswerBreaches] | None = None


class SystemLedgerVerify(Call[SystemLedgerVerifyAnswer]):
    """Reads the whole ledger of your tenant and holds it against its chain: rows that were changed, taken out or put in show. A long one goes on as a job, whose result it is. Keep the head elsewhere to show that the chain itself was not made anew."""

    tool: ClassVar[str] = "system.ledger.verify"

    head: str | None = None
    """Hash of an earlier head, to check that it belongs to this chain"""


class SystemLimitGetAnswerKeys(Answer):
    key_id: str
    name: str
    rate: Rate


class SystemLimitGetAnswerModelToday(Answer):
    tokens: int | float
    cost_usd: int | float


class SystemLimitGetAnswerModelBudget(Answer):
    tokens_per_day: int | float | None
    usd_per_day: int | float | None


class SystemLimitGetAnswerModel(Answer):
    name: str
    today: SystemLimitGetAnswerModelToday
    budget: SystemLimitGetAnswerModelBudget


class SystemLimitGetAnswer(Answer):
    own: Rate
    keys: list[SystemLimitGetAnswerKeys]
    model: SystemLimitGetAnswerModel | None
    """null: none is configured"""


class SystemLimitGet(Call[SystemLimitGetAnswer]):
    """The calls per minute that your key may make and has made, and the remaining budget of the language model for today; for admins also the busiest keys. Counted over all processes."""

    tool: ClassVar[str] = "system.limit.get"

    keys: int | None = None
    """How many of the busiest keys; for admins"""


class SystemModelGetAnswerBudget(Answer):
    tokens_per_day: int | float | None
    """null: no limit"""
    usd_per_day: int | float | None


class SystemModelGetAnswerToday(Answer):
    tokens: int | float
    """Calls under way included, as estimated"""
    cost_usd: int | float


class SystemModelGetAnswerUsage(Answer):
    day: str
    """UTC"""
    purpose: str
    model: str
    calls: int | float
    failed: int | float
    input_tokens: int | float
    output_tokens: int | float
    cost_usd: int | float


class SystemModelGetAnswer(Answer):
    model: str | None
    """provider/model; null: none is configured"""
    budget: SystemModelGetAnswerBudget
    today: SystemModelGetAnswerToday
    usage: list[SystemModelGetAnswerUsage]


class SystemModelGet(Call[SystemModelGetAnswer]):
    """Which language model is configured, what your tenant has used of it by day and purpose, and what it may use in a day. Without a model, or when the budget is spent, everything is done by extraction."""

    tool: ClassVar[str] = "system.model.get"

    days: int | None = None
    """How many days back"""


class SystemOverviewGetAnswerTasks(Answer):
    blocked: int
    """Up to 10,000; 10,001 means more"""
    ready: int
    """Up to 10,000; 10,001 means more"""
    in_progress: int
    """Up to 10,000; 10,001 means more"""
    review: int
    """Up to 10,000; 10,001 means more"""
    done: int
    """Up to 10,000; 10,001 means more"""
    failed: int
    """Up to 10,000; 10,001 means more"""


class SystemOverviewGetAnswerStuck(Answer):
    lapsed: int
    """Up to 10,000; 10,001 means more"""
    silent: int
    """Up to 10,000; 10,001 means more"""
    blocked: int
    """Up to 10,000; 10,001 means more"""
    exhausted: int
    """Up to 10,000; 10,001 means more"""
    waiting: int
    """Up to 10,000; 10,001 means more"""
    count: int
    """Up to 10,000; 10,001 means more"""
    oldest_at: str | None


class SystemOverviewGetAnswerApprovals(Answer):
    count: int
    """Up to 10,000; 10,001 means more"""
    oldest_at: str | None
    next_expires_at: str | None


class SystemOverviewGetAnswerAmbiguous(Answer):
    count: int
    """Up to 10,000; 10,001 means more"""
    oldest_at: str | None


class SystemOverviewGetAnswerReviews(Answer):
    count: int
    """Up to 10,000; 10,001 means more"""
    oldest_at: str | None


class SystemOverviewGetAnswerDeadLetters(Answer):
    count: int
    """Up to 10,000; 10,001 means more"""
    oldest_at: str | None


class SystemOverviewGetAnswerOutputs(Answer):
    count: int
    """Up to 10,000; 10,001 means more"""
    oldest_at: str | None


class SystemOverviewGetAnswerExternalTools(Answer):
    waiting: int
    """Up to 10,000; 10,001 means more"""
    changed: int
    """Up to 10,000; 10,001 means more"""


class SystemOverviewGetAnswerUndelivered(Answer):
    count: int
    """Up to 10,000; 10,001 means more"""
    oldest_at: str | None


class SystemOverviewGetAnswerFailedNotices(Answer):
    count: int
    """Up to 10,000; 10,001 means more"""
    oldest_at: str | None


class SystemOverviewGetAnswerAgents(Answer):
    healthy: int
    """Up to 10,000; 10,001 means more"""
    unhealthy: int
    """Up to 10,000; 10,001 means more"""
    offline: int
    """Up to 10,000; 10,001 means more"""
    none: int
    """Up to 10,000; 10,001 means more"""
    paused: int
    """Up to 10,000; 10,001 means more"""


class SystemOverviewGetAnswerTodayTasksCreated(Answer):
    now: int
    """Up to 10,000; 10,001 means more"""
    week_before: int
    """Up to 10,000; 10,001 means more"""


class SystemOverviewGetAnswerTodayTasksDone(Answer):
    now: int
    """Up to 10,000; 10,001 means more"""
    week_before: int
    """Up to 10,000; 10,001 means more"""


class SystemOverviewGetAnswerToday(Answer):
    tasks_created: SystemOverviewGetAnswerTodayTasksCreated
    tasks_done: SystemOverviewGetAnswerTodayTasksDone


class SystemOverviewGetAnswerJobsRunningError(Answer):
    code: str
    message: str


class SystemOverviewGetAnswerJobsRunning(Answer):
    job_id: str
    kind: str
    title: str
    status: Annotated[Literal["queued", "running", "completed", "failed", "cancelled"], Open]
    progress: dict[str, Any]
    result: dict[str, Any] | None
    error: SystemOverviewGetAnswerJobsRunningError | None
    workflow_id: str
    created_by: str
    created_at: str
    updated_at: str
    finished_at: str | None
    url: str | None


class SystemOverviewGetAnswerJobs(Answer):
    count: int
    """Up to 10,000; 10,001 means more"""
    running: list[SystemOverviewGetAnswerJobsRunning]
    """The newest 10 that run"""


class SystemOverviewGetAnswer(Answer):
    at: str
    """When it was counted"""
    tasks: SystemOverviewGetAnswerTasks
    stuck: SystemOverviewGetAnswerStuck
    """Tasks that do not move, also by reason: those that work.task.list lists with `stuck`"""
    approvals: SystemOverviewGetAnswerApprovals
    """Calls that wait for a decision; of others only for whoever may decide"""
    ambiguous: SystemOverviewGetAnswerAmbiguous
    """Approved calls of which nobody knows whether they took effect"""
    reviews: SystemOverviewGetAnswerReviews
    """Doubtful matches of entities"""
    dead_letters: SystemOverviewGetAnswerDeadLetters
    """Stages of ingestions that failed for good, and refused documents"""
    outputs: SystemOverviewGetAnswerOutputs
    """Outputs of agents to judge"""
    external_tools: SystemOverviewGetAnswerExternalTools
    """Tools of other servers: not approved yet, and changed since"""
    undelivered: SystemOverviewGetAnswerUndelivered
    """Events that a subscriber did not take"""
    failed_notices: SystemOverviewGetAnswerFailedNotices
    """Notifications that were not delivered, or whose delivery is unknown; a failed digest counts once"""
    agents: SystemOverviewGetAnswerAgents
    """By health; paused ones apart"""
    today: SystemOverviewGetAnswerToday
    """Since midnight UTC, beside the same weekday a week before until the same time of day"""
    jobs: SystemOverviewGetAnswerJobs


class SystemOverviewGet(Call[SystemOverviewGetAnswer]):
    """In one call: tasks by status and how many are stuck, what waits for a person (approvals, reviews, dead letters, outputs, changed tools, undelivered events), agents by health, running jobs."""

    tool: ClassVar[str] = "system.overview.get"


class SystemPolicyExplainAnswerPolicy(Answer):
    name: str
    version: str
    level: str
    rules: int | float


class SystemPolicyExplainAnswer(Answer):
    tool_: str = Field(alias="tool")
    effect: Annotated[Literal["allow", "ask", "deny"], Open]
    rule: str
    reason: str
    hint: str | None
    policy: SystemPolicyExplainAnswerPolicy
    session_id: str | None
    seen: dict[str, Any]
    """What rules see of the call"""


class SystemPolicyExplain(Call[SystemPolicyExplainAnswer]):
    """Why a call of yours is allowed, refused, or would wait for a person: which rule decides, under which policy and version, and what rules can see of it. Calls nothing."""

    tool: ClassVar[str] = "system.policy.explain"

    tool_: str = Field(alias="tool")
    """Any spelling"""


class SystemPolicyHistoryAnswer(Answer):
    versions: list[PolicyVersion]


class SystemPolicyHistory(Call[SystemPolicyHistoryAnswer]):
    """The saved versions of a policy, newest first: the definition of each, who saved it, when and why. An unchanged built-in level has none."""

    tool: ClassVar[str] = "system.policy.history"

    name: str
    """A level of care (open, standard, careful, strict) or a name of your own"""
    limit: int | None = None
    cursor: str | None = None


class SystemPolicyListAnswer(Answer):
    policies: list[PolicyVersion]


class SystemPolicyList(Call[SystemPolicyListAnswer]):
    """The levels of care and the policies of your own, each with its newest version. A key or a session names the one that holds for it."""

    tool: ClassVar[str] = "system.policy.list"


class SystemPolicySaveAnswer(Answer):
    name: str
    version: int | float


class SystemPolicySaveRules(Part):
    when: str
    """CEL over tool, caller and session, e.g. tool.domain == "connector" && caller.kind == "agent" """
    effect: Literal["allow", "ask", "deny"]
    reason: str
    """Told to whoever is refused or has to wait"""


class SystemPolicySave(Call[SystemPolicySaveAnswer]):
    """Makes a new version of a policy: a level of care, and rules in CEL that allow, ask or deny before it. Approvals given under an older version no longer work. For admins."""

    tool: ClassVar[str] = "system.policy.save"

    base: Literal["open", "standard", "careful", "strict"]
    """What holds where no rule fits"""
    rules: list[SystemPolicySaveRules] | None = None
    """In order; the first that fits decides, but what always needs a person still does"""
    four_eyes: bool | None = None
    """The requester of a call may not approve it, whatever their role"""
    name: str
    """A level of care (open, standard, careful, strict) or a name of your own"""
    note: str | None = None
    """What was changed and why"""


class SystemPolicySimulateAnswerPolicy(Answer):
    name: str
    version: int
    drafted: bool


class SystemPolicySimulateAnswerAs(Answer):
    role: str
    kind: str
    team: str | None
    scopes: list[str]
    capabilities: list[str]
    front: str


class SystemPolicySimulateAnswerTools(Answer):
    tool_: str = Field(alias="tool")
    title: str
    effect: str
    before: Judged
    after: Judged


class SystemPolicySimulateAnswerInvalidatedApprovals(Answer):
    approval_id: str
    tool_: str = Field(alias="tool")
    requested_by: str


class SystemPolicySimulateAnswerInvalidated(Answer):
    count: int
    """Up to 100; 101 means more"""
    approvals: list[SystemPolicySimulateAnswerInvalidatedApprovals]


class SystemPolicySimulateAnswerReplayChanged(Answer):
    before: Annotated[Literal["allow", "ask", "deny"], Open]
    after: Annotated[Literal["allow", "ask", "deny"], Open]
    calls: int


class SystemPolicySimulateAnswerReplayAffected(Answer):
    tool_: str = Field(alias="tool")
    principal: str
    role: str
    front: str
    before: Judged
    after: Judged
    calls: int
    last_at: str
    tool_call_ids: list[str]
    """The newest, at most five"""
    depends_on_arguments: bool
    """Whether this tool asks depends on its arguments (a dry run does not), which are not kept"""


class SystemPolicySimulateAnswerReplayRules(Answer):
    rule: str
    before: int
    after: int


class SystemPolicySimulateAnswerReplayNotJudged(Answer):
    reason: str
    calls: int


class SystemPolicySimulateAnswerReplay(Answer):
    days: int
    looked_at: int
    """Calls of these days that were looked at, newest first"""
    more: bool
    """There are more than 50000: older ones were not looked at"""
    calls: int
    """Of these, calls under this policy: they were judged again"""
    changed: list[SystemPolicySimulateAnswerReplayChanged]
    """Calls that would get another verdict, by present and new verdict"""
    affected: list[SystemPolicySimulateAnswerReplayAffected]
    """The changed calls by tool and caller, most first, at most 100"""
    rules: list[SystemPolicySimulateAnswerReplayRules]
    """How many of the calls each rule decides, as saved and as drafted"""
    not_judged: list[SystemPolicySimulateAnswerReplayNotJudged]
    """Calls under this policy that could not be judged again"""
    notes: list[str]
    """Limits of this answer"""


class SystemPolicySimulateAnswer(Answer):
    policy: SystemPolicySimulateAnswerPolicy
    as_: SystemPolicySimulateAnswerAs = Field(alias="as")
    judged: int
    """Tools that were judged"""
    changed: int
    """Tools whose verdict differs"""
    tools: list[SystemPolicySimulateAnswerTools]
    invalidated: SystemPolicySimulateAnswerInvalidated
    """Undecided approvals under this policy: a new version makes them void"""
    replay: SystemPolicySimulateAnswerReplay | None


class SystemPolicySimulateDefinitionRules(Part):
    when: str
    """CEL over tool, caller and session, e.g. tool.domain == "connector" && caller.kind == "agent" """
    effect: Literal["allow", "ask", "deny"]
    reason: str
    """Told to whoever is refused or has to wait"""


class SystemPolicySimulateDefinition(Part):
    base: Literal["open", "standard", "careful", "strict"]
    """What holds where no rule fits"""
    rules: list[SystemPolicySimulateDefinitionRules] | None = None
    """In order; the first that fits decides, but what always needs a person still does"""
    four_eyes: bool | None = None
    """The requester of a call may not approve it, whatever their role"""


class SystemPolicySimulateAs(Part):
    role: Literal["admin", "pm", "pm_leader", "operator", "new_pm", "stakeholder", "agent", "readonly"] | None = None
    kind: Literal["human", "agent"] | None = None
    """Default: agent for the role agent, else human"""
    name: str | None = None
    """As rules see it; default: somebody"""
    team: str | None = None
    """A stakeholder team, whose scope applies"""
    scopes: list[str] | None = None
    """Of its key; none: what its role allows"""
    capabilities: list[str] | None = None
    """Of its key; none: its role and scopes decide"""
    front: Literal["mcp", "rest", "console", "a2a", "stdio"] | None = None
    """How it calls"""


class SystemPolicySimulate(Call[SystemPolicySimulateAnswer]):
    """Before a policy is saved: the verdict of each tool as saved and as drafted, for any role, kind, team, scopes and capabilities; how many calls of the last days would get another verdict, and which; which approvals would become void. Changes nothing."""

    tool: ClassVar[str] = "system.policy.simulate"

    policy: str | None = None
    """The policy in question; default: your own"""
    definition: SystemPolicySimulateDefinition | None = None
    """The draft; absent: the definition in force"""
    as_: SystemPolicySimulateAs | None = Field(default=None, alias="as")
    """Who calls; absent: you"""
    tools: list[str] | None = None
    """Only these; absent: all"""
    show: Literal["changed", "all"] | None = None
    """Which tools to return; default: changed tools of a draft, else all"""
    replay_days: int | None = None
    """Days whose calls are judged again; needs ledger:read"""


class SystemSessionCloseAnswerSession(Answer):
    session_id: str
    name: str
    mounts: list[str] | None
    tools: list[str]
    policy: str | None
    profile: str | None
    created_at: str
    expires_at: str
    closed_at: str | None


class SystemSessionCloseAnswer(Answer):
    session: SystemSessionCloseAnswerSession


class SystemSessionClose(Call[SystemSessionCloseAnswer]):
    """Ends a work session of yours; what it started goes on."""

    tool: ClassVar[str] = "system.session.close"

    session_id: str
    """Of system.session.open; sent along as X-Session-Id, or _meta["signalbox/session_id"]"""


class SystemSessionGetAnswerSession(Answer):
    session_id: str
    name: str
    mounts: list[str] | None
    tools: list[str]
    policy: str | None
    profile: str | None
    created_at: str
    expires_at: str
    closed_at: str | None


class SystemSessionGetAnswer(Answer):
    session: SystemSessionGetAnswerSession


class SystemSessionGet(Call[SystemSessionGetAnswer]):
    """What is mounted in a work session of yours, and until when it lasts."""

    tool: ClassVar[str] = "system.session.get"

    session_id: str
    """Of system.session.open; sent along as X-Session-Id, or _meta["signalbox/session_id"]"""


class SystemSessionOpenAnswerSession(Answer):
    session_id: str
    name: str
    mounts: list[str] | None
    tools: list[str]
    policy: str | None
    profile: str | None
    created_at: str
    expires_at: str
    closed_at: str | None


class SystemSessionOpenAnswer(Answer):
    session: SystemSessionOpenAnswerSession


class SystemSessionOpen(Call[SystemSessionOpenAnswer]):
    """Opens a span of work of your own: which connectors and external servers may be used, which tools lists show, how careful to be. It narrows what your key may do, never widens it. Send its id with each call."""

    tool: ClassVar[str] = "system.session.open"

    name: str | None = None
    mounts: list[str] | None = None
    """Connectors and external servers that may be used; left out: all"""
    tools: list[str] | None = None
    """Tools that lists show beside the profile, by any spelling"""
    policy: str | None = None
    """A level of care (open, standard, careful, strict) or a name of your own"""
    ttl_seconds: int | None = None


class SystemSessionUpdateAnswerSession(Answer):
    session_id: str
    name: str
    mounts: list[str] | None
    tools: list[str]
    policy: str | None
    profile: str | None
    created_at: str
    expires_at: str
    closed_at: str | None


class SystemSessionUpdateAnswer(Answer):
    session: SystemSessionUpdateAnswerSession


class SystemSessionUpdate(Call[SystemSessionUpdateAnswer]):
    """Takes tools, connectors or external servers along in a session, or leaves them behind. Given lists replace what was there."""

    tool: ClassVar[str] = "system.session.update"

    session_id: str
    """Of system.session.open; sent along as X-Session-Id, or _meta["signalbox/session_id"]"""
    mounts: list[str] | None = None
    """Connectors and external servers that may be used; left out: all"""
    tools: list[str] | None = None
    """Tools that lists show beside the profile, by any spelling"""


class SystemToolCall(Call[Any]):
    """Calls any tool by name, also one that is not in your list: system.tool.search finds it, system.tool.describe shows its arguments. Same rights, approval, record and answer as a direct call."""

    tool: ClassVar[str] = "system.tool.call"

    name: str
    """As found"""
    arguments: dict[str, Any] | None = None
    """Of that tool"""


class SystemToolDescribeAnswerAliases(Answer):
    name: str
    system: str
    deprecated: bool


class SystemToolDescribeAnswer(Answer):
    name: str
    alias_of: str | None = None
    title: str
    description: str
    version: int | float
    effect: str
    idempotent: bool
    external: bool
    approval: str
    scopes: list[str]
    latency: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    aliases: list[SystemToolDescribeAnswerAliases]
    tokens: int | float
    """About how many it costs in a list of tools"""
    example: dict[str, Any] | None
    """Arguments that the schema accepts"""
    how_to_call: str | None = None


class SystemToolDescribe(Call[SystemToolDescribeAnswer]):
    """Everything about one tool, by any of its names: arguments, answer, effect, scopes, other spellings."""

    tool: ClassVar[str] = "system.tool.describe"

    name: str


class SystemToolListAnswerDomainsTools(Answer):
    name: str
    title: str
    effect: str
    approval: str
    aliases: list[str]


class SystemToolListAnswerDomains(Answer):
    domain: str
    tools: list[SystemToolListAnswerDomainsTools]


class SystemToolListAnswer(Answer):
    domains: list[SystemToolListAnswerDomains]


class SystemToolList(Call[SystemToolListAnswer]):
    """Names and titles of every tool you may call, by domain, or only those of one domain."""

    tool: ClassVar[str] = "system.tool.list"

    domain: str | None = None
    """e.g. work, index, system"""


class SystemToolSearchAnswerTools(Answer):
    name: str
    title: str
    description: str
    effect: str
    score: int | float
    input_schema: dict[str, Any] | None = None


class SystemToolSearchAnswerSteps(Answer):
    step: str
    tools: list[str]


class SystemToolSearchAnswer(Answer):
    tools: list[SystemToolSearchAnswerTools]
    steps: list[SystemToolSearchAnswerSteps] | None = None
    """The parts of a query that asks for several things, each with its tools, best first"""
    how_to_call: str | None = None


class SystemToolSearch(Call[SystemToolSearchAnswer]):
    """Finds tools by what you want to do, beyond those listed. system.tool.describe shows the arguments of what is found, system.tool.call calls it."""

    tool: ClassVar[str] = "system.tool.search"

    query: str
    """What you want to do, in a few words; a text with several steps is split"""
    limit: int | None = None
    with_schema: bool | None = None
    """Include the arguments of each"""
