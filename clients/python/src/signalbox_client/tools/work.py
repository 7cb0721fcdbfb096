# Written by `npm run gen`. Do not edit.
"""Tools of the domain work."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from .._models import Answer, Call, Open, Part


class WorkBoardGetAnswerColumnsBacklogParts(Answer):
    total: int
    done: int


class WorkBoardGetAnswerColumnsBacklog(Answer):
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
    parts: WorkBoardGetAnswerColumnsBacklogParts | None = None
    """Null: it has no parts"""
    failure: str | None = None
    """Its first 200 characters; work.task.get has all"""
    stuck: Annotated[Literal["lapsed", "silent", "blocked", "exhausted", "waiting"], Open] | None = None
    """lapsed: its lease has ended; silent: no heartbeat for half the lease; blocked: a blocker has failed; exhausted: no attempt left; waiting: ready for three times as long as usual in its phase"""
    updated_at: str | None = None
    completed_at: str | None = None
    rev: int | None = None
    """Increases with each change of status, lease or blockers"""


class WorkBoardGetAnswerColumnsReadyParts(Answer):
    total: int
    done: int


class WorkBoardGetAnswerColumnsReady(Answer):
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
    parts: WorkBoardGetAnswerColumnsReadyParts | None = None
    """Null: it has no parts"""
    failure: str | None = None
    """Its first 200 characters; work.task.get has all"""
    stuck: Annotated[Literal["lapsed", "silent", "blocked", "exhausted", "waiting"], Open] | None = None
    """lapsed: its lease has ended; silent: no heartbeat for half the lease; blocked: a blocker has failed; exhausted: no attempt left; waiting: ready for three times as long as usual in its phase"""
    updated_at: str | None = None
    completed_at: str | None = None
    rev: int | None = None
    """Increases with each change of status, lease or blockers"""


class WorkBoardGetAnswerColumnsInProgressParts(Answer):
    total: int
    done: int


class WorkBoardGetAnswerColumnsInProgress(Answer):
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
    parts: WorkBoardGetAnswerColumnsInProgressParts | None = None
    """Null: it has no parts"""
    failure: str | None = None
    """Its first 200 characters; work.task.get has all"""
    stuck: Annotated[Literal["lapsed", "silent", "blocked", "exhausted", "waiting"], Open] | None = None
    """lapsed: its lease has ended; silent: no heartbeat for half the lease; blocked: a blocker has failed; exhausted: no attempt left; waiting: ready for three times as long as usual in its phase"""
    updated_at: str | None = None
    completed_at: str | None = None
    rev: int | None = None
    """Increases with each change of status, lease or blockers"""


class WorkBoardGetAnswerColumnsReviewParts(Answer):
    total: int
    done: int


class WorkBoardGetAnswerColumnsReview(Answer):
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
    parts: WorkBoardGetAnswerColumnsReviewParts | None = None
    """Null: it has no parts"""
    failure: str | None = None
    """Its first 200 characters; work.task.get has all"""
    stuck: Annotated[Literal["lapsed", "silent", "blocked", "exhausted", "waiting"], Open] | None = None
    """lapsed: its lease has ended; silent: no heartbeat for half the lease; blocked: a blocker has failed; exhausted: no attempt left; waiting: ready for three times as long as usual in its phase"""
    updated_at: str | None = None
    completed_at: str | None = None
    rev: int | None = None
    """Increases with each change of status, lease or blockers"""


class WorkBoardGetAnswerColumnsDoneParts(Answer):
    total: int
    done: int


class WorkBoardGetAnswerColumnsDone(Answer):
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
    parts: WorkBoardGetAnswerColumnsDoneParts | None = None
    """Null: it has no parts"""
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
    """Words of title and description, all of them, or an id"""
    priority: Literal["high", "medium", "low"] | None = None
    tags: list[str] | None = None
    """Tasks that carry all of these"""
    assigned_to: str | None = None
    """Empty: nobody"""
    stuck: Literal["any", "lapsed", "silent", "blocked", "exhausted", "waiting"] | None = None
    """Tasks that do not move, for this reason or any"""
    overdue: bool | None = None
    """Open tasks whose due date has passed"""
    reserved_for: str | None = None
    """Tasks that only this worker is given"""
    parent_id: str | None = None
    """Parts of this task"""
    archived: bool | None = None
    """Only archived ones; without it there are none"""
    board: str | None = None
    """A saved board; other filters narrow it or take the place of its own"""
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


class WorkBoardListAnswerBoardsFilter(Answer):
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


class WorkBoardListAnswerBoards(Answer):
    name: str
    filter: WorkBoardListAnswerBoardsFilter
    created_by: str
    updated_at: str


class WorkBoardListAnswer(Answer):
    boards: list[WorkBoardListAnswerBoards]


class WorkBoardList(Call[WorkBoardListAnswer]):
    """Saved boards with their filters, by name."""

    tool: ClassVar[str] = "work.board.list"


class WorkBoardRemoveAnswer(Answer):
    removed: bool


class WorkBoardRemove(Call[WorkBoardRemoveAnswer]):
    """Removes a saved board. Its tasks stay."""

    tool: ClassVar[str] = "work.board.remove"

    name: str


class WorkBoardSaveAnswerBoardFilter(Answer):
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


class WorkBoardSaveAnswerBoard(Answer):
    name: str
    filter: WorkBoardSaveAnswerBoardFilter
    created_by: str
    updated_at: str


class WorkBoardSaveAnswer(Answer):
    board: WorkBoardSaveAnswerBoard


class WorkBoardSaveFilter(Part):
    phase_id: int | None = None
    search: str | None = None
    """Words of title and description, all of them, or an id"""
    priority: Literal["high", "medium", "low"] | None = None
    tags: list[str] | None = None
    """Tasks that carry all of these"""
    assigned_to: str | None = None
    """Empty: nobody"""
    stuck: Literal["any", "lapsed", "silent", "blocked", "exhausted", "waiting"] | None = None
    """Tasks that do not move, for this reason or any"""
    overdue: bool | None = None
    """Open tasks whose due date has passed"""
    reserved_for: str | None = None
    """Tasks that only this worker is given"""
    parent_id: str | None = None
    """Parts of this task"""
    archived: bool | None = None
    """Only archived ones; without it there are none"""


class WorkBoardSave(Call[WorkBoardSaveAnswer]):
    """Keeps a filter of tasks under a name, for everybody; work.board.get takes the name. A board of this name is replaced."""

    tool: ClassVar[str] = "work.board.save"

    name: str
    filter: WorkBoardSaveFilter


class WorkBudgetGetAnswerBudgets(Answer):
    phase_id: int | float | None
    """Null: all phases together"""
    tokens_per_day: int | None
    usd_per_day: int | float | None
    tokens_today: int
    usd_today: int | float
    spent: bool
    """Runners get no new task today"""


class WorkBudgetGetAnswer(Answer):
    budgets: list[WorkBudgetGetAnswerBudgets]


class WorkBudgetGet(Call[WorkBudgetGetAnswer]):
    """What runs of agents may use per day, of the whole tenant and of phases, and what today’s runs have used."""

    tool: ClassVar[str] = "work.budget.get"


class WorkBudgetSetAnswerBudgets(Answer):
    phase_id: int | float | None
    """Null: all phases together"""
    tokens_per_day: int | None
    usd_per_day: int | float | None
    tokens_today: int
    usd_today: int | float
    spent: bool
    """Runners get no new task today"""


class WorkBudgetSetAnswer(Answer):
    budgets: list[WorkBudgetSetAnswerBudgets]


class WorkBudgetSet(Call[WorkBudgetSetAnswer]):
    """Limits what runs of agents use per day (UTC), in a phase or altogether. When it is spent, runners get no new task until the next day; runs that have begun go on. Without limits the budget is removed."""

    tool: ClassVar[str] = "work.budget.set"

    phase_id: int | None = None
    """Absent: all phases together"""
    tokens_per_day: int | None = None
    """Of input and output"""
    usd_per_day: int | float | None = None


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
    """Words of title and description, all of them, or an id"""
    priority: Literal["high", "medium", "low"] | None = None
    tags: list[str] | None = None
    """Tasks that carry all of these"""
    assigned_to: str | None = None
    """Empty: nobody"""
    stuck: Literal["any", "lapsed", "silent", "blocked", "exhausted", "waiting"] | None = None
    """Tasks that do not move, for this reason or any"""
    overdue: bool | None = None
    """Open tasks whose due date has passed"""
    reserved_for: str | None = None
    """Tasks that only this worker is given"""
    parent_id: str | None = None
    """Parts of this task"""
    archived: bool | None = None
    """Only archived ones; without it there are none"""
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
    setup: list[str]
    """Commands that prepare a worktree for an agent"""
    checks: list[str]
    """Commands that finished work must pass"""
    merge: Annotated[Literal["merge", "rebase", "patch", "pull_request"], Open] | None
    """How finished work reaches the base branch; null: the runner decides"""


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
    setup: list[str]
    """Commands that prepare a worktree for an agent"""
    checks: list[str]
    """Commands that finished work must pass"""
    merge: Annotated[Literal["merge", "rebase", "patch", "pull_request"], Open] | None
    """How finished work reaches the base branch; null: the runner decides"""


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
    setup: list[str]
    """Commands that prepare a worktree for an agent"""
    checks: list[str]
    """Commands that finished work must pass"""
    merge: Annotated[Literal["merge", "rebase", "patch", "pull_request"], Open] | None
    """How finished work reaches the base branch; null: the runner decides"""


class WorkPhaseSetAnswer(Answer):
    phase: WorkPhaseSetAnswerPhase


class WorkPhaseSet(Call[WorkPhaseSetAnswer]):
    """Creates a phase or changes the given fields of one: name, description, definitions of done, notes, directory, review gate, and what runs of agents need."""

    tool: ClassVar[str] = "work.phase.set"

    phase_id: int
    name: str | None = None
    description: str | None = None
    done_definitions: list[str] | None = None
    additional_notes: str | None = None
    working_directory: str | None = None
    needs_review: bool | None = None
    """Completed work waits for approval"""
    setup: list[str] | None = None
    """Commands that prepare a worktree for an agent, e.g. npm ci"""
    checks: list[str] | None = None
    """Commands that finished work must pass, e.g. npm test"""
    merge: Literal["merge", "rebase", "patch", "pull_request"] | None = None
    """How finished work reaches the base branch; null: the runner decides"""


class WorkPlanAcceptAnswerTasks(Answer):
    ref: str
    task_id: str
    status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]


class WorkPlanAcceptAnswer(Answer):
    tasks: list[WorkPlanAcceptAnswerTasks]


class WorkPlanAcceptPlanTasks(Part):
    ref: str
    """Name of the task within the plan"""
    title: str
    description: str | None = None
    phase_id: int
    priority: Literal["high", "medium", "low"] | None = None
    tags: list[str] | None = None
    after: list[str] | None = None
    """refs, or ids of existing tasks, that must be done first"""
    part_of: str | None = None
    """ref of the task that it is a part of"""


class WorkPlanAcceptPlan(Part):
    plan_id: str
    """From work.plan.propose: accepted twice, it is filed once"""
    title: str | None = None
    parent_id: str | None = None
    """Existing task that the tasks become parts of"""
    tasks: list[WorkPlanAcceptPlanTasks]


class WorkPlanAccept(Call[WorkPlanAcceptAnswer]):
    """Files all tasks of a plan with their dependencies, or none of them. The plan of work.plan.propose may be changed before. The same plan again files nothing more."""

    tool: ClassVar[str] = "work.plan.accept"

    plan: WorkPlanAcceptPlan


class WorkPlanProposeAnswerPlanTasks(Answer):
    ref: str
    """Name of the task within the plan"""
    title: str
    description: str | None = None
    phase_id: int
    priority: Annotated[Literal["high", "medium", "low"], Open] | None = None
    tags: list[str] | None = None
    after: list[str] | None = None
    """refs, or ids of existing tasks, that must be done first"""
    part_of: str | None = None
    """ref of the task that it is a part of"""


class WorkPlanProposeAnswerPlan(Answer):
    plan_id: str
    """From work.plan.propose: accepted twice, it is filed once"""
    title: str | None = None
    parent_id: str | None = None
    """Existing task that the tasks become parts of"""
    tasks: list[WorkPlanProposeAnswerPlanTasks]


class WorkPlanProposeAnswer(Answer):
    plan: WorkPlanProposeAnswerPlan
    by: Annotated[Literal["model", "rules"], Open]


class WorkPlanPropose(Call[WorkPlanProposeAnswer]):
    """Splits a big task or a Markdown text into tasks with phases and dependencies: by the language model where one is configured, otherwise by its headings, lists, checkboxes and words such as "after" and "depends on". Nothing is stored; work.plan.accept files it."""

    tool: ClassVar[str] = "work.plan.propose"

    text: str | None = None
    """Markdown: headings, lists, checkboxes"""
    task_id: str | None = None
    """Instead of text: its description is split, and its parts are filed"""
    phase_id: int | None = None
    """Of tasks for which the text names none"""
    by_rules: bool | None = None
    """Without the language model"""


class WorkRecurrenceListAnswerRecurrencesTiming(Answer):
    cron: str | None = None
    every: Annotated[Literal["day", "week"], Open] | None = None
    at: str | None = None
    weekday: Annotated[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"], Open] | None = None


class WorkRecurrenceListAnswerRecurrencesLast(Answer):
    fired_at: str | None
    task_id: str | None
    error: str | None


class WorkRecurrenceListAnswerRecurrences(Answer):
    recurrence_id: str
    name: str
    template: str
    variables: dict[str, str]
    timing: WorkRecurrenceListAnswerRecurrencesTiming
    timezone: str
    status: Annotated[Literal["active", "paused"], Open]
    last: WorkRecurrenceListAnswerRecurrencesLast | None
    """Null: it has not run yet"""
    created_by: str
    updated_at: str


class WorkRecurrenceListAnswer(Answer):
    recurrences: list[WorkRecurrenceListAnswerRecurrences]


class WorkRecurrenceList(Call[WorkRecurrenceListAnswer]):
    """Recurring tasks with their times, by name, and what their last run made."""

    tool: ClassVar[str] = "work.recurrence.list"


class WorkRecurrenceRemoveAnswer(Answer):
    removed: bool


class WorkRecurrenceRemove(Call[WorkRecurrenceRemoveAnswer]):
    """Ends a recurring task. The tasks that it made stay."""

    tool: ClassVar[str] = "work.recurrence.remove"

    recurrence_id: str


class WorkRecurrenceSaveAnswerRecurrenceTiming(Answer):
    cron: str | None = None
    every: Annotated[Literal["day", "week"], Open] | None = None
    at: str | None = None
    weekday: Annotated[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"], Open] | None = None


class WorkRecurrenceSaveAnswerRecurrenceLast(Answer):
    fired_at: str | None
    task_id: str | None
    error: str | None


class WorkRecurrenceSaveAnswerRecurrence(Answer):
    recurrence_id: str
    name: str
    template: str
    variables: dict[str, str]
    timing: WorkRecurrenceSaveAnswerRecurrenceTiming
    timezone: str
    status: Annotated[Literal["active", "paused"], Open]
    last: WorkRecurrenceSaveAnswerRecurrenceLast | None
    """Null: it has not run yet"""
    created_by: str
    updated_at: str


class WorkRecurrenceSaveAnswer(Answer):
    recurrence: WorkRecurrenceSaveAnswerRecurrence
    next: list[str]
    """When it runs next"""


class WorkRecurrenceSave(Call[WorkRecurrenceSaveAnswer]):
    """Has a task made of a template every day, every week or by a cron expression. With recurrence_id it changes one, or pauses it. Runs that were missed in an outage make one task."""

    tool: ClassVar[str] = "work.recurrence.save"

    recurrence_id: str | None = None
    """Left out: a new one"""
    name: str
    template: str
    variables: dict[str, str] | None = None
    """A value for each variable of the template"""
    cron: str | None = None
    """Five fields, once an hour at most, e.g. 0 8 * * 1-5"""
    every: Literal["day", "week"] | None = None
    """Instead of cron"""
    at: str | None = None
    """With every: HH:MM"""
    weekday: Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] | None = None
    """With every: week"""
    timezone: str | None = None
    """IANA name, e.g. Europe/Berlin"""
    paused: bool | None = None


class WorkRunAppendAnswer(Answer):
    next_seq: int


class WorkRunAppendEvents(Part):
    kind: Literal["text", "tool", "tool_result", "file", "usage", "notice", "raw"]
    text: str
    data: dict[str, Any] | None = None
    """Small: name of a tool, path of a file, exit code"""
    seq: int
    at: str


class WorkRunAppendUsage(Part):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: int | float | None = None


class WorkRunAppend(Call[WorkRunAppendAnswer]):
    """Adds events of an agent and its usage so far to your run; each number is stored once, secrets are masked. Go on with next_seq of the answer."""

    tool: ClassVar[str] = "work.run.append"

    run_id: str
    """Run id, e.g. wrun_01jd3f8k2m9x4v7qn5ra"""
    fencing_token: int
    """The fencing token that your claim gave you; whoever claimed must show it"""
    events: list[WorkRunAppendEvents] | None = None
    usage: WorkRunAppendUsage | None = None
    """Sums so far"""
    session_id: str | None = None


class WorkRunCloseAnswerRunChecks(Answer):
    command: str
    exit_code: int | None
    """Null: it was stopped at its time limit"""
    seconds: int | float
    output: str
    """The last lines"""


class WorkRunCloseAnswerRunUsage(Answer):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: int | float | None = None


class WorkRunCloseAnswerRunPullRequest(Answer):
    number: int | None
    url: str | None
    state: Annotated[Literal["wanted", "open", "merged", "closed", "dropped"], Open]
    error: str | None
    """Why it could not be opened yet"""


class WorkRunCloseAnswerRunReview(Answer):
    verdict: Annotated[Literal["approve", "send_back"], Open]
    by: str
    at: str
    note: str | None


class WorkRunCloseAnswerRun(Answer):
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
    outcome: Annotated[Literal["done", "blocked", "question", "failed", "released"], Open] | None
    summary: str | None
    reason: str | None
    checks: list[WorkRunCloseAnswerRunChecks]
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
    usage: WorkRunCloseAnswerRunUsage
    merge: Annotated[Literal["merge", "rebase", "patch", "pull_request"], Open]
    merged_commit: str | None
    pull_request: WorkRunCloseAnswerRunPullRequest | None
    review: WorkRunCloseAnswerRunReview | None
    started_at: str
    last_event_at: str | None
    ended_at: str | None


class WorkRunCloseAnswer(Answer):
    run: WorkRunCloseAnswerRun
    task_status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]


class WorkRunCloseChecks(Part):
    command: str
    exit_code: int | None
    """Null: it was stopped at its time limit"""
    seconds: int | float
    output: str
    """The last lines"""


class WorkRunCloseUsage(Part):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: int | float | None = None


class WorkRunClose(Call[WorkRunCloseAnswer]):
    """Records what your run did and moves its task: done completes it, failed lets another attempt begin, blocked and question wait for a person, released gives it back. The key of the agent ends."""

    tool: ClassVar[str] = "work.run.close"

    run_id: str
    """Run id, e.g. wrun_01jd3f8k2m9x4v7qn5ra"""
    fencing_token: int
    """The fencing token that your claim gave you; whoever claimed must show it"""
    outcome: Literal["done", "blocked", "question", "failed", "released"]
    summary: str | None = None
    reason: str | None = None
    """Why it failed, is blocked, or what it asks"""
    retry: bool | None = None
    """A failed task becomes ready again while attempts are left"""
    head_commit: str | None = None
    merged_commit: str | None = None
    commits: int | None = None
    files_changed: int | None = None
    insertions: int | None = None
    deletions: int | None = None
    checks: list[WorkRunCloseChecks] | None = None
    usage: WorkRunCloseUsage | None = None
    session_id: str | None = None
    patch_artifact: str | None = None
    log_artifact: str | None = None


class WorkRunGetAnswerRunChecks(Answer):
    command: str
    exit_code: int | None
    """Null: it was stopped at its time limit"""
    seconds: int | float
    output: str
    """The last lines"""


class WorkRunGetAnswerRunUsage(Answer):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: int | float | None = None


class WorkRunGetAnswerRunPullRequest(Answer):
    number: int | None
    url: str | None
    state: Annotated[Literal["wanted", "open", "merged", "closed", "dropped"], Open]
    error: str | None
    """Why it could not be opened yet"""


class WorkRunGetAnswerRunReview(Answer):
    verdict: Annotated[Literal["approve", "send_back"], Open]
    by: str
    at: str
    note: str | None


class WorkRunGetAnswerRun(Answer):
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
    outcome: Annotated[Literal["done", "blocked", "question", "failed", "released"], Open] | None
    summary: str | None
    reason: str | None
    checks: list[WorkRunGetAnswerRunChecks]
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
    usage: WorkRunGetAnswerRunUsage
    merge: Annotated[Literal["merge", "rebase", "patch", "pull_request"], Open]
    merged_commit: str | None
    pull_request: WorkRunGetAnswerRunPullRequest | None
    review: WorkRunGetAnswerRunReview | None
    started_at: str
    last_event_at: str | None
    ended_at: str | None


class WorkRunGetAnswer(Answer):
    run: WorkRunGetAnswerRun


class WorkRunGet(Call[WorkRunGetAnswer]):
    """One run of a coding agent: its state, outcome, checks, changes, usage and review. work.run.tail has what it said."""

    tool: ClassVar[str] = "work.run.get"

    run_id: str
    """Run id, e.g. wrun_01jd3f8k2m9x4v7qn5ra"""


class WorkRunListAnswerRunsChecks(Answer):
    command: str
    exit_code: int | None
    """Null: it was stopped at its time limit"""
    seconds: int | float
    output: str
    """The last lines"""


class WorkRunListAnswerRunsUsage(Answer):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: int | float | None = None


class WorkRunListAnswerRunsPullRequest(Answer):
    number: int | None
    url: str | None
    state: Annotated[Literal["wanted", "open", "merged", "closed", "dropped"], Open]
    error: str | None
    """Why it could not be opened yet"""


class WorkRunListAnswerRunsReview(Answer):
    verdict: Annotated[Literal["approve", "send_back"], Open]
    by: str
    at: str
    note: str | None


class WorkRunListAnswerRuns(Answer):
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
    outcome: Annotated[Literal["done", "blocked", "question", "failed", "released"], Open] | None
    summary: str | None
    reason: str | None
    checks: list[WorkRunListAnswerRunsChecks]
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
    usage: WorkRunListAnswerRunsUsage
    merge: Annotated[Literal["merge", "rebase", "patch", "pull_request"], Open]
    merged_commit: str | None
    pull_request: WorkRunListAnswerRunsPullRequest | None
    review: WorkRunListAnswerRunsReview | None
    started_at: str
    last_event_at: str | None
    ended_at: str | None


class WorkRunListAnswer(Answer):
    runs: list[WorkRunListAnswerRuns]


class WorkRunList(Call[WorkRunListAnswer]):
    """Runs of coding agents by task, phase, state, worker, host, repository or time, newest first."""

    tool: ClassVar[str] = "work.run.list"

    task_id: str | None = None
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    phase_id: int | None = None
    state: Literal["running", "review", "approved", "completed", "failed", "returned", "lost"] | None = None
    worker: str | None = None
    host: str | None = None
    repository: str | None = None
    since: str | None = None
    """Begun at or after this time"""
    limit: int | None = None
    cursor: str | None = None


class WorkRunMergedAnswerRunChecks(Answer):
    command: str
    exit_code: int | None
    """Null: it was stopped at its time limit"""
    seconds: int | float
    output: str
    """The last lines"""


class WorkRunMergedAnswerRunUsage(Answer):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: int | float | None = None


class WorkRunMergedAnswerRunPullRequest(Answer):
    number: int | None
    url: str | None
    state: Annotated[Literal["wanted", "open", "merged", "closed", "dropped"], Open]
    error: str | None
    """Why it could not be opened yet"""


class WorkRunMergedAnswerRunReview(Answer):
    verdict: Annotated[Literal["approve", "send_back"], Open]
    by: str
    at: str
    note: str | None


class WorkRunMergedAnswerRun(Answer):
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
    outcome: Annotated[Literal["done", "blocked", "question", "failed", "released"], Open] | None
    summary: str | None
    reason: str | None
    checks: list[WorkRunMergedAnswerRunChecks]
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
    usage: WorkRunMergedAnswerRunUsage
    merge: Annotated[Literal["merge", "rebase", "patch", "pull_request"], Open]
    merged_commit: str | None
    pull_request: WorkRunMergedAnswerRunPullRequest | None
    review: WorkRunMergedAnswerRunReview | None
    started_at: str
    last_event_at: str | None
    ended_at: str | None


class WorkRunMergedAnswer(Answer):
    run: WorkRunMergedAnswerRun
    task_status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]


class WorkRunMerged(Call[WorkRunMergedAnswer]):
    """Says that approved work was merged, which completes its task, or that it cannot be merged: then the task is ready again, with the conflict as a comment."""

    tool: ClassVar[str] = "work.run.merged"

    run_id: str
    """Run id, e.g. wrun_01jd3f8k2m9x4v7qn5ra"""
    commit: str | None = None
    conflict: str | None = None
    """Instead of a commit: why it cannot be merged"""


class WorkRunOpenAnswerRunChecks(Answer):
    command: str
    exit_code: int | None
    """Null: it was stopped at its time limit"""
    seconds: int | float
    output: str
    """The last lines"""


class WorkRunOpenAnswerRunUsage(Answer):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: int | float | None = None


class WorkRunOpenAnswerRunPullRequest(Answer):
    number: int | None
    url: str | None
    state: Annotated[Literal["wanted", "open", "merged", "closed", "dropped"], Open]
    error: str | None
    """Why it could not be opened yet"""


class WorkRunOpenAnswerRunReview(Answer):
    verdict: Annotated[Literal["approve", "send_back"], Open]
    by: str
    at: str
    note: str | None


class WorkRunOpenAnswerRun(Answer):
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
    outcome: Annotated[Literal["done", "blocked", "question", "failed", "released"], Open] | None
    summary: str | None
    reason: str | None
    checks: list[WorkRunOpenAnswerRunChecks]
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
    usage: WorkRunOpenAnswerRunUsage
    merge: Annotated[Literal["merge", "rebase", "patch", "pull_request"], Open]
    merged_commit: str | None
    pull_request: WorkRunOpenAnswerRunPullRequest | None
    review: WorkRunOpenAnswerRunReview | None
    started_at: str
    last_event_at: str | None
    ended_at: str | None


class WorkRunOpenAnswerBriefingTask(Answer):
    id: str
    description: str
    tags: list[str]
    attempt: int
    max_attempts: int


class WorkRunOpenAnswerBriefingPhase(Answer):
    id: int | float
    name: str
    description: str
    done_definitions: list[str]
    additional_notes: str | None
    setup: list[str]
    """Commands that prepare a worktree"""
    checks: list[str]
    """Commands that finished work must pass"""
    merge: Annotated[Literal["merge", "rebase", "patch", "pull_request"], Open] | None
    """Null: the runner decides"""
    needs_review: bool


class WorkRunOpenAnswerBriefingBlockers(Answer):
    id: str
    description: str
    result: str | None


class WorkRunOpenAnswerBriefingComments(Answer):
    author: str
    body: str
    created_at: str
    run_id: str | None
    path: str | None
    line: int | None


class WorkRunOpenAnswerBriefingEarlierChecks(Answer):
    command: str
    exit_code: int | None
    """Null: it was stopped at its time limit"""
    seconds: int | float
    output: str
    """The last lines"""


class WorkRunOpenAnswerBriefingEarlierUsage(Answer):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: int | float | None = None


class WorkRunOpenAnswerBriefingEarlierPullRequest(Answer):
    number: int | None
    url: str | None
    state: Annotated[Literal["wanted", "open", "merged", "closed", "dropped"], Open]
    error: str | None
    """Why it could not be opened yet"""


class WorkRunOpenAnswerBriefingEarlierReview(Answer):
    verdict: Annotated[Literal["approve", "send_back"], Open]
    by: str
    at: str
    note: str | None


class WorkRunOpenAnswerBriefingEarlier(Answer):
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
    outcome: Annotated[Literal["done", "blocked", "question", "failed", "released"], Open] | None
    summary: str | None
    reason: str | None
    checks: list[WorkRunOpenAnswerBriefingEarlierChecks]
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
    usage: WorkRunOpenAnswerBriefingEarlierUsage
    merge: Annotated[Literal["merge", "rebase", "patch", "pull_request"], Open]
    merged_commit: str | None
    pull_request: WorkRunOpenAnswerBriefingEarlierPullRequest | None
    review: WorkRunOpenAnswerBriefingEarlierReview | None
    started_at: str
    last_event_at: str | None
    ended_at: str | None


class WorkRunOpenAnswerBriefing(Answer):
    task: WorkRunOpenAnswerBriefingTask
    phase: WorkRunOpenAnswerBriefingPhase
    blockers: list[WorkRunOpenAnswerBriefingBlockers]
    """What the task waited for"""
    comments: list[WorkRunOpenAnswerBriefingComments]
    earlier: list[WorkRunOpenAnswerBriefingEarlier]
    """Former runs of the task, the latest first"""


class WorkRunOpenAnswerKey(Answer):
    key_id: str
    api_key: str
    expires_at: str


class WorkRunOpenAnswer(Answer):
    run: WorkRunOpenAnswerRun
    briefing: WorkRunOpenAnswerBriefing
    key: WorkRunOpenAnswerKey | None


class WorkRunOpen(Call[WorkRunOpenAnswer]):
    """Records that you start an agent on the task you hold, and answers with what it must know and a key of its own that ends with the run. For runners such as signalbox work."""

    tool: ClassVar[str] = "work.run.open"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    fencing_token: int
    """The fencing token that your claim gave you; whoever claimed must show it"""
    agent: str
    agent_version: str | None = None
    host: str
    repository: str | None = None
    branch: str | None = None
    base: str | None = None
    base_commit: str | None = None
    merge: Literal["merge", "rebase", "patch", "pull_request"] | None = None
    with_key: bool | None = None
    """Make a key for the agent, which ends with the run; false when it works already"""


class WorkRunPushedAnswerRunChecks(Answer):
    command: str
    exit_code: int | None
    """Null: it was stopped at its time limit"""
    seconds: int | float
    output: str
    """The last lines"""


class WorkRunPushedAnswerRunUsage(Answer):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: int | float | None = None


class WorkRunPushedAnswerRunPullRequest(Answer):
    number: int | None
    url: str | None
    state: Annotated[Literal["wanted", "open", "merged", "closed", "dropped"], Open]
    error: str | None
    """Why it could not be opened yet"""


class WorkRunPushedAnswerRunReview(Answer):
    verdict: Annotated[Literal["approve", "send_back"], Open]
    by: str
    at: str
    note: str | None


class WorkRunPushedAnswerRun(Answer):
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
    outcome: Annotated[Literal["done", "blocked", "question", "failed", "released"], Open] | None
    summary: str | None
    reason: str | None
    checks: list[WorkRunPushedAnswerRunChecks]
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
    usage: WorkRunPushedAnswerRunUsage
    merge: Annotated[Literal["merge", "rebase", "patch", "pull_request"], Open]
    merged_commit: str | None
    pull_request: WorkRunPushedAnswerRunPullRequest | None
    review: WorkRunPushedAnswerRunReview | None
    started_at: str
    last_event_at: str | None
    ended_at: str | None


class WorkRunPushedAnswer(Answer):
    run: WorkRunPushedAnswerRun


class WorkRunPushed(Call[WorkRunPushedAnswer]):
    """Says that the branch of approved work was pushed. The tracker of its repository opens the pull request; when that is merged, the task is done, and when it is closed, the task is ready again."""

    tool: ClassVar[str] = "work.run.pushed"

    run_id: str
    """Run id, e.g. wrun_01jd3f8k2m9x4v7qn5ra"""
    commit: str


class WorkRunReviewAnswerRunChecks(Answer):
    command: str
    exit_code: int | None
    """Null: it was stopped at its time limit"""
    seconds: int | float
    output: str
    """The last lines"""


class WorkRunReviewAnswerRunUsage(Answer):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: int | float | None = None


class WorkRunReviewAnswerRunPullRequest(Answer):
    number: int | None
    url: str | None
    state: Annotated[Literal["wanted", "open", "merged", "closed", "dropped"], Open]
    error: str | None
    """Why it could not be opened yet"""


class WorkRunReviewAnswerRunReview(Answer):
    verdict: Annotated[Literal["approve", "send_back"], Open]
    by: str
    at: str
    note: str | None


class WorkRunReviewAnswerRun(Answer):
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
    outcome: Annotated[Literal["done", "blocked", "question", "failed", "released"], Open] | None
    summary: str | None
    reason: str | None
    checks: list[WorkRunReviewAnswerRunChecks]
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
    usage: WorkRunReviewAnswerRunUsage
    merge: Annotated[Literal["merge", "rebase", "patch", "pull_request"], Open]
    merged_commit: str | None
    pull_request: WorkRunReviewAnswerRunPullRequest | None
    review: WorkRunReviewAnswerRunReview | None
    started_at: str
    last_event_at: str | None
    ended_at: str | None


class WorkRunReviewAnswer(Answer):
    run: WorkRunReviewAnswerRun
    task_status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]


class WorkRunReview(Call[WorkRunReviewAnswer]):
    """Approves what a run handed in, or sends it back for another attempt with a note; line comments come with work.task.comment. Approved work with a branch waits for its merge (work.run.merged)."""

    tool: ClassVar[str] = "work.run.review"

    run_id: str
    """Run id, e.g. wrun_01jd3f8k2m9x4v7qn5ra"""
    verdict: Literal["approve", "send_back"]
    note: str | None = None
    """Becomes a comment, which the next attempt reads"""


class WorkRunTailAnswerEvents(Answer):
    kind: Annotated[Literal["text", "tool", "tool_result", "file", "usage", "notice", "raw"], Open]
    text: str
    data: dict[str, Any] | None = None
    """Small: name of a tool, path of a file, exit code"""
    seq: int
    at: str


class WorkRunTailAnswerRunChecks(Answer):
    command: str
    exit_code: int | None
    """Null: it was stopped at its time limit"""
    seconds: int | float
    output: str
    """The last lines"""


class WorkRunTailAnswerRunUsage(Answer):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: int | float | None = None


class WorkRunTailAnswerRunPullRequest(Answer):
    number: int | None
    url: str | None
    state: Annotated[Literal["wanted", "open", "merged", "closed", "dropped"], Open]
    error: str | None
    """Why it could not be opened yet"""


class WorkRunTailAnswerRunReview(Answer):
    verdict: Annotated[Literal["approve", "send_back"], Open]
    by: str
    at: str
    note: str | None


class WorkRunTailAnswerRun(Answer):
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
    outcome: Annotated[Literal["done", "blocked", "question", "failed", "released"], Open] | None
    summary: str | None
    reason: str | None
    checks: list[WorkRunTailAnswerRunChecks]
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
    usage: WorkRunTailAnswerRunUsage
    merge: Annotated[Literal["merge", "rebase", "patch", "pull_request"], Open]
    merged_commit: str | None
    pull_request: WorkRunTailAnswerRunPullRequest | None
    review: WorkRunTailAnswerRunReview | None
    started_at: str
    last_event_at: str | None
    ended_at: str | None


class WorkRunTailAnswer(Answer):
    events: list[WorkRunTailAnswerEvents]
    after: int
    state: Annotated[Literal["running", "review", "approved", "completed", "failed", "returned", "lost"], Open]
    run: WorkRunTailAnswerRun


class WorkRunTail(Call[WorkRunTailAnswer]):
    """What an agent said and did, after a number; wait_seconds waits for the next event while the run goes on."""

    tool: ClassVar[str] = "work.run.tail"

    run_id: str
    """Run id, e.g. wrun_01jd3f8k2m9x4v7qn5ra"""
    after: int | None = None
    """Events after this number"""
    limit: int | None = None
    wait_seconds: int | None = None
    """Wait so long for the next one"""


class WorkTaskArchiveAnswerTask(Answer):
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


class WorkTaskArchiveAnswer(Answer):
    task: WorkTaskArchiveAnswerTask


class WorkTaskArchive(Call[WorkTaskArchiveAnswer]):
    """Takes a task that is done or has failed off lists and boards, or with archived false puts it back. It stays readable by its id."""

    tool: ClassVar[str] = "work.task.archive"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    archived: bool | None = None
    expected_rev: int | None = None
    """edit_rev that you have read: refused if it was edited since"""


class WorkTaskAssignAnswerTask(Answer):
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


class WorkTaskAssignAnswer(Answer):
    task: WorkTaskAssignAnswerTask


class WorkTaskAssign(Call[WorkTaskAssignAnswer]):
    """Reserves a task, so that work.task.claim gives it to this worker only; null lifts the reservation. Whoever holds it now keeps it. For people and its creator."""

    tool: ClassVar[str] = "work.task.assign"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    worker: str | None
    expected_rev: int | None = None
    """edit_rev that you have read: refused if it was edited since"""


class WorkTaskAttachAnswerAttachments(Answer):
    artifact_sha256: str
    """substrate.artifact.get returns its content"""
    name: str
    attached_by: str
    attached_at: str


class WorkTaskAttachAnswer(Answer):
    attachments: list[WorkTaskAttachAnswerAttachments]


class WorkTaskAttach(Call[WorkTaskAttachAnswer]):
    """Links a stored artifact to a task; work.task.get shows it. substrate.artifact.upload stores a file."""

    tool: ClassVar[str] = "work.task.attach"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    artifact_sha256: str
    """SHA-256 (hex) of the bytes"""
    name: str | None = None
    """Default: the name of the artifact"""


class WorkTaskBlockAnswerTask(Answer):
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


class WorkTaskBlockAnswer(Answer):
    task: WorkTaskBlockAnswerTask


class WorkTaskBlock(Call[WorkTaskBlockAnswer]):
    """Adds blockers to a task that is not in progress yet. It becomes ready by itself when all of them are done. Cycles are refused."""

    tool: ClassVar[str] = "work.task.block"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    blocked_by: list[str]


class WorkTaskCancelAnswerTask(Answer):
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


class WorkTaskCancelAnswer(Answer):
    task: WorkTaskCancelAnswerTask
    unblocked_tasks: list[str]
    """Became ready by it"""


class WorkTaskCancel(Call[WorkTaskCancelAnswer]):
    """Ends a task that is not wanted any more, also one that somebody works on: its holder is refused from now on. It leaves the board and stays readable, as failed and cancelled. For people and its creator."""

    tool: ClassVar[str] = "work.task.cancel"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    reason: str | None = None
    dependants: Literal["refuse", "free"] | None = None
    """If tasks wait for it: refuse, or free them, with a comment on each"""


class WorkTaskClaimAnswerTask(Answer):
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
    for_run: bool | None = None
    """For the run of an agent: nothing is ready while a budget of runs is spent"""


class WorkTaskCommentAnswerComment(Answer):
    id: str
    author: str
    body: str
    created_at: str
    run_id: str | None
    path: str | None
    line: int | None


class WorkTaskCommentAnswer(Answer):
    comment: WorkTaskCommentAnswerComment


class WorkTaskComment(Call[WorkTaskCommentAnswer]):
    """Adds a note to a task, of any status, for whoever works on it next; with run_id, path and line a note on changes that a run made."""

    tool: ClassVar[str] = "work.task.comment"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    body: str
    run_id: str | None = None
    """Run id, e.g. wrun_01jd3f8k2m9x4v7qn5ra"""
    path: str | None = None
    """File in the changes of the run"""
    line: int | None = None
    """Of the new version of the file"""


class WorkTaskCompleteAnswerTask(Answer):
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


class WorkTaskCreateAnswer(Answer):
    task: WorkTaskCreateAnswerTask


class WorkTaskCreate(Call[WorkTaskCreateAnswer]):
    """Files a task for a phase, for any agent to claim. Tasks in blocked_by are waited for; it becomes ready by itself when they are done."""

    tool: ClassVar[str] = "work.task.create"

    title: str | None = None
    """Becomes the first line of the description, too"""
    description: str | None = None
    """What is to be done, with requirements and acceptance criteria; without it the title"""
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
    due_at: str | None = None
    """With time zone, e.g. 2027-03-01T17:00:00Z"""
    assign_to: str | None = None
    """Reserve it for this worker"""
    parent_id: str | None = None
    """The task that it is a part of"""


class WorkTaskCreateFromTemplateAnswerTask(Answer):
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


class WorkTaskCreateFromTemplateAnswer(Answer):
    task: WorkTaskCreateFromTemplateAnswerTask


class WorkTaskCreateFromTemplate(Call[WorkTaskCreateFromTemplateAnswer]):
    """Files a task with the fields of a template and values for its variables. work.template.list shows both."""

    tool: ClassVar[str] = "work.task.create_from_template"

    template: str
    variables: dict[str, str] | None = None
    """A value for each variable of the template"""
    blocked_by: list[str] | None = None
    """Ids of tasks that must be done first"""
    due_at: str | None = None
    """With time zone, e.g. 2027-03-01T17:00:00Z"""
    parent_id: str | None = None
    """The task that it is a part of"""


class WorkTaskDeleteAnswer(Answer):
    deleted: Literal[True]
    unblocked_tasks: list[str]
    """Became ready by it"""


class WorkTaskDelete(Call[WorkTaskDeleteAnswer]):
    """Deletes a task with its comments and its history, and ends its process, also while somebody works on it. Only people may. work.task.cancel and work.task.archive keep it readable."""

    tool: ClassVar[str] = "work.task.delete"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    reason: str | None = None
    """Told to tasks that waited for it"""
    dependants: Literal["refuse", "free"] | None = None
    """If tasks wait for it: refuse, or free them, with a comment on each"""


class WorkTaskDetachAnswer(Answer):
    detached: bool


class WorkTaskDetach(Call[WorkTaskDetachAnswer]):
    """Takes an attachment off a task. The artifact itself stays."""

    tool: ClassVar[str] = "work.task.detach"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    artifact_sha256: str
    """SHA-256 (hex) of the bytes"""


class WorkTaskEditAnswerTask(Answer):
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


class WorkTaskEditAnswer(Answer):
    task: WorkTaskEditAnswerTask


class WorkTaskEdit(Call[WorkTaskEditAnswer]):
    """Changes what a task says and how it is worked on, for people and its creator; fields that are left out stay. work.task.history shows who changed what. Move it with work.task.move."""

    tool: ClassVar[str] = "work.task.edit"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    title: str | None = None
    description: str | None = None
    tags: list[str] | None = None
    """Replaces all"""
    metadata: dict[str, Any] | None = None
    """Merged; null removes a key"""
    due_at: str | None = None
    parent_id: str | None = None
    """The task that it is a part of"""
    needs_review: bool | None = None
    max_attempts: int | None = None
    lease_seconds: int | None = None
    """From the next claim or heartbeat on"""
    expected_rev: int | None = None
    """edit_rev that you have read: refused if it was edited since"""


class WorkTaskFailAnswerTask(Answer):
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
    run_id: str | None
    path: str | None
    line: int | None


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


class WorkTaskGetAnswerTaskPartsTasks(Answer):
    id: str
    description: str
    status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]
    assigned_agent_id: str | None


class WorkTaskGetAnswerTaskParts(Answer):
    total: int
    done: int
    cancelled: int
    tasks: list[WorkTaskGetAnswerTaskPartsTasks]


class WorkTaskGetAnswerTaskAttachments(Answer):
    artifact_sha256: str
    """substrate.artifact.get returns its content"""
    name: str
    attached_by: str
    attached_at: str


class WorkTaskGetAnswerTaskIssue(Answer):
    tracker_id: str
    number: int
    url: str
    state: Annotated[Literal["open", "closed"], Open]


class WorkTaskGetAnswerTaskPullRequest(Answer):
    number: int | None
    url: str | None
    state: Annotated[Literal["wanted", "open", "merged", "closed", "dropped"], Open]
    error: str | None
    """Why it could not be opened yet"""


class WorkTaskGetAnswerTask(Answer):
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
    comments: list[WorkTaskGetAnswerTaskComments]
    blockers: list[WorkTaskGetAnswerTaskBlockers]
    dependants: list[WorkTaskGetAnswerTaskDependants]
    parts: WorkTaskGetAnswerTaskParts
    attachments: list[WorkTaskGetAnswerTaskAttachments]
    issue: WorkTaskGetAnswerTaskIssue | None
    """The issue that it was made from"""
    pull_request: WorkTaskGetAnswerTaskPullRequest | None
    """The latest one with its work"""


class WorkTaskGetAnswer(Answer):
    task: WorkTaskGetAnswerTask


class WorkTaskGet(Call[WorkTaskGetAnswer]):
    """One task with everything known of it: status, lease, blockers, parts, attachments, progress, result, comments."""

    tool: ClassVar[str] = "work.task.get"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""


class WorkTaskGetCurrentAnswerTask(Answer):
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


class WorkTaskGetCurrentAnswer(Answer):
    task: WorkTaskGetCurrentAnswerTask | None


class WorkTaskGetCurrent(Call[WorkTaskGetCurrentAnswer]):
    """The task you hold under a valid lease, or null. Use it after a restart to find what you were doing."""

    tool: ClassVar[str] = "work.task.get_current"


class WorkTaskGraphAnswerTasks(Answer):
    id: str
    title: str | None
    description: str
    status: Annotated[Literal["blocked", "ready", "in_progress", "review", "done", "failed"], Open]
    phase_id: int | float
    priority: Annotated[Literal["high", "medium", "low"], Open]
    assigned_agent_id: str | None
    cancelled: bool
    """It has failed because it is no longer wanted"""
    distance: int
    """Negative: it is waited for; 0: the task itself; positive: it waits"""


class WorkTaskGraphAnswerEdges(Answer):
    task_id: str
    blocker_id: str
    waits: bool
    """false: the blocker no longer holds it up"""


class WorkTaskGraphAnswer(Answer):
    tasks: list[WorkTaskGraphAnswerTasks]
    """Nearest first; descriptions are cut"""
    edges: list[WorkTaskGraphAnswerEdges]
    more: bool
    """Tasks beyond the depth or the limit are left out"""


class WorkTaskGraph(Call[WorkTaskGraphAnswer]):
    """What a task waits for and what waits for it, over several steps, with the state of each."""

    tool: ClassVar[str] = "work.task.graph"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    depth: int | None = None
    """Steps in each direction"""


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


class WorkTaskHistoryAnswerEntriesEdited(Answer):
    field: str
    from_: str | None = Field(alias="from")
    to: str | None


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
    kind: Annotated[Literal["change", "edit", "refusal"], Open]
    change: Annotated[Literal["created", "blocked", "ready", "claimed", "taken_over", "released", "lapsed", "retried", "failed", "cancelled", "submitted", "sent_back", "completed", "changed"], Open] | None
    """Null: an edit or a refusal"""
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
    edited: list[WorkTaskHistoryAnswerEntriesEdited] | None
    """Of an edit: its fields before and after, as text"""
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


class WorkTaskListAnswerTasksParts(Answer):
    total: int
    done: int


class WorkTaskListAnswerTasks(Answer):
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
    parts: WorkTaskListAnswerTasksParts | None = None
    """Null: it has no parts"""
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
    """Words of title and description, all of them, or an id"""
    priority: Literal["high", "medium", "low"] | None = None
    tags: list[str] | None = None
    """Tasks that carry all of these"""
    assigned_to: str | None = None
    """Empty: nobody"""
    stuck: Literal["any", "lapsed", "silent", "blocked", "exhausted", "waiting"] | None = None
    """Tasks that do not move, for this reason or any"""
    overdue: bool | None = None
    """Open tasks whose due date has passed"""
    reserved_for: str | None = None
    """Tasks that only this worker is given"""
    parent_id: str | None = None
    """Parts of this task"""
    archived: bool | None = None
    """Only archived ones; without it there are none"""
    status: Literal["blocked", "ready", "in_progress", "review", "done", "failed"] | None = None
    order: Literal["priority", "oldest", "newest", "updated"] | None = None
    """Default: oldest"""
    newest_first: bool | None = None
    """The same as order newest"""
    details: bool | None = None
    """With lease, attempts, failure, why it is stuck, times and revision"""
    limit: int | None = None
    cursor: str | None = None


class WorkTaskMoveAnswerTask(Answer):
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


class WorkTaskMoveAnswer(Answer):
    task: WorkTaskMoveAnswerTask


class WorkTaskMove(Call[WorkTaskMoveAnswer]):
    """Gives a task another phase or priority, for people and its creator. Claims go by both; a running lease stays."""

    tool: ClassVar[str] = "work.task.move"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    phase_id: int | None = None
    priority: Literal["high", "medium", "low"] | None = None
    expected_rev: int | None = None
    """edit_rev that you have read: refused if it was edited since"""


class WorkTaskReleaseAnswerTask(Answer):
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


class WorkTemplateListAnswerTemplatesTask(Answer):
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


class WorkTemplateListAnswerTemplates(Answer):
    name: str
    task: WorkTemplateListAnswerTemplatesTask
    variables: list[str]
    created_by: str
    updated_at: str


class WorkTemplateListAnswer(Answer):
    templates: list[WorkTemplateListAnswerTemplates]


class WorkTemplateList(Call[WorkTemplateListAnswer]):
    """Templates of tasks with their variables, by name."""

    tool: ClassVar[str] = "work.template.list"


class WorkTemplateRemoveAnswer(Answer):
    removed: bool


class WorkTemplateRemove(Call[WorkTemplateRemoveAnswer]):
    """Removes a template. Tasks made of it stay; recurring tasks that use it must be removed first."""

    tool: ClassVar[str] = "work.template.remove"

    name: str


class WorkTemplateSaveAnswerTemplateTask(Answer):
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


class WorkTemplateSaveAnswerTemplate(Answer):
    name: str
    task: WorkTemplateSaveAnswerTemplateTask
    variables: list[str]
    created_by: str
    updated_at: str


class WorkTemplateSaveAnswer(Answer):
    template: WorkTemplateSaveAnswerTemplate


class WorkTemplateSaveTask(Part):
    title: str | None = None
    """{{name}} is a variable, here and in description and tags"""
    description: str | None = None
    phase_id: int
    priority: Literal["high", "medium", "low"] | None = None
    tags: list[str] | None = None
    metadata: dict[str, Any] | None = None
    lease_seconds: int | None = None
    max_attempts: int | None = None
    needs_review: bool | None = None
    assign_to: str | None = None
    """Reserve its tasks for this worker"""


class WorkTemplateSave(Call[WorkTemplateSaveAnswer]):
    """Keeps the fields of tasks that are filed again and again, with variables such as {{version}} in title, description and tags. work.task.create_from_template makes tasks of it. A template of this name is replaced."""

    tool: ClassVar[str] = "work.template.save"

    name: str
    task: WorkTemplateSaveTask


class WorkTrackerListAnswerTrackersFilter(Answer):
    labels: list[str] | None = None
    """Issues that carry all of these"""
    assignee: str | None = None
    """User name; left out: whoever"""


class WorkTrackerListAnswerTrackersLast(Answer):
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
    started_at: str
    ended_at: str
    error: str | None


class WorkTrackerListAnswerTrackers(Answer):
    tracker_id: str
    name: str
    kind: Annotated[Literal["github", "gitlab"], Open]
    base_url: str
    repository: str
    remote: str
    """Runs of agents in this repository are its pull requests"""
    filter: WorkTrackerListAnswerTrackersFilter
    phase_id: int | float
    close_done: bool
    every_minutes: int
    status: Annotated[Literal["active", "paused"], Open]
    limited_until: str | None
    """Nothing is asked until then: the other side limits calls"""
    last: WorkTrackerListAnswerTrackersLast | None
    """Null: it has not run yet"""
    created_by: str
    updated_at: str


class WorkTrackerListAnswer(Answer):
    trackers: list[WorkTrackerListAnswerTrackers]


class WorkTrackerList(Call[WorkTrackerListAnswer]):
    """The trackers whose issues become tasks, by name, with what their last sync did and why it failed. Tokens are never shown."""

    tool: ClassVar[str] = "work.tracker.list"


class WorkTrackerRemoveAnswer(Answer):
    removed: bool


class WorkTrackerRemove(Call[WorkTrackerRemoveAnswer]):
    """Ends the sync with an issue tracker and forgets its token. Its tasks and issues stay as they are."""

    tool: ClassVar[str] = "work.tracker.remove"

    tracker_id: str


class WorkTrackerSaveAnswerTrackerFilter(Answer):
    labels: list[str] | None = None
    """Issues that carry all of these"""
    assignee: str | None = None
    """User name; left out: whoever"""


class WorkTrackerSaveAnswerTrackerLast(Answer):
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
    started_at: str
    ended_at: str
    error: str | None


class WorkTrackerSaveAnswerTracker(Answer):
    tracker_id: str
    name: str
    kind: Annotated[Literal["github", "gitlab"], Open]
    base_url: str
    repository: str
    remote: str
    """Runs of agents in this repository are its pull requests"""
    filter: WorkTrackerSaveAnswerTrackerFilter
    phase_id: int | float
    close_done: bool
    every_minutes: int
    status: Annotated[Literal["active", "paused"], Open]
    limited_until: str | None
    """Nothing is asked until then: the other side limits calls"""
    last: WorkTrackerSaveAnswerTrackerLast | None
    """Null: it has not run yet"""
    created_by: str
    updated_at: str


class WorkTrackerSaveAnswer(Answer):
    tracker: WorkTrackerSaveAnswerTracker


class WorkTrackerSaveFilter(Part):
    labels: list[str] | None = None
    """Issues that carry all of these"""
    assignee: str | None = None
    """User name; left out: whoever"""


class WorkTrackerSave(Call[WorkTrackerSaveAnswer]):
    """Has issues of a GitHub or GitLab repository become tasks of a phase, and tells the issues what becomes of them. The token is kept sealed and never shown. With tracker_id it changes or pauses one."""

    tool: ClassVar[str] = "work.tracker.save"

    tracker_id: str | None = None
    """Left out: a new one"""
    name: str
    kind: Literal["github", "gitlab"]
    base_url: str | None = None
    """Of a server of your own, with the path of its API: https://git.example.com/api/v3"""
    repository: str
    remote: str | None = None
    """Address of the repository as runners have it, where it does not follow from base_url and repository"""
    filter: WorkTrackerSaveFilter | None = None
    phase_id: int
    """Its issues become tasks of this phase"""
    close_done: bool | None = None
    """Close the issue when its task is done"""
    every_minutes: int | None = None
    paused: bool | None = None
    token: str | None = None
    """Reads and writes issues and pull requests; left out: the one it has"""


