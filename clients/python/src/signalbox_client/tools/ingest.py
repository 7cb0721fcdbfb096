# Written by `npm run gen`. Do not edit.
"""Tools of the domain ingest."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from .._models import Answer, Call, Open, Part
from .shapes import DlqItem, IngestAnswer, ItemCounts, RunLog, RunLogStats


class IngestContentSubmitSource(Part):
    kind: Literal["text", "file", "url", "artifact"]
    text: str | None = None
    title: str | None = None
    """Of a text: what a later version replaces it by"""
    format: str | None = None
    """E.g. pdf; default: from file name or content"""
    file_path: str | None = None
    """File, folder or zip inside INGEST_ROOTS"""
    url: str | None = None
    depth: int | None = None
    sha256: str | None = None


class IngestContentSubmit(Call[IngestAnswer]):
    """Makes content of any origin searchable: a text, a file, a folder, an archive, a web page, an artifact. Answers a job."""

    tool: ClassVar[str] = "ingest.content.submit"

    source: IngestContentSubmitSource
    kb_id: str | None = None
    """Knowledge base"""
    chunk_size: int | None = None
    """Characters of a passage; default 1000"""
    tags: list[str] | None = None
    metadata: dict[str, Any] | None = None


class IngestDlqAbandonAnswerResultsError(Answer):
    code: str
    message: str
    suggestion: str | None = None


class IngestDlqAbandonAnswerResults(Answer):
    dlq_id: str
    item: DlqItem | None = None
    error: IngestDlqAbandonAnswerResultsError | None = None


class IngestDlqAbandonAnswer(Answer):
    item: DlqItem | None = None
    results: list[IngestDlqAbandonAnswerResults] | None = None
    """With dlq_ids: the result of each"""


class IngestDlqAbandon(Call[IngestDlqAbandonAnswer]):
    """Ends a parked stage or closes a refused content: it is not retried; dlq_ids for several, each with its own result. What was ingested from its source before is kept."""

    tool: ClassVar[str] = "ingest.dlq.abandon"

    dlq_id: str | None = None
    dlq_ids: list[str] | None = None
    """Instead of dlq_id, for several: each is decided separately"""


class IngestDlqListAnswer(Answer):
    items: list[DlqItem]


class IngestDlqList(Call[IngestDlqListAnswer]):
    """Dead letters: stages that used up their attempts and wait (parked), and contents that could not be read (refused), with the reason. Decide each with ingest.dlq.retry or ingest.dlq.abandon."""

    tool: ClassVar[str] = "ingest.dlq.list"

    failure_stage: Literal["extraction", "entity_resolution", "neo4j_sync", "embedding", "all"] | None = None
    job_id: str | None = None
    include_decided: bool | None = None
    """Those resolved or abandoned, too"""
    error_code: str | None = None
    """Only failures with this code"""
    limit: int | None = None
    cursor: str | None = None


class IngestDlqRetryAnswerResultsError(Answer):
    code: str
    message: str
    suggestion: str | None = None


class IngestDlqRetryAnswerResults(Answer):
    dlq_id: str
    item: DlqItem | None = None
    error: IngestDlqRetryAnswerResultsError | None = None


class IngestDlqRetryAnswer(Answer):
    item: DlqItem | None = None
    results: list[IngestDlqRetryAnswerResults] | None = None
    """With dlq_ids: the result of each"""


class IngestDlqRetry(Call[IngestDlqRetryAnswer]):
    """Retries a parked stage, or reads refused content again; dlq_ids for several, each with its own result. system.job.get with its job_id shows the outcome."""

    tool: ClassVar[str] = "ingest.dlq.retry"

    dlq_id: str | None = None
    dlq_ids: list[str] | None = None
    """Instead of dlq_id, for several: each is decided separately"""


class IngestDocumentSubmit(Call[IngestAnswer]):
    """Makes a document searchable: text as content (best with a title), or a PDF, Office, HTML, CSV, e-mail or text file, a folder or zip by file_path. The same title or path again replaces. Answers accepted with a job when it takes longer."""

    tool: ClassVar[str] = "ingest.document.submit"

    content: str | None = None
    """The text itself"""
    file_path: str | None = None
    """Instead: a file on Signalbox's machine, inside INGEST_ROOTS"""
    artifact_sha256: str | None = None
    format: str | None = None
    """E.g. pdf; default: from file name or content"""
    customer: str | None = None
    tags: list[str] | None = None
    kb_id: str | None = None
    """Knowledge base"""
    metadata: dict[str, Any] | None = None
    chunk_size: int | None = None
    """Characters of a passage; default 1000"""
    title: str | None = None
    """What a later version replaces it by"""
    document_type: str | None = None
    """E.g. product_spec, customer_email"""


class IngestPipelineRunAnswer(Answer):
    job_id: str
    workflow_id: str
    scope: Annotated[Literal["recent", "unprocessed", "all"], Open]
    status: str
    documents: int | float | None = None
    passages: int | float | None = None


class IngestPipelineRun(Call[IngestPipelineRunAnswer]):
    """Indexes stored documents anew: after a change of the embedding model, after bulk ingestion, or to complete what was stored without vectors. One run for each scope at a time."""

    tool: ClassVar[str] = "ingest.pipeline.run"

    scope: Literal["recent", "unprocessed", "all"] | None = None
    """unprocessed: what lacks vectors of the model in use; recent: the last 7 days"""
    skip_ingestion: bool | None = None
    """Only the stages after indexing"""


class IngestRunGet(Call[RunLog]):
    """The record of a harvest run as ingest.run.log keeps it: status, counts, errors, when it started and ended."""

    tool: ClassVar[str] = "ingest.run.get"

    run_id: str
    """Id of the run, e.g. run_1731585600"""


