# Written by `npm run gen`. Do not edit.
"""Tools of the domain authoring."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from .._models import Answer, Call, Open, Part
from .shapes import BriefHighlight, BriefTopic, DraftFreshness, DraftIssue, DraftSection, DraftSource, ReportSchedule


class AuthoringArtifactGenerateAnswer(Answer):
    draft_id: str
    job_id: str
    status: str
    artifact_type: str | None = None
    audience: Annotated[Literal["engineering", "design", "leadership", "cs_sales", "general"], Open] | None = None
    """Changes order, language and detail"""
    title: str | None = None
    sections: list[DraftSection] | None = None
    """Of all but jira"""
    issues: list[DraftIssue] | None = None
    """Of jira; nothing is sent there"""
    content: str | None = None
    """The whole as Markdown"""
    provenance: list[DraftSource] | None = None
    freshness: DraftFreshness | None = None
    to_fill_by_pm: list[str] | None = None
    """What is left for the person to write"""


class AuthoringArtifactGenerate(Call[AuthoringArtifactGenerateAnswer]):
    """Drafts an artifact about an opportunity or an entity from customer evidence: every statement has its sources; what nobody can know from evidence (solution, strategy) is left for the person and listed in to_fill_by_pm. jira gives issues with acceptance criteria; nothing is sent."""

    tool: ClassVar[str] = "authoring.artifact.generate"

    artifact_type: Literal["prd", "jira", "rfc", "one_pager"]
    opportunity_id: str | None = None
    """What it is about; or give entity_name"""
    entity_name: str | None = None
    """A feature, issue, theme or customer, instead of an opportunity"""
    entity_type: str | None = None
    """When the name means several things"""
    include_provenance: bool | None = None
    """Print where each statement comes from"""
    audience: Literal["engineering", "design", "leadership", "cs_sales", "general"] | None = None
    """Changes order, language and detail"""
    template: Literal["standard", "lightweight", "detailed"] | None = None
    """How much: lightweight, standard, detailed"""
    issue_type: Literal["epic", "story", "bug", "task"] | None = None
    """Of artifact_type jira"""
    as_of: str | None = None
    """Written as of this day (UTC, its end) or instant: nothing said later is known. Default: now"""


class AuthoringBriefConfigureAnswerRecipients(Answer):
    channel: str
    recipient: str


class AuthoringBriefConfigureAnswer(Answer):
    enabled: bool
    """Made every day without being asked"""
    time: str
    """HH:MM in the time zone"""
    time_zone: str
    """IANA name, e.g. Europe/Berlin"""
    topics: list[BriefTopic]
    """What articles are judged by; none: by freshness and by how many tell the story"""
    recipients: list[AuthoringBriefConfigureAnswerRecipients]
    """Webhook addresses without the parts that give access"""
    sources: list[str]
    """Feeds it is made from; none named: all that are enabled"""
    lookback_hours: int
    """Older articles are left out"""
    max_highlights: int
    min_relevance: int | float
    """Articles below it are stored and not in the brief"""
    configured: bool
    """false: these are the defaults"""


class AuthoringBriefConfigureTopics(Part):
    name: str
    keywords: list[str] | None = None
    """Further words for it"""
    weight: int | float | None = None
    """Beside the other topics"""


class AuthoringBriefConfigureRecipients(Part):
    channel: Literal["slack", "email", "webhook"]
    recipient: str


class AuthoringBriefConfigure(Call[AuthoringBriefConfigureAnswer]):
    """What the daily brief is about, when it is made and who is told. Only what is given changes; without arguments it shows what holds. With enabled true it is made every day at its time, also for days on which everything was down for some hours."""

    tool: ClassVar[str] = "authoring.brief.configure"

    enabled: bool | None = None
    """Made every day without being asked"""
    time: str | None = None
    """HH:MM in the time zone"""
    time_zone: str | None = None
    """IANA name, e.g. Europe/Berlin"""
    topics: list[AuthoringBriefConfigureTopics] | None = None
    """What articles are judged by; none: by freshness and by how many tell the story"""
    recipients: list[AuthoringBriefConfigureRecipients] | None = None
    """Told when the brief is ready"""
    sources: list[str] | None = None
    """Feeds it is made from; none named: all that are enabled"""
    lookback_hours: int | None = None
    """Older articles are left out"""
    max_highlights: int | None = None
    min_relevance: int | float | None = None
    """Articles below it are stored and not in the brief"""


class AuthoringBriefGenerateAnswer(Answer):
    brief_id: str | None = None
    version: int | None = None
    run_id: str | None = None
    date: str | None = None
    executive_summary: str | None = None
    highlights: list[BriefHighlight] | None = None
    topic_breakdown: dict[str, int | float] | None = None
    total_articles_analyzed: int | None = None
    generated_at: str | None = None
    model: str | None = None
    """null: in the articles' own sentences"""
    dropped_statements: int | None = None
    """Of a language model, as the articles do not bear them"""
    warnings: list[str] | None = None
    job_id: str
    status: str


