# Written by `npm run gen`. Do not edit.
"""Tools of the domain insight."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from .._models import Answer, Call, Open
from .shapes import EntityRef, GraphEvidence


class InsightCountRebuildAnswer(Answer):
    signals: int | float
    counts: int | float
    corrected: int | float


class InsightCountRebuild(Call[InsightCountRebuildAnswer]):
    """Rebuilds the counts behind heatmaps, trends and profiles from the signals themselves and says how many were wrong. Counts are kept exact as signals come and go: needed only after a repair of the database by hand. Seconds for a hundred thousand signals; whoever writes signals meanwhile waits."""

    tool: ClassVar[str] = "insight.count.rebuild"


class InsightHeatmapGetAnswerTopItemsCustomers(Answer):
    name: str
    entity_id: str
    signals: int | float


class InsightHeatmapGetAnswerTopItems(Answer):
    row: str
    row_id: str
    column: str | None = None
    column_id: str | None = None
    value: int | float
    metric: Annotated[Literal["customer_count", "signal_count", "severity_weighted"], Open]
    customers: list[InsightHeatmapGetAnswerTopItemsCustomers] | None = None


class InsightHeatmapGetAnswer(Answer):
    summary: str
    top_items: list[InsightHeatmapGetAnswerTopItems]
    total_items: int | float
    has_more: bool
    drill_down_hint: str
    dimension: Annotated[Literal["issues_by_feature", "issues_by_customer", "features_by_customer", "themes_by_signal_volume"], Open]
    """What is ranked, and by what it is split"""
    metric: Annotated[Literal["customer_count", "signal_count", "severity_weighted"], Open]
    since: str | None
    as_of: str | None


class InsightHeatmapGet(Call[InsightHeatmapGetAnswer]):
    """Ranks issues, features or themes by impact: how many customers, how many signals, or how severe. By customer_count with a customer dimension each row names its customers. Next: entity.issue.get_impact or entity.feature.get_health of a row."""

    tool: ClassVar[str] = "insight.heatmap.get"

    dimension: Literal["issues_by_feature", "issues_by_customer", "features_by_customer", "themes_by_signal_volume"]
    """What is ranked, and by what it is split"""
    metric: Literal["customer_count", "signal_count", "severity_weighted"] | None = None
    """Different customers, signals, or the sum of severities (none 0, low 1, medium 2, high 3, critical 4)"""
    limit: int | None = None
    """Top items"""
    date_from: str | None = None
    """Only signals from this day (UTC) on"""
    as_of: str | None = None
    """Nothing said after this day (UTC) counts. Default: today"""


class InsightMatrixGetAnswerRows(Answer):
    entity_id: str
    name: str
    total: int | float
    """Of the whole row, by the metric"""
    cells: list[int | float]


class InsightMatrixGetAnswerColumns(Answer):
    entity_id: str
    name: str


class InsightMatrixGetAnswer(Answer):
    dimension: Annotated[Literal["issues_by_feature", "issues_by_customer", "features_by_customer", "themes_by_signal_volume"], Open]
    """What is ranked, and by what it is split"""
    metric: Annotated[Literal["customer_count", "signal_count", "severity_weighted"], Open]
    cell_metric: Annotated[Literal["customer_count", "signal_count", "severity_weighted"], Open]
    """A cell of one customer counts its signals, not customers"""
    row_type: str
    column_type: str
    rows: list[InsightMatrixGetAnswerRows]
    columns: list[InsightMatrixGetAnswerColumns]
    total_rows: int | float
    total_columns: int | float
    since: str | None
    as_of: str | None


class InsightMatrixGet(Call[InsightMatrixGetAnswer]):
    """The rows of a heatmap with the largest counts by their most frequent columns, with every cell, including zeros: issues by feature or customer, features by customer, themes by customer. insight.heatmap.get ranks single cells; signal.record.search with both ids as entity_ids lists what a cell counts."""

    tool: ClassVar[str] = "insight.matrix.get"

    dimension: Literal["issues_by_feature", "issues_by_customer", "features_by_customer", "themes_by_signal_volume"]
    """What is ranked, and by what it is split"""
    metric: Literal["customer_count", "signal_count", "severity_weighted"] | None = None
    """Different customers, signals, or the sum of severities (none 0, low 1, medium 2, high 3, critical 4)"""
    rows: int | None = None
    columns: int | None = None
    date_from: str | None = None
    """Only signals from this day (UTC) on"""
    as_of: str | None = None
    """Nothing said after this day (UTC) counts. Default: today"""


class InsightScenarioAnalyzeAnswerAffectedCustomers(Answer):
    name: str
    entity_id: str
    signals: int | float
    sentiment: int | float | None
    severity: str | None
    state: str | None
    last_said_on: str | None
    known_by: list[Annotated[Literal["signals", "fact"], Open]]


class InsightScenarioAnalyzeAnswerRelatedIssues(Answer):
    name: str
    entity_id: str
    state: str | None
    shown_by: int | float


class InsightScenarioAnalyzeAnswerDownstreamDependencies(Answer):
    name: str
    entity_id: str
    type: str
    hops: int | float
    path: list[str]
    relations: list[str]


class InsightScenarioAnalyzeAnswerEvidence(Answer):
    signal_id: str
    ref: str
    title: str
    snippet: str
    source: str
    class_: Annotated[Literal["request", "bug", "complaint", "praise", "question", "churn_risk", "information"], Open] = Field(alias="class")
    sentiment: int | float
    severity: str
    occurred_at: str


class InsightScenarioAnalyzeAnswer(Answer):
    action: str
    entity: EntityRef
    summary: str
    affected_customer_count: int | float
    affected_customers: list[InsightScenarioAnalyzeAnswerAffectedCustomers]
    related_issues: list[InsightScenarioAnalyzeAnswerRelatedIssues]
    downstream_dependencies: list[InsightScenarioAnalyzeAnswerDownstreamDependencies]
    evidence: list[InsightScenarioAnalyzeAnswerEvidence]
    missing: list[str]
    assumptions: list[str]


class InsightScenarioAnalyze(Call[InsightScenarioAnalyzeAnswer]):
    """Before deciding: who would notice if an issue were fixed, a feature built or deprecated; which issues hang together with it; and what depends on it, with the path that leads there. Told by signals and facts, with evidence and with what is not known."""

    tool: ClassVar[str] = "insight.scenario.analyze"

    action: Literal["fix_issue", "build_feature", "deprecate_feature"]
    entity_name: str
    """Of the issue, or of the feature"""


class InsightStrategyGenerateAnswerInsightsEntity(Answer):
    entity_id: str
    name: str
    type: str


class InsightStrategyGenerateAnswerInsightsBreadth(Answer):
    statements: int | float
    documents: int | float
    sources: int | float
    customers: int | float


class InsightStrategyGenerateAnswerInsights(Answer):
    kind: Annotated[Literal["pattern", "risk", "opportunity"], Open]
    statement: str
    confidence: int | float
    evidence: list[GraphEvidence]
    entity: InsightStrategyGenerateAnswerInsightsEntity
    breadth: InsightStrategyGenerateAnswerInsightsBreadth


class InsightStrategyGenerateAnswerWindow(Answer):
    from_: str = Field(alias="from")
    to: str
    days: int | float


class InsightStrategyGenerateAnswer(Answer):
    insights: list[InsightStrategyGenerateAnswerInsights]
    window: InsightStrategyGenerateAnswerWindow
    focus: str | None
    signals_considered: int | float
    missing: list[str]
    assumptions: list[str]


class InsightStrategyGenerate(Call[InsightStrategyGenerateAnswer]):
    """Patterns (what comes up or grows), risks (who may leave or is unhappy, which issues are grave) and opportunities (what is asked for) in the signals of a window, each with cited passages and a confidence. Says plainly when the evidence is not enough, and what is missing."""

    tool: ClassVar[str] = "insight.strategy.generate"

    focus_area: str | None = None
    """A product area, theme, feature, customer or any topic, e.g. security, enterprise customers, performance"""
    time_window_days: int | None = None
    """Days, ending with as_of"""
    as_of: str | None = None
    """Nothing said after this day (UTC) counts. Default: today"""


class InsightTrendListAnswerTrends(Answer):
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
    previous_series: list[int | float]


class InsightTrendListAnswer(Answer):
    trends: list[InsightTrendListAnswerTrends]
    window_days: int | float
    series_days: int | float
    from_: str = Field(alias="from")
    to: str


class InsightTrendList(Call[InsightTrendListAnswer]):
    """Signals about each theme, issue, feature or customer in a window beside the window before: emerging (none before), growing (from +20 %), declining (from -20 %) or stable, with a series. What moved most comes first."""

    tool: ClassVar[str] = "insight.trend.list"

    entity_type: str
    """theme, issue, feature, customer, or another type"""
    direction: Literal["emerging", "growing", "declining", "stable", "all"] | None = None
    window_days: int | None = None
    """Days, ending with as_of, compared with as many before"""
    as_of: str | None = None
    """Nothing said after this day (UTC) counts. Default: today"""
    limit: int | None = None
