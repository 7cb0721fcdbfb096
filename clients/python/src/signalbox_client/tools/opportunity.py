# Written by `npm run gen`. Do not edit.
"""Tools of the domain opportunity."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from .._models import Answer, Call, Open
from .shapes import FactorViews, OpportunityItem


class OpportunityFactorSetAnswer(Answer):
    opportunity_id: str
    title: str
    status: Annotated[Literal["new", "reviewing", "accepted", "rejected"], Open]
    score: int | float
    changed: bool


class OpportunityFactorSet(Call[OpportunityFactorSetAnswer]):
    """Says what one factor of an opportunity is, instead of what the evidence says: effort above all, which evidence does not tell. It stays when signals come and go; null takes it back. The score follows at once."""

    tool: ClassVar[str] = "opportunity.factor.set"

    opportunity_id: str
    """Opportunity id"""
    factor: Literal["impact", "confidence", "strategic_alignment", "urgency", "effort"]
    value: int | float | None
    """0 to 10; confidence 0 to 1; effort at least 0.5; null: as computed"""
    reason: str | None = None


class OpportunityGoalSetAnswerGoals(Answer):
    name: str
    alignment: int | float
    set_by: str
    set_at: str


class OpportunityGoalSetAnswer(Answer):
    goals: list[OpportunityGoalSetAnswerGoals]


class OpportunityGoalSet(Call[OpportunityGoalSetAnswer]):
    """Names a product area, feature, issue or theme that the strategy is about, and how much. Opportunities about it get that strategic alignment; with goals set, those about none of them get 3 instead of 5. All scores follow within seconds."""

    tool: ClassVar[str] = "opportunity.goal.set"

    name: str
    """As the area or entity is called"""
    alignment: int | float | None
    """10: what the strategy is all about; null: no goal any more"""


class OpportunityPriorityListAnswerPrioritiesBreakdown(Answer):
    impact: int | float
    confidence: int | float
    effort: int | float
    strategic_alignment: int | float
    urgency: int | float


class OpportunityPriorityListAnswerPriorities(Answer):
    opportunity_id: str
    title: str
    status: Annotated[Literal["new", "reviewing", "accepted", "rejected"], Open]
    score: int | float
    signal_count: int | float
    customer_count: int | float
    breakdown: OpportunityPriorityListAnswerPrioritiesBreakdown
    factors: FactorViews


class OpportunityPriorityListAnswer(Answer):
    priorities: list[OpportunityPriorityListAnswerPriorities]


class OpportunityPriorityList(Call[OpportunityPriorityListAnswer]):
    """What to build next: open opportunities by score = impact × confidence × strategic alignment × urgency / effort, each factor with its reason. Rejected ones are left out. Factors are set with opportunity.factor.set, the strategy with opportunity.goal.set."""

    tool: ClassVar[str] = "opportunity.priority.list"

    filter: Literal["all", "quick_wins", "strategic", "emerging", "high_confidence"] | None = None
    """quick_wins: effort at most 3 and impact at least 3; strategic: alignment at least 7; emerging: 20 % more signals in 28 days than in the 28 before, or new; high_confidence: at least 0.7"""
    limit: int | None = None


class OpportunityRecordGetAnswerClosed(Answer):
    at: str
    reason: Annotated[Literal["merged", "no_evidence"], Open]
    merged_into: str | None


class OpportunityRecordGetAnswerEntities(Answer):
    entity_id: str
    name: str
    type: str
    count: int | float


class OpportunityRecordGetAnswerCustomers(Answer):
    entity_id: str
    name: str
    signal_count: int | float


class OpportunityRecordGetAnswerEvidence(Answer):
    signal_id: str
    statement: str
    class_: Annotated[Literal["request", "bug", "complaint", "praise", "question", "churn_risk", "information"], Open] = Field(alias="class")
    severity: str
    occurred_at: str
    source: str
    author: str | None
    told: int | float
    customers: list[str]
    ref: str


class OpportunityRecordGetAnswerHistory(Answer):
    event: str
    at: str
    by: str
    data: dict[str, Any]


class OpportunityRecordGetAnswer(Answer):
    opportunity_id: str
    title: str
    status: Annotated[Literal["new", "reviewing", "accepted", "rejected"], Open]
    score: int | float
    signal_count: int | float
    statement_count: int | float
    customer_count: int | float
    trend: Annotated[Literal["emerging", "growing", "declining", "stable"], Open]
    classes: dict[str, int | float]
    created_at: str
    first_signal_at: str
    last_signal_at: str
    series: list[int | float]
    previous_series: list[int | float]
    series_days: int | float
    closed: OpportunityRecordGetAnswerClosed | None = None
    titled_by: str | None
    next_statuses: list[Annotated[Literal["new", "reviewing", "accepted", "rejected"], Open]]
    factors: FactorViews
    entities: list[OpportunityRecordGetAnswerEntities]
    customers: list[OpportunityRecordGetAnswerCustomers]
    evidence: list[OpportunityRecordGetAnswerEvidence]
    history: list[OpportunityRecordGetAnswerHistory]


class OpportunityRecordGet(Call[OpportunityRecordGetAnswer]):
    """One opportunity with everything behind it: the factors of its score with reasons, the most typical customer statements with passages to cite, the customers, and what became of it. Statements are quoted as customers wrote them."""

    tool: ClassVar[str] = "opportunity.record.get"

    opportunity_id: str
    """Opportunity id"""
    limit: int | None = None
    """Of statements"""


class OpportunityRecordListAnswer(Answer):
    opportunities: list[OpportunityItem]
    statuses: dict[str, int | float] | None = None
    """Number of opportunities in each status, within the other filters"""


class OpportunityRecordList(Call[OpportunityRecordListAnswer]):
    """What customers ask for, suffer from or leave for, gathered from their statements, with status, score and how many signals and customers are behind each. opportunity.record.get shows the evidence, opportunity.priority.list the factors of the score."""

    tool: ClassVar[str] = "opportunity.record.list"

    status: Literal["new", "reviewing", "accepted", "rejected", "all"] | None = None
    trend: Literal["emerging", "growing", "declining", "stable"] | None = None
    query: str | None = None
    """Part of the title"""
    sort_by: Literal["score", "signal_count", "created_at"] | None = None
    """Highest or latest first"""
    closed: bool | None = None
    """Instead of the open ones: those that went into others or whose evidence is gone"""
    limit: int | None = None
    cursor: str | None = None


class OpportunityStatusSetAnswer(Answer):
    opportunity_id: str
    title: str
    status: Annotated[Literal["new", "reviewing", "accepted", "rejected"], Open]
    score: int | float
    changed: bool


class OpportunityStatusSet(Call[OpportunityStatusSetAnswer]):
    """Takes an opportunity on: new, then reviewing, then accepted or rejected; a decided one may be reviewed again. The history keeps who said so and why."""

    tool: ClassVar[str] = "opportunity.status.set"

    opportunity_id: str
    """Opportunity id"""
    status: Literal["new", "reviewing", "accepted", "rejected"]
    reason: str | None = None
    """Why, for those who read it later"""


class OpportunityTitleSetAnswer(Answer):
    opportunity_id: str
    title: str
    status: Annotated[Literal["new", "reviewing", "accepted", "rejected"], Open]
    score: int | float
    changed: bool


class OpportunityTitleSet(Call[OpportunityTitleSetAnswer]):
    """Gives an opportunity a better title, which stays whatever signals are added; null has it named by its evidence again."""

    tool: ClassVar[str] = "opportunity.title.set"

    opportunity_id: str
    """Opportunity id"""
    title: str | None
