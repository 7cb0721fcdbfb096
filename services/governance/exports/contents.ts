import type { ExportType } from '../../../contracts/governance/exports.ts';

/** A table in an export. */
export interface Content {
  table: string;
  /** A row's time, as SQL over `t`; null: date ranges do not apply. */
  at: string | null;
  /** Columns left out: vectors, derived columns, and credentials. */
  without?: readonly string[];
  /** Rows may be large: read few at a time. */
  large?: true;
  /** Only these rows, as SQL over `t`. */
  where?: string;
}

const of = (table: string, at: string | null = 't.created_at', more: Omit<Content, 'table' | 'at'> = {}): Content => ({
  table,
  at,
  ...more,
});
const vectors = { without: ['embedding', 'model'] } as const;

const entities = [of('entities', 't.created_at', vectors), of('entity_aliases'), of('entity_links'), of('entity_history', 't.at')];
const signals = [
  of('signals', 't.occurred_at', { without: [...vectors.without, 'compares', 'author_key', 'area_key', 'told_earlier_id'] }),
  of('signal_entities', 't.occurred_at'),
];
const opportunities = [
  of('opportunities'),
  of('opportunity_factors', 't.set_at'),
  of('opportunity_goals', 't.set_at'),
  of('opportunity_history', 't.at'),
  of('opportunity_signals', 't.added_at'),
];
const graph = [
  of('entity_relations', 't.updated_at'),
  of('entity_mentions'),
  of('graph_assertions'),
  of('graph_facts', 't.recorded_from', vectors),
  of('fact_evidence', '(select f.recorded_from from graph_facts f where f.tenant_id = t.tenant_id and f.id = t.fact_id)'),
];
const feedback = [
  of('reviews', 't.created_at', { large: true }),
  of('agent_outputs', 't.created_at', { large: true }),
  of('claim_decisions'),
  of('signal_corrections', 't.updated_at', vectors),
  of('reading_corrections', 't.updated_at'),
];

const others = [
  ...['knowledge_bases', 'knowledge_sources', 'documents', 'artifacts', 'manifests', 'pointers', 'pointer_history'].map((table) =>
    of(table),
  ),
  // Private memories belong to their user, agent or session, not to whoever may export the tenant.
  of('memories', 't.created_at', { without: [...vectors.without, 'terms', 'owner'], where: `t.owner = ''` }),
  of('memory_merges', 't.created_at', { without: ['owner'], where: `t.owner = ''` }),
  of('chunks', 't.created_at', vectors),
  of('manifest_entries', null),
  ...['graph_episodes', 'runs', 'run_steps', 'run_checkpoints'].map((table) => of(table, 't.created_at', { large: true })),
  ...['claims', 'claim_evidence', 'registered_schemas'].map((table) => of(table)),
  of('work_tasks', 't.created_at', { without: ['fencing_token', 'lease_line', 'lease_session', 'created_line'] }),
  of('work_recurrences', 't.created_at', { without: ['created_line'] }),
  of('work_trackers', 't.created_at', { without: ['credentials', 'etag'] }),
  of('work_attachments', 't.attached_at'),
  of('work_task_events', 't.at', { without: ['token', 'refused_token', 'mark'] }),
  of('work_runs', 't.started_at', { without: ['fencing_token', 'line', 'key_id', 'reviewer', 'signs'], large: true }),
  of('work_budgets', 't.updated_at'),
  ...['phases', 'work_task_dependencies', 'work_comments', 'work_templates', 'work_boards', 'work_task_issues', 'work_pulls'].map((table) =>
    of(table),
  ),
  of('agents', 't.created_at', { without: ['credential', 'key_id'] }),
  of('agent_versions', 't.created_at', { large: true }),
  ...['agent_capabilities', 'agent_history', 'agent_messages'].map((table) => of(table)),
  of('delegated_tasks', 't.created_at', { without: ['callback_token', 'report_token', 'key_id', 'told_at'], large: true }),
  ...['drafts', 'draft_sources', 'draft_statements'].map((table) => of(table, null, { large: true })),
  of('notifications', 't.created_at', { without: ['recipient'] }),
  of('report_schedules', 't.created_at', { without: ['recipients'] }),
  of('briefs', 't.created_at', { large: true }),
  of('brief_settings', 't.updated_at', { without: ['recipients'] }),
  of('articles', 't.stored_at', { large: true }),
  of('ingestion_logs', 't.created_at', { large: true }),
  of('feed_sources', 't.created_at', { without: ['credentials'] }),
  of('agent_usage', 't.day::timestamptz'),
  of('language_usage', 't.day::timestamptz'),
  of('language_budgets', 't.updated_at'),
  of('resolution_counts', 't.day::timestamptz'),
  of('mention_moves', null),
  of('matcher_models', 't.updated_at', { large: true }),
  ...['policies', 'tool_capabilities', 'stakeholder_scopes'].map((table) => of(table)),
];

