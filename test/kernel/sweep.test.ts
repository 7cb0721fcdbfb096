/** The sweep over all tenants: a failing row or tenant is skipped and reported, and the others are processed. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { asTenant, currentTenant } from '../../adapters/postgres/tenancy.ts';
import { queues } from '../../contracts/temporal.ts';
import { LedgerChain } from '../../services/governance/ledger-keeping.ts';
import { lastSweep } from '../../services/kernel/sweep-report.ts';
import { Metrics } from '../../tools/catalogue/metrics.ts';
import type { sweep } from '../../workflows/kernel/sweep/workflow.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ model: false });
  for (const tenant of tenants) await stack.caller({ tenant });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => stack?.stop());

/** Half of them fail, so that in any order a failing tenant comes before a healthy one. */
const tenants = ['a-poisoned', 'b-fine', 'c-poisoned', 'd-fine'];
const poisoned = tenants.filter((tenant) => tenant.endsWith('poisoned'));

const run = (id: string) =>
  stack.temporal.client.workflow.execute<typeof sweep>('sweep', { workflowId: `sweep/${id}`, taskQueue: queues.background, args: [] });

/** A job that was never started. */
const forgotten = (tenant: string, id: string, kind: string, spec: object) =>
  asTenant(tenant, () =>
    stack.db.query(
      `insert into jobs (tenant_id, id, kind, title, status, workflow_id, spec, created_by, created_at, updated_at)
       values ($1, $2, $3, 'Forgotten', 'queued', $4, $5, 'test', now() - interval '1 hour', now() - interval '1 hour')`,
      [tenant, id, kind, `task/${tenant}/${id}`, JSON.stringify(spec)],
    ),
  );
const startedAt = async (tenant: string, id: string): Promise<boolean> =>
  await stack.temporal
    .handle(`task/${tenant}/${id}`)
    .describe()
    .then(
      () => true,
      () => false,
    );

it('starts what it can beside rows that cannot be started', async () => {
  for (const tenant of tenants) {
    // A run of which nobody wrote down what it takes in: it fails before its process starts.
    if (poisoned.includes(tenant)) await forgotten(tenant, `job_0_${tenant}`, 'ingest_run', {});
    await forgotten(tenant, `job_1_${tenant}`, 'pipeline', { scope: 'all', skip_ingestion: true });
  }
  const report = await run('rows');
  for (const tenant of tenants) expect([tenant, await startedAt(tenant, `job_1_${tenant}`)]).toEqual([tenant, true]);
  expect(report).toMatchObject({ started: tenants.length, skipped: poisoned.length });
  expect(report.skippedSome.map(({ tenant, step, id }) => `${tenant} ${step} ${id}`).sort()).toEqual(
    poisoned.map((tenant) => `${tenant} restart task/${tenant}/job_0_${tenant}`),
  );
  await asTenant('a-poisoned', () => stack.db.query(`delete from jobs where id like 'job_0_%'`));
  await asTenant('c-poisoned', () => stack.db.query(`delete from jobs where id like 'job_0_%'`));
});

it('tidies all tenants though a step of one fails, and shows that it did', async () => {
  const { exports, briefs } = stack.services;
  const tidy = exports.sweep.bind(exports);
  const swept: string[] = [];
  vi.spyOn(exports, 'sweep').mockImplementation(async (tenant) => {
    if (poisoned.includes(tenant)) throw new TypeError('a row that nobody can read');
    swept.push(tenant);
    return await tidy(tenant);
  });
  const tended: string[] = [];
  vi.spyOn(briefs, 'tend').mockImplementation(async (tenant) => {
    tended.push(tenant);
    return false;
  });
  const report = await run('tenants');
  expect(swept.filter((tenant) => tenants.includes(tenant)).sort()).toEqual(['b-fine', 'd-fine']);
  // The steps after it, of the same tenants.
  expect(tended.filter((tenant) => tenants.includes(tenant)).sort()).toEqual(tenants);
  expect(report.skippedSome.map(({ tenant, step, code }) => `${tenant} ${step} ${code}`).sort()).toEqual(
    poisoned.map((tenant) => `${tenant} exports INTERNAL`),
  );
  const metrics = new Metrics();
  metrics.showSweep(() => lastSweep(stack.db));
  expect(await metrics.registry.metrics()).toMatch(/^signalbox_sweep_skipped 2$/m);
});

it('links the ledger of each tenant though that of another cannot be', async () => {
  for (const tenant of ['b-fine', ...poisoned]) await stack.ok(await stack.caller({ tenant }), 'work.task.list');
  const refusing =
    <F extends (...args: never[]) => Promise<unknown>>(work: F) =>
    (...args: Parameters<F>): Promise<unknown> =>
      poisoned.includes(currentTenant()) ? Promise.reject(new Error('cannot be read')) : work(...args);
  const db = { ...stack.db, query: refusing(stack.db.query), transaction: refusing(stack.db.transaction) } as TestStack['db'];
  const chain = new LedgerChain({ ...stack.services.kernel, db });
  // Rows are linked when no older transaction of this server is open any more.
  await eventually('the ledger of another tenant is linked', async () => {
    const failure = await chain.sealAll().then(
      () => '',
      (error: Error) => error.message,
    );
    if (!failure.startsWith(`${poisoned.length} failed`)) return false;
    const seals = await asTenant('b-fine', () => stack.db.query(`select 1 from ledger_seals where tenant_id = 'b-fine'`));
    return seals.length > 0;
  });
});
