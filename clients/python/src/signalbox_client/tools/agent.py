# Written by `npm run gen`. Do not edit.
"""Tools of the domain agent."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from .._models import Answer, Call, Open, Part
from .shapes import A2aTaskDetail, DelegatedTask, Session, SessionMessage


class AgentA2aCancelAnswer(Answer):
    task: A2aTaskDetail


class AgentA2aCancel(Call[AgentA2aCancelAnswer]):
    """Cancels an A2A task that has not ended: your own, or any task of the tenant if you may decide approvals."""

    tool: ClassVar[str] = "agent.a2a.cancel"

    task_id: str
    """From agent.a2a.list"""


class AgentA2aGetAnswer(Answer):
    task: A2aTaskDetail


class AgentA2aGet(Call[AgentA2aGetAnswer]):
    """An A2A task that was sent to this platform: its state, messages and artifacts, and the tool or the board task that does the work."""

    tool: ClassVar[str] = "agent.a2a.get"

    task_id: str
    """From agent.a2a.list"""


class AgentA2aListAnswerTasks(Answer):
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


class AgentA2aListAnswer(Answer):
    tasks: list[AgentA2aListAnswerTasks]


class AgentA2aList(Call[AgentA2aListAnswer]):
    """A2A tasks that peers have sent to this platform, last changed first. A person sees all tasks of the tenant, an agent its own."""

    tool: ClassVar[str] = "agent.a2a.list"

    state: Literal["submitted", "working", "input_required", "auth_required", "completed", "failed", "canceled", "rejected"] | None = None
    context_id: str | None = None
    limit: int | None = None
    cursor: str | None = None


class AgentA2aSendAnswer(Answer):
    task: A2aTaskDetail


class AgentA2aSend(Call[AgentA2aSendAnswer]):
    """Sends a message to this platform as an A2A peer would: plain text, or a skill with arguments. The message becomes an A2A task; with task_id it answers a waiting task. agent.a2a.get shows the result."""

    tool: ClassVar[str] = "agent.a2a.send"

    text: str | None = None
    """Plain text"""
    skill: str | None = None
    """Id of a skill on the agent card"""
    arguments: dict[str, Any] | None = None
    """Arguments of the skill"""
    task_id: str | None = None
    """The task that waits for this message"""
    context_id: str | None = None
    wait_seconds: int | None = None
    """How long to wait until the task ends or asks for input"""


class AgentActivityListAnswerAgents(Answer):
    id: str
    phase_id: int | float | None
    task_id: str | None
    status: Annotated[Literal["working", "idle", "unhealthy", "paused"], Open]
    coherence_score: int | float | None
    last_action: str | None
    last_action_at: str | None
    activity: str | None
    started_at: str | None


class AgentActivityListAnswer(Answer):
    agents: list[AgentActivityListAnswerAgents]


class AgentActivityList(Call[AgentActivityListAnswer]):
    """Everybody who holds a task or is registered and present, those at work first: task, phase, state, last tool called, and what they say of themselves."""

    tool: ClassVar[str] = "agent.activity.list"

    limit: int | None = None


class AgentCapabilityListAnswer(Answer):
    capabilities: dict[str, list[str]]


class AgentCapabilityList(Call[AgentCapabilityListAnswer]):
    """All capabilities in your tenant, each with the ids of the agents that have it. agent.peer.list shows their schemas."""

    tool: ClassVar[str] = "agent.capability.list"


class AgentHistoryListAnswerHistory(Answer):
    id: str
    event: str
    """One of registered, updated, healthy, unhealthy, offline, paused, activated, rolled_back, unregistered, removed"""
    detail: dict[str, Any]
    """Details of the change, e.g. reason, from, to"""
    actor: str
    at: str


class AgentHistoryListAnswer(Answer):
    history: list[AgentHistoryListAnswerHistory]


class AgentHistoryList(Call[AgentHistoryListAnswer]):
    """Changes of an agent, newest first: registered, healthy, unhealthy, offline, paused, activated, rolled back, removed; by whom and why. Covers removed agents, too. agent.version.list has the definitions, agent.presence.get the presence as intervals."""

    tool: ClassVar[str] = "agent.history.list"

    agent_id: str
    """Of agent.peer.list or agent.registry.list"""
    events: list[Literal["registered", "updated", "healthy", "unhealthy", "offline", "paused", "activated", "rolled_back", "unregistered", "removed"]] | None = None
    """Only these changes"""
    limit: int | None = None
    cursor: str | None = None
    """metadata.next_cursor of the page before"""


class AgentMessageAcknowledgeAnswer(Answer):
    acknowledged: list[str]


class AgentMessageAcknowledge(Call[AgentMessageAcknowledgeAnswer]):
    """Marks messages of your inbox as read, so that agent.message.list shows them no more. Again it changes nothing."""

    tool: ClassVar[str] = "agent.message.acknowledge"

    message_ids: list[str]


class AgentMessageListAnswerMessages(Answer):
    message_id: str
    from_: str = Field(alias="from")
    message: str
    data: dict[str, Any] | None
    reply_to: str | None
    delivered_at: str
    acknowledged_at: str | None


class AgentMessageListAnswer(Answer):
    messages: list[AgentMessageListAnswerMessages]
    unread: int | float


class AgentMessageList(Call[AgentMessageListAnswer]):
    """Your messages, oldest unread first. With wait_seconds it waits for one when there is none. Acknowledge what you have read with agent.message.acknowledge, else it comes again."""

    tool: ClassVar[str] = "agent.message.list"

    agent_id: str | None = None
    """Whose; default: your own. People may read any"""
    include_read: bool | None = None
    limit: int | None = None
    cursor: str | None = None
    wait_seconds: int | float | None = None
    """How long to wait for a message when there is none"""


class AgentMessageSendAnswer(Answer):
    status: Annotated[Literal["delivered"], Open]
    delivered_at: str
    message_id: str


class AgentMessageSend(Call[AgentMessageSendAnswer]):
    """Puts a message into the inbox of an agent of your tenant, where it stays until it is acknowledged, also when the agent is away. It reads it with agent.message.list."""

    tool: ClassVar[str] = "agent.message.send"

    agent_id: str
    """To whom: a registered agent, or any name that works here or will"""
    message: str
    data: dict[str, Any] | None = None
    """The same for machines"""
    reply_to: str | None = None
    """Message that this answers"""


class AgentOutputReviewAnswerGroupsOutputs(Answer):
    output_id: str
    agent_id: str
    agent_version: int | float
    kind: str
    title: str
    content: str
    artifact_ref: str | None
    status: Annotated[Literal["pending", "accepted", "corrected", "rejected"], Open]
    correction: str | None
    notes: str | None
    decided_by: str | None
    decided_at: str | None
    created_at: str


class AgentOutputReviewAnswerGroups(Answer):
    agent_id: str
    name: str
    outputs: list[AgentOutputReviewAnswerGroupsOutputs]


class AgentOutputReviewAnswerOutput(Answer):
    output_id: str
    agent_id: str
    agent_version: int | float
    kind: str
    title: str
    content: str
    artifact_ref: str | None
    status: Annotated[Literal["pending", "accepted", "corrected", "rejected"], Open]
    correction: str | None
    notes: str | None
    decided_by: str | None
    decided_at: str | None
    created_at: str


class AgentOutputReviewAnswer(Answer):
    groups: list[AgentOutputReviewAnswerGroups] | None = None
    output: AgentOutputReviewAnswerOutput | None = None


class AgentOutputReview(Call[AgentOutputReviewAnswer]):
    """Lists outputs of agents that wait for a person, by agent; with output_id and decision (accept, correct, reject) judges one, once. People only. Accepting or correcting a signal_classification (JSON with class, sentiment, severity) corrects the signal; the classifier learns."""

    tool: ClassVar[str] = "agent.output.review"

    agent_id: str | None = None
    """Only outputs of this agent"""
    status: Literal["pending", "accepted", "corrected", "rejected", "all"] | None = None
    limit: int | None = None
    output_id: str | None = None
    """To judge: which output"""
    decision: Literal["accept", "correct", "reject"] | None = None
    """To judge: accept, correct (with correction) or reject"""
    correction: str | None = None
    """What it should have been; the original is kept beside it"""
    notes: str | None = None
    """Why; the agent reads it"""


class AgentOutputSubmitAnswer(Answer):
    output_id: str
    agent_id: str
    agent_version: int | float
    status: Annotated[Literal["pending", "accepted", "corrected", "rejected"], Open]
    created_at: str


class AgentOutputSubmit(Call[AgentOutputSubmitAnswer]):
    """Hands in what you produced for a person to accept, correct or reject. The verdict comes to your inbox (agent.message.list) and counts in your acceptance rate."""

    tool: ClassVar[str] = "agent.output.submit"

    kind: str
    """What sort of output, e.g. summary; signal_classification has JSON as content: signal_id with class, sentiment or severity"""
    title: str
    content: str
    artifact_ref: str | None = None
    """Artifact that holds the whole of it"""
    agent_id: str | None = None
    """Default: you"""


class AgentPeerHeartbeatAnswer(Answer):
    status: Annotated[Literal["ok"], Open]


class AgentPeerHeartbeatUsage(Part):
    calls: int | None = None
    tokens: int | None = None
    cost_usd: int | float | None = None


class AgentPeerHeartbeat(Call[AgentPeerHeartbeatAnswer]):
    """A sign of life, every 30 seconds. After 60 seconds without one an agent is unhealthy, after as long again offline, and its tasks go to others. The next one makes it healthy again."""

    tool: ClassVar[str] = "agent.peer.heartbeat"

    agent_id: str
    """Of agent.peer.list or agent.registry.list"""
    coherence_score: int | float | None = None
    """How well it thinks it is on course"""
    activity: str | None = None
    """What it is doing"""
    usage: AgentPeerHeartbeatUsage | None = None
    """Since the last heartbeat; added up by day"""


class AgentPeerListAnswerAgentsCapabilities(Answer):
    name: str
    description: str | None = None
    parameters_schema: dict[str, Any] | None = None
    returns_schema: dict[str, Any] | None = None


class AgentPeerListAnswerAgents(Answer):
    agent_id: str
    agent_type: str
    endpoint_url: str | None
    capabilities: list[AgentPeerListAnswerAgentsCapabilities]
    tenant_id: str
    registered_at: str
    last_heartbeat: str | None
    health_status: Annotated[Literal["none", "healthy", "unhealthy", "offline"], Open]
    metadata: dict[str, Any]
    kind: Annotated[Literal["managed", "worker", "peer"], Open]
    protocol: str | None
    status: Annotated[Literal["active", "paused"], Open]


class AgentPeerListAnswer(Answer):
    agents: list[AgentPeerListAnswerAgents]


class AgentPeerList(Call[AgentPeerListAnswer]):
    """Agents of your tenant and the platform itself, with endpoint, capabilities and health; those that are silent only with healthy_only false. Pick one for agent.task.delegate or agent.message.send."""

    tool: ClassVar[str] = "agent.peer.list"

    capability: str | None = None
    """Only agents that can do this"""
    agent_id: str | None = None
    """Only this one; of the platform itself, also the schemas"""
    healthy_only: bool | None = None
    limit: int | None = None


class AgentPeerRegisterAnswer(Answer):
    agent_id: str
    registered_at: str


class AgentPeerRegisterCapabilities(Part):
    name: str
    description: str | None = None
    parameters_schema: dict[str, Any] | None = None
    returns_schema: dict[str, Any] | None = None
    estimated_duration_ms: int | None = None


class AgentPeerRegister(Call[AgentPeerRegisterAnswer]):
    """Makes another agent known, so that tasks can be delegated to it: by its endpoint and capabilities, or by the card of a standard A2A agent. Send agent.peer.heartbeat every 30 seconds afterwards; without heartbeats it counts as unhealthy after 60."""

    tool: ClassVar[str] = "agent.peer.register"

    agent_type: str
    """What sort of agent it is, e.g. researcher"""
    endpoint_url: str | None = None
    """Where it takes POST /a2a/tasks"""
    card_url: str | None = None
    """Instead: the card of a standard A2A agent; its skills become capabilities"""
    capabilities: list[AgentPeerRegisterCapabilities] | None = None
    """What it can do; parameters_schema and returns_schema are JSON Schemas"""
    name: str | None = None
    description: str | None = None
    stable_key: str | None = None
    """Your own name for it: registered again under it, it is updated. Without it each call is a new agent"""
    metadata: dict[str, Any] | None = None
    """Anything else about it"""
    credential: str | None = None
    """What its endpoint wants to be shown; kept sealed, never shown again"""


class AgentPeerUnregisterAnswer(Answer):
    agent_id: str
    removed_at: str


class AgentPeerUnregister(Call[AgentPeerUnregisterAnswer]):
    """Takes an agent out of the registry: it is no longer watched and nothing is delegated to it. Again it changes nothing."""

    tool: ClassVar[str] = "agent.peer.unregister"

    agent_id: str
    """Of agent.peer.list or agent.registry.list"""


class AgentPresenceGetAnswerSpans(Answer):
    state: Annotated[Literal["healthy", "unhealthy", "offline", "none", "paused", "absent"], Open]
    from_: str = Field(alias="from")
    to: str
    seconds: int | float
    reason: str | None
    """Why it was paused"""


class AgentPresenceGetAnswer(Answer):
    since: str
    """Later than requested if there are too many changes"""
    until: str
    spans: list[AgentPresenceGetAnswerSpans]


class AgentPresenceGet(Call[AgentPresenceGetAnswer]):
    """When an agent was healthy, unhealthy, offline, paused or not registered: intervals without gaps over the last hours, oldest first. agent.history.list tells who paused it."""

    tool: ClassVar[str] = "agent.presence.get"

    agent_id: str
    """Of agent.peer.list or agent.registry.list"""
    hours: int | None = None


class AgentRegistryActivateAnswer(Answer):
    agent_id: str
    status: Annotated[Literal["active", "paused"], Open]
    reason: str | None
    at: str


class AgentRegistryActivate(Call[AgentRegistryActivateAnswer]):
    """Ends the pause of an agent: it may claim tasks and be delegated to again."""

    tool: ClassVar[str] = "agent.registry.activate"

    agent_id: str
    """Of agent.peer.list or agent.registry.list"""
    reason: str | None = None


class AgentRegistryDeactivateAnswer(Answer):
    agent_id: str
    status: Annotated[Literal["active", "paused"], Open]
    reason: str | None
    at: str


class AgentRegistryDeactivate(Call[AgentRegistryDeactivateAnswer]):
    """Pauses an agent: it claims no new tasks and nothing is delegated to it. What it holds it may finish. agent.registry.activate lets it go on."""

    tool: ClassVar[str] = "agent.registry.deactivate"

    agent_id: str
    """Of agent.peer.list or agent.registry.list"""
    reason: str
    """Why; kept, and shown to whoever asks"""


class AgentRegistryListAnswerAgentsSlos(Answer):
    name: Annotated[Literal["acceptance_rate", "error_rate", "coherence"], Open]
    target: int | float
    actual: int | float | None
    met: bool | None


class AgentRegistryListAnswerAgentsTasks(Answer):
    task_id: str
    phase_id: int | float
    title: str
    started_at: str | None
    lease_expires_at: str | None


class AgentRegistryListAnswerAgentsCost(Answer):
    calls: int | float
    tokens: int | float
    cost_usd: int | float


class AgentRegistryListAnswerAgentsCostToday(Answer):
    calls: int | float
    tokens: int | float
    cost_usd: int | float


class AgentRegistryListAnswerAgentsQuality(Answer):
    judged: int | float
    acceptance_rate: int | float | None
    error_rate: int | float | None


class AgentRegistryListAnswerAgents(Answer):
    agent_id: str
    name: str
    description: str
    kind: Annotated[Literal["managed", "worker", "peer"], Open]
    agent_type: str
    status: Annotated[Literal["active", "paused"], Open]
    status_reason: str | None
    health: Annotated[Literal["none", "healthy", "unhealthy", "offline"], Open]
    health_since: str
    version: int | float
    slos: list[AgentRegistryListAnswerAgentsSlos]
    coherence: int | float | None
    """As the agent reports it, from 0 to 1"""
    activity: str | None
    """What it reports to be doing"""
    tasks: list[AgentRegistryListAnswerAgentsTasks]
    """Tasks that it holds now, at most ten"""
    cost: AgentRegistryListAnswerAgentsCost
    cost_today: AgentRegistryListAnswerAgentsCostToday
    """Since midnight, UTC"""
    quality: AgentRegistryListAnswerAgentsQuality
    last_action: str | None
    last_action_at: str | None
    last_activity_at: str | None
    registered_at: str


class AgentRegistryListAnswer(Answer):
    agents: list[AgentRegistryListAnswerAgents]


class AgentRegistryList(Call[AgentRegistryListAnswer]):
    """Registered agents with state, health, version, service objectives and whether they are met, reported cost and latest action, over 30 days. Pause one with agent.registry.deactivate; see what waits for judgement with agent.output.review."""

    tool: ClassVar[str] = "agent.registry.list"

    status: Literal["active", "paused", "all"] | None = None
    """Paused ones get no work"""
    kind: Literal["managed", "worker", "peer"] | None = None
    health: Literal["none", "healthy", "unhealthy", "offline"] | None = None
    search: str | None = None
    """Part of an id or a name"""
    agent_id: str | None = None
    """Only this one"""
    order: Literal["registered", "name", "gravity"] | None = None
    """gravity: offline and unhealthy ones first"""
    limit: int | None = None
    cursor: str | None = None
    """metadata.next_cursor of the page before"""


class AgentRegistryRegisterAnswer(Answer):
    agent_id: str
    kind: str
    version: int | float
    health: Annotated[Literal["none", "healthy", "unhealthy", "offline"], Open]
    registered_at: str


class AgentRegistryRegisterCapabilities(Part):
    name: str
    description: str | None = None
    parameters_schema: dict[str, Any] | None = None
    returns_schema: dict[str, Any] | None = None
    estimated_duration_ms: int | None = None


class AgentRegistryRegister(Call[AgentRegistryRegisterAnswer]):
    """Makes a worker known under the name it works under, so that it is watched and its tasks are freed when it dies; or a managed agent with versions. Again under the same id it is updated, and a changed definition is a new version."""

    tool: ClassVar[str] = "agent.registry.register"

    agent_type: str
    """What sort of agent it is, e.g. researcher"""
    kind: Literal["worker", "managed"] | None = None
    """worker: takes tasks and sends heartbeats; managed: versioned, watched once it sends one"""
    agent_id: str | None = None
    """Default: your own"""
    name: str | None = None
    description: str | None = None
    capabilities: list[AgentRegistryRegisterCapabilities] | None = None
    """What it can do; parameters_schema and returns_schema are JSON Schemas"""
    definition: dict[str, Any] | None = None
    """What it is made of: model, prompt, tools, settings"""
    note: str | None = None
    """What is new in this version"""
    slos: dict[str, int | float] | None = None
    """Objectives from 0 to 1: acceptance_rate and coherence at least, error_rate at most"""
    metadata: dict[str, Any] | None = None
    """Anything else about it"""


class AgentSessionClose(Call[Session]):
    """Ends a conversation of agents. Its tasks go on."""

    tool: ClassVar[str] = "agent.session.close"

    session_id: str


class AgentSessionGetAnswer(Answer):
    session_id: str
    participants: list[str]
    task_references: list[str]
    status: Annotated[Literal["open", "closed"], Open]
    closed_reason: str | None
    created_at: str
    last_active_at: str
    expires_at: str
    messages: list[SessionMessage]
    next_after: int | float | None


class AgentSessionGet(Call[AgentSessionGetAnswer]):
    """A conversation of agents: who takes part, its messages in order, the tasks they are about."""

    tool: ClassVar[str] = "agent.session.get"

    session_id: str
    after: int | None = None
    """seq of the last message seen"""
    limit: int | None = None


class AgentSessionListAnswer(Answer):
    sessions: list[Session]


class AgentSessionList(Call[AgentSessionListAnswer]):
    """Conversations of agents, latest message first: participants, tasks, expiry. Agents see their own, people see all. agent.session.get reads an open one."""

    tool: ClassVar[str] = "agent.session.list"

    agent: str | None = None
    """Who takes part or opened it"""
    status: Literal["open", "closed"] | None = None
    limit: int | None = None
    cursor: str | None = None
    """metadata.next_cursor of the page before"""


class AgentSessionOpen(Call[Session]):
    """Opens a conversation of agents: typed messages and the tasks they are about. It ends when nobody has spoken for long."""

    tool: ClassVar[str] = "agent.session.open"

    participants: list[str] | None = None
    """Agents beside yourself"""


class AgentSessionSendAnswer(Answer):
    message: SessionMessage
    replies: list[SessionMessage]


class AgentSessionSend(Call[AgentSessionSendAnswer]):
    """Adds a typed message to a session of agents. A capability_query is answered at once, a heartbeat counts as a sign of life, task messages link their task."""

    tool: ClassVar[str] = "agent.session.send"

    session_id: str
    type: Literal["capability_query", "capability_response", "task_request", "task_progress", "task_result", "heartbeat", "error"]
    body: dict[str, Any] | None = None
    """By its type, e.g. {"task_id": …, "status": "completed", "result": …} of a task_result"""
    id: str | None = None
    """Your id of the message: sent again under it, it is the same one"""
    sender: str | None = None
    """Agent id, e.g. acme-researcher-1f2e3d4c"""
    recipient: str | None = None
    """Agent id, e.g. acme-researcher-1f2e3d4c"""


class AgentTaskCancelAnswer(Answer):
    task_id: str
    status: Annotated[Literal["cancelled"], Open]


class AgentTaskCancel(Call[AgentTaskCancelAnswer]):
    """Ends a task that was handed to another agent, which is told, or one that was received. A task that is over stays as it is; cancelled already, it is cancelled."""

    tool: ClassVar[str] = "agent.task.cancel"

    task_id: str
    """The task id that its sender gave it"""


class AgentTaskDelegateAnswer(Answer):
    task_id: str
    status: Annotated[Literal["pending", "accepted", "running", "completed", "failed", "cancelled"], Open]
    result: Any = None
    error: str | None = None
    error_code: str | None = None
    execution_time_ms: int | float | None = None
    completed_at: str | None = None
    target_agent: str


class AgentTaskDelegate(Call[AgentTaskDelegateAnswer]):
    """Hands a task to an agent outside: the named one, else a healthy one with the capability and the least in hand. wait_seconds waits for the result; else agent.task.get_result fetches it."""

    tool: ClassVar[str] = "agent.task.delegate"

    target_agent: str | None = None
    """Agent id, e.g. acme-researcher-1f2e3d4c"""
    capability_name: str
    """What it is to do: agent.capability.list shows who can do what"""
    parameters: dict[str, Any] | None = None
    """By the parameters_schema of the capability"""
    priority: int | None = None
    """1 to 10, higher is more urgent"""
    timeout_seconds: int | None = None
    """Seconds from now until it counts as failed"""
    callback_url: str | None = None
    """Is posted the result once"""
    callback_token: str | None = None
    """Shown at callback_url as X-A2A-Task-Token"""
    session_id: str | None = None
    correlation_id: str | None = None
    """Follows a task through all systems; made when absent"""
    wait_seconds: int | None = None


class AgentTaskGetAnswer(Answer):
    task: DelegatedTask


class AgentTaskGet(Call[AgentTaskGetAnswer]):
    """Where a delegated task stands: with whom, how far, until when. Its result is read by agent.task.get_result."""

    tool: ClassVar[str] = "agent.task.get"

    task_id: str
    """The task id that its sender gave it"""
    direction: Literal["sent", "received"] | None = None


class AgentTaskGetResultAnswer(Answer):
    task_id: str
    status: Annotated[Literal["pending", "accepted", "running", "completed", "failed", "cancelled"], Open]
    result: Any = None
    error: str | None = None
    error_code: str | None = None
    execution_time_ms: int | float | None = None
    completed_at: str | None


class AgentTaskGetResult(Call[AgentTaskGetResultAnswer]):
    """How a delegated task ended, waiting for it if need be. Waiting changes nothing; results can be read again for seven days."""

    tool: ClassVar[str] = "agent.task.get_result"

    task_id: str
    """The task id that its sender gave it"""
    wait_seconds: int | float | None = None


class AgentTaskListAnswer(Answer):
    tasks: list[DelegatedTask]


class AgentTaskList(Call[AgentTaskListAnswer]):
    """Tasks handed to other agents and received from them, newest first."""

    tool: ClassVar[str] = "agent.task.list"

    direction: Literal["sent", "received"] | None = None
    status: Literal["pending", "accepted", "running", "completed", "failed", "cancelled"] | None = None
    agent: str | None = None
    """Who sent it or was sent it"""
    before: str | None = None
    """Only those made before this time"""
    cursor: str | None = None
    """metadata.next_cursor of the page before"""
    limit: int | None = None


class AgentTaskReceiveAnswer(Answer):
    status: Annotated[Literal["accepted"], Open]
    task_id: str


class AgentTaskReceive(Call[AgentTaskReceiveAnswer]):
    """For other agents: hands this platform a task. The capability is a reading or ingesting tool by any name, or "work" for a task on the board. The result is posted to callback_url and kept for seven days."""

    tool: ClassVar[str] = "agent.task.receive"

    task_id: str
    """The task id that its sender gave it"""
    source_agent: str | None = None
    target_agent: str | None = None
    capability_name: str
    parameters: dict[str, Any] | None = None
    priority: int | None = None
    """1 to 10, higher is more urgent"""
    timeout_seconds: int | None = None
    """Seconds from now until it counts as failed"""
    correlation_id: str | None = None
    """Follows a task through all systems; made when absent"""
    created_at: str | None = None
    callback_url: str | None = None
    """Is posted the result"""
    progress_url: str | None = None
    """Is posted how far it is"""
    callback_token: str | None = None
    """Shown there as X-A2A-Task-Token"""


class AgentTaskReportAnswer(Answer):
    task_id: str
    status: Annotated[Literal["pending", "accepted", "running", "completed", "failed", "cancelled"], Open]
    applied: bool


class AgentTaskReportError2(Part):
    code: str | None = None
    message: str


class AgentTaskReportProgress(Part):
    done: int | float | None = None
    total: int | float | None = None
    message: str | None = None


class AgentTaskReport(Call[AgentTaskReportAnswer]):
    """For agents that were handed a task: reports how far it is (progress) or how it ended (status with result or error), with the token that came with the task. The first result counts."""

    tool: ClassVar[str] = "agent.task.report"

    task_id: str
    """The task id that its sender gave it"""
    token: str
    """The callback_token that came with the task"""
    status: Literal["accepted", "running", "completed", "failed", "cancelled"] | None = None
    result: Any = None
    error: str | AgentTaskReportError2 | None = None
    execution_time_ms: int | None = None
    progress: AgentTaskReportProgress | None = None


class AgentVersionListAnswerVersions(Answer):
    version: int | float
    current: bool
    definition: dict[str, Any]
    note: str | None
    created_by: str
    created_at: str


class AgentVersionListAnswer(Answer):
    versions: list[AgentVersionListAnswerVersions]


class AgentVersionList(Call[AgentVersionListAnswer]):
    """Versions of an agent's definition, the latest first, each in full, with who made it and which one is in use. agent.version.rollback returns to one."""

    tool: ClassVar[str] = "agent.version.list"

    agent_id: str
    """Of agent.peer.list or agent.registry.list"""
    limit: int | None = None
    cursor: str | None = None
    """metadata.next_cursor of the page before"""


class AgentVersionRollbackAnswer(Answer):
    agent_id: str
    from_version: int | float
    to_version: int | float
    effective_at: str


class AgentVersionRollback(Call[AgentVersionRollbackAnswer]):
    """Returns an agent to an earlier version of its definition, the one before by default. Nothing is lost: later versions stay, and rolling forward is the same call with their number."""

    tool: ClassVar[str] = "agent.version.rollback"

    agent_id: str
    """Of agent.peer.list or agent.registry.list"""
    target_version: int | None = None
    """Default: the one before"""
    reason: str
