import { expect, test } from 'vitest';
import type { MessageJson, Plan } from '../../contracts/a2a.ts';
import type { Envelope } from '../../contracts/envelope.ts';
import { perform } from './perform.ts';
import { planOf } from './router.ts';

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

/** Runs what a text is planned as; `answers` by tool. */
async function run(message: MessageJson, answers: Record<string, (args: Record<string, unknown>) => Envelope>) {
  const plan = planOf([message]) as Plan & { kind: 'call' };
  expect(plan.kind).toBe('call');
  const calls: [string, Record<string, unknown>, string][] = [];
  const answer = await perform(plan, [message], async (tool, args, step) => {
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

test('a report quotes what was found, with its sources, and the summary', async () => {
  const { answer } = await run(text('Write a report on slow exports'), {
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
  const { answer } = await run(text('Write a report on unicorns'), {
    'graph.summary.get': () => envelope(null, { ...notFound, code: 'FORBIDDEN', message: 'no graph:read' }),
    'index.chunk.search': () => envelope({ hits: [] }),
  });
  expect((answer.data as { markdown: string }).markdown).toContain('Nothing that was ingested speaks of it.');
  expect(answer.warnings).toEqual([expect.stringContaining('no graph:read')]);
  const whole = await run(text('Generate a report about everything'), { 'graph.summary.get': () => envelope(summary) });
  expect((whole.answer.data as { markdown: string }).markdown).toContain('## The landscape');
});