class AuthoringBriefGenerateTopArticles(Part):
    title: str
    url: str
    """Address of the article, http or https"""
    ai_summary: str | None = None
    """What it says, in some sentences; highlights are taken from here"""
    relevance_score: int | float | None = None
    categories: list[str] | None = None
    """The first one counts for the breakdown of topics"""


class AuthoringBriefGenerate(Call[AuthoringBriefGenerateAnswer]):
    """Makes an executive brief of articles: summary, highlights with significance and implications, topics. Near-duplicates are told once; each statement is an article's own or was held against them, and what nothing says stays empty. The same articles again give the same version. authoring.brief.run reads feeds itself."""

    tool: ClassVar[str] = "authoring.brief.generate"

    run_id: str
    """Id of the run, e.g. run_1731585600"""
    date: str
    """Day of the brief, e.g. 2026-11-14"""
    top_articles: list[AuthoringBriefGenerateTopArticles]
    """What it is made of, at least one"""
    max_highlights: int | None = None


class AuthoringBriefGetAnswerSourcesError(Answer):
    code: str
    message: str


class AuthoringBriefGetAnswerSources(Answer):
    feed_id: str
    ok: bool
    articles: int
    attempts: int
    duration_ms: int
    error: AuthoringBriefGetAnswerSourcesError | None


class AuthoringBriefGetAnswer(Answer):
    brief_id: str
    version: int
    run_id: str
    date: str
    executive_summary: str
    highlights: list[BriefHighlight]
    topic_breakdown: dict[str, int | float]
    total_articles_analyzed: int
    generated_at: str
    model: str | None
    """null: in the articles' own sentences"""
    dropped_statements: int
    """Of a language model, as the articles do not bear them"""
    warnings: list[str]
    content: str
    """The whole as Markdown"""
    link: str
    """For whoever has it, for 30 days"""
    sources: list[AuthoringBriefGetAnswerSources]
    """How the sources of its run did; empty for a brief of given articles, and after 30 days"""


class AuthoringBriefGet(Call[AuthoringBriefGetAnswer]):
    """A brief as it was made: the newest, the one of a day, or one by its id. With the articles that each highlight rests on, how the sources of its run did, and a link under which people read it without a key."""

    tool: ClassVar[str] = "authoring.brief.get"

    date: str | None = None
    """Default: the newest"""
    brief_id: str | None = None
    """Instead of the date"""
    version: int | None = None
    """Default: the newest"""


class AuthoringBriefGetSettingsAnswerRecipients(Answer):
    channel: str
    recipient: str


class AuthoringBriefGetSettingsAnswer(Answer):
    enabled: bool
    """Made every day without being asked"""
    time: str
    """HH:MM in the time zone"""
    time_zone: str
    """IANA name, e.g. Europe/Berlin"""
    topics: list[BriefTopic]
    """What articles are judged by; none: by freshness and by how many tell the story"""
    recipients: list[AuthoringBriefGetSettingsAnswerRecipients]
    """Webhook addresses without the parts that give access"""
    sources: list[str]
    """Feeds it is made from; none named: all that are enabled"""
    lookback_hours: int
    """Older articles are left out"""
    max_highlights: int
    min_relevance: int | float
    """Articles below it are stored and not in the brief"""
    configured: bool
    """false: these are the defaults"""


class AuthoringBriefGetSettings(Call[AuthoringBriefGetSettingsAnswer]):
    """When the daily brief is made, what it is about, which feeds it reads and who is told. Changes nothing; authoring.brief.configure changes it."""

    tool: ClassVar[str] = "authoring.brief.get_settings"


class AuthoringBriefListAnswerBriefs(Answer):
    brief_id: str
    date: str
    version: int
    run_id: str
    titles: list[str]
    """Of its highlights"""
    total_articles_analyzed: int
    generated_at: str


class AuthoringBriefListAnswer(Answer):
    briefs: list[AuthoringBriefListAnswerBriefs]


