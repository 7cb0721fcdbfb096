import { z } from 'zod';
import { chunkSize, format, kbId, metadata, tags, words } from '../../contracts/knowledge/knowledge.ts';
import reportGenerate from '../../tools/authoring/authoring.report.generate.ts';
import reportGetLatest from '../../tools/authoring/authoring.report.get_latest.ts';
import issueFlag from '../../tools/graph/entity.issue.flag.ts';
import linkCreate from '../../tools/graph/entity.link.create.ts';
import proposalSubmit from '../../tools/graph/entity.proposal.submit.ts';
import entityList from '../../tools/graph/entity.record.list.ts';
import resolutionStats from '../../tools/graph/entity.resolution.get_stats.ts';
import statusSet from '../../tools/graph/entity.status.set.ts';
import contentSubmit from '../../tools/knowledge/ingest.content.submit.ts';
import heatmapGet from '../../tools/signals/insight.heatmap.get.ts';
import opportunityList from '../../tools/signals/opportunity.record.list.ts';
import chainTrace from '../../tools/graph/provenance.chain.trace.ts';
import signalSearch from '../../tools/signals/signal.record.search.ts';
import healthGet from '../../tools/system/system.health.get.ts';
import ledgerSearch from '../../tools/system/system.ledger.search.ts';
import type { Operation } from './operation.ts';

const { query: q, ...signalFilters } = signalSearch.input.shape;

/** Required fields for each kind of content. */
const needs = { text: ['content'], file: ['file'], url: ['url'], artifact: ['sha256'] } as const;

const content = z
  .object({
    kind: z.enum(['text', 'file', 'url', 'artifact']),
    title: words(300).optional().describe('Of a text: what a later version replaces it by'),
    content: z.string().min(1).max(20_000_000).optional().describe('Of a text: the text itself'),
    format: format.optional().describe('Of a text'),
    url: words(2048).optional(),
    depth: z.number().int().min(0).max(3).optional().describe('Of a url: how many links deep'),
    file: words(4096).optional().describe("A file, folder or zip on Signalbox's machine, inside INGEST_ROOTS"),
    sha256: words(64).optional().describe('Of an artifact'),
    kb_id: kbId.optional(),
    chunk_size: chunkSize.optional().describe('Characters of a passage; default 1000'),
    tags: tags.optional(),
    metadata: metadata.optional(),
  })
  .superRefine((given, context) => {
    for (const field of needs[given.kind]) {
      if (given[field] === undefined) context.addIssue({ code: 'custom', path: [field], message: `a ${given.kind} needs ${field}` });
    }
  });

