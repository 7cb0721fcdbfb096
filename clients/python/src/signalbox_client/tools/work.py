# Written by `npm run gen`. Do not edit.
"""Tools of the domain work."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from .._models import Answer, Call, Open, Part
from .shapes import Attachment, ClosedRun, Comment, Heartbeats, ListedTask, Phase, PullRequest, Recurrence, RunBudget, SavedBoard, Task, TaskLink, Template, Tracker, WorkRun


class WorkBoardGetAnswerColumns(Answer):
    backlog: list[ListedTask]
    ready: list[ListedTask]
    in_progress: list[ListedTask]
    review: list[ListedTask]
    done: list[ListedTask]


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


class WorkBoardListAnswer(Answer):
    boards: list[SavedBoard]


class WorkBoardList(Call[WorkBoardListAnswer]):
    """Saved boards with their filters, by name."""

    tool: ClassVar[str] = "work.board.list"


class WorkBoardRemoveAnswer(Answer):
    removed: bool


class WorkBoardRemove(Call[WorkBoardRemoveAnswer]):
    """Removes a saved board. Its tasks stay."""

    tool: ClassVar[str] = "work.board.remove"

    name: str


class WorkBoardSaveAnswer(Answer):
    board: SavedBoard


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


class WorkBudgetGetAnswer(Answer):
    budgets: list[RunBudget]


class WorkBudgetGet(Call[WorkBudgetGetAnswer]):
    """What runs of agents may use per day, of the whole tenant and of phases, and what today’s runs have used."""

    tool: ClassVar[str] = "work.budget.get"


class WorkBudgetSetAnswer(Answer):
    budgets: list[RunBudget]


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


class WorkPhaseGetAnswer(Answer):
    phase: Phase


class WorkPhaseGet(Call[WorkPhaseGetAnswer]):
    """What a phase is for, when its work counts as done, and where it happens."""

    tool: ClassVar[str] = "work.phase.get"

    phase_id: int


class WorkPhaseListAnswer(Answer):
    phases: list[Phase]


class WorkPhaseList(Call[WorkPhaseListAnswer]):
    """All phases of the board with their definitions of done."""

    tool: ClassVar[str] = "work.phase.list"


class WorkPhaseSetAnswer(Answer):
    phase: Phase


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
    stuck_minutes: int | None = None
    """Minutes without output after which an agent is told to be stuck; null: 10, 0: never"""
    stuck_repeats: int | None = None
    """The same for equal steps with equal results in a row; null: 5, 0: never"""
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


class WorkRecurrenceListAnswer(Answer):
    recurrences: list[Recurrence]


class WorkRecurrenceList(Call[WorkRecurrenceListAnswer]):
    """Recurring tasks with their times, by name, and what their last run made."""

    tool: ClassVar[str] = "work.recurrence.list"


class WorkRecurrenceRemoveAnswer(Answer):
    removed: bool


class WorkRecurrenceRemove(Call[WorkRecurrenceRemoveAnswer]):
    """Ends a recurring task. The tasks that it made stay."""

    tool: ClassVar[str] = "work.recurrence.remove"

    recurrence_id: str


class WorkRecurrenceSaveAnswer(Answer):
    recurrence: Recurrence
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


class WorkRunClose(Call[ClosedRun]):
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


class WorkRunGetAnswer(Answer):
    run: WorkRun


class WorkRunGet(Call[WorkRunGetAnswer]):
    """One run of a coding agent: its state, outcome, checks, changes, usage and review. work.run.tail has what it said."""

    tool: ClassVar[str] = "work.run.get"

    run_id: str
    """Run id, e.g. wrun_01jd3f8k2m9x4v7qn5ra"""


class WorkRunListAnswer(Answer):
    runs: list[WorkRun]


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


class WorkRunMerged(Call[ClosedRun]):
    """Says that approved work was merged, which completes its task, or that it cannot be merged: then the task is ready again, with the conflict as a comment."""

    tool: ClassVar[str] = "work.run.merged"

    run_id: str
    """Run id, e.g. wrun_01jd3f8k2m9x4v7qn5ra"""
    commit: str | None = None
    conflict: str | None = None
    """Instead of a commit: why it cannot be merged"""


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


class WorkRunOpenAnswerBriefing(Answer):
    task: WorkRunOpenAnswerBriefingTask
    phase: WorkRunOpenAnswerBriefingPhase
    blockers: list[WorkRunOpenAnswerBriefingBlockers]
    """What the task waited for"""
    comments: list[WorkRunOpenAnswerBriefingComments]
    earlier: list[WorkRun]
    """Former runs of the task, the latest first"""


class WorkRunOpenAnswerKey(Answer):
    key_id: str
    api_key: str
    expires_at: str


class WorkRunOpenAnswer(Answer):
    run: WorkRun
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


class WorkRunPushedAnswer(Answer):
    run: WorkRun


class WorkRunPushed(Call[WorkRunPushedAnswer]):
    """Says that the branch of approved work was pushed. The tracker of its repository opens the pull request; when that is merged, the task is done, and when it is closed, the task is ready again."""

    tool: ClassVar[str] = "work.run.pushed"

    run_id: str
    """Run id, e.g. wrun_01jd3f8k2m9x4v7qn5ra"""
    commit: str


class WorkRunReview(Call[ClosedRun]):
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


class WorkRunTailAnswer(Answer):
    events: list[WorkRunTailAnswerEvents]
    after: int
    state: Annotated[Literal["running", "review", "approved", "completed", "failed", "returned", "lost"], Open]
    run: WorkRun


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


class WorkTaskArchiveAnswer(Answer):
    task: Task


class WorkTaskArchive(Call[WorkTaskArchiveAnswer]):
    """Takes a task that is done or has failed off lists and boards, or with archived false puts it back. It stays readable by its id."""

    tool: ClassVar[str] = "work.task.archive"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    archived: bool | None = None
    expected_rev: int | None = None
    """edit_rev that you have read: refused if it was edited since"""


class WorkTaskAssignAnswer(Answer):
    task: Task


class WorkTaskAssign(Call[WorkTaskAssignAnswer]):
    """Reserves a task, so that work.task.claim gives it to this worker only; null lifts the reservation. Whoever holds it now keeps it. For people and its creator."""

    tool: ClassVar[str] = "work.task.assign"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    worker: str | None
    expected_rev: int | None = None
    """edit_rev that you have read: refused if it was edited since"""


class WorkTaskAttachAnswer(Answer):
    attachments: list[Attachment]


class WorkTaskAttach(Call[WorkTaskAttachAnswer]):
    """Links a stored artifact to a task; work.task.get shows it. substrate.artifact.upload stores a file."""

    tool: ClassVar[str] = "work.task.attach"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    artifact_sha256: str
    """SHA-256 (hex) of the bytes"""
    name: str | None = None
    """Default: the name of the artifact"""


class WorkTaskBlockAnswer(Answer):
    task: Task


class WorkTaskBlock(Call[WorkTaskBlockAnswer]):
    """Adds blockers to a task that is not in progress yet. It becomes ready by itself when all of them are done. Cycles are refused."""

    tool: ClassVar[str] = "work.task.block"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    blocked_by: list[str]


class WorkTaskCancelAnswer(Answer):
    task: Task
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


class WorkTaskClaimAnswer(Answer):
    task: Task | None
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


class WorkTaskCommentAnswer(Answer):
    comment: Comment


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


class WorkTaskCompleteAnswer(Answer):
    task: Task
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


class WorkTaskCreateAnswer(Answer):
    task: Task


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


class WorkTaskCreateFromTemplateAnswer(Answer):
    task: Task


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


class WorkTaskEditAnswer(Answer):
    task: Task


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


class WorkTaskFailAnswer(Answer):
    task: Task


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


class WorkTaskGetAnswerTaskParts(Answer):
    total: int
    done: int
    cancelled: int
    tasks: list[TaskLink]


class WorkTaskGetAnswerTaskIssue(Answer):
    tracker_id: str
    number: int
    name: str
    """As people call it: #12, SHOP-12"""
    url: str
    state: Annotated[Literal["open", "closed"], Open]
    """As it was when it was last followed"""
    left: Annotated[Literal["filter", "moved", "gone"], Open] | None
    """Why the task no longer follows it; null: it does"""


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
    comments: list[Comment]
    blockers: list[TaskLink]
    dependants: list[TaskLink]
    parts: WorkTaskGetAnswerTaskParts
    attachments: list[Attachment]
    issue: WorkTaskGetAnswerTaskIssue | None
    """The issue that it was made from"""
    pull_request: PullRequest | None
    """The latest one with its work"""