class IngestRunListAnswerRuns(Answer):
    run_id: str
    status: Annotated[Literal["running", "completed", "failed"], Open]
    stats: RunLogStats
    started_at: str | None
    completed_at: str | None
    created_by: str
    created_at: str
    logged_at: str
    error_count: int


class IngestRunListAnswer(Answer):
    runs: list[IngestRunListAnswerRuns]
    next_cursor: str | None


class IngestRunList(Call[IngestRunListAnswer]):
    """Records of harvest runs as ingest.run.log keeps them, the newest first, by status. Of the errors of each it shows the first five and how many there are; ingest.run.get shows all."""

    tool: ClassVar[str] = "ingest.run.list"

    status: Literal["running", "completed", "failed"] | None = None
    limit: int | None = None
    cursor: str | None = None


class IngestRunLogStats(Part):
    sources_checked: int | None = None
    articles_fetched: int | None = None
    articles_stored: int | None = None
    duplicates_skipped: int | None = None
    brief_generated: bool | None = None
    errors: list[str | dict[str, Any]] | None = None


class IngestRunLog(Call[RunLog]):
    """Makes the record of a harvest run or goes on with it: later values win one by one, errors are appended each once, and a run that has ended never runs again."""

    tool: ClassVar[str] = "ingest.run.log"

    run_id: str
    """Id of the run, e.g. run_1731585600"""
    status: Literal["running", "completed", "failed"]
    stats: IngestRunLogStats | None = None
    """What is not told stays as it was"""
    started_at: str | None = None
    completed_at: str | None = None
    """Default: when it was first said to have ended"""


class IngestTranscriptSubmit(Call[IngestAnswer]):
    """Makes the transcript of a meeting or call searchable, with speakers and times as citations. Pass it as content, or as a VTT, SRT or TXT file by file_path. Answers accepted with a job when it takes longer."""

    tool: ClassVar[str] = "ingest.transcript.submit"

    title: str
    """E.g. "Sprint review 2026-03-04" """
    date: str | None = None
    """ISO 8601; transcripts of one title and different dates are kept apart"""
    meeting_type: Literal["sprint_review", "customer_call", "stakeholder_sync", "team_standup", "product_review", "other"] | None = None
    participants: list[str] | None = None
    content: str | None = None
    """The text itself"""
    file_path: str | None = None
    """Instead: a file on Signalbox's machine, inside INGEST_ROOTS"""
    artifact_sha256: str | None = None
    format: str | None = None
    """E.g. pdf; default: from file name or content"""
    customer: str | None = None
    tags: list[str] | None = None
    kb_id: str | None = None
    """Knowledge base"""
    metadata: dict[str, Any] | None = None
    chunk_size: int | None = None
    """Characters of a passage; default 1000"""


class IngestUrlSubmitAnswerItemsError(Answer):
    code: str
    message: str


class IngestUrlSubmitAnswerItems(Answer):
    title: str | None
    url: str | None
    status: str
    source_id: str | None
    chunk_count: int | float | None
    error: IngestUrlSubmitAnswerItemsError | None


class IngestUrlSubmitAnswerSkipped(Answer):
    what: str
    reason: str


class IngestUrlSubmitAnswer(Answer):
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
    items: list[IngestUrlSubmitAnswerItems] | None = None
    skipped: list[IngestUrlSubmitAnswerSkipped] | None = None
    url: str


class IngestUrlSubmit(Call[IngestUrlSubmitAnswer]):
    """Fetches a web page (or PDF, Office file) and, up to a depth, the pages of the same site that it links to, and makes them searchable. robots.txt is respected. Pages that have not changed are left as they are."""

    tool: ClassVar[str] = "ingest.url.submit"

    url: str
    """http or https"""
    depth: int | None = None
    """How many links away pages of the same site are followed; 0: this page alone"""
    max_pages: int | None = None
    profile: str | None = None
    """auto, fast (fewer pages a site asks not to hurry) or thorough"""
    tags: list[str] | None = None
    kb_id: str | None = None
    """Knowledge base"""
    metadata: dict[str, Any] | None = None
    chunk_size: int | None = None
    """Characters of a passage; default 1000"""


class IngestYoutubeSubmitAnswerItemsError(Answer):
    code: str
    message: str


class IngestYoutubeSubmitAnswerItems(Answer):
    title: str | None
    url: str | None
    status: str
    source_id: str | None
    chunk_count: int | float | None
    error: IngestYoutubeSubmitAnswerItemsError | None


class IngestYoutubeSubmitAnswerSkipped(Answer):
    what: str
    reason: str


class IngestYoutubeSubmitAnswer(Answer):
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
    items: list[IngestYoutubeSubmitAnswerItems] | None = None
    skipped: list[IngestYoutubeSubmitAnswerSkipped] | None = None
    video_id: str | None = None
    language: str | None = None
    duration_seconds: int | float | None = None


class IngestYoutubeSubmit(Call[IngestYoutubeSubmitAnswer]):
    """Fetches the transcript (captions) of a YouTube video and makes it searchable, with times as citations."""

    tool: ClassVar[str] = "ingest.youtube.submit"

    video_url: str
    """Address or id of the video"""
    languages: list[str] | None = None
    """Wanted languages of the transcript, best first, e.g. ["en", "de"]"""
    tags: list[str] | None = None
    kb_id: str | None = None
    """Knowledge base"""
    metadata: dict[str, Any] | None = None
    chunk_size: int | None = None
    """Characters of a passage; default 1000"""