class AuthoringBriefList(Call[AuthoringBriefListAnswer]):
    """The briefs there are, newest day first, without their text. authoring.brief.get reads one."""

    tool: ClassVar[str] = "authoring.brief.list"

    from_: str | None = Field(default=None, alias="from")
    """From this day on"""
    to: str | None = None
    """Until this day, included"""
    limit: int | None = None
    cursor: str | None = None
    """next_cursor of the page before"""


class AuthoringBriefRunAnswer(Answer):
    brief_id: str | None = None
    version: int | None = None
    run_id: str | None = None
    date: str | None = None
    executive_summary: str | None = None
    highlights: list[BriefHighlight] | None = None
    topic_breakdown: dict[str, int | float] | None = None
    total_articles_analyzed: int | None = None
    generated_at: str | None = None
    model: str | None = None
    """null: in the articles' own sentences"""
    dropped_statements: int | None = None
    """Of a language model, as the articles do not bear them"""
    warnings: list[str] | None = None
    job_id: str
    status: str


class AuthoringBriefRun(Call[AuthoringBriefRunAnswer]):
    """Reads the feeds, judges their articles by the configured topics, groups those that tell the same, stores them and makes the brief of a day. The clock does it, too (authoring.brief.configure). Run again for a day it brings that brief up to date and doubles nothing. A job: authoring.brief.get shows the brief."""

    tool: ClassVar[str] = "authoring.brief.run"

    date: str | None = None
    """Default: today, in the configured time zone"""
    notify: bool | None = None
    """true: tell the configured recipients again, false: tell nobody; default: once a day, when there is something to tell"""


class AuthoringDraftGetAnswerDraft(Answer):
    draft_id: str
    kind: Annotated[Literal["artifact", "report"], Open]
    type: str
    format: str | None
    audience: Annotated[Literal["engineering", "design", "leadership", "cs_sales", "general"], Open]
    title: str
    status: Annotated[Literal["writing", "ready", "failed", "cancelled", "withdrawn"], Open]
    """withdrawn: a source that it quoted was deleted"""
    job_id: str
    statements: int | float
    """Printed, each with its sources"""
    dropped: int | float
    """Not printed, as their sources did not support them"""
    model: str | None
    """The language model that wrote it; null: assembled from the evidence"""
    created_by: str
    created_at: str
    content: str
    """Markdown"""
    text: str
    """The same as plain text"""
    sections: list[DraftSection]
    issues: list[DraftIssue] | None
    to_fill_by_pm: list[str]
    provenance: list[DraftSource]
    freshness: DraftFreshness
    warnings: list[str]


class AuthoringDraftGetAnswer(Answer):
    draft: AuthoringDraftGetAnswerDraft


class AuthoringDraftGet(Call[AuthoringDraftGetAnswer]):
    """An artifact or a report with its text, its sections or issues, and the source of every statement. authoring.statement.list shows where each source stands and how numbers were counted."""

    tool: ClassVar[str] = "authoring.draft.get"

    draft_id: str
    """draft_id or report_id"""
    sources: bool | None = None
    """false: content without the list of sources and their numbers"""


class AuthoringDraftListAnswerDrafts(Answer):
    draft_id: str
    kind: Annotated[Literal["artifact", "report"], Open]
    type: str
    format: str | None
    audience: Annotated[Literal["engineering", "design", "leadership", "cs_sales", "general"], Open]
    title: str
    status: Annotated[Literal["writing", "ready", "failed", "cancelled", "withdrawn"], Open]
    """withdrawn: a source that it quoted was deleted"""
    job_id: str
    statements: int | float
    """Printed, each with its sources"""
    dropped: int | float
    """Not printed, as their sources did not support them"""
    model: str | None
    """The language model that wrote it; null: assembled from the evidence"""
    created_by: str
    created_at: str


class AuthoringDraftListAnswer(Answer):
    drafts: list[AuthoringDraftListAnswerDrafts]


class AuthoringDraftList(Call[AuthoringDraftListAnswer]):
    """Artifacts and reports that were generated, newest first, with their state; those still written and those that failed, too."""

    tool: ClassVar[str] = "authoring.draft.list"

    kind: Literal["artifact", "report"] | None = None
    type: str | None = None
    """prd, jira, rfc, one_pager or a report type"""
    status: Literal["writing", "ready", "failed", "cancelled", "withdrawn"] | None = None
    """withdrawn: a source that it quoted was deleted"""
    query: str | None = None
    """Part of the title"""
    opportunity_id: str | None = None
    """Only drafts about this opportunity"""
    limit: int | None = None
    cursor: str | None = None