class WorkTaskGetAnswer(Answer):
    task: WorkTaskGetAnswerTask


class WorkTaskGet(Call[WorkTaskGetAnswer]):
    """One task with everything known of it: status, lease, blockers, parts, attachments, progress, result, comments."""

    tool: ClassVar[str] = "work.task.get"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""


class WorkTaskGetCurrentAnswer(Answer):
    task: Task | None


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
    heartbeats: Heartbeats | None
    """Of the lease that this change ended"""
    refused: WorkTaskHistoryAnswerEntriesRefused | None
    """A write with the fencing token of a lease that had ended"""


class WorkTaskHistoryAnswerLease(Answer):
    agent: str
    fencing_token: int | None
    """Number of the lease; of a running one for people and its holder, null for others"""
    since: str
    expires_at: str | None
    heartbeats: Heartbeats | None


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


class WorkTaskListAnswer(Answer):
    tasks: list[ListedTask]


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


class WorkTaskMoveAnswer(Answer):
    task: Task


class WorkTaskMove(Call[WorkTaskMoveAnswer]):
    """Gives a task another phase or priority, for people and its creator. Claims go by both; a running lease stays."""

    tool: ClassVar[str] = "work.task.move"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    phase_id: int | None = None
    priority: Literal["high", "medium", "low"] | None = None
    expected_rev: int | None = None
    """edit_rev that you have read: refused if it was edited since"""


