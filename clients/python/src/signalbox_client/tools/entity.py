# Written by `npm run gen`. Do not edit.
"""Tools of the domain entity."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from .._models import Answer, Call, Open, Part
from .shapes import Entity, EntityRef, MentionedPassage, Profiled


class EntityAliasAddAnswer(Answer):
    entity: Entity
    alias: str
    added: bool


class EntityAliasAdd(Call[EntityAliasAddAnswer]):
    """From then on the alias means this entity, in questions and in what is ingested. A name that another entity of the type has is refused."""

    tool: ClassVar[str] = "entity.alias.add"

    entity_name: str
    """The entity, by any name it has"""
    entity_type: str
    """customer, feature, issue, theme, stakeholder, or an open type"""
    alias: str
    """The further name"""


class EntityChangeUndoAnswer(Answer):
    change_id: str | None
    change: Annotated[Literal["merge", "split", "alias"], Open] | None
    undone: bool
    entities: list[Entity]
    reopened: str | None


class EntityChangeUndo(Call[EntityChangeUndoAnswer]):
    """Undoes a merge, a split, an added name, or a decision of entity.review.list: restores names, mentions and links exactly, and opens the review again. Unlike entity.record.split it does not block a later merge. A repeat does nothing."""

    tool: ClassVar[str] = "entity.change.undo"

    change_id: str | None = None
    """From the history in entity.record.get"""
    feedback_id: str | None = None
    """Instead of change_id: a decided review of entity.review.list"""


class EntityCustomerGetProfileAnswerFeaturesUsed(Answer):
    name: str
    entity_id: str
    signals: int | float
    sentiment: int | float | None
    severity: str | None
    state: str | None
    last_said_on: str | None
    known_by: list[Annotated[Literal["signals", "fact"], Open]]


class EntityCustomerGetProfileAnswerFeaturesRequested(Answer):
    name: str
    entity_id: str
    signals: int | float
    sentiment: int | float | None
    severity: str | None
    state: str | None
    last_said_on: str | None
    known_by: list[Annotated[Literal["signals", "fact"], Open]]


class EntityCustomerGetProfileAnswerIssuesReported(Answer):
    name: str
    entity_id: str
    signals: int | float
    sentiment: int | float | None
    severity: str | None
    state: str | None
    last_said_on: str | None
    known_by: list[Annotated[Literal["signals", "fact"], Open]]


class EntityCustomerGetProfileAnswerSignalHistory(Answer):
    signal_id: str
    ref: str
    title: str
    snippet: str
    source: str
    class_: Annotated[Literal["request", "bug", "complaint", "praise", "question", "churn_risk", "information"], Open] = Field(alias="class")
    sentiment: int | float
    severity: str
    occurred_at: str


class EntityCustomerGetProfileAnswerSentimentTrend(Answer):
    month: str
    sentiment: int | float
    signals: int | float


class EntityCustomerGetProfileAnswerTotals(Answer):
    signals: int | float
    sentiment: int | float | None
    severity: int | float
    classes: dict[str, int | float]
    last_said_on: str | None


class EntityCustomerGetProfileAnswer(Answer):
    customer: Profiled
    features_used: list[EntityCustomerGetProfileAnswerFeaturesUsed]
    features_requested: list[EntityCustomerGetProfileAnswerFeaturesRequested]
    issues_reported: list[EntityCustomerGetProfileAnswerIssuesReported]
    signal_history: list[EntityCustomerGetProfileAnswerSignalHistory]
    sentiment_trend: list[EntityCustomerGetProfileAnswerSentimentTrend]
    totals: EntityCustomerGetProfileAnswerTotals
    missing: list[str]


class EntityCustomerGetProfile(Call[EntityCustomerGetProfileAnswer]):
    """Everything known about one customer: features they use and ask for, issues they reported, their latest statements with citations, their sentiment by month. The name may be any known one."""

    tool: ClassVar[str] = "entity.customer.get_profile"

    customer_name: str
    """Any name of the customer"""
    as_of: str | None = None
    """Nothing said after this day (UTC) counts. Default: today"""


class EntityFeatureGetHealthAnswerAdopters(Answer):
    name: str
    entity_id: str
    signals: int | float
    sentiment: int | float | None
    severity: str | None
    state: str | None
    last_said_on: str | None
    known_by: list[Annotated[Literal["signals", "fact"], Open]]


class EntityFeatureGetHealthAnswerOpenIssues(Answer):
    name: str
    entity_id: str
    signals: int | float
    sentiment: int | float | None
    severity: str | None
    state: str | None
    last_said_on: str | None
    known_by: list[Annotated[Literal["signals", "fact"], Open]]


class EntityFeatureGetHealthAnswerRecentSignals(Answer):
    signal_id: str
    ref: str
    title: str
    snippet: str
    source: str
    class_: Annotated[Literal["request", "bug", "complaint", "praise", "question", "churn_risk", "information"], Open] = Field(alias="class")
    sentiment: int | float
    severity: str
    occurred_at: str


class EntityFeatureGetHealthAnswerCustomerSentimentByMonth(Answer):
    month: str
    sentiment: int | float
    signals: int | float


class EntityFeatureGetHealthAnswerCustomerSentiment(Answer):
    average: int | float | None
    signals: int | float
    by_month: list[EntityFeatureGetHealthAnswerCustomerSentimentByMonth]


class EntityFeatureGetHealthAnswerDependencies(Answer):
    name: str
    entity_id: str
    type: str
    relation: str
    direction: Annotated[Literal["needs", "needed_by"], Open]


class EntityFeatureGetHealthAnswerTrend(Answer):
    direction: Annotated[Literal["emerging", "growing", "declining", "stable"], Open]
    current_count: int | float
    previous_count: int | float
    change_pct: int | float | None


class EntityFeatureGetHealthAnswerTotals(Answer):
    signals: int | float
    sentiment: int | float | None
    severity: int | float
    classes: dict[str, int | float]
    last_said_on: str | None


class EntityFeatureGetHealthAnswer(Answer):
    feature: Profiled
    adoption_count: int | float
    adopters: list[EntityFeatureGetHealthAnswerAdopters]
    open_issues: list[EntityFeatureGetHealthAnswerOpenIssues]
    recent_signals: list[EntityFeatureGetHealthAnswerRecentSignals]
    customer_sentiment: EntityFeatureGetHealthAnswerCustomerSentiment
    dependencies: list[EntityFeatureGetHealthAnswerDependencies]
    trend: EntityFeatureGetHealthAnswerTrend
    totals: EntityFeatureGetHealthAnswerTotals
    missing: list[str]


class EntityFeatureGetHealth(Call[EntityFeatureGetHealthAnswer]):
    """How a feature does: how many customers use it, its open issues, the latest statements with citations, sentiment by month, dependencies, and whether it is talked of more or less."""

    tool: ClassVar[str] = "entity.feature.get_health"

    feature_name: str
    """Any name of the feature"""
    as_of: str | None = None
    """Nothing said after this day (UTC) counts. Default: today"""


class EntityIssueFlagAnswer(Answer):
    issue_id: str
    created: bool
    feedback_id: str | None = None


class EntityIssueFlag(Call[EntityIssueFlagAnswer]):
    """Notes that an issue was seen, with a reason and the signals that show it. An unknown one becomes an issue; if one is known under nearly that name, people are asked whether both are the same."""

    tool: ClassVar[str] = "entity.issue.flag"

    issue_name: str
    severity: Literal["low", "medium", "high", "critical"] | None = None
    reason: str
    signal_ids: list[str] | None = None
    """Signals that speak of it, or whole documents"""


class EntityIssueGetImpactAnswerAffectedCustomers(Answer):
    name: str
    entity_id: str
    signals: int | float
    sentiment: int | float | None
    severity: str | None
    state: str | None
    last_said_on: str | None
    known_by: list[Annotated[Literal["signals", "fact"], Open]]


class EntityIssueGetImpactAnswerFrequency(Answer):
    signals: int | float
    per_week: int | float
    last_28_days: int | float
    previous_28_days: int | float


class EntityIssueGetImpactAnswerAffectedFeatures(Answer):
    name: str
    entity_id: str
    signals: int | float
    sentiment: int | float | None
    severity: str | None
    state: str | None
    last_said_on: str | None
    known_by: list[Annotated[Literal["signals", "fact"], Open]]


class EntityIssueGetImpactAnswerRelatedIssues(Answer):
    name: str
    entity_id: str
    state: str | None
    relations: list[str]
    passages: int | float


class EntityIssueGetImpactAnswerTotals(Answer):
    signals: int | float
    sentiment: int | float | None
    severity: int | float
    classes: dict[str, int | float]
    last_said_on: str | None


class EntityIssueGetImpactAnswer(Answer):
    issue: Profiled
    state: str | None
    affected_customer_count: int | float
    affected_customers: list[EntityIssueGetImpactAnswerAffectedCustomers]
    severity: Annotated[Literal["none", "low", "medium", "high", "critical"], Open]
    frequency: EntityIssueGetImpactAnswerFrequency
    trend_direction: Annotated[Literal["emerging", "growing", "declining", "stable"], Open]
    change_pct: int | float | None
    affected_features: list[EntityIssueGetImpactAnswerAffectedFeatures]
    related_issues: list[EntityIssueGetImpactAnswerRelatedIssues]
    totals: EntityIssueGetImpactAnswerTotals
    missing: list[str]


class EntityIssueGetImpact(Call[EntityIssueGetImpactAnswer]):
    """Which customers an issue hits and how many, how severe and how frequent it is, whether it grows, the features it touches and the issues told together with it. Takes a name or a description."""

    tool: ClassVar[str] = "entity.issue.get_impact"

    issue_name: str
    """Any name of the issue, or what it is about"""
    as_of: str | None = None
    """Nothing said after this day (UTC) counts. Default: today"""


class EntityLinkCreateAnswer(Answer):
    entity_id: str
    external_system: str
    external_id: str
    url: str | None
    created: bool


class EntityLinkCreate(Call[EntityLinkCreateAnswer]):
    """Notes where the same thing stands elsewhere, e.g. an issue in JIRA. One external id belongs to one entity; a repeat changes its URL at most."""

    tool: ClassVar[str] = "entity.link.create"

    entity_id: str
    """Entity id"""
    external_system: str
    """E.g. jira"""
    external_id: str
    """E.g. PAY-101"""
    url: str | None = None


class EntityMentionListAnswer(Answer):
    passages: list[MentionedPassage]


class EntityMentionList(Call[EntityMentionListAnswer]):
    """Passages that mention an entity under any of its names, latest first, each with its citation and the positions of the names."""

    tool: ClassVar[str] = "entity.mention.list"

    entity_id: str
    """Entity id"""
    limit: int | None = None
    cursor: str | None = None


class EntityMergeConfirmAnswer(Answer):
    feedback_id: str
    decision: Annotated[Literal["confirmed", "rejected"], Open]
    entity: Entity | None
    aliases_added: list[str]


class EntityMergeConfirm(Call[EntityMergeConfirmAnswer]):
    """Says yes to a question of entity.review.list: two entities become one (the one with more signals keeps its name, the other becomes an alias), and matching learns from it. entity.record.split undoes it. The same answer again does nothing."""

    tool: ClassVar[str] = "entity.merge.confirm"

    feedback_id: str
    """Of entity.review.list"""
    notes: str | None = None
    """Why; kept with the decision"""


class EntityMergeRejectAnswer(Answer):
    feedback_id: str
    decision: Annotated[Literal["confirmed", "rejected"], Open]
    entity: Entity | None
    aliases_added: list[str]


class EntityMergeReject(Call[EntityMergeRejectAnswer]):
    """Says no to a question of entity.review.list: the two stay apart, are not proposed again, and matching learns from it. The same answer again does nothing."""

    tool: ClassVar[str] = "entity.merge.reject"

    feedback_id: str
    """Of entity.review.list"""
    notes: str | None = None
    """Why; kept with the decision"""


class EntityProposalSubmitAnswer(Answer):
    feedback_id: str


class EntityProposalSubmit(Call[EntityProposalSubmitAnswer]):
    """Proposes that two entities are one (merge), that one is two (split), or that something is a name of one (alias). A person decides: it lands in entity.review.list. Proposed already, it answers that question."""

    tool: ClassVar[str] = "entity.proposal.submit"

    kind: Literal["merge", "split", "alias"]
    entity_ids: list[str]
    """merge: two; split, alias: one"""
    name: str | None = None
    """split: what the other one is called; alias: the name"""
    reason: str
    confidence: int | float | None = None


class EntityRecordGetAnswerEntityLinks(Answer):
    external_system: str
    external_id: str
    url: str | None


class EntityRecordGetAnswerEntityHistory(Answer):
    event: str
    at: str
    by: str
    change_id: str | None
    undoable: bool
    data: dict[str, Any]


class EntityRecordGetAnswerEntity(Answer):
    entity_id: str
    name: str
    type: str
    aliases: list[str]
    signal_count: int | float
    metadata: dict[str, Any]
    description: str | None
    area: str | None
    state: str | None
    state_source: str | None
    mention_count: int | float
    first_seen_at: str | None
    last_seen_at: str | None
    created_at: str
    links: list[EntityRecordGetAnswerEntityLinks]
    history: list[EntityRecordGetAnswerEntityHistory]


class EntityRecordGetAnswer(Answer):
    entity: EntityRecordGetAnswerEntity


class EntityRecordGet(Call[EntityRecordGetAnswer]):
    """One entity by id or by any of its names: aliases, counts, state, links to other systems and its history. One that was merged leads to what it was merged into."""

    tool: ClassVar[str] = "entity.record.get"

    entity_id: str | None = None
    """Entity id"""
    entity_name: str | None = None
    """Instead of the id: any name it is known by"""
    entity_type: str | None = None
    """customer, feature, issue, theme, stakeholder, or an open type"""


class EntityRecordListAnswerEntitiesLinks(Answer):
    external_system: str
    external_id: str
    url: str | None


class EntityRecordListAnswerEntities(Answer):
    entity_id: str
    name: str
    type: str
    aliases: list[str]
    signal_count: int | float
    metadata: dict[str, Any]
    state: str | None
    """As entity.status.set keeps it"""
    links: list[EntityRecordListAnswerEntitiesLinks]
    """To records in other systems"""


class EntityRecordListAnswer(Answer):
    entities: list[EntityRecordListAnswerEntities]


class EntityRecordList(Call[EntityRecordListAnswer]):
    """Customers, features, issues, themes, people and other things the evidence is about, those with most signals first, with aliases and signal counts. With search: those of like names."""

    tool: ClassVar[str] = "entity.record.list"

    entity_type: str | None = None
    """customer, feature, issue, theme, stakeholder, or an open type"""
    search: str | None = None
    """A name, or how one of its words begins"""
    limit: int | None = None
    cursor: str | None = None


class EntityRecordSplitAnswer(Answer):
    job_id: str
    workflow_id: str
    status: str
    original: EntityRef | None
    created: EntityRef | None
    signals_moved: int | float | None = None
    signals_for_review: int | float | None = None


class EntityRecordSplit(Call[EntityRecordSplitAnswer]):
    """Undoes a wrong merge, or divides what was never two: every mention goes to the name it was made under, those that fit both stay and are asked about. The two are never merged again without a person. Answers accepted with a job when it takes longer."""

    tool: ClassVar[str] = "entity.record.split"

    entity_name: str
    """The entity that holds what belongs to two"""
    entity_type: str
    """customer, feature, issue, theme, stakeholder, or an open type"""
    new_entity_name: str
    """What the other one is called"""
    notes: str | None = None


class EntityResolutionGetStatsAnswerCounts(Answer):
    by_name: int | float
    automatic: int | float
    reviewed: int | float
    fresh: int | float
    undone: int | float


class EntityResolutionGetStatsAnswerReviews(Answer):
    pending: int | float
    confirmed: int | float
    rejected: int | float


class EntityResolutionGetStatsAnswerAccuracyTrend(Answer):
    week_of: str
    decisions: int | float
    confirmed_rate: int | float | None
    expected_rate: int | float | None
    automatic: int | float
    undone: int | float
    automatic_precision: int | float | None


class EntityResolutionGetStatsAnswer(Answer):
    window_days: int | float
    auto_merge_rate: int | float | None
    human_review_rate: int | float | None
    counts: EntityResolutionGetStatsAnswerCounts
    reviews: EntityResolutionGetStatsAnswerReviews
    accuracy_trend: list[EntityResolutionGetStatsAnswerAccuracyTrend]


class EntityResolutionGetStats(Call[EntityResolutionGetStatsAnswer]):
    """How many new names were given to known entities without asking, how many people were asked about, and how right both were, by week, judged by what people confirmed, rejected and undid."""

    tool: ClassVar[str] = "entity.resolution.get_stats"

    window_days: int | None = None
    entity_type: str | None = None
    """Only entities of this type"""


class EntityReviewGetAnswerReviewALinks(Answer):
    external_system: str
    external_id: str
    url: str | None


class EntityReviewGetAnswerReviewA(Answer):
    entity_id: str | None
    name: str
    type: str
    aliases: list[str]
    mentions: int | float
    signals: int | float
    facts: int | float
    first_seen_at: str | None
    last_seen_at: str | None
    links: list[EntityReviewGetAnswerReviewALinks]
    """To records in other systems"""
    passages: list[MentionedPassage]


class EntityReviewGetAnswerReviewBLinks(Answer):
    external_system: str
    external_id: str
    url: str | None


class EntityReviewGetAnswerReviewB(Answer):
    entity_id: str | None
    name: str
    type: str
    aliases: list[str]
    mentions: int | float
    signals: int | float
    facts: int | float
    first_seen_at: str | None
    last_seen_at: str | None
    links: list[EntityReviewGetAnswerReviewBLinks]
    """To records in other systems"""
    passages: list[MentionedPassage]


class EntityReviewGetAnswerReviewMatchPrior(Answer):
    probability: int | float
    weight: int | float


class EntityReviewGetAnswerReviewMatchFeatures(Answer):
    name: str
    level: int | float
    levels: int | float
    label: str
    weight: int | float


class EntityReviewGetAnswerReviewMatch(Answer):
    prior: EntityReviewGetAnswerReviewMatchPrior
    features: list[EntityReviewGetAnswerReviewMatchFeatures]
    weight: int | float
    probability: int | float
    compared: bool


class EntityReviewGetAnswerReviewConsequence(Answer):
    does: Annotated[Literal["merge", "split", "alias"], Open]
    keeps: str
    moves: str
    names: list[str]
    mentions: int | float
    facts: int | float
    links: int | float


class EntityReviewGetAnswerReview(Answer):
    feedback_id: str
    action: Annotated[Literal["merge", "split", "alias"], Open]
    entity_a: EntityRef
    entity_b: EntityRef
    type: str
    confidence: int | float
    evidence: list[str]
    created_at: str
    status: Annotated[Literal["open", "confirmed", "rejected", "withdrawn"], Open]
    decided_by: str | None = None
    decided_at: str | None = None
    notes: str | None
    origin: str
    a: EntityReviewGetAnswerReviewA
    b: EntityReviewGetAnswerReviewB
    match: EntityReviewGetAnswerReviewMatch | None
    consequence: EntityReviewGetAnswerReviewConsequence
    change_id: str | None


class EntityReviewGetAnswer(Answer):
    review: EntityReviewGetAnswerReview


class EntityReviewGet(Call[EntityReviewGetAnswer]):
    """One review of entity.review.list in full: both sides with names, counts and passages, the features that the matcher compared with their weights, and what a confirmation would change."""

    tool: ClassVar[str] = "entity.review.get"

    feedback_id: str
    """From entity.review.list"""


class EntityReviewListAnswerItems(Answer):
    feedback_id: str
    action: Annotated[Literal["merge", "split", "alias"], Open]
    entity_a: EntityRef
    entity_b: EntityRef
    type: str
    confidence: int | float
    evidence: list[str]
    created_at: str
    status: Annotated[Literal["open", "confirmed", "rejected", "withdrawn"], Open] | None = None
    decided_by: str | None = None
    decided_at: str | None = None


class EntityReviewListAnswer(Answer):
    items: list[EntityReviewListAnswerItems]


class EntityReviewList(Call[EntityReviewListAnswer]):
    """Open reviews of entities, longest waiting first: are two the same (merge), does a name belong to another (split), is this a name of it (alias). Each has its evidence; entity.review.get shows one in full; decide with entity.merge.confirm or entity.merge.reject."""

    tool: ClassVar[str] = "entity.review.list"

    entity_type: str | None = None
    """Only entities of this type"""
    status: Literal["open", "confirmed", "rejected", "withdrawn"] | None = None
    """Decided ones are listed latest first"""
    limit: int | None = None
    cursor: str | None = None


class EntityStatusSetAnswer(Answer):
    entity_id: str
    name: str
    type: str
    status: str
    source: str
    previous_status: str | None
    changed: bool


class EntityStatusSet(Call[EntityStatusSetAnswer]):
    """Notes how far an issue or feature is, as a person or another system says: open, in_progress, fixed, or its own word. The history keeps what it was before."""

    tool: ClassVar[str] = "entity.status.set"

    entity_id: str
    """Entity id"""
    status: str
    """E.g. open, in_progress, fixed"""
    source: str
    """Who says so, e.g. jira"""


class EntityTableLinkAnswerColumns(Answer):
    left: str
    right: str
    kind: str


class EntityTableLinkAnswerLinksColumns(Answer):
    column: str
    left: str
    right: str
    says: Annotated[Literal["equal", "nearly equal", "similar", "different"], Open]
    weight: int | float


class EntityTableLinkAnswerLinks(Answer):
    left_row: int | float
    right_row: int | float
    left_id: str | None = None
    right_id: str | None = None
    probability: int | float
    columns: list[EntityTableLinkAnswerLinksColumns] | None = None


class EntityTableLinkAnswer(Answer):
    job_id: str
    status: str
    rows: list[int | float] | None = None
    columns: list[EntityTableLinkAnswerColumns] | None = None
    shape: Annotated[Literal["one_to_one", "many", "clusters"], Open] | None = None
    compared: int | float | None = None
    sure: int | float | None = None
    to_review: int | float | None = None
    links: list[EntityTableLinkAnswerLinks] | None = None
    artifact_sha256: str | None = None


class EntityTableLinkLeft(Part):
    file_path: str | None = None
    """CSV, TSV, XLSX or JSON lines on Signalbox's machine, inside INGEST_ROOTS"""
    artifact_sha256: str | None = None
    """SHA-256 (hex) of the bytes"""