class WorkTrackerSyncAnswerTrackerFilter(Answer):
    labels: list[str] | None = None
    """Issues that carry all of these"""
    assignee: str | None = None
    """User name; left out: whoever"""


class WorkTrackerSyncAnswerTrackerLast(Answer):
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
    started_at: str
    ended_at: str
    error: str | None


class WorkTrackerSyncAnswerTracker(Answer):
    tracker_id: str
    name: str
    kind: Annotated[Literal["github", "gitlab"], Open]
    base_url: str
    repository: str
    remote: str
    """Runs of agents in this repository are its pull requests"""
    filter: WorkTrackerSyncAnswerTrackerFilter
    phase_id: int | float
    close_done: bool
    every_minutes: int
    status: Annotated[Literal["active", "paused"], Open]
    limited_until: str | None
    """Nothing is asked until then: the other side limits calls"""
    last: WorkTrackerSyncAnswerTrackerLast | None
    """Null: it has not run yet"""
    created_by: str
    updated_at: str


class WorkTrackerSyncAnswer(Answer):
    tracker: WorkTrackerSyncAnswerTracker
    finished: bool
    """False: it is still under way; `last` is the sync before it"""


class WorkTrackerSync(Call[WorkTrackerSyncAnswer]):
    """Imports changed issues and writes what happened to their tasks, without waiting for the next sync. Answers with what it did; if it takes longer, work.tracker.list shows it later."""

    tool: ClassVar[str] = "work.tracker.sync"

    tracker_id: str
    wait_seconds: int | None = None
    """Wait so long for its end"""


class WorkUsageGetAnswerRows(Answer):
    runs: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost_usd: int | float | None
    seconds: int | float
    key: str
    """Task, agent, number of a phase, or day"""


class WorkUsageGetAnswerTotal(Answer):
    runs: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost_usd: int | float | None
    seconds: int | float


class WorkUsageGetAnswer(Answer):
    since: str
    rows: list[WorkUsageGetAnswerRows]
    total: WorkUsageGetAnswerTotal


class WorkUsageGet(Call[WorkUsageGetAnswer]):
    """Tokens, cost, time and number of runs, summed by task, agent, phase or day; of the last 30 days unless since says otherwise."""

    tool: ClassVar[str] = "work.usage.get"

    by: Literal["task", "agent", "phase", "day"] | None = None
    since: str | None = None
    """Runs that began at or after this time"""
    phase_id: int | None = None
    limit: int | None = None
