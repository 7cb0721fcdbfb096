# Written by `npm run gen`. Do not edit.
"""Tools of the domain graph."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from .._models import Answer, Call, Open
from .shapes import EntityRef, Episode, GraphEvidence, OpportunityItem


class GraphEntityBrowseAnswerEntities(Answer):
    entity_id: str
    name: str
    type: str
    depth: int | float
    area: str | None = None
    aliases: list[str] | None = None
    description: str | None = None
    signal_count: int | float | None = None


class GraphEntityBrowseAnswerRelationships(Answer):
    source: str
    target: str
    kind: str
    passages: int | float
    signals: int | float


class GraphEntityBrowseAnswerSignals(Answer):
    signal_id: str
    title: str
    source: str
    url: str | None
    occurred_at: str
    snippet: str
    entities: list[str]


class GraphEntityBrowseAnswer(Answer):
    entities: list[GraphEntityBrowseAnswerEntities]
    relationships: list[GraphEntityBrowseAnswerRelationships]
    signals: list[GraphEntityBrowseAnswerSignals]
    has_more: bool


class GraphEntityBrowse(Call[GraphEntityBrowseAnswer]):
    """Entities, how they relate and what was said about them, from one entity, a type or a product area on. For looking around; graph.entity.find_related answers what hangs together with one."""

    tool: ClassVar[str] = "graph.entity.browse"

    root_entity_type: str | None = None
    """Where to start; left out: every type"""
    root_entity_name: str | None = None
    """Left out: every entity of the type"""
    filter_area: str | None = None
    """Product area, e.g. Payments"""
    depth: int | None = None
    """Steps away from where it starts"""
    include_aliases: bool | None = None
    include_descriptions: bool | None = None
    include_signal_counts: bool | None = None
    limit: int | None = None
    """Entities"""


class GraphEntityFindRelatedAnswerRelated(Answer):
    entity: str
    entity_id: str
    type: str
    hops: int | float
    path: list[str]
    relations: list[str]
    strength: int | float
    signal_count: int | float


class GraphEntityFindRelatedAnswer(Answer):
    root: EntityRef
    related: list[GraphEntityFindRelatedAnswerRelated]


class GraphEntityFindRelated(Call[GraphEntityFindRelatedAnswer]):
    """Entities connected with one, nearest and strongest first, each with the path that leads to it. Finds connections that no single document tells. graph.entity.browse shows all relations around one."""

    tool: ClassVar[str] = "graph.entity.find_related"

    entity_name: str | None = None
    """Where to start: any name of it"""
    entity_id: str | None = None
    """Instead of the name"""
    entity_type: str | None = None
    """Type of the entity to start at, when its name has several"""
    max_hops: int | None = None
    related_types: list[str] | None = None
    """Only entities of these types; paths lead over all"""
    limit: int | None = None


class GraphEpisodeAddAnswer(Answer):
    episode: Episode
    existed: bool


class GraphEpisodeAdd(Call[GraphEpisodeAddAnswer]):
    """Stores an episode (text, JSON or a conversation); its entities and dated facts join the graph shortly after, in the order of adding. graph.episode.get tells when."""

    tool: ClassVar[str] = "graph.episode.add"

    name: str
    """Title of the episode"""
    episode_body: str
    """What happened or was said; JSON as a string when source is json"""
    source: Literal["text", "json", "message"] | None = None
    """message: lines "speaker: text" """
    source_description: str | None = None
    """Where it comes from"""
    kind: Literal["memory", "knowledge"] | None = None
    """memory: what was experienced; knowledge: what is known"""
    said_at: str | None = None
    """When it was said, ISO 8601; default: now"""
    uuid: str | None = None
    """Known again under it: another body replaces what was said"""
    group_id: str | None = None
    """Ignored: always your tenant's"""


class GraphEpisodeDeleteAnswer(Answer):
    episode_id: str
    status: Annotated[Literal["deleted"], Open]


class GraphEpisodeDelete(Call[GraphEpisodeDeleteAnswer]):
    """Deletes an episode, queued or done, for good: facts that only it supports go, what others support stays, and a fact that it had ended holds again."""

    tool: ClassVar[str] = "graph.episode.delete"

    episode_id: str
    """As graph.episode.add answered it"""


