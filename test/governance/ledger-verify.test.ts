/** A long ledger is verified by a process, part by part, while the api does other things. */
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { LedgerCheck } from '../../contracts/activities/governance/ledger.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Job } from '../../contracts/jobs.ts';
import { restart } from '../../services/sweep.ts';
import { withDatabase } from '../setup/databases.ts';
import { replayCourses } from '../setup/replay.ts';
import { eventually, lostOf, testStack, type TestStack } from '../setup/stack.ts';

const rows = 120_000;
let stack: TestStack;
let ann: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false, workers: false });
  ann = await stack.caller({ name: 'ann', kind: 'human' });
  // As of before the chain, without signatures: their links cover that.
  await asTenant('acme', () =>
    stack.db.query(
      `insert into ledger_events (tenant_id, tool_call_id, type, tool, called_as, tool_version, effect, front, key_id, principal, principal_kind, persona, input_hash, at)
       select 'acme', 'call_' || n, 'tool.call.completed', 'work.phase.list', 'work.phase.list', 1, 'read', 'mcp', 'key', 'ann', 'human', 'admin', 'x', now()
       from generate_series(1, ${rows}) n`,
    ),
  );
});
afterAll(() => stack?.stop());

const begin = (key: string): Promise<Job> => asTenant('acme', () => stack.services.governance.chain.verification(ann, key, { waitMs: 0 }));
const ended = (id: string): Promise<Job> =>
  eventually('the verification', async () => {
    const { job } = await stack.ok<{ job: Job }>(ann, 'system.job.get', { job_id: id });
    return job.finished_at !== null && job;
  });

it('is one workflow for all concurrent callers, and the api process does not read the ledger', async () => {
  const one = await begin('a');
  expect(one.status).toBe('queued');
  for (const other of await Promise.all(['a', 'b', 'c'].map(begin))) expect(other.job_id).toBe(one.job_id);
  await stack.startWorkers();
  const job = await ended(one.job_id);
  expect(job).toMatchObject({ status: 'completed', kind: 'ledger_verify', result: { intact: true, breaches: [] } });
  const check = job.result as unknown as LedgerCheck;
  expect(check.events).toBeGreaterThanOrEqual(rows);
  expect(check.links).toBeGreaterThanOrEqual(rows / 10_000);
  // The same call again is answered, not done again.
  expect(await begin('a')).toMatchObject({ job_id: job.job_id, status: 'completed' });
});

it('one that starts when another ends has its own workflow', async () => {
  for (let i = 0; i < 4; i += 1) expect(await ended((await begin(`next-${i}`)).job_id)).toMatchObject({ status: 'completed' });
});

it('a short one is answered at once', async () => {
  const bob = await stack.caller({ name: 'bob', tenant: 'quiet' });
  const answer = await stack.call(bob, 'system.ledger.verify');
  expect(answer.envelope.status).toBe('success');
  expect(answer.data).toMatchObject({ status: 'completed', intact: true, breaches: [], job_id: expect.stringMatching(/^job_/) });
});

it('what became of a killed process is found and begun again', async () => {
  // Without workers it ends before its first step, always: a course of its own for the replays.
  await stack.stopWorkers();
  const job = await begin('killed');
  await stack.temporal.handle(job.workflow_id).terminate('as a lost Temporal would');
  await stack.startWorkers();
  const lost = await lostOf(stack, job.job_id);
  await restart(stack.services, lost);
  expect(await ended(job.job_id)).toMatchObject({ status: 'completed', result: { intact: true } });
});

it('may be cancelled', async () => {
  // Held before its end, however fast it is.
  const url = withDatabase(inject('servers').ownerUrl, new URL(stack.databaseUrl).pathname.slice(1));
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query('begin; lock table ledger_seals in access exclusive mode');
  const job = await begin('cancelled');
  await stack.ok(ann, 'system.job.cancel', { job_id: job.job_id });
  await holder.end();
  expect(await ended(job.job_id)).toMatchObject({ status: 'cancelled', result: null });
});

it('replays', async () => {
  expect(await replayCourses(stack.temporal.client, 'verifyLedger')).toBeGreaterThan(1);
});