const contents: Record<Exclude<ExportType, 'full_backup'>, readonly Content[]> = {
  entities,
  signals,
  opportunities,
  knowledge_graph: [...entities.slice(0, 3), ...graph],
  feedback_log: feedback,
};

/** The tables of an export, in the order of writing. */
export const contentsOf = (type: ExportType): readonly Content[] =>
  type === 'full_backup' ? [...entities, ...graph, ...signals, ...opportunities, ...feedback, ...others] : contents[type];

/**
 * Tables that no export contains, with the reason. A test compares this with the database: a new table must be
 * exported or listed here.
 */
export const leftOut: Readonly<Record<string, string>> = {
  api_keys: 'gives access',
  approvals: 'sealed arguments and kept answers of calls; the ledger has that they were made',
  a2a_events: 'passing: seven days',
  a2a_push_configs: 'gives access',
  a2a_session_messages: 'passing: gone with its session',
  a2a_sessions: 'passing: gone when it is over',
  a2a_tasks: 'passing: seven days',
  brief_articles: 'passing: 30 days',
  brief_sources: 'passing: 30 days',
  console_sessions: 'gives access',
  connector_calls: 'kept against repeats only',
  connector_mounts: 'gives access',
  dlq_items: 'work under way',
  entity_blocks: 'made of names',
  event_deliveries: 'passing: 30 days',
  event_followers: 'passing',
  event_heads: 'passing',
  event_subscriptions: 'gives access',
  exports: 'passing: a day',
  external_servers: 'gives access',
  feed_copies: 'fetched from elsewhere, and fetched again',
  feed_seeds: 'read from a file',
  external_tools: 'read from other servers',
  insight_counts: 'made of signals',
  insight_triples: 'made of signals',
  language_days: 'work under way',
  opportunity_anchors: 'made of signals',
  opportunity_changes: 'work under way',
  opportunity_clusters: 'made of signals',
  signal_blocks: 'made of signals',
  idempotency_records: 'kept against repeats only',
  ingest_items: 'work under way',
  issue_trends: 'made of signals',
  signal_names: 'made of documents',
  evidence_clues: 'made of documents',
  evidence_directories: 'made of documents',
  document_readings: 'made of documents',
  model_answers: 'made of documents',
  jobs: 'work under way',
  ledger_events: 'system.ledger.export',
  ledger_retained: 'system.ledger.export',
  ledger_seals: 'system.ledger.export',
  mcp_messages: 'passing',
  mcp_sessions: 'passing',
  notification_attempts: 'passing: gone with its notification',
  notification_keys: 'kept against repeats only',
  open_streams: 'passing',
  outbox: 'passing: seven days',
  outbox_cursors: 'passing',
  postings: 'made of passages',
  rate_windows: 'passing: a minute',
  report_schedule_fires: 'passing: 90 days',
  trajectories: 'passing: 30 days',
  work_issue_messages: 'kept against repeats only',
  work_run_events: 'passing: 90 days',
  webhook_secrets: 'gives access',
  work_task_counts: 'made of tasks',
  work_task_tags: 'made of tasks',
  work_sessions: 'passing',
};