class GraphEpisodeGetAnswerEpisode(Answer):
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
    body: str


class GraphEpisodeGetAnswer(Answer):
    episode: GraphEpisodeGetAnswerEpisode


class GraphEpisodeGet(Call[GraphEpisodeGetAnswer]):
    """One episode with its text: whether it is in the graph yet, its place in the queue, or why it failed."""

    tool: ClassVar[str] = "graph.episode.get"

    episode_id: str


class GraphEpisodeListAnswer(Answer):
    episodes: list[Episode]


class GraphEpisodeList(Call[GraphEpisodeListAnswer]):
    """What was told to the graph, newest first, with its state: queued (and where), done or failed."""

    tool: ClassVar[str] = "graph.episode.list"

    status: Literal["queued", "done", "failed"] | None = None
    kind: Literal["memory", "knowledge"] | None = None
    limit: int | None = None
    cursor: str | None = None


class GraphFactListAnswerFacts(Answer):
    fact_id: str
    fact: str
    predicate: str
    subject: EntityRef
    object: EntityRef | None
    value: str | None
    valid_from: str | None
    valid_to: str | None
    recorded_from: str
    recorded_to: str | None
    closed_by: str | None
    confidence: int | float
    evidence: list[GraphEvidence]
    holds: bool
    """At the time asked about"""


class GraphFactListAnswer(Answer):
    facts: list[GraphFactListAnswerFacts]


class GraphFactList(Call[GraphFactListAnswer]):
    """All dated facts of one entity, latest start first: when each was valid, when it was recorded, and its passages. as_of and known_at ask about another time; graph.fact.search finds facts by words."""

    tool: ClassVar[str] = "graph.fact.list"

    entity_id: str
    """Entity id"""
    as_of: str | None = None
    """Only facts valid at this time; a day means its end"""
    known_at: str | None = None
    """Only what was known at this time"""
    include_closed: bool | None = None
    """Include facts that are no longer valid; ignored with as_of"""
    limit: int | None = None
    cursor: str | None = None


class GraphFactSearchAnswerFacts(Answer):
    fact_id: str
    fact: str
    predicate: str
    subject: EntityRef
    object: EntityRef | None
    value: str | None
    valid_from: str | None
    valid_to: str | None
    recorded_from: str
    recorded_to: str | None
    closed_by: str | None
    confidence: int | float
    evidence: list[GraphEvidence]
    holds: bool
    """At the time asked about"""
    score: int | float
    """0 to 1, comparable within one answer"""


class GraphFactSearchAnswer(Answer):
    facts: list[GraphFactSearchAnswerFacts]


class GraphFactSearch(Call[GraphFactSearchAnswer]):
    """Finds dated facts of the graph by words and meaning, each with the passages behind it. What holds now comes first; as_of asks about another time, known_at about what was known then."""

    tool: ClassVar[str] = "graph.fact.search"

    query: str
    limit: int | None = None
    as_of: str | None = None
    """Only facts valid at this time; a day means its end"""
    known_at: str | None = None
    """Only what was known at this time"""
    include_closed: bool | None = None
    """Also facts that are no longer valid, after the valid ones; ignored with as_of"""
    center_entity_id: str | None = None
    """What is near to this entity comes first"""
    group_ids: list[str] | None = None
    """Ignored: always your tenant's"""


class GraphNeighbourhoodGetAnswerEntities(Answer):
    entity_id: str
    name: str
    type: str
    signal_count: int | float
    mention_count: int | float
    depth: int | float
    neighbours: int | float


class GraphNeighbourhoodGetAnswerEdgesHeld(Answer):
    from_: str | None = Field(alias="from")
    to: str | None


class GraphNeighbourhoodGetAnswerEdges(Answer):
    source: str
    target: str
    kind: str
    passages: int | float
    held: list[GraphNeighbourhoodGetAnswerEdgesHeld] | None


class GraphNeighbourhoodGetAnswer(Answer):
    root: str
    entities: list[GraphNeighbourhoodGetAnswerEntities]
    edges: list[GraphNeighbourhoodGetAnswerEdges]
    more: bool


