/** Events about ends of ingestions, dead letters and trends of issues are written in the transactions of the changes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Event } from '../../contracts/outbound/events.ts';
import { noteTrends } from '../../services/signals/insight/trend-changes.ts';
import { mergeEntities } from '../../services/graph/merge.ts';
import { messageOf } from '../../services/outbound/event-message.ts';
import { entityIdOf, writeSignals, type TestSignal } from '../setup/signals.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm' });
});
afterAll(() => stack?.stop());

const events = async (who: Caller, types: string[]): Promise<Event[]> =>
  (await stack.ok<{ events: Event[] }>(who, 'event.stream.subscribe', { types, after: 'oldest', limit: 500 })).events;
const ends = ['ingestion.completed', 'ingestion.failed'];
/** The facts of its message, without those that every message has. */
const facts = (event: Event): string[] =>
  messageOf(event)
    .body.split('\n')
    .map((line) => line.replace(/:.*/, '').replace('- ', ''))
    .filter((name) => name !== 'about' && name !== 'at');

it('tells the end of an ingestion, and a refused content as a dead letter', async () => {
  const good = await stack.ok(pm, 'ingest.document.submit', { content: 'Acme cannot log in. It fails every morning.', title: 'Note' });
  const file = join(stack.config.SIGNALBOX_DATA_DIR, 'broken.pdf');
  writeFileSync(file, '%PDF-1.7 this is none');
  await stack.call(pm, 'ingest.document.submit', { file_path: file });
  const found = await eventually('both have ended', async () => {
    const all = await events(pm, ends);
    return all.length === 2 && all;
  });
  expect(found.find(({ subject }) => subject === good['job_id'])).toMatchObject({
    type: 'ingestion.completed',
    data: { job_kind: 'ingest', source_id: expect.any(String), document_id: expect.any(String) },
    refs: expect.arrayContaining([{ type: 'job', id: good['job_id'] }]),
  });
  const bad = found.find(({ subject }) => subject !== good['job_id'])!;
  expect(bad).toMatchObject({ type: 'ingestion.failed', data: { error_code: expect.any(String) } });
  expect(facts(bad)).toEqual(['error code', 'source id']);
  expect(facts(found.find(({ subject }) => subject === good['job_id'])!)).toEqual(['source id', 'document id']);
  const letters = await events(pm, ['dlq.item_added']);
  expect(letters).toHaveLength(1);
  expect(facts(letters[0]!)).toEqual(expect.arrayContaining(['stage', 'error code', 'status', 'attempts', 'job id', 'source id']));
  expect(letters[0]).toMatchObject({
    data: { job_id: bad.subject, status: 'refused' },
    refs: expect.arrayContaining([{ type: 'job', id: bad.subject }]),
  });

  // The retry fails again: both events are written again, in order.
  await stack.ok(pm, 'ingest.dlq.retry', { dlq_id: letters[0]!.subject });
  await eventually('it has failed again', async () => (await events(pm, ['dlq.item_added'])).length === 2);
  await eventually('its end is told again', async () => (await events(pm, ends)).length === 3);
});

it('tells when an issue goes another way, once', async () => {
  const tenant = 'trends';
  const who = await stack.caller({ tenant });
  const about = (issue: string, days: number, n: number): TestSignal[] =>
    Array.from({ length: n }, (_, i) => ({
      statement: `${issue} happened ${i} times`,
      class: 'bug' as TestSignal['class'],
      at: new Date(Date.UTC(2027, 0, 1) + days * 86_400_000 + i * 60_000).toISOString(),
      about: { issue: [issue] },
    }));
  const day = (n: number): Date => new Date(Date.UTC(2027, 0, 1) + n * 86_400_000);
  const told = (): Promise<Event[]> => events(who, ['issue.trend_changed']);
  const look = (now: Date): Promise<number> => asTenant(tenant, () => noteTrends(stack.db, tenant, now));

  await writeSignals(stack.db, tenant, [...about('Login fails', 40, 4), ...about('Slow export', 40, 3)]);
  expect(await look(day(41))).toBe(0);
  await writeSignals(stack.db, tenant, about('Login fails', 60, 9));
  expect(await look(day(41))).toBe(0);
  expect(await told()).toEqual([]);
  // Within the window before there were four, in this one nine; the other has gone quiet.
  expect(await look(day(75))).toBe(2);
  expect(await look(new Date(day(75).getTime() + 60_000))).toBe(0);
  const [one, two] = (await told()).toSorted((a, b) => (a.data['to'] as string).localeCompare(b.data['to'] as string));
  expect(one).toMatchObject({
    subject: entityIdOf(tenant, 'issue', 'Slow export'),
    data: { from: 'emerging', to: 'declining', window_days: 28 },
  });
  expect(two).toMatchObject({
    subject: entityIdOf(tenant, 'issue', 'Login fails'),
    data: { from: 'emerging', to: 'growing', current_count: 9, previous_count: 4 },
  });
  expect(facts(two!)).toEqual(['name', 'from', 'to', 'current count', 'previous count', 'change pct']);
  expect(messageOf(two!).title).toBe('The trend of an issue has changed: Login fails');
  // Merged into the other, it has no trend of its own any more.
  const [a, b] = [entityIdOf(tenant, 'issue', 'Login fails'), entityIdOf(tenant, 'issue', 'Slow export')];
  await asTenant(tenant, () => mergeEntities(stack.db, tenant, { changeId: 'merge_1', a, b, by: 'pm', notes: null }));
  // Without statements for two windows.
  expect(await look(day(200))).toBe(1);
  expect((await told()).slice(2)).toMatchObject([{ subject: a, data: { name: 'Login fails', from: 'growing', to: 'stable' } }]);
});

it('alerts say what happened', async () => {
  const tenant = 'alerts';
  const who = await stack.caller({ tenant, name: 'pm' });
  await stack.ok(who, 'entity.issue.flag', { issue_name: 'Export fails', severity: 'high', reason: 'Three customers in one day' });
  await stack.ok(who, 'entity.issue.flag', { issue_name: 'export FAILS', reason: 'And a fourth' });
  const [first, second] = await events(who, ['issue.flagged']);
  expect(messageOf(first!)).toMatchObject({
    title: 'An issue was flagged: Export fails',
    body: expect.stringContaining('- severity: high\n- reason: Three customers in one day'),
  });
  expect(second!.data).toMatchObject({ name: 'Export fails', reason: 'And a fourth' });

  await writeSignals(
    stack.db,
    tenant,
    ['Login fails for our whole team.', 'Login fails for our whole team again.'].map((statement, i) => ({
      statement,
      class: 'bug',
      at: new Date(Date.now() - i * 86_400_000).toISOString(),
      about: { customer: [`Customer ${i}`], issue: ['Login fails'] },
    })),
  );
  await asTenant(tenant, () => stack.services.opportunities.wakeSoon(tenant));
  const [opportunity] = await eventually('it is an opportunity', async () => {
    const found = await events(who, ['opportunity.created']);
    return found.length > 0 && found;
  });
  expect(facts(opportunity!)).toEqual(['title', 'score', 'signal count']);
  await stack.ok(who, 'opportunity.status.set', { opportunity_id: opportunity!.subject, status: 'reviewing' });
  expect(facts((await events(who, ['opportunity.status_changed']))[0]!)).toEqual(['from', 'to', 'by']);
});