/** The gateway's operations in order, then those outside its base path. */
export const operations: readonly Operation[] = [
  {
    id: 'searchSignals',
    method: 'GET',
    path: '/signals',
    tool: signalSearch,
    summary: 'Find what customers said',
    tag: 'Triage',
    input: z.object({ q, ...signalFilters }),
    toArguments: ({ q: query, ...filters }) => ({ ...filters, ...(query === undefined ? {} : { query }) }),
    example: { q: 'export fails', entity_type: 'customer', limit: 5 },
    may: [404, 409],
  },
  {
    id: 'flagIssue',
    method: 'POST',
    path: '/issues/flag',
    tool: issueFlag,
    summary: 'Flag an issue',
    tag: 'Triage',
    input: issueFlag.input,
    example: { issue_name: 'Export fails on large boards', severity: 'high', reason: 'Three customers in one day' },
    may: [404, 409],
  },
  {
    id: 'generateReport',
    method: 'POST',
    path: '/reports/generate',
    tool: reportGenerate,
    summary: 'Generate a report',
    tag: 'Report scheduler',
    input: reportGenerate.input,
    example: { report_type: 'weekly_digest', time_window_days: 7, audience: 'leadership' },
    may: [202, 404, 409],
  },
  {
    id: 'linkEntity',
    method: 'POST',
    path: '/entities/link',
    tool: linkCreate,
    summary: 'Link an entity to another system',
    tag: 'JIRA sync',
    input: linkCreate.input,
    example: { entity_id: 'ent_5m2k8q', external_system: 'jira', external_id: 'PAY-101', url: 'https://jira.example.com/browse/PAY-101' },
    may: [404, 409],
  },
  {
    id: 'setEntityStatus',
    method: 'POST',
    path: '/entities/status',
    tool: statusSet,
    summary: 'Set the status of an entity',
    tag: 'JIRA sync',
    input: statusSet.input,
    example: { entity_id: 'ent_5m2k8q', status: 'fixed', source: 'jira' },
    may: [404, 409],
  },
  {
    id: 'getResolutionStats',
    method: 'GET',
    path: '/er-stats',
    tool: resolutionStats,
    summary: 'How well names find their entities',
    tag: 'Data quality',
    input: resolutionStats.input,
    example: { window_days: 30, entity_type: 'customer' },
    may: [],
  },
  {
    id: 'proposeEntityChange',
    method: 'POST',
    path: '/entities/propose',
    tool: proposalSubmit,
    summary: 'Propose a change of entities',
    tag: 'Data quality',
    input: proposalSubmit.input,
    example: { kind: 'alias', entity_ids: ['ent_5m2k8q'], name: 'Acme Inc.', reason: 'Signs its mails so', confidence: 0.8 },
    may: [404, 409],
  },
  {
    id: 'listOpportunities',
    method: 'GET',
    path: '/opportunities',
    tool: opportunityList,
    summary: 'List opportunities',
    tag: 'Sprint planning',
    input: opportunityList.input,
    example: { status: 'new', sort_by: 'score', limit: 10 },
    may: [],
  },
  {
    id: 'traceProvenance',
    method: 'GET',
    path: '/provenance',
    tool: chainTrace,
    summary: 'Trace a claim to its evidence',
    tag: 'Sprint planning',
    input: chainTrace.input,
    example: { claim: 'Two customers cannot export' },
    may: [404],
  },
  {
    id: 'ingestContent',
    method: 'POST',
    path: '/ingest',
    tool: contentSubmit,
    summary: 'Take content in',
    tag: 'Workflow agent',
    input: content,
    toArguments: ({ kind, title, content: text, format: as, url, depth, file, sha256, ...rest }) => ({
      source: defined({ kind, title, text, format: as, url, depth, file_path: file, sha256 }),
      ...rest,
    }),
    example: { kind: 'text', title: 'Call with Acme', content: 'The export fails for large boards.', metadata: { source: 'meeting' } },
    may: [202, 404, 409],
  },
  {
    id: 'listEntities',
    method: 'GET',
    path: '/entities',
    tool: entityList,
    summary: 'List entities',
    tag: 'Stakeholder access',
    input: entityList.input,
    example: { entity_type: 'feature', limit: 10 },
    may: [],
  },
  {
    id: 'getHeatmap',
    method: 'GET',
    path: '/heatmap',
    tool: heatmapGet,
    summary: 'Heatmap of issues, features and themes',
    tag: 'Stakeholder access',
    input: heatmapGet.input,
    example: { dimension: 'issues_by_feature', metric: 'signal_count' },
    may: [],
  },
  {
    id: 'getHealth',
    method: 'GET',
    path: '/health',
    tool: healthGet,
    summary: 'Health of the system',
    tag: 'Stakeholder access',
    input: healthGet.input,
    example: {},
    may: [],
  },
  {
    id: 'getLatestReport',
    method: 'GET',
    path: '/reports/latest',
    tool: reportGetLatest,
    summary: 'Get the latest report',
    tag: 'Stakeholder access',
    input: reportGetLatest.input,
    example: { report_type: 'weekly_digest' },
    may: [404, 409],
  },
  {
    id: 'searchLedger',
    method: 'GET',
    path: '/api/ledger',
    tool: ledgerSearch,
    summary: 'Search the ledger',
    tag: 'Deprecated',
    input: ledgerSearch.input,
    example: { limit: 5 },
    may: [],
    deprecated: {
      since: '2026-11-22',
      sunset: '2027-06-01',
      successor: '/api/tools/system.ledger.search',
      guide: 'ledger-route',
    },
  },
];

const defined = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