class GraphNeighbourhoodGet(Call[GraphNeighbourhoodGetAnswer]):
    """An entity and its neighbours, at most 300, strongest connections first: how often they are mentioned together, and when the facts between them were valid. With known: at most 25 further neighbours and their connections to the known ones."""

    tool: ClassVar[str] = "graph.neighbourhood.get"

    entity_id: str
    """Entity id"""
    depth: int | None = None
    """Steps away; ignored with known"""
    limit: int | None = None
    """Entities, including the central one; at most 25 with known"""
    known: list[str] | None = None
    """Entities that you already have: only others are returned"""


class GraphNodeSearchAnswerNodes(Answer):
    entity_id: str
    name: str
    type: str
    signal_count: int | float
    score: int | float
    """0 to 1, comparable within one answer"""


class GraphNodeSearchAnswer(Answer):
    nodes: list[GraphNodeSearchAnswerNodes]


class GraphNodeSearch(Call[GraphNodeSearchAnswer]):
    """Finds entities of the graph by their names, in words and in meaning. graph.fact.search finds what is known of them, graph.entity.find_related what hangs together."""

    tool: ClassVar[str] = "graph.node.search"

    query: str
    limit: int | None = None
    entity_types: list[str] | None = None
    center_entity_id: str | None = None
    """What is related to this entity comes first"""
    group_ids: list[str] | None = None
    """Ignored: always your tenant's"""


class GraphProjectionRebuildAnswer(Answer):
    state: Annotated[Literal["none", "running", "done"], Open]
    entities: int | float
    """Written so far"""
    relations: int | float
    """Written so far"""
    strays: int | float
    """Entities and relations removed because they should not have been there"""


class GraphProjectionRebuild(Call[GraphProjectionRebuildAnswer]):
    """Maintenance: writes the copy of your entities and relations in the external graph store (Neo4j) anew from the records, and removes what should not be there. Reads go on meanwhile. Only of use where such a store is configured."""

    tool: ClassVar[str] = "graph.projection.rebuild"


class GraphStoreClearAnswer(Answer):
    episodes: int | float
    nodes: int | float
    facts: int | float
    relations: int | float
    dry_run: bool
    job_id: str | None = None
    workflow_id: str | None = None
    status: str | None = None


class GraphStoreClear(Call[GraphStoreClearAnswer]):
    """Deletes every episode, entity, fact and open question of your graph, for good; ingested documents stay searchable, and ingest.pipeline.run rebuilds the graph from them. dry_run counts first. Answers accepted with a job when it takes longer."""

    tool: ClassVar[str] = "graph.store.clear"

    dry_run: bool | None = None
    """Only count"""
    group_id: str | None = None
    """Ignored: always your tenant's"""
    group_ids: list[str] | None = None
    """Ignored: always your tenant's"""


class GraphSummaryGetAnswerCounts(Answer):
    entities: dict[str, int | float]
    relations: int | float
    facts: int | float
    signals: int | float


class GraphSummaryGetAnswerTrends(Answer):
    entity_id: str
    name: str
    type: str
    signal_count: int | float
    entity: str
    direction: Annotated[Literal["emerging", "growing", "declining", "stable"], Open]
    current_count: int | float
    previous_count: int | float
    change_pct: int | float | None
    series: list[int | float]


class GraphSummaryGetAnswerHealth(Answer):
    signals_waiting: int | float
    reviews_pending: int | float
    newest_signal_at: str | None
    oldest_signal_at: str | None


class GraphSummaryGetAnswer(Answer):
    scope: str
    counts: GraphSummaryGetAnswerCounts
    top_entities: list[EntityRef]
    trends: list[GraphSummaryGetAnswerTrends] | None = None
    stakeholders: list[EntityRef] | None = None
    opportunities: list[OpportunityItem] | None = None
    health: GraphSummaryGetAnswerHealth


class GraphSummaryGet(Call[GraphSummaryGetAnswer]):
    """Counts, top entities, what moved in the last 30 days, often mentioned people and health, for everything or one product area. Start here to get to know the landscape."""

    tool: ClassVar[str] = "graph.summary.get"

    scope: Literal["product_area", "full_system"] | None = None
    name: str | None = None
    """Of the product area; needed for scope product_area"""
    include_trends: bool | None = None
    """What moved in 30 days, compared with the 30 before"""
    include_stakeholders: bool | None = None
    include_opportunities: bool | None = None
