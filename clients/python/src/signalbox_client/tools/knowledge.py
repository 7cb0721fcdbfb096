# Written by `npm run gen`. Do not edit.
"""Tools of the domain knowledge."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from .._models import Answer, Call, Open
from .shapes import DocumentHead, Place, ReadPassage, SearchHit, SourceDetail


class KnowledgeBaseCreateAnswer(Answer):
    kb_id: str
    existed: bool
    """It was there, just so"""


class KnowledgeBaseCreate(Call[KnowledgeBaseCreateAnswer]):
    """A named collection of sources that can be searched and deleted on its own. Pass its kb_id when you ingest and search."""

    tool: ClassVar[str] = "knowledge.base.create"

    name: str
    kb_id: str | None = None
    """Default: made of the name"""
    description: str | None = None
    tags: list[str] | None = None


class KnowledgeBaseDeleteAnswer(Answer):
    job_id: str | None = None
    workflow_id: str | None = None
    status: Annotated[Literal["queued", "running", "completed", "failed", "cancelled"], Open] | None = None
    source_count: int | float
    document_count: int | float
    chunk_count: int | float
    kb_id: str
    dry_run: bool


class KnowledgeBaseDelete(Call[KnowledgeBaseDeleteAnswer]):
    """Deletes a base with all its sources, passages and files, for good; running ingestions into it are cancelled. dry_run tells how much that is. Answers accepted with a job when it takes longer."""

    tool: ClassVar[str] = "knowledge.base.delete"

    kb_id: str
    """Knowledge base"""
    dry_run: bool | None = None
    """Only count"""


class KnowledgeBaseListAnswerBases(Answer):
    kb_id: str
    name: str
    description: str | None
    tags: list[str]
    source_count: int | float
    chunk_count: int | float
    created_at: str
    updated_at: str


class KnowledgeBaseListAnswer(Answer):
    bases: list[KnowledgeBaseListAnswerBases]


class KnowledgeBaseList(Call[KnowledgeBaseListAnswer]):
    """The knowledge bases of your tenant, with their numbers of sources and passages."""

    tool: ClassVar[str] = "knowledge.base.list"


class KnowledgeBaseQueryAnswer(Answer):
    hits: list[SearchHit]
    search_time_ms: int | float
    trajectory_id: str | None = None


class KnowledgeBaseQuery(Call[KnowledgeBaseQueryAnswer]):
    """Finds passages in one knowledge base by words and meaning. index.chunk.search looks through all of them and takes more filters."""

    tool: ClassVar[str] = "knowledge.base.query"

    query: str
    kb_id: str | None = None
    """Knowledge base"""
    limit: int | None = None
    mode: Literal["semantic", "hybrid", "reranked"] | None = None
    """semantic: by meaning alone; hybrid: words and meaning; reranked: hybrid, then reordered by a reranker"""


class KnowledgeDocumentGetAnswerOutline(Answer):
    title: str
    level: int | float
    ordinal: int | float
    place: Place


class KnowledgeDocumentGetAnswer(Answer):
    document: DocumentHead
    outline: list[KnowledgeDocumentGetAnswerOutline] | None = None
    passages: list[ReadPassage]
    previous_cursor: str | None


class KnowledgeDocumentGet(Call[KnowledgeDocumentGetAnswer]):
    """A document as it was ingested: its outline and its passages in order, page by page, each with the customer statements in it and the drafts that cite it. With around, the page starts around a passage, e.g. one that a search found."""

    tool: ClassVar[str] = "knowledge.document.get"

    document_id: str
    """From a hit, or the part of a citation before "#" """
    around: int | None = None
    """Ordinal of a passage: the page is around it"""
    include_mentions: bool | None = None
    """Include the entities that names refer to, with offsets"""
    include_outline: bool | None = None
    limit: int | None = None
    cursor: str | None = None
    """next_cursor or previous_cursor of a page"""


class KnowledgePassageGetAnswer(Answer):
    document: DocumentHead
    passage: ReadPassage
    previous: str | None
    next: str | None


class KnowledgePassageGet(Call[KnowledgePassageGetAnswer]):
    """The passage that a citation names, in full, with its document, its place and the citations beside it. Use it to check the source of an answer, a fact or a draft; knowledge.document.get reads on from there."""

    tool: ClassVar[str] = "knowledge.passage.get"

    citation: str
    """Of a hit, a fact, a signal or a draft"""
    include_mentions: bool | None = None
    """Include the entities that names refer to, with offsets"""


class KnowledgeSourceDeleteAnswer(Answer):
    job_id: str
    workflow_id: str
    status: Annotated[Literal["queued", "running", "completed", "failed", "cancelled"], Open]
    source_count: int | float
    document_count: int | float
    chunk_count: int | float
    source_id: str


class KnowledgeSourceDelete(Call[KnowledgeSourceDeleteAnswer]):
    """Deletes a source with its passages and its file, for good; its ingestion, if running, is cancelled. Answers accepted with a job when it takes longer. Submitted again later, it is there again."""

    tool: ClassVar[str] = "knowledge.source.delete"

    source_id: str
    """Source id"""


class KnowledgeSourceGetAnswer(Answer):
    source: SourceDetail


class KnowledgeSourceGet(Call[KnowledgeSourceGetAnswer]):
    """One source by its id: title, type, tags, state, number of passages, metadata, and why its last ingestion failed if it did."""

    tool: ClassVar[str] = "knowledge.source.get"

    source_id: str
    """Source id"""


class KnowledgeSourceListAnswerSources(Answer):
    id: str
    kb_id: str
    title: str
    type: str
    url: str | None
    tags: list[str]
    status: Annotated[Literal["active", "indexing", "error"], Open]
    chunk_count: int | float
    last_updated: str


class KnowledgeSourceListAnswer(Answer):
    sources: list[KnowledgeSourceListAnswerSources]


class KnowledgeSourceList(Call[KnowledgeSourceListAnswer]):
    """What has been ingested, newest first: title, type, tags, state and number of passages. Use it to find source ids for search filters."""

    tool: ClassVar[str] = "knowledge.source.list"

    kb_id: str | None = None
    """Knowledge base"""
    search: str | None = None
    """Words of title and address, all of them, or an id"""
    tags: list[str] | None = None
    """Sources that carry all of these"""
    status: Literal["active", "indexing", "error"] | None = None
    limit: int | None = None
    cursor: str | None = None


class KnowledgeSourceUpdateAnswer(Answer):
    source: SourceDetail


class KnowledgeSourceUpdate(Call[KnowledgeSourceUpdateAnswer]):
    """Changes title, description, tags or priority of a source; what is not given stays. Tags are what searches filter by."""

    tool: ClassVar[str] = "knowledge.source.update"

    source_id: str
    """Source id"""
    title: str | None = None
    description: str | None = None
    tags: list[str] | None = None
    """Replaces all tags"""
    priority: int | None = None