class AuthoringFigureCountAnswerFiguresStatements(Answer):
    signal_id: str
    text: str
    citation: str
    occurred_at: str
    customers: list[str]


class AuthoringFigureCountAnswerFigures(Answer):
    n: int | float
    of: Annotated[Literal["signals", "customers", "group"], Open]
    how: str
    """What was counted, in words"""
    now: int | float
    """The same, counted now"""
    statements: list[AuthoringFigureCountAnswerFiguresStatements]


class AuthoringFigureCountAnswer(Answer):
    figures: list[AuthoringFigureCountAnswerFigures]


class AuthoringFigureCount(Call[AuthoringFigureCountAnswer]):
    """Counts each number in a statement of a draft again, from the signals known now and by the method of the draft, and lists the counted statements with their passages. Does not change the draft."""

    tool: ClassVar[str] = "authoring.figure.count"

    draft_id: str
    """draft_id or report_id"""
    ordinal: int
    """Ordinal of the statement, from authoring.statement.list"""
    limit: int | None = None
    """Counted statements per number"""


class AuthoringReportGenerateAnswer(Answer):
    report_id: str
    job_id: str
    status: str
    report_type: str | None = None
    format: str | None = None
    audience: Annotated[Literal["engineering", "design", "leadership", "cs_sales", "general"], Open] | None = None
    """Changes order, language and detail"""
    title: str | None = None
    content: str | None = None
    """Markdown"""
    text: str | None = None
    """The same as plain text, for e-mail and chat"""
    provenance: list[DraftSource] | None = None
    freshness: DraftFreshness | None = None


class AuthoringReportGenerate(Call[AuthoringReportGenerateAnswer]):
    """Writes a self-contained report as Markdown and plain text: customer health, roadmap, customer impact, digest, competition, product area. Conclusion, what changed, what is open, what to decide, details: quoted and counted from customer evidence, every statement with its sources, as of any day. Nothing is sent."""

    tool: ClassVar[str] = "authoring.report.generate"

    report_type: Literal["customer_health_summary", "roadmap_summary", "customer_impact_brief", "weekly_digest", "competitive_intel", "product_area_overview"]
    as_of: str | None = None
    """Written as of this day (UTC, its end) or instant: nothing said later is known. Default: now"""
    time_window_days: int | None = None
    """How far back the period goes; compared with as many days before. Default: 90"""
    from_: str | None = Field(default=None, alias="from")
    """Instead of time_window_days: when the period begins"""
    to: str | None = None
    """When the period ends, by default as_of. What came after it, until as_of, changes only what is open"""
    format: Literal["executive_summary", "detailed", "one_pager"] | None = None
    audience: Literal["engineering", "design", "leadership", "cs_sales", "general"] | None = None
    """Changes order, language and detail"""
    filter_area: str | None = None
    """Product area; left out: the whole portfolio"""
    filter_customer: str | None = None
    """One customer; not for roadmap_summary"""
    for_team: str | None = None
    """Made within what this stakeholder team may see, so that it finds it with authoring.report.get_latest"""


class AuthoringReportGetLatestAnswer(Answer):
    report_id: str
    job_id: str
    status: str
    report_type: str | None = None
    format: str | None = None
    audience: Annotated[Literal["engineering", "design", "leadership", "cs_sales", "general"], Open] | None = None
    """Changes order, language and detail"""
    title: str | None = None
    content: str | None = None
    """Markdown"""
    text: str | None = None
    """The same as plain text, for e-mail and chat"""
    provenance: list[DraftSource] | None = None
    freshness: DraftFreshness | None = None


class AuthoringReportGetLatest(Call[AuthoringReportGetLatestAnswer]):
    """The newest report of a type as it was generated, without generating one: about everything, or about an area or a customer. Stakeholder teams find those made within what they may see."""

    tool: ClassVar[str] = "authoring.report.get_latest"

    report_type: Literal["customer_health_summary", "roadmap_summary", "customer_impact_brief", "weekly_digest", "competitive_intel", "product_area_overview"]
    filter_area: str | None = None
    """As it was generated for; left out: the whole portfolio"""
    filter_customer: str | None = None


class AuthoringScheduleListAnswer(Answer):
    schedules: list[ReportSchedule]


class AuthoringScheduleList(Call[AuthoringScheduleListAnswer]):
    """Reports that are generated by the clock: what, when and for whom, how the last time went, and why one is paused."""

    tool: ClassVar[str] = "authoring.schedule.list"


