# Written by `npm run gen`. Do not edit.
"""Tools of the domain run."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from .._models import Answer, Call, Open, Part
from .shapes import Ref, Run, RunDetail


class RunCheckpointGetAnswerCheckpoint(Answer):
    checkpoint_id: str
    run_id: str
    seq: int | float
    label: str | None
    state: Any = None
    state_ref: str | None
    saved_by: str
    at: str


class RunCheckpointGetAnswer(Answer):
    checkpoint: RunCheckpointGetAnswerCheckpoint


class RunCheckpointGet(Call[RunCheckpointGetAnswer]):
    """The latest checkpoint of a run, or a certain one, with its state (or the artifact that holds it): where to go on from."""

    tool: ClassVar[str] = "run.checkpoint.get"

    run_id: str
    """Id of a run"""
    checkpoint_id: str | None = None
    """Default: the latest"""


class RunCheckpointSaveAnswer(Answer):
    checkpoint_id: str
    seq: int | float


class RunCheckpointSave(Call[RunCheckpointSaveAnswer]):
    """Saves a state from which a running run can go on after a crash; run.checkpoint.get gives back the latest."""

    tool: ClassVar[str] = "run.checkpoint.save"

    run_id: str
    """Id of a run"""
    label: str | None = None
    state: Any = None
    """What is needed to go on; any JSON up to 1 MB"""
    state_ref: str | None = None
    """Instead of state: an artifact that holds it"""


class RunRecordComplete(Call[RunDetail]):
    """Ends a run as completed, failed or cancelled, with what it yielded or why. An ending stands; the same one again is answered."""

    tool: ClassVar[str] = "run.record.complete"

    run_id: str
    """Id of a run"""
    status: Literal["completed", "failed", "cancelled"]
    outputs: Any = None
    """What it yielded; any JSON up to 256 KB"""
    error: str | None = None
    """Why it failed or was cancelled"""


class RunRecordCreateAnswer(Answer):
    run_id: str
    status: Annotated[Literal["created", "running", "completed", "failed", "cancelled"], Open]


class RunRecordCreate(Call[RunRecordCreateAnswer]):
    """Opens a record of work that you drive yourself: its steps, checkpoints and outcome are kept under its id. Start it with run.record.start."""

    tool: ClassVar[str] = "run.record.create"

    name: str
    kind: str | None = None
    """A word of yours by which runs are told apart"""
    parent_run_id: str | None = None
    """The run that this one is a part of"""
    input: Any = None
    """What it works on; any JSON up to 256 KB"""


class RunRecordGetAnswerSteps(Answer):
    step_id: str
    seq: int | float
    step: str
    status: str | None
    data: Any
    refs: list[Ref]
    logged_by: str
    at: str


class RunRecordGetAnswerTotals(Answer):
    steps: int | float
    checkpoints: int | float
    children: int | float
    calls: int | float
    duration_ms: int | float | None


class RunRecordGetAnswerCalls(Answer):
    tool_call_id: str
    tool_: str = Field(alias="tool")
    principal: str
    status: str | None
    duration_ms: int | float | None
    at: str


class RunRecordGetAnswer(Answer):
    run: RunDetail
    steps: list[RunRecordGetAnswerSteps]
    totals: RunRecordGetAnswerTotals
    calls: list[RunRecordGetAnswerCalls]


class RunRecordGet(Call[RunRecordGetAnswer]):
    """A run with what it was given and yielded, a page of its steps in order, totals, and the latest calls that the ledger has of it."""

    tool: ClassVar[str] = "run.record.get"

    run_id: str
    """Id of a run"""
    limit: int | None = None
    """Steps"""
    cursor: str | None = None
    """next_cursor of the page of steps before"""


class RunRecordListAnswer(Answer):
    runs: list[Run]


class RunRecordList(Call[RunRecordListAnswer]):
    """The runs of your tenant, newest first; by status, kind or the run they are a part of."""

    tool: ClassVar[str] = "run.record.list"

    status: Literal["created", "running", "completed", "failed", "cancelled"] | None = None
    kind: str | None = None
    parent_run_id: str | None = None
    """Only parts of this run"""
    limit: int | None = None
    cursor: str | None = None
    """next_cursor of the page before"""


class RunRecordStart(Call[Run]):
    """Marks a run as running: from now on it takes steps (run.step.log) and checkpoints (run.checkpoint.save)."""

    tool: ClassVar[str] = "run.record.start"

    run_id: str
    """Id of a run"""


class RunStepLogAnswer(Answer):
    step_id: str
    seq: int | float


class RunStepLogRefs(Part):
    type: Literal["artifact", "pointer", "run", "job", "workflow", "approval", "entity", "task", "document", "source", "signal", "opportunity", "draft", "manifest", "claim", "schema", "agent", "feed", "brief", "notification", "subscription", "schedule", "server", "policy", "key", "external_tool"]
    id: str
    sha256: str | None = None
    url: str | None = None


class RunStepLog(Call[RunStepLogAnswer]):
    """Appends a step to a running run. Steps are numbered from 1 without gaps, whoever logs at the same time."""

    tool: ClassVar[str] = "run.step.log"

    run_id: str
    """Id of a run"""
    step: str
    """What was done"""
    status: str | None = None
    """A word of yours, e.g. ok or retried"""
    data: Any = None
    """Any JSON up to 64 KB; larger things are artifacts"""
    refs: list[RunStepLogRefs] | None = None
    """Platform objects that the step made or used"""
