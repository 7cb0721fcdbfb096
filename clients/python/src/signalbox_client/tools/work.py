# Written by `npm run gen`. Do not edit.
"""Tools of the domain work."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from .._models import Answer, Call, Open


class WorkBoardGetAnswerColumnsBacklog(Answer):
    id: str
    description: str
    phase_id: int | float
    status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]
    priority: Annotated[Literal["high", "medium", "low"], Open]
    assigned_agent_id: str | None
    created_at: str
    tags: list[str]
    blocked_by: list[str]
    lease_seconds: int | float | None = None
    lease_expires_at: str | None = None
    attempts: int | float | None = None
    max_attempts: int | float | None = None
    needs_review: bool | None = None
    failure: str | None = None
    """Its first 200 characters; work.task.get has all"""
    stuck: Annotated[Literal["lapsed", "silent", "blocked", "exhausted", "waiting"], Open] | None = None
    """lapsed: its lease has ended; silent: no heartbeat for half the lease; blocked: a blocker has failed; exhausted: no attempt left; waiting: ready for three times as long as usual in its phase"""
    updated_at: str | None = None
    completed_at: str | None = None
    rev: int | None = None
    """Increases with each change of status, lease or blockers"""


class WorkBoardGetAnswerColumnsReady(Answer):
    id: str
    description: str
    phase_id: int | float
    status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]
    priority: Annotated[Literal["high", "medium", "low"], Open]
    assigned_agent_id: str | None
    created_at: str
    tags: list[str]
    blocked_by: list[str]
    lease_seconds: int | float | None = None
    lease_expires_at: str | None = None
    attempts: int | float | None = None
    max_attempts: int | float | None = None
    needs_review: bool | None = None
    failure: str | None = None
    """Its first 200 characters; work.task.get has all"""
    stuck: Annotated[Literal["lapsed", "silent", "blocked", "exhausted", "waiting"], Open] | None = None
    """lapsed: its lease has ended; silent: no heartbeat for half the lease; blocked: a blocker has failed; exhausted: no attempt left; waiting: ready for three times as long as usual in its phase"""
    updated_at: str | None = None
    completed_at: str | None = None
    rev: int | None = None
    """Increases with each change of status, lease or blockers"""


class WorkBoardGetAnswerColumnsInProgress(Answer):
    id: str
    description: str
    phase_id: int | float
    status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]
    priority: Annotated[Literal["high", "medium", "low"], Open]
    assigned_agent_id: str | None
    created_at: str
    tags: list[str]
    blocked_by: list[str]
    lease_seconds: int | float | None = None
    lease_expires_at: str | None = None
    attempts: int | float | None = None
    max_attempts: int | float | None = None
    needs_review: bool | None = None
    failure: str | None = None
    """Its first 200 characters; work.task.get has all"""
    stuck: Annotated[Literal["lapsed", "silent", "blocked", "exhausted", "waiting"], Open] | None = None
    """lapsed: its lease has ended; silent: no heartbeat for half the lease; blocked: a blocker has failed; exhausted: no attempt left; waiting: ready for three times as long as usual in its phase"""
    updated_at: str | None = None
    completed_at: str | None = None
    rev: int | None = None
    """Increases with each change of status, lease or blockers"""


class WorkBoardGetAnswerColumnsReview(Answer):
    id: str
    description: str
    phase_id: int | float
    status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]
    priority: Annotated[Literal["high", "medium", "low"], Open]
    assigned_agent_id: str | None
    created_at: str
    tags: list[str]
    blocked_by: list[str]
    lease_seconds: int | float | None = None
    lease_expires_at: str | None = None
    attempts: int | float | None = None
    max_attempts: int | float | None = None
    needs_review: bool | None = None
    failure: str | None = None
    """Its first 200 characters; work.task.get has all"""
    stuck: Annotated[Literal["lapsed", "silent", "blocked", "exhausted", "waiting"], Open] | None = None
    """lapsed: its lease has ended; silent: no heartbeat for half the lease; blocked: a blocker has failed; exhausted: no attempt left; waiting: ready for three times as long as usual in its phase"""
    updated_at: str | None = None
    completed_at: str | None = None
    rev: int | None = None
    """Increases with each change of status, lease or blockers"""


class WorkBoardGetAnswerColumnsDone(Answer):
    id: str
    description: str
    phase_id: int | float
    status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]
    priority: Annotated[Literal["high", "medium", "low"], Open]
    assigned_agent_id: str | None
    created_at: str
    tags: list[str]
    blocked_by: list[str]
    lease_seconds: int | float | None = None
    lease_expires_at: str | None = None
    attempts: int | float | None = None
    max_attempts: int | float | None = None
    needs_review: bool | None = None
    failure: str | None = None
    """Its first 200 characters; work.task.get has all"""
    stuck: Annotated[Literal["lapsed", "silent", "blocked", "exhausted", "waiting"], Open] | None = None
    """lapsed: its lease has ended; silent: no heartbeat for half the lease; blocked: a blocker has failed; exhausted: no attempt left; waiting: ready for three times as long as usual in its phase"""
    updated_at: str | None = None
    completed_at: str | None = None
    rev: int | None = None
    """Increases with each change of status, lease or blockers"""


class WorkBoardGetAnswerColumns(Answer):
    backlog: list[WorkBoardGetAnswerColumnsBacklog]
    ready: list[WorkBoardGetAnswerColumnsReady]
    in_progress: list[WorkBoardGetAnswerColumnsInProgress]
    review: list[WorkBoardGetAnswerColumnsReview]
    done: list[WorkBoardGetAnswerColumnsDone]


class WorkBoardGetAnswerNext(Answer):
    backlog: str | None = None
    ready: str | None = None
    in_progress: str | None = None
    review: str | None = None
    done: str | None = None


class WorkBoardGetAnswerStats(Answer):
    total_tasks: int | float
    ready: int | float
    done: int | float
    in_progress: int | float
    blocked: int | float
    review: int | float
    failed: int | float


class WorkBoardGetAnswerByPhase(Answer):
    total_tasks: int | float
    ready: int | float
    done: int | float
    in_progress: int | float
    blocked: int | float
    review: int | float
    failed: int | float
    phase_id: int | float


class WorkBoardGetAnswer(Answer):
    columns: WorkBoardGetAnswerColumns
    next: WorkBoardGetAnswerNext
    """The cursor of each column that has more tasks"""
    stats: WorkBoardGetAnswerStats
    by_phase: list[WorkBoardGetAnswerByPhase] | None = None
    """With details"""
    rev: str | None = None
    """With details or since_rev: pass it as since_rev to get what changed afterwards"""
    changed: list[str] | None = None
    """With since_rev: all tasks that changed; the columns have those that match. Null: the board anew"""


class WorkBoardGet(Call[WorkBoardGetAnswer]):
    """The board of one phase or all: backlog, ready, in_progress, review, done, each with its first tasks, a cursor for more, and counts of everything; or what changed since an earlier answer."""

    tool: ClassVar[str] = "work.board.get"

    phase_id: int | None = None
    search: str | None = None
    """Words of the description, all of them, or an id"""
    priority: Literal["high", "medium", "low"] | None = None
    tags: list[str] | None = None
    """Tasks that carry all of these"""
    assigned_to: str | None = None
    """Empty: nobody"""
    stuck: Literal["any", "lapsed", "silent", "blocked", "exhausted", "waiting"] | None = None
    """Tasks that do not move, for this reason or any"""
    order: Literal["priority", "oldest", "newest", "updated"] | None = None
    limit_per_column: int | None = None
    column: Literal["backlog", "ready", "in_progress", "review", "done"] | None = None
    """Only this column; use with cursor"""
    cursor: str | None = None
    """From next"""
    details: bool | None = None
    """With lease, attempts, failure, why it is stuck, times and revision"""
    since_rev: str | None = None
    """rev of an earlier answer: only tasks that changed since"""


class WorkHolderListAnswerHolders(Answer):
    agent: str
    """assigned_agent_id of its tasks"""
    presence: Annotated[Literal["none", "healthy", "unhealthy", "offline", "paused"], Open]
    """healthy: heard from in time; unhealthy: quiet; none: not registered, or not watched"""
    since: str | None
    tasks: int


class WorkHolderListAnswer(Answer):
    holders: list[WorkHolderListAnswerHolders]


class WorkHolderList(Call[WorkHolderListAnswer]):
    """Everybody who holds a task in progress, with the number of tasks and whether they are present, quiet, offline or paused. agent.registry.list has more about each."""

    tool: ClassVar[str] = "work.holder.list"

    limit: int | None = None


class WorkLaneListAnswerLanesStats(Answer):
    total_tasks: int | float
    ready: int | float
    done: int | float
    in_progress: int | float
    blocked: int | float
    review: int | float
    failed: int | float


class WorkLaneListAnswerLanes(Answer):
    lane: str
    """Id of the phase or agent, or the priority; empty: nobody"""
    stats: WorkLaneListAnswerLanesStats


class WorkLaneListAnswer(Answer):
    lanes: list[WorkLaneListAnswerLanes]


class WorkLaneList(Call[WorkLaneListAnswer]):
    """The lanes of the board: for each phase, priority or assignee the number of tasks in each status. work.board.get and work.task.list show the tasks of one lane."""

    tool: ClassVar[str] = "work.lane.list"

    phase_id: int | None = None
    search: str | None = None
    """Words of the description, all of them, or an id"""
    priority: Literal["high", "medium", "low"] | None = None
    tags: list[str] | None = None
    """Tasks that carry all of these"""
    assigned_to: str | None = None
    """Empty: nobody"""
    stuck: Literal["any", "lapsed", "silent", "blocked", "exhausted", "waiting"] | None = None
    """Tasks that do not move, for this reason or any"""
    by: Literal["phase", "assignee", "priority"]
    """assignee: those who hold tasks come first, tasks of nobody last"""
    limit: int | None = None


class WorkPhaseGetAnswerPhase(Answer):
    id: int | float
    name: str
    description: str
    done_definitions: list[str]
    additional_notes: str | None
    working_directory: str | None
    needs_review: bool


class WorkPhaseGetAnswer(Answer):
    phase: WorkPhaseGetAnswerPhase


class WorkPhaseGet(Call[WorkPhaseGetAnswer]):
    """What a phase is for, when its work counts as done, and where it happens."""

    tool: ClassVar[str] = "work.phase.get"

    phase_id: int


class WorkPhaseListAnswerPhases(Answer):
    id: int | float
    name: str
    description: str
    done_definitions: list[str]
    additional_notes: str | None
    working_directory: str | None
    needs_review: bool


class WorkPhaseListAnswer(Answer):
    phases: list[WorkPhaseListAnswerPhases]


class WorkPhaseList(Call[WorkPhaseListAnswer]):
    """All phases of the board with their definitions of done."""

    tool: ClassVar[str] = "work.phase.list"


class WorkPhaseSetAnswerPhase(Answer):
    id: int | float
    name: str
    description: str
    done_definitions: list[str]
    additional_notes: str | None
    working_directory: str | None
    needs_review: bool


class WorkPhaseSetAnswer(Answer):
    phase: WorkPhaseSetAnswerPhase


class WorkPhaseSet(Call[WorkPhaseSetAnswer]):
    """Creates a phase or changes the given fields of one: name, description, definitions of done, notes, directory, review gate."""

    tool: ClassVar[str] = "work.phase.set"

    phase_id: int
    name: str | None = None
    description: str | None = None
    done_definitions: list[str] | None = None
    additional_notes: str | None = None
    working_directory: str | None = None
    needs_review: bool | None = None
    """Completed work waits for approval"""


class WorkTaskBlockAnswerTask(Answer):
    id: str
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
    created_at: str
    updated_at: str
    started_at: str | None
    completed_at: str | None
    rev: int
    """Increases with each change of status, lease or blockers"""


class WorkTaskBlockAnswer(Answer):
    task: WorkTaskBlockAnswerTask


class WorkTaskBlock(Call[WorkTaskBlockAnswer]):
    """Adds blockers to a task that is not in progress yet. It becomes ready by itself when all of them are done. Cycles are refused."""

    tool: ClassVar[str] = "work.task.block"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    blocked_by: list[str]


class WorkTaskClaimAnswerTask(Answer):
    id: str
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
    created_at: str
    updated_at: str
    started_at: str | None
    completed_at: str | None
    rev: int
    """Increases with each change of status, lease or blockers"""


class WorkTaskClaimAnswer(Answer):
    task: WorkTaskClaimAnswerTask | None
    already_held: Literal[True] | None = None
    """You had claimed it before: nothing new"""


class WorkTaskClaim(Call[WorkTaskClaimAnswer]):
    """Assigns you the next ready task of a phase (high priority first, then oldest) under a lease. Keep the fencing_token: heartbeat (before the lease ends), complete, fail and release need it. Null when nothing is ready."""

    tool: ClassVar[str] = "work.task.claim"

    phase_id: int | None = None
    """Take the next ready task of this phase"""
    task_id: str | None = None
    """Take this task instead"""
    lease_seconds: int | None = None
    """Default: as the task says (300)"""


class WorkTaskCommentAnswerComment(Answer):
    id: str
    author: str
    body: str
    created_at: str


class WorkTaskCommentAnswer(Answer):
    comment: WorkTaskCommentAnswerComment


class WorkTaskComment(Call[WorkTaskCommentAnswer]):
    """Adds a note to a task, of any status, for whoever works on it next."""

    tool: ClassVar[str] = "work.task.comment"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    body: str


class WorkTaskCompleteAnswerTask(Answer):
    id: str
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
    created_at: str
    updated_at: str
    started_at: str | None
    completed_at: str | None
    rev: int
    """Increases with each change of status, lease or blockers"""


class WorkTaskCompleteAnswer(Answer):
    task: WorkTaskCompleteAnswerTask
    unblocked_tasks: list[str]


class WorkTaskComplete(Call[WorkTaskCompleteAnswer]):
    """Marks your claimed task done with its result; tasks that wait for it become ready. Needs the fencing_token of your claim. Call it as soon as every requirement is met."""

    tool: ClassVar[str] = "work.task.complete"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    fencing_token: int | None = None
    """The fencing token that your claim gave you; whoever claimed must show it"""
    result: str | None = None
    """What was achieved; long output belongs into an artifact"""


class WorkTaskCreateAnswerTask(Answer):
    id: str
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
    created_at: str
    updated_at: str
    started_at: str | None
    completed_at: str | None
    rev: int
    """Increases with each change of status, lease or blockers"""


class WorkTaskCreateAnswer(Answer):
    task: WorkTaskCreateAnswerTask


class WorkTaskCreate(Call[WorkTaskCreateAnswer]):
    """Files a task for a phase, for any agent to claim. Tasks in blocked_by are waited for; it becomes ready by itself when they are done."""

    tool: ClassVar[str] = "work.task.create"

    title: str | None = None
    """Becomes the first line of the description"""
    description: str
    """What is to be done, with requirements and acceptance criteria"""
    phase_id: int
    """1 investigate and plan, 2 implement, 3 verify"""
    priority: Literal["high", "medium", "low"] | None = None
    blocked_by: list[str] | None = None
    """Ids of tasks that must be done first"""
    tags: list[str] | None = None
    metadata: dict[str, Any] | None = None
    lease_seconds: int | None = None
    """How long a claim lasts without a heartbeat"""
    max_attempts: int | None = None
    """Claims before a lapsed lease means triage"""
    needs_review: bool | None = None
    """Overrides the phase"""


class WorkTaskFailAnswerTask(Answer):
    id: str
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
    created_at: str
    updated_at: str
    started_at: str | None
    completed_at: str | None
    rev: int
    """Increases with each change of status, lease or blockers"""


class WorkTaskFailAnswer(Answer):
    task: WorkTaskFailAnswerTask


class WorkTaskFail(Call[WorkTaskFailAnswer]):
    """Says that your task cannot be done and why; needs the fencing_token of your claim. A person or its creator may fail a ready one, too. It goes to review for triage, or with retry back to ready while attempts are left. Its dependants stay blocked."""

    tool: ClassVar[str] = "work.task.fail"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    fencing_token: int | None = None
    """The fencing token that your claim gave you; whoever claimed must show it"""
    reason: str
    retry: bool | None = None
    """Another attempt may succeed"""


class WorkTaskGetAnswerTaskComments(Answer):
    id: str
    author: str
    body: str
    created_at: str


class WorkTaskGetAnswerTaskBlockers(Answer):
    id: str
    description: str
    status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]
    assigned_agent_id: str | None


class WorkTaskGetAnswerTaskDependants(Answer):
    id: str
    description: str
    status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]
    assigned_agent_id: str | None


class WorkTaskGetAnswerTask(Answer):
    id: str
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
    created_at: str
    updated_at: str
    started_at: str | None
    completed_at: str | None
    rev: int
    """Increases with each change of status, lease or blockers"""
    comments: list[WorkTaskGetAnswerTaskComments]
    blockers: list[WorkTaskGetAnswerTaskBlockers]
    dependants: list[WorkTaskGetAnswerTaskDependants]


class WorkTaskGetAnswer(Answer):
    task: WorkTaskGetAnswerTask


class WorkTaskGet(Call[WorkTaskGetAnswer]):
    """One task with everything known of it: status, lease, blockers, progress, result, comments."""

    tool: ClassVar[str] = "work.task.get"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""


class WorkTaskGetCurrentAnswerTask(Answer):
    id: str
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
    created_at: str
    updated_at: str
    started_at: str | None
    completed_at: str | None
    rev: int
    """Increases with each change of status, lease or blockers"""


class WorkTaskGetCurrentAnswer(Answer):
    task: WorkTaskGetCurrentAnswerTask | None


class WorkTaskGetCurrent(Call[WorkTaskGetCurrentAnswer]):
    """The task you hold under a valid lease, or null. Use it after a restart to find what you were doing."""

    tool: ClassVar[str] = "work.task.get_current"


class WorkTaskHeartbeatAnswer(Answer):
    task_id: str
    lease_expires_at: str | None
    fencing_token: int | float | None


class WorkTaskHeartbeat(Call[WorkTaskHeartbeatAnswer]):
    """Extends the lease of your task by its full length and notes how far you are; needs the fencing_token of your claim. Send one well before the lease ends."""

    tool: ClassVar[str] = "work.task.heartbeat"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    fencing_token: int
    """The fencing token that your claim gave you; whoever claimed must show it"""
    progress: str | None = None
    """How far you are; whoever takes over after you reads it"""


class WorkTaskHistoryAnswerEntriesHeartbeats(Answer):
    count: int
    first_at: str
    last_at: str
    longest_gap_seconds: int | float
    """Longest time without one, from the beginning of the lease"""


class WorkTaskHistoryAnswerEntriesRefused(Answer):
    fencing_token: int
    agent: str
    write: str
    times: int
    last_at: str
    why: str


class WorkTaskHistoryAnswerEntries(Answer):
    id: str
    at: str
    rev: int
    kind: Annotated[Literal["change", "refusal"], Open]
    change: Annotated[Literal["created", "blocked", "ready", "claimed", "taken_over", "released", "lapsed", "retried", "failed", "submitted", "completed", "changed"], Open] | None
    """Null: a refusal"""
    status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]
    agent: str | None
    fencing_token: int | None
    """Number of the lease; of a running one for people and its holder, null for others"""
    attempt: int
    lease_expires_at: str | None
    by: str | None
    """Who made the change; null: the platform, or the holder"""
    as_: Annotated[Literal["holder", "person", "creator", "reviewer", "platform"], Open] | None = Field(alias="as")
    reason: str | None
    blocked_by: list[str]
    heartbeats: WorkTaskHistoryAnswerEntriesHeartbeats | None
    """Of the lease that this change ended"""
    refused: WorkTaskHistoryAnswerEntriesRefused | None
    """A write with the fencing token of a lease that had ended"""


class WorkTaskHistoryAnswerLeaseHeartbeats(Answer):
    count: int
    first_at: str
    last_at: str
    longest_gap_seconds: int | float
    """Longest time without one, from the beginning of the lease"""


class WorkTaskHistoryAnswerLease(Answer):
    agent: str
    fencing_token: int | None
    """Number of the lease; of a running one for people and its holder, null for others"""
    since: str
    expires_at: str | None
    heartbeats: WorkTaskHistoryAnswerLeaseHeartbeats | None


class WorkTaskHistoryAnswer(Answer):
    entries: list[WorkTaskHistoryAnswerEntries]
    lease: WorkTaskHistoryAnswerLease | None
    """The lease that runs now"""


class WorkTaskHistory(Call[WorkTaskHistoryAnswer]):
    """Changes of a task, newest first: each claim with its lease, how and why it ended, heartbeats in one line per lease, and writes that were refused because their lease had expired."""

    tool: ClassVar[str] = "work.task.history"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    oldest_first: bool | None = None
    limit: int | None = None
    cursor: str | None = None


class WorkTaskListAnswerTasks(Answer):
    id: str
    description: str
    phase_id: int | float
    status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]
    priority: Annotated[Literal["high", "medium", "low"], Open]
    assigned_agent_id: str | None
    created_at: str
    tags: list[str]
    blocked_by: list[str]
    lease_seconds: int | float | None = None
    lease_expires_at: str | None = None
    attempts: int | float | None = None
    max_attempts: int | float | None = None
    needs_review: bool | None = None
    failure: str | None = None
    """Its first 200 characters; work.task.get has all"""
    stuck: Annotated[Literal["lapsed", "silent", "blocked", "exhausted", "waiting"], Open] | None = None
    """lapsed: its lease has ended; silent: no heartbeat for half the lease; blocked: a blocker has failed; exhausted: no attempt left; waiting: ready for three times as long as usual in its phase"""
    updated_at: str | None = None
    completed_at: str | None = None
    rev: int | None = None
    """Increases with each change of status, lease or blockers"""


class WorkTaskListAnswer(Answer):
    tasks: list[WorkTaskListAnswerTasks]


class WorkTaskList(Call[WorkTaskListAnswer]):
    """Tasks by phase, status, words, priority, tags, holder, or why they are stuck; oldest first unless order says otherwise."""

    tool: ClassVar[str] = "work.task.list"

    phase_id: int | None = None
    search: str | None = None
    """Words of the description, all of them, or an id"""
    priority: Literal["high", "medium", "low"] | None = None
    tags: list[str] | None = None
    """Tasks that carry all of these"""
    assigned_to: str | None = None
    """Empty: nobody"""
    stuck: Literal["any", "lapsed", "silent", "blocked", "exhausted", "waiting"] | None = None
    """Tasks that do not move, for this reason or any"""
    status: Literal["blocked", "ready", "in_progress", "review", "done", "failed"] | None = None
    order: Literal["priority", "oldest", "newest", "updated"] | None = None
    """Default: oldest"""
    newest_first: bool | None = None
    """The same as order newest"""
    details: bool | None = None
    """With lease, attempts, failure, why it is stuck, times and revision"""
    limit: int | None = None
    cursor: str | None = None


class WorkTaskReleaseAnswerTask(Answer):
    id: str
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
    created_at: str
    updated_at: str
    started_at: str | None
    completed_at: str | None
    rev: int
    """Increases with each change of status, lease or blockers"""


class WorkTaskReleaseAnswer(Answer):
    task: WorkTaskReleaseAnswerTask


class WorkTaskRelease(Call[WorkTaskReleaseAnswer]):
    """Hands your claimed task back unfinished, for another agent to claim; needs the fencing_token of your claim. Leave a comment on how far you got."""

    tool: ClassVar[str] = "work.task.release"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    fencing_token: int | None = None
    """The fencing token that your claim gave you; whoever claimed must show it"""


class WorkTaskUpdateStatusAnswerTask(Answer):
    id: str
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
    created_at: str
    updated_at: str
    started_at: str | None
    completed_at: str | None
    rev: int
    """Increases with each change of status, lease or blockers"""


class WorkTaskUpdateStatusAnswer(Answer):
    task: WorkTaskUpdateStatusAnswerTask
    unblocked_tasks: list[str]


class WorkTaskUpdateStatus(Call[WorkTaskUpdateStatusAnswer]):
    """Moves a task to in_progress, done or failed. Mark it done as soon as every requirement is met: tasks that wait for it become ready. done and failed need the fencing_token of your claim. On a task in review, done approves and in_progress sends it back."""

    tool: ClassVar[str] = "work.task.update_status"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    status: Literal["in_progress", "done", "failed"]
    result: str | None = None
    """What was achieved, or why it failed"""
    metadata: dict[str, Any] | None = None
    """Merged into the task"""
    fencing_token: int | None = None
    """The fencing token that your claim gave you; whoever claimed must show it"""
