/** A change of the installation's key: everything stays readable, and is sealed anew by a command. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { secretBox } from '../../adapters/secrets/box.ts';
import type { Caller } from '../../contracts/caller.ts';
import { reseal, sealedColumns } from '../../services/governance/reseal.ts';
import { verifyLedger } from '../../services/governance/ledger-verify.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

const former = 'the former secret key';
let stack: TestStack;
let admin: Caller;
let peerId: string;
beforeAll(async () => {
  stack = await testStack({ model: false, env: { SIGNALBOX_SECRET_KEY: former } });
  admin = await stack.caller({ role: 'admin', kind: 'human', name: 'pam' });
}, 180_000);
afterAll(() => stack?.stop());

const credential = () =>
  asTenant('acme', async () => {
    const [row] = await stack.db.query<{ credential: string }>(`select credential from agents where tenant_id = 'acme' and id = $1`, [
      peerId,
    ]);
    return row!.credential;
  });

it('is carried through every sealed column, by a run that is interrupted', async () => {
  const peer = await stack.ok(admin, 'agent.peer.register', {
    agent_type: 'linguist',
    endpoint_url: 'https://peer.example.com',
    credential: 'Authorization: Bearer very-secret',
  });
  peerId = peer.agent_id as string;
  const job = { id: 'job_sealed', kind: 'connector_call', title: 'x', workflowId: 'test/job_sealed', createdBy: 'pam' } as const;
  await asTenant('acme', () => stack.services.jobs.open('acme', { ...job, spec: { request: stack.secrets.seal('{"a":1}') } }));
  const fresh = secretBox('the new secret key', '', [former]);
  expect(fresh.open(await credential())).toContain('very-secret');

  const looked = await reseal(stack.db, fresh, { look: true });
  expect(looked.resealed).toBeGreaterThanOrEqual(2);
  expect(looked).toMatchObject({ current: 0, unreadable: [] });
  // The process dies after some rows.
  let left = 1;
  const dying = {
    ...stack.db,
    query: ((text: string, values?: unknown[]) => {
      if (text.startsWith('update') && (left -= 1) < 0) throw new Error('killed');
      return stack.db.query(text, values);
    }) as typeof stack.db.query,
  };
  await expect(reseal(dying, fresh)).rejects.toThrow('killed');
  const rest = await reseal(stack.db, fresh);
  expect([rest.current, rest.resealed]).toEqual([1, looked.resealed - 1]);
  expect(await reseal(stack.db, fresh)).toEqual({ current: looked.resealed, resealed: 0, unreadable: [] });

  const alone = secretBox('the new secret key', '');
  expect(alone.open(await credential())).toContain('very-secret');
  const [row] = await asTenant('acme', () =>
    stack.db.query<{ request: string }>(`select spec ->> 'request' as request from jobs where tenant_id = 'acme' and id = 'job_sealed'`),
  );
  expect(alone.open(row!.request)).toBe('{"a":1}');
});

it('finds a row again that is written, and so moves, between the look at it and its change', async () => {
  const fresh = secretBox('the newest secret key', '', ['the new secret key']);
  let moved = 0;
  const busy = {
    ...stack.db,
    query: (async (text: string, values?: unknown[]) => {
      if (text.startsWith('update agents') && (moved += 1) === 1)
        await stack.db.query(`update agents set updated_at = now() where tenant_id = 'acme' and id = $1`, [peerId]);
      return await stack.db.query(text, values);
    }) as typeof stack.db.query,
  };
  await reseal(busy, fresh);
  expect(moved).toBe(2);
  expect(secretBox('the newest secret key', '').open(await credential())).toContain('very-secret');
});

it('counts what no key opens, and leaves it', async () => {
  const lost = secretBox('a lost key', '').seal('x');
  await asTenant('acme', () => stack.db.query(`update agents set credential = $1 where tenant_id = 'acme' and id = $2`, [lost, peerId]));
  const { unreadable } = await reseal(stack.db, secretBox('the newest secret key', '', [former]));
  expect(unreadable).toEqual([{ tenant: 'acme', table: 'agents', column: 'credential', count: 1 }]);
  expect(await credential()).toBe(lost);
});

it('leaves the ledger verifiable as long as the former key is known', async () => {
  const check = (...keys: [string, ...string[]]) =>
    asTenant('acme', () => verifyLedger(stack.db, secretBox(keys[0], '', keys.slice(1)), 'acme', AbortSignal.timeout(20_000)));
  expect(await check(former)).toMatchObject({ intact: true });
  expect(await check('the new secret key', former)).toMatchObject({ intact: true });
  expect(await check('the new secret key')).toMatchObject({ intact: false });
});

it('knows columns that exist, and the application may write', async () => {
  for (const [table, column] of sealedColumns) {
    const set = column.includes('->>') ? 'spec = spec' : `${column} = ${column}`;
    await asTenant('acme', () => stack.db.query(`update ${table} set ${set} where tenant_id = 'acme' and false`));
  }
});
