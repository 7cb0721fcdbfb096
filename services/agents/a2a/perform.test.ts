import { expect, test } from 'vitest';
import type { MessageJson, Plan } from '../../../contracts/agents/a2a.ts';
import type { Envelope } from '../../../contracts/envelope.ts';
import { perform } from './perform.ts';
import { planOf } from '../../../engines/intents/router.ts';

const envelope = (data: unknown, error?: Envelope['error']): Envelope => ({
  status: error ? 'error' : 'success',
  data,
  metadata: { source: 't', query_time_ms: 1 },
  refs: [],
  warnings: [],
  tool_call_id: 'call_1',
  ...(error ? { error } : {}),
});
const notFound = { code: 'NOT_FOUND' as const, message: 'none', retryable: false };

type Answers = Record<string, (args: Record<string, unknown>) => Envelope>;

/** Runs what a text is planned as; `answers` by tool. */
async function run(message: MessageJson, answers: Answers) {
  const plan = planOf([message]) as Plan & { kind: 'call' };
  expect(plan.kind).toBe('call');
  return await runPlan(plan, answers, [message]);
}
async function runPlan(plan: Plan & { kind: 'call' }, answers: Answers, messages: MessageJson[] = []) {
  const calls: [string, Record<string, unknown>, string][] = [];
  const answer = await perform(plan, messages, async (tool, args, step) => {
    calls.push([tool, args, step]);
    return answers[tool]!(args);
  });
  return { answer, calls };
}
const text = (words: string): MessageJson => ({ messageId: 'm', role: 'ROLE_USER', parts: [{ text: words }] });
const ids: Record<string, string> = { Acme: 'e1', 'Acme Inc': 'e2' };
const lookup = ({ entity_name: name }: Record<string, unknown>) =>
  ids[String(name)] === undefined ? envelope(null, notFound) : envelope({ entity: { entity_id: ids[String(name)] } });

test('names become ids before anything changes', async () => {
  const { answer, calls } = await run(text('Merge "Acme" and "Acme Inc" because of one domain'), {
    'entity.record.get': lookup,
    'entity.proposal.submit': () => envelope({ feedback_id: 'f' }),
  });
  expect(calls.at(-1)).toEqual(['entity.proposal.submit', { kind: 'merge', reason: 'of one domain', entity_ids: ['e1', 'e2'] }, 'main']);
  expect(calls.map(([, , step]) => step)).toEqual(['name-0', 'name-1', 'main']);
  expect(answer.data).toEqual({ feedback_id: 'f' });
});

test('a name that means nothing is what is answered, and nothing changes', async () => {
  const { answer, calls } = await run(text('Mark "Nobody" as fixed'), { 'entity.record.get': lookup });
  expect(answer.error?.code).toBe('NOT_FOUND');
  expect(calls).toHaveLength(1);
});

test('names in calls that take names stay', async () => {
  const { calls } = await run(text('Look up Acme'), { 'entity.record.get': lookup });
  expect(calls).toEqual([['entity.record.get', { entity_name: 'Acme' }, 'main']]);
});

test('bytes are uploaded before they are ingested', async () => {
  const raw = Buffer.from('%PDF-1.7').toString('base64');
  const file: MessageJson = { messageId: 'm', role: 'ROLE_USER', parts: [{ raw, filename: 'a.pdf', mediaType: 'application/pdf' }] };
  const { calls } = await run(file, {
    'substrate.artifact.upload': () => envelope({}),
    'ingest.content.submit': () => envelope({ job_id: 'j' }),
  });
  expect(calls[0]).toEqual([
    'substrate.artifact.upload',
    { content_base64: raw, media_type: 'application/pdf', filename: 'a.pdf' },
    'upload',
  ]);
  expect(calls[1]?.[0]).toBe('ingest.content.submit');
  const refused = await run(file, { 'substrate.artifact.upload': () => envelope(null, { ...notFound, code: 'FORBIDDEN' }) });
  expect(refused.answer.error?.code).toBe('FORBIDDEN');
});

const hits = [
  { content: 'Exports take  minutes.', source: 'Call A', citation: 'doc_1#0', url: 'https://example.com/a', document_id: 'd1' },
  { content: 'x'.repeat(900), source: 'Call B', citation: 'doc_2#1', url: null, document_id: 'd2' },
];
const summary = {
  scope: 'full_system',
  counts: { entities: { customer: 2 }, relations: 1, facts: 3, signals: 4 },
  top_entities: [{ name: 'Acme', type: 'customer', signal_count: 4 }],
  trends: [{ name: 'Export', type: 'feature', signal_count: 2, direction: 'growing', current_count: 5, previous_count: 1 }],
  health: { newest_signal_at: '2026-03-01T00:00:00Z', reviews_pending: 1 },
};

const nothing = () => envelope(null, notFound);
const noEvidence = { ...notFound, message: 'Not enough evidence. Missing: statements', details: { reason: 'not_enough_evidence' } };
const entity = (type: string) => () => envelope({ entity: { entity_id: 'e1', name: 'Acme', type } });

