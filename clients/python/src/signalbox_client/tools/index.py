# Written by `npm run gen`. Do not edit.
"""Tools of the domain index."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from .._models import Answer, Call, Open, Part
from .shapes import SearchHit


class IndexAnswerExplainAnswerTrajectorySteps(Answer):
    thought: str
    data: dict[str, Any] | None = None


class IndexAnswerExplainAnswerTrajectorySources(Answer):
    type: Annotated[Literal["chunk", "document", "source", "entity", "fact"], Open]
    id: str
    title: str | None = None
    source_id: str | None = None
    score: int | float | None = None
    scores: dict[str, int | float] | None = None


class IndexAnswerExplainAnswerTrajectory(Answer):
    trajectory_id: str
    kind: str
    query: str
    plan: list[str]
    steps: list[IndexAnswerExplainAnswerTrajectorySteps]
    sources: list[IndexAnswerExplainAnswerTrajectorySources]
    principal: str
    tool_call_id: str | None = None
    created_at: str


class IndexAnswerExplainAnswer(Answer):
    trajectory: IndexAnswerExplainAnswerTrajectory


class IndexAnswerExplain(Call[IndexAnswerExplainAnswer]):
    """How an answer came about: what was planned, what each step found and why it was weighed so, and the sources with their scores per retriever."""

    tool: ClassVar[str] = "index.answer.explain"

    trajectory_id: str
    """metadata.trajectory_id of an answer"""


class IndexChunkSearchAnswerGraphNodes(Answer):
    name: str
    type: str


class IndexChunkSearchAnswerGraph(Answer):
    nodes: list[IndexChunkSearchAnswerGraphNodes]


class IndexChunkSearchAnswer(Answer):
    hits: list[SearchHit]
    search_time_ms: int | float
    graph: IndexChunkSearchAnswerGraph | None = None
    trajectory_id: str | None = None


class IndexChunkSearchFilters(Part):
    tags: list[str] | None = None
    """Sources that carry all of these"""
    sources: list[str] | None = None
    has_code: bool | None = None
    kb_id: str | None = None
    """Knowledge base"""


class IndexChunkSearch(Call[IndexChunkSearchAnswer]):
    """Finds passages of ingested documents and transcripts by words and meaning. Use it before you answer from memory; cite hits by citation, source and place (lines, time, speaker). Narrow by filters."""

    tool: ClassVar[str] = "index.chunk.search"

    query: str
    mode: Literal["semantic", "hybrid"] | None = None
    """semantic: by meaning alone; hybrid: words and meaning"""
    limit: int | None = None
    similarity_threshold: int | float | None = None
    """Least cosine similarity"""
    filters: IndexChunkSearchFilters | None = None
    include_code_examples: bool | None = None
    """Code blocks apart"""


class IndexCodeExampleSearchAnswerExamples(Answer):
    code: str
    language: str | None
    context: str
    source: str
    source_id: str
    url: str | None
    citation: str
    score: int | float


class IndexCodeExampleSearchAnswer(Answer):
    examples: list[IndexCodeExampleSearchAnswerExamples]
    trajectory_id: str | None = None


class IndexCodeExampleSearchFilters(Part):
    tags: list[str] | None = None
    sources: list[str] | None = None
    kb_id: str | None = None
    """Knowledge base"""


class IndexCodeExampleSearch(Call[IndexCodeExampleSearchAnswer]):
    """Code blocks from ingested documents on a topic, each with its language, the text around it and its source."""

    tool: ClassVar[str] = "index.code_example.search"

    query: str
    """What the code should show"""
    language: str | None = None
    """e.g. python; short names such as py are understood"""
    limit: int | None = None
    filters: IndexCodeExampleSearchFilters | None = None


class IndexProjectionRebuildAnswer(Answer):
    state: Annotated[Literal["none", "running", "done"], Open]
    documents: int | float
    """Written so far"""
    passages: int | float
    """Written so far"""
    strays: int | float
    """Documents removed because they should not have been there"""


class IndexProjectionRebuild(Call[IndexProjectionRebuildAnswer]):
    """Maintenance: writes the copy of your vectors in the external vector store (Qdrant) anew from the records, and removes what should not be there. Searches go on meanwhile. Only of use where such a store is configured."""

    tool: ClassVar[str] = "index.projection.rebuild"