class EntityTableLinkRight(Part):
    file_path: str | None = None
    """CSV, TSV, XLSX or JSON lines on Signalbox's machine, inside INGEST_ROOTS"""
    artifact_sha256: str | None = None
    """SHA-256 (hex) of the bytes"""


class EntityTableLink(Call[EntityTableLinkAnswer]):
    """Finds rows of two tables, or of one, that mean the same customer, place or product, without keys and without being configured: which columns belong together, how much each tells and what is a match is learnt from the tables. Probabilities with reasons; nothing is merged."""

    tool: ClassVar[str] = "entity.table.link"

    left: EntityTableLinkLeft
    """One record per row; with or without a row of names"""
    right: EntityTableLinkRight | None = None
    """Left out: rows of the first table that are the same thing"""
    threshold: int | float | None = None
    """From this probability on a link is sure"""
    limit: int | None = None
    """Links in the answer, the most probable ones; all stand in the artifact"""


class EntityTypeSetAnswer(Answer):
    entity_id: str
    name: str
    type: str
    previous_type: str | None
    """Null: the name was unknown"""
    merged: bool
    """It is now one with the entity of the type that had the name"""


class EntityTypeSet(Call[EntityTypeSetAnswer]):
    """Sets or changes the type of an entity: customer, competitor, feature, or any other word for what is none of these. Unknown names become entities. If an entity of that type has the name already, both become one. Documents that use the name are read again, and later ones are read with it."""

    tool: ClassVar[str] = "entity.type.set"

    entity_id: str | None = None
    """Entity id"""
    name: str | None = None
    """Instead of entity_id: exactly as it is written"""
    entity_type: str
    """customer, feature, issue, theme, stakeholder, or an open type"""
