import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { KeyUsage } from '../../services/governance/key-usage.ts';
import { Keys } from '../../services/governance/keys.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let keys: Keys;
beforeAll(async () => {
  stack = await testStack({ model: false, workers: false });
  keys = stack.services.governance.keys;
});
afterAll(() => stack.stop());

const day = 86_400_000;
/** Another process: it remembers nothing. */
const elsewhere = (): Keys => new Keys(stack);

it('carry what they declare and the team whose scope holds', async () => {
  const key = await keys.create({ tenant: 'acme', role: 'agent', capabilities: ['cap:index', 'cap:work'], team: 'sales' });
  expect(await keys.authenticate(key.api_key)).toMatchObject({ capabilities: ['cap:index', 'cap:work'], team: 'sales' });
  const plain = await keys.create({ tenant: 'acme', role: 'agent' });
  expect(await keys.authenticate(plain.api_key)).toMatchObject({ capabilities: [], team: null });
  await expect(keys.create({ tenant: 'acme', role: 'agent', capabilities: ['index'] })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});

it('end when they are said to, also where they are remembered', async () => {
  await expect(keys.create({ tenant: 'acme', role: 'agent', expiresAt: new Date(Date.now() - 1) })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
  const ends = new Date(Date.now() + 60_000);
  const key = await keys.create({ tenant: 'acme', role: 'agent', expiresAt: ends });
  vi.useFakeTimers({ toFake: ['Date'], now: ends.getTime() - 500 });
  expect(await keys.authenticate(key.api_key)).not.toBeNull();
  // The clock of Postgres cannot be set.
  await asTenant('acme', () => stack.db.query('update api_keys set expires_at = now() where id = $1', [key.key_id]));
  expect(await keys.authenticate(key.api_key)).not.toBeNull();
  vi.setSystemTime(ends.getTime() + 1);
  expect(await keys.authenticate(key.api_key)).toBeNull();
  vi.useRealTimers();
  expect(await keys.callerOf('acme', key.key_id, 'x')).toBeNull();
});

it('are rotated: both secrets work for the grace, and what was begun goes on under the new one', async () => {
  const old = await keys.create({
    tenant: 'acme',
    role: 'agent',
    name: 'robot',
    scopes: ['work:read'],
    rpm: 7,
    capabilities: ['cap:work'],
    team: 'ops',
  });
  const fresh = await keys.rotate('acme', old.key_id, { graceMs: day });
  expect(fresh).toMatchObject({
    name: 'robot',
    scopes: ['work:read'],
    rpm: 7,
    capabilities: ['cap:work'],
    team: 'ops',
    replaces: old.key_id,
    expires_at: null,
  });
  expect(Math.abs(Date.parse(fresh.old_expires_at) - Date.now() - day)).toBeLessThan(60_000);
  for (const secret of [old.api_key, fresh.api_key]) expect(await elsewhere().authenticate(secret)).toMatchObject({ principal: 'robot' });
  expect(await keys.callerOf('acme', old.key_id, 'w')).toMatchObject({ keyId: old.key_id });

  const next = await keys.rotate('acme', fresh.key_id, { graceMs: 0 });
  expect(await keys.authenticate(fresh.api_key)).toBeNull();
  expect(await keys.callerOf('acme', fresh.key_id, 'w')).toMatchObject({ keyId: next.key_id, principal: 'w' });
  await expect(keys.rotate('acme', fresh.key_id, { graceMs: 0 })).rejects.toMatchObject({
    code: 'CONFLICT',
    hint: expect.stringContaining(next.key_id),
  });
  await keys.revoke('acme', next.key_id);
  expect(await keys.callerOf('acme', fresh.key_id, 'w')).toBeNull();
  await expect(keys.rotate('acme', next.key_id, { graceMs: 0 })).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(keys.rotate('globex', old.key_id, { graceMs: 0 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('rotated at once by two have one successor', async () => {
  const old = await keys.create({ tenant: 'acme', role: 'agent' });
  const both = await Promise.allSettled([
    keys.rotate('acme', old.key_id, { graceMs: day }),
    elsewhere().rotate('acme', old.key_id, { graceMs: day }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect((await keys.list('acme')).filter((key) => key.replaces === old.key_id)).toHaveLength(1);
});

it('keep their life span when rotated, and an end that comes before the grace', async () => {
  const old = await keys.create({ tenant: 'acme', role: 'agent', expiresAt: new Date(Date.now() + 60_000) });
  const fresh = await keys.rotate('acme', old.key_id, { graceMs: day });
  expect(fresh.old_expires_at).toBe(old.expires_at);
  expect(Math.abs(Date.parse(fresh.expires_at!) - Date.now() - 60_000)).toBeLessThan(10_000);
});

it('tell when they were last used, to the minute, written for many calls once', async () => {
  const key = await keys.create({ tenant: 'acme', role: 'agent' });
  const other = await keys.create({ tenant: 'globex', role: 'agent' });
  const process = elsewhere();
  for (let i = 0; i < 50; i += 1) {
    await process.authenticate(key.api_key);
    await process.authenticate(other.api_key);
  }
  const lastUse = async (): Promise<string | null> => (await keys.list('acme')).find(({ key_id }) => key_id === key.key_id)!.last_used_at;
  await process.close();
  const first = await lastUse();
  expect(Date.now() - Date.parse(first!)).toBeLessThan(30_000);
  expect((await keys.list('globex'))[0]!.last_used_at).not.toBeNull();
  await process.authenticate(key.api_key);
  await process.close();
  expect(await lastUse()).toBe(first);
});

it('are noted as used once a minute, and again after a failure', async () => {
  const writes: unknown[][] = [];
  let away = true;
  const usage = new KeyUsage({
    db: {
      query: async (_sql: string, values: unknown[]) => {
        if (away) throw new Error('away');
        writes.push(values);
        return [];
      },
    },
  } as never);
  usage.used('acme', 'key_1', 1_000_000);
  await usage.flush();
  away = false;
  usage.used('acme', 'key_1', 1_000_100);
  usage.used('acme', 'key_2', 1_000_200);
  usage.used('acme', 'key_1', 1_000_300);
  await usage.flush();
  usage.used('acme', 'key_1', 1_030_000);
  await usage.flush();
  usage.used('acme', 'key_1', 1_070_000);
  await usage.flush();
  expect(writes.map(([, ids]) => ids)).toEqual([['key_1', 'key_2'], ['key_1']]);
});

it('of another tenant are out of reach', async () => {
  const key = await keys.create({ tenant: 'acme', role: 'agent' });
  expect(
    await asTenant('globex', () => stack.db.query('select 1 from api_keys where tenant_id = $1 and id = $2', ['acme', key.key_id])),
  ).toEqual([]);
});