class WorkTaskReleaseAnswer(Answer):
    task: Task


class WorkTaskRelease(Call[WorkTaskReleaseAnswer]):
    """Hands your claimed task back unfinished, for another agent to claim; needs the fencing_token of your claim. Leave a comment on how far you got."""

    tool: ClassVar[str] = "work.task.release"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    fencing_token: int | None = None
    """The fencing token that your claim gave you; whoever claimed must show it"""


class WorkTaskUpdateStatusAnswer(Answer):
    task: Task
    unblocked_tasks: list[str]


class WorkTaskUpdateStatus(Call[WorkTaskUpdateStatusAnswer]):
    """Moves a task to ready, in_progress, done or failed. Mark it done as soon as every requirement is met: tasks that wait for it become ready. done and failed need the fencing_token of your claim. On a task in review, done approves. ready gives failed, reviewed or held work to the next claim; the attempt does not count."""

    tool: ClassVar[str] = "work.task.update_status"

    task_id: str
    """Task id, e.g. task_01jd3f8k2m9x4v7qn5ra"""
    status: Literal["ready", "in_progress", "done", "failed"]
    result: str | None = None
    """What was achieved, or why it failed"""
    metadata: dict[str, Any] | None = None
    """Merged into the task"""
    fencing_token: int | None = None
    """The fencing token that your claim gave you; whoever claimed must show it"""


class WorkTemplateListAnswer(Answer):
    templates: list[Template]


class WorkTemplateList(Call[WorkTemplateListAnswer]):
    """Templates of tasks with their variables, by name."""

    tool: ClassVar[str] = "work.template.list"


class WorkTemplateRemoveAnswer(Answer):
    removed: bool


class WorkTemplateRemove(Call[WorkTemplateRemoveAnswer]):
    """Removes a template. Tasks made of it stay; recurring tasks that use it must be removed first."""

    tool: ClassVar[str] = "work.template.remove"

    name: str


class WorkTemplateSaveAnswer(Answer):
    template: Template


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


class WorkTrackerListAnswer(Answer):
    trackers: list[Tracker]


class WorkTrackerList(Call[WorkTrackerListAnswer]):
    """The trackers whose issues become tasks, by name, with what their last sync did and why it failed. Tokens are never shown."""

    tool: ClassVar[str] = "work.tracker.list"


class WorkTrackerRemoveAnswer(Answer):
    removed: bool


class WorkTrackerRemove(Call[WorkTrackerRemoveAnswer]):
    """Ends the sync with an issue tracker and forgets its token. Its tasks and issues stay as they are."""

    tool: ClassVar[str] = "work.tracker.remove"

    tracker_id: str


class WorkTrackerSaveAnswer(Answer):
    tracker: Tracker


class WorkTrackerSaveFilter(Part):
    labels: list[str] | None = None
    """Issues that carry all of these"""
    assignee: str | None = None
    """User name; in Jira and Linear the name shown, or the address; left out: whoever"""


class WorkTrackerSave(Call[WorkTrackerSaveAnswer]):
    """Has issues of a GitHub or GitLab repository, a Jira project or a Linear team become tasks of a phase, and tells the issues what becomes of them. The token is kept sealed and never shown. With tracker_id it changes or pauses one."""

    tool: ClassVar[str] = "work.tracker.save"

    tracker_id: str | None = None
    """Left out: a new one"""
    name: str
    kind: Literal["github", "gitlab", "jira", "linear"]
    base_url: str | None = None
    """Of a server of your own, with the path of its API: https://git.example.com/api/v3. Jira: https://acme.atlassian.net"""
    repository: str
    """GitHub, GitLab: owner/name. Jira: key of the project. Linear: key of the team"""
    remote: str | None = None
    """GitHub, GitLab: address of the repository as runners have it, where it does not follow from base_url and repository"""
    filter: WorkTrackerSaveFilter | None = None
    phase_id: int
    """Its issues become tasks of this phase"""
    close_done: bool | None = None
    """Close the issue when its task is done"""
    every_minutes: int | None = None
    paused: bool | None = None
    token: str | None = None
    """Reads and writes issues and pull requests; Jira Cloud: address:token; left out: the one it has"""


class WorkTrackerSyncAnswer(Answer):
    tracker: Tracker
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
