/** Drafts whose sources are deleted while they are written: none of the deleted content is printed or stored. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import { checkDraft, gatherDraft, writeDraft, type StageDeps } from '../../services/authoring/records.ts';
import { removeSource } from '../setup/calls.ts';
import { writeSignals, type TestSignal } from '../setup/signals.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

const doomed = 'Printing fails on Linux.';
let stack: TestStack;
let pm: Caller;
let tenants = 0;
let source: string;

beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
});
beforeEach(async () => {
  pm = await stack.caller({ tenant: `deleted${(tenants += 1)}`, name: 'pm', kind: 'human' });
  const said = (statement: string): TestSignal => ({
    statement,
    class: 'bug',
    at: new Date().toISOString(),
    about: { feature: ['Printing'], customer: ['Acme'] },
  });
  const [id] = await writeSignals(stack.db, pm.tenant, [said(doomed), said('Printing is slow on Windows.')]);
  [{ source }] = (await rows<{ source: string }>('select source_id as source from signals where tenant_id = $1 and id = $2', [id])) as [
    { source: string },
  ];
});
afterAll(() => stack?.stop());

const rows = <T extends Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> =>
  asTenant(pm.tenant, () => stack.db.query<T>(sql, [pm.tenant, ...values]));
const remove = () => removeSource(stack.db, pm.tenant, source);

/** A draft without a workflow. */
async function begun(): Promise<{ id: string; ref: { tenant: string; id: string } }> {
  const { tenant } = pm;
  const { id, job } = await asTenant(tenant, () =>
    stack.services.authoring.artifact(
      pm,
      { type: 'prd', entityName: 'Printing', audience: 'general', template: 'standard', issueType: 'story', provenance: true },
      { callKey: 'draft', waitMs: 0 },
    ),
  );
  return { id, ref: { tenant, id: job.job_id } };
}
const stages = async (
  ref: { tenant: string; id: string },
  names: readonly ('gather' | 'write' | 'check')[],
  db: Database = stack.db,
): Promise<void> => {
  const all: Record<string, (deps: StageDeps, job: { tenant: string; id: string }) => Promise<unknown>> = {
    gather: gatherDraft,
    write: writeDraft,
    check: checkDraft,
  };
  for (const name of names) await asTenant(ref.tenant, () => all[name]!({ ...stack.services.authoring.stages, db }, ref));
};
async function spotless(): Promise<void> {
  for (const table of ['drafts', 'draft_sources', 'draft_statements']) {
    expect(
      await rows(`select to_jsonb(t) from ${table} t where tenant_id = $1 and position($2 in t::text) > 0`, [doomed.slice(0, -1)]),
      table,
    ).toEqual([]);
  }
}
/** As `stack.db`, but deletes the source just before a transaction. */
const deletingFirst = (): Database => {
  let deleted: Promise<void> | null = null;
  return {
    ...stack.db,
    async transaction(work) {
      await (deleted ??= remove());
      return await stack.db.transaction(work);
    },
  };
};
async function readyWithoutIt(id: string): Promise<void> {
  await spotless();
  const { content } = await asTenant(pm.tenant, () => stack.services.authoring.queries.get(pm.tenant, id));
  expect(content).toContain('slow on Windows');
}

it.each([
  [['gather'] as const, ['write', 'check'] as const],
  [['gather', 'write'] as const, ['check'] as const],
])('after %s: it is gathered anew', async (before, after) => {
  const { id, ref } = await begun();
  await stages(ref, before);
  await remove();
  await spotless();
  await stages(ref, after);
  await readyWithoutIt(id);
});

it('while it is gathered or stored: it is tried again', async () => {
  const { id, ref } = await begun();
  await expect(stages(ref, ['gather'], deletingFirst())).rejects.toMatchObject({ code: 'CONFLICT', retryable: true });
  await spotless();
  await stages(ref, ['gather', 'write', 'check']);
  await readyWithoutIt(id);
});

it('between the check and the storing: it is tried again', async () => {
  const { id, ref } = await begun();
  await stages(ref, ['gather', 'write']);
  await expect(stages(ref, ['check'], deletingFirst())).rejects.toMatchObject({ code: 'CONFLICT', retryable: true });
  await spotless();
  await stages(ref, ['check']);
  await readyWithoutIt(id);
});

it('and its job has ended: what it has gathered goes, whatever it is about', async () => {
  const { ref } = await begun();
  await stages(ref, ['gather', 'write']);
  await rows(`update jobs set status = 'failed' where tenant_id = $1 and id = $2 returning id`, [ref.id]);
  // Not found again by the signals: they were replaced meanwhile.
  await rows('delete from signals where tenant_id = $1 and statement = $2 returning id', [doomed]);
  await remove();
  await spotless();
});