class AuthoringScheduleRemoveAnswer(Answer):
    removed: bool


class AuthoringScheduleRemove(Call[AuthoringScheduleRemoveAnswer]):
    """Ends a schedule: no further report is generated by it. Reports that were made stay."""

    tool: ClassVar[str] = "authoring.schedule.remove"

    schedule_id: str


class AuthoringScheduleRunAnswer(Answer):
    fired_at: str


class AuthoringScheduleRun(Call[AuthoringScheduleRunAnswer]):
    """Generates the report of a schedule now and sends it to its recipients, also when it is paused. authoring.schedule.list shows how it went."""

    tool: ClassVar[str] = "authoring.schedule.run"

    schedule_id: str


class AuthoringScheduleSaveAnswer(Answer):
    schedule: ReportSchedule
    next: list[str]
    """When it fires next"""


class AuthoringScheduleSaveRecipients(Part):
    channel: Literal["slack", "email", "webhook"]
    recipient: str


class AuthoringScheduleSave(Call[AuthoringScheduleSaveAnswer]):
    """Has a report generated every day, every week or by a cron expression and sent to people by Slack, e-mail or webhook. With schedule_id it changes one, and begins a paused one again. When there is nothing to report, nobody is told; after three failures in a row it pauses."""

    tool: ClassVar[str] = "authoring.schedule.save"

    schedule_id: str | None = None
    """Left out: a new one"""
    name: str
    report_type: Literal["customer_health_summary", "roadmap_summary", "customer_impact_brief", "weekly_digest", "competitive_intel", "product_area_overview"]
    time_window_days: int | None = None
    """How far back each report looks"""
    format: Literal["executive_summary", "detailed", "one_pager"] | None = None
    audience: Literal["engineering", "design", "leadership", "cs_sales", "general"] | None = None
    """Changes order, language and detail"""
    filter_area: str | None = None
    filter_customer: str | None = None
    """Not for roadmap_summary"""
    for_team: str | None = None
    """Made within what this stakeholder team may see"""
    every: Literal["day", "week"] | None = None
    """With at; or give cron"""
    at: str | None = None
    """Time of day, HH:MM"""
    weekday: Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] | None = None
    """With every: week"""
    cron: str | None = None
    """Five fields, once an hour at most, e.g. 0 8 * * 1-5"""
    timezone: str | None = None
    """IANA name, e.g. Europe/Berlin; summer time is kept"""
    recipients: list[AuthoringScheduleSaveRecipients] | None = None
    """Each gets the report once. Left out with schedule_id: as they are"""
    paused: bool | None = None
    """Kept, but not fired"""


class AuthoringStatementListAnswerBlocksStatementsFigures(Answer):
    n: int | float
    of: Annotated[Literal["signals", "customers", "group"], Open]
    how: str
    """What was counted, in words"""


class AuthoringStatementListAnswerBlocksStatements(Answer):
    ordinal: int | float
    text: str
    """Plain text"""
    sources: list[int | float]
    """Numbers of sources"""
    figures: list[AuthoringStatementListAnswerBlocksStatementsFigures]


class AuthoringStatementListAnswerBlocks(Answer):
    heading: str
    to_fill: str | None
    """Markdown: what is left for the person to write"""
    statements: list[AuthoringStatementListAnswerBlocksStatements]


class AuthoringStatementListAnswerSources(Answer):
    ref: str
    kind: str
    excerpt: str
    occurred_at: str
    weight: int | float
    number: int | float
    title: str | None
    """Of its document or opportunity"""
    citation: str | None
    """`{document_id}#{ordinal}` of its passage; null: it has none, or you may not see it"""
    start: int | float | None
    """UTF-16 offsets of the excerpt in the passage, end exclusive"""
    end: int | float | None
    author: str | None
    customers: list[str]


class AuthoringStatementListAnswerDropped(Answer):
    text: str
    reason: str


class AuthoringStatementListAnswer(Answer):
    draft_id: str
    blocks: list[AuthoringStatementListAnswerBlocks]
    sources: list[AuthoringStatementListAnswerSources]
    dropped: list[AuthoringStatementListAnswerDropped]
    """Left out, because their sources do not support them"""


class AuthoringStatementList(Call[AuthoringStatementListAnswer]):
    """The text of an artifact or report as statements: the sources of each with the passage where they stand, how each number was counted, what was left out and why, and what is left for the person. authoring.figure.count counts the numbers of a statement again."""

    tool: ClassVar[str] = "authoring.statement.list"

    draft_id: str
    """draft_id or report_id"""