test('what a subject is decides what is written', async () => {
  const customer = await run(text('Write a report on acme'), {
    'entity.record.get': entity('customer'),
    'authoring.report.generate': () => envelope({ content: '# Acme' }),
  });
  const made = { report_type: 'customer_health_summary', filter_customer: 'Acme' };
  expect(customer.calls.at(-1)).toEqual(['authoring.report.generate', made, 'main']);
  const feature = await run(text('Write a report on acme'), {
    'entity.record.get': entity('feature'),
    'authoring.artifact.generate': () => envelope({ content: '# Acme' }),
  });
  const onePager = { artifact_type: 'one_pager', entity_name: 'Acme', entity_type: 'feature' };
  expect(feature.calls.at(-1)).toEqual(['authoring.artifact.generate', onePager, 'main']);
  const area = await run(text('Write a report on payments'), {
    'entity.record.get': nothing,
    'authoring.report.generate': () => envelope({ content: '# Payments' }),
  });
  expect(area.calls.at(-1)?.[1]).toEqual({ report_type: 'product_area_overview', filter_area: 'payments' });
  const digest = await run(text('Write a weekly digest about Acme'), {
    'entity.record.get': entity('customer'),
    'authoring.report.generate': () => envelope({ content: '# Acme' }),
  });
  expect(digest.calls.at(-1)?.[1]).toEqual({ report_type: 'weekly_digest', time_window_days: 7, filter_customer: 'Acme' });
});

test('evidence that is not enough is said, and nothing is made up for it', async () => {
  const { answer, calls } = await run(text('Write a report on acme'), {
    'entity.record.get': entity('customer'),
    'authoring.report.generate': () => envelope(null, noEvidence),
  });
  expect(answer.error?.message).toContain('Missing: statements');
  expect(calls.map(([tool]) => tool)).toEqual(['entity.record.get', 'authoring.report.generate']);
  const area = await run(text('Write a report on payments'), {
    'entity.record.get': nothing,
    'authoring.report.generate': () => envelope(null, noEvidence),
  });
  expect(area.answer.error?.details).toMatchObject({ reason: 'not_enough_evidence' });
});

test('the latest report of any type is looked up among the drafts', async () => {
  const drafts = [
    { draft_id: 'r2', status: 'writing' },
    { draft_id: 'r1', status: 'ready' },
  ];
  const { answer, calls } = await run(text('Show the latest report'), {
    'authoring.draft.list': () => envelope({ drafts }),
    'authoring.draft.get': ({ draft_id }) => envelope({ draft: { draft_id, content: '# Digest' } }),
  });
  expect(answer.data).toEqual({ draft_id: 'r1', content: '# Digest' });
  expect(calls[0]?.[1]).toMatchObject({ kind: 'report' });
  const none = await run(text('Show the latest report'), { 'authoring.draft.list': () => envelope({ drafts: [] }) });
  expect(none.answer).toMatchObject({ status: 'error', data: null, error: { code: 'NOT_FOUND' } });
});

test('a subject that authoring does not know is quoted, with its sources, and the summary', async () => {
  const { answer } = await run(text('Write a report on slow exports'), {
    'entity.record.get': nothing,
    'authoring.report.generate': nothing,
    'graph.summary.get': () => envelope(summary),
    'index.chunk.search': () => envelope({ hits }),
  });
  const { markdown, sources } = answer.data as { markdown: string; sources: unknown[] };
  expect(markdown).toContain('# Report: slow exports');
  expect(markdown).toContain('Made from the 2 passages found for "slow exports" and the knowledge summary (everything).');
  expect(markdown).toContain('> Exports take minutes.\n>\n> — Call A [1]');
  expect(markdown).toContain('[1] Call A (doc_1#0) <https://example.com/a>');
  expect(markdown).toContain('Export is growing: 1 → 5');
  expect(markdown.length).toBeLessThan(2_000);
  expect(sources).toHaveLength(2);
});

test('a report says when nothing is known, and does without a summary that may not be seen', async () => {
  const refused = () => envelope(null, { ...notFound, code: 'FORBIDDEN', message: 'no authoring:write' });
  const { answer } = await run(text('Write a report on unicorns'), {
    'entity.record.get': refused,
    'authoring.report.generate': refused,
    'graph.summary.get': () => envelope(null, { ...notFound, code: 'FORBIDDEN', message: 'no graph:read' }),
    'index.chunk.search': () => envelope({ hits: [] }),
  });
  expect((answer.data as { markdown: string }).markdown).toContain('Nothing that was ingested speaks of it.');
  expect(answer.warnings).toEqual([expect.stringContaining('no graph:read')]);
  const whole = await runPlan(
    { kind: 'call', skill: 'generate-report', tool: 'graph.summary.get', arguments: {} },
    { 'graph.summary.get': () => envelope(summary) },
  );
  expect((whole.answer.data as { markdown: string }).markdown).toContain('## The landscape');
});
