/** Each invariant detects its violation: damages rows one after the other. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { withDatabase } from '../setup/databases.ts';
import { writeSignals } from '../setup/signals.ts';
import { testStack, type TestStack } from '../setup/stack.ts';
import type { Evidence, Invariant } from '../../chaos/checks.ts';
import { corrections, counts, decisions, drafts, statements } from '../../chaos/checks-product.ts';
import { Journal } from '../../chaos/journal.ts';

const tenant = 'acme';
const opportunity = randomUUID();
let stack: TestStack;
let db: pg.Client;
let evidence: Evidence;

beforeAll(async () => {
  stack = await testStack({ model: false });
  db = new pg.Client({ connectionString: withDatabase(inject('servers').ownerUrl, new URL(stack.databaseUrl).pathname.slice(1)) });
  await db.connect();
  const journal = new Journal();
  const texts = ['The export fails with error kp1.', 'The export fails with error kp2.', 'The search is slow in kp3.'];
  const ids = await writeSignals(
    stack.db,
    tenant,
    texts.map((statement) => ({ statement, class: 'bug' as const, at: new Date().toISOString(), about: { customer: ['Osprey Bank'] } })),
  );
  for (const [i, text] of texts.entries()) {
    const { rows } = await db.query<{ document_id: string }>('select document_id from signals where id = $1', [ids[i]]);
    const document = rows[0]!.document_id;
    journal.calls.set(`call ${i}`, { customer: 'Osprey Bank', document, statements: [{ marker: `kp${i + 1}`, text }], settled: true });
  }
  const pm = await stack.caller({ tenant, name: 'pm', kind: 'human' });
  await stack.ok(pm, 'signal.record.correct', { signal_id: ids[0], class: 'praise', severity: 'low' });
  journal.corrected.set(ids[0]!, { marker: 'kp1', class: 'praise', severity: 'low' });
  const { report_id } = await stack.ok(pm, 'authoring.report.generate', { report_type: 'weekly_digest' });
  journal.drafts.add(report_id as string);
  await db.query(
    `insert into opportunities (tenant_id, id, title, signal_count, statement_count, customer_count, impact, confidence, strategic_alignment, urgency,
       effort, score, computed, first_signal_at, last_signal_at)
     values ($1, $2, 'Exports fail', 2, 2, 1, 5, 0.5, 5, 5, 5, 1,
       '{"impact": {"value": 5}, "confidence": {"value": 0.5}, "strategic_alignment": {"value": 5}, "urgency": {"value": 5}, "effort": {"value": 5}}', now(), now())`,
    [tenant, opportunity],
  );
  await stack.ok(pm, 'opportunity.status.set', { opportunity_id: opportunity, status: 'reviewing' });
  await stack.ok(pm, 'opportunity.factor.set', { opportunity_id: opportunity, factor: 'effort', value: 2.5 });
  journal.decisions.set(opportunity, { status: 'reviewing', steps: 1, factors: new Map([['effort', 2.5]]), changes: 1, refused: false });
  evidence = { journal, db, tenant } as Evidence;
});
afterAll(async () => {
  await db?.end();
  await stack?.stop();
});

const checks = { statements, counts, corrections, decisions, drafts };
type Check = keyof typeof checks;
const breachesOf = async (check: Check): Promise<string[]> => ((await checks[check](evidence)) satisfies Invariant).breaches;

it('hold while nothing is damaged', async () => {
  for (const check of Object.keys(checks) as Check[]) expect({ check, breaches: await breachesOf(check) }).toEqual({ check, breaches: [] });
});

it.each<[Check, string, string, RegExp]>([
  ['statements', 'a signal is gone', `delete from signals where statement like '%kp2%'`, /^lost: the statement about kp2/],
  [
    'statements',
    'one is there twice',
    `insert into signals (tenant_id, id, document_id, source_id, chunk_id, start_at, end_at, statement, source, occurred_at, class, class_confidence,
       sentiment, severity, group_id, classifier)
     select tenant_id, id || 'x', document_id, source_id, chunk_id, start_at, end_at, statement, source, occurred_at, class, class_confidence,
       sentiment, severity, group_id, classifier from signals where statement like '%kp3%'`,
    /^doubled: the statement about kp3/,
  ],
  ['statements', 'a document was retired', `update documents set status = 'retired' where title like '%kp3%'`, /not active/],
  ['counts', 'a count is wrong', `update insight_counts set signals = signals + 1 where kind = '*' and grain = 'a'`, /^1 of \d+ counts/],
  ['corrections', 'a correction was forgotten', `update signals set class = 'bug' where statement like '%kp1%'`, /is bug, low$/],
  ['decisions', 'a status was lost', `update opportunities set status = 'new'`, /^lost: .* is new$/],
  ['decisions', 'a factor was lost', 'delete from opportunity_factors', /^lost: effort/],
  [
    'decisions',
    'a decision was made twice',
    `insert into opportunity_history (tenant_id, opportunity_id, event, by) select tenant_id, opportunity_id, event, by from opportunity_history where event = 'status'`,
    /^doubled: .* 2 steps/,
  ],
  ['drafts', 'a draft is gone', 'delete from drafts', /^lost: draft/],
  [
    'drafts',
    'it was told of twice',
    `insert into outbox (tenant_id, type, subject, data) select tenant_id, type, subject, data from outbox where type = 'report.generated'`,
    /told of 2 times/,
  ],
  ['drafts', 'a statement has lost its sources', 'delete from draft_sources', /statements without their sources/],
  ['drafts', 'one never ended', `update drafts set status = 'writing'`, /has not ended/],
])('%s: %s', async (check, _what, damage, breach) => {
  await db.query('begin');
  try {
    const { rowCount } = await db.query(damage);
    expect(rowCount).toBeGreaterThan(0);
    // Within the damage: what the check of counts would begin and take back is not its own.
    expect(await breachesOf(check)).toContainEqual(expect.stringMatching(breach));
  } finally {
    await db.query('rollback');
  }
});
