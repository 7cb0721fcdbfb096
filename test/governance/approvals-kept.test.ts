/** Stored answers of approved calls: who sees them, how long they answer repeats, and what the ledger contains. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Approval } from '../../contracts/governance/policy.ts';
import type { LedgerEntry } from '../../contracts/governance/ledger.ts';
import type { NewKey } from '../../services/governance/keys.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pam: Caller;
let robo: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pam = await stack.caller({ role: 'pm', name: 'pam' });
  robo = await stack.caller({ role: 'agent', name: 'robo' });
});
afterAll(() => stack?.stop());

const asking = 'schema.definition.register';
const schema = (name: string) => ({ name, version: '1.0.0', json_schema: { type: 'object' } });
const ask = async (caller: Caller, name: string, idempotencyKey?: string): Promise<string> => {
  const answer = await stack.call(caller, asking, schema(name), idempotencyKey === undefined ? {} : { idempotencyKey });
  expect(answer.envelope.status).toBe('pending_approval');
  return (answer.data as { approval_id: string }).approval_id;
};
const get = async (caller: Caller, id: string): Promise<Approval> =>
  (await stack.ok<{ approval: Approval }>(caller, 'approval.request.get', { approval_id: id, wait_seconds: 30 })).approval;
const approve = async (id: string): Promise<void> => {
  await stack.ok(pam, 'approval.request.approve', { approval_id: id, wait_seconds: 0 });
  expect((await get(pam, id)).status).toBe('completed');
};
const listed = async (caller: Caller): Promise<string[]> =>
  (await stack.ok<{ approvals: Approval[] }>(caller, 'approval.request.list', { status: 'all', limit: 100 })).approvals.map(
    ({ approval_id }) => approval_id,
  );
const rows = <T extends Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> =>
  asTenant('acme', () => stack.db.query<T>(sql, values));
const keyed = async (wanted: Omit<NewKey, 'tenant'>): Promise<Caller & { secret: string }> => {
  const { api_key } = await stack.services.governance.keys.create({ tenant: 'acme', rpm: 1_000_000, ...wanted });
  return { ...(await stack.services.governance.keys.authenticate(api_key))!, secret: api_key };
};

describe('an approval is seen', () => {
  it('by whoever asked and by those who may decide, and by nobody else', async () => {
    const id = await ask(robo, 'seen');
    const narrow = await keyed({ role: 'pm', name: 'wil', policy: 'careful', scopes: ['work:read', 'schema:write'] });
    const own = await ask(narrow, 'seen.own');
    const others = [
      await stack.caller({ role: 'stakeholder', name: 'sue', team: 'sales' }),
      await stack.caller({ role: 'pm', name: 'tim', team: 'sales' }),
      await stack.caller({ role: 'readonly', name: 'rea' }),
      await keyed({ role: 'pm', name: 'ida', capabilities: ['cap:index'] }),
      await stack.caller({ role: 'agent', name: 'friend' }),
    ];
    for (const other of [...others, narrow]) {
      expect(await listed(other), other.principal).toEqual(other === narrow ? [own] : []);
      expect((await stack.call(other, 'approval.request.get', { approval_id: id })).error?.code, other.principal).toBe('NOT_FOUND');
      expect((await stack.call(other, 'system.job.get', { job_id: id })).error?.code, other.principal).toBe('NOT_FOUND');
    }
    expect((await stack.call(narrow, 'approval.request.cancel', { approval_id: id })).error?.code).toBe('NOT_FOUND');
    const deciding = await keyed({ role: 'pm', name: 'dee', scopes: ['approval:decide'] });
    for (const all of [pam, deciding]) expect(await listed(all)).toEqual(expect.arrayContaining([id, own]));
    const { approval } = await stack.ok<{ approval: Approval }>(narrow, 'approval.request.cancel', { approval_id: own });
    expect(approval).toMatchObject({ status: 'cancelled', requested_by: 'wil' });
  });

  it('with its answer whole by whoever asked alone; at rest it is sealed', async () => {
    const { subscription } = await stack.ok<{ subscription: { subscription_id: string } }>(pam, 'event.subscription.save', {
      url: 'https://example.com/hook',
    });
    const { approval_id: id } = await stack.ok<{ approval_id: string }>(robo, 'event.subscription.get_secret', {
      subscription_id: subscription.subscription_id,
    });
    await approve(id);
    const whole = await get(robo, id);
    expect(whole.answer).toMatchObject({ status: 'success', data: { secret: expect.stringMatching(/^whsec_/) } });
    const { job } = await stack.ok<{ job: { result: unknown } }>(robo, 'system.job.get', { job_id: id });
    expect(job.result).toMatchObject({ data: { secret: expect.stringMatching(/^whsec_/) } });

    const told = [await get(pam, id), await stack.ok(pam, 'system.job.get', { job_id: id })];
    expect(told[0]).toMatchObject({ answer: { status: 'success', data: { secret: '[removed]' } } });
    const [row] = await rows('select * from approvals where id = $1', [id]);
    expect(JSON.stringify([told, row])).not.toContain('whsec_');
  });
});

describe('the name of a call', () => {
  /** Moves its end one day into the past. */
  const aDayLater = async (id: string): Promise<void> => {
    const earlier = (column: string) => `${column} = ${column} - interval '25 hours'`;
    await rows(`update approvals set ${earlier('created_at')}, ${earlier('finished_at')} where id = $1`, [id]);
    await rows(`update idempotency_records set ${earlier('created_at')} where tool = $1`, [asking]);
  };

  it('is free a day after it is over: the same again asks anew, and then happens', async () => {
    const first = await ask(robo, 'weekly', 'weekly');
    await approve(first);
    const repeated = await stack.call(robo, asking, schema('weekly'), { idempotencyKey: 'weekly' });
    expect(repeated.data).toMatchObject({ existed: false });
    await aDayLater(first);
    const second = await ask(robo, 'weekly', 'weekly');
    expect(second).not.toBe(first);
    await approve(second);
    expect((await get(robo, second)).answer).toMatchObject({ data: { existed: true } });
    expect((await get(robo, first)).answer).toMatchObject({ data: { existed: false } });
  });

  it('stays with a call that still waits', async () => {
    const id = await ask(robo, 'patient', 'patient');
    await aDayLater(id);
    expect(await ask(robo, 'patient', 'patient')).toBe(id);
    await stack.ok(robo, 'approval.request.cancel', { approval_id: id });
  });

  it('asked for ten times at once it is one approval', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => ask(robo, 'crowd', 'crowd')));
    expect(new Set(ids).size).toBe(1);
    await stack.ok(robo, 'approval.request.cancel', { approval_id: ids[0] });
  });
});

it('what has been over for long is removed, but not what a person still has to say something about', async () => {
  const [over, unknown, open] = [await ask(robo, 'over'), await ask(robo, 'unknown'), await ask(robo, 'open')];
  for (const id of [over, unknown]) await stack.ok(robo, 'approval.request.cancel', { approval_id: id });
  await rows(`update approvals set status = 'ambiguous' where id = $1`, [unknown]);
  await rows(`update approvals set finished_at = finished_at - interval '31 days' where id = any($1)`, [[over, unknown]]);
  expect(await asTenant('acme', () => stack.services.governance.approvals.sweep('acme'))).toBe(1);
  const left = await listed(pam);
  expect(left).toEqual(expect.arrayContaining([unknown, open]));
  expect(left).not.toContain(over);
  await stack.ok(robo, 'approval.request.cancel', { approval_id: open });
});

it('a rotated key goes on with what the one before it began: calls, approvals and sessions', async () => {
  const { keys } = stack.services.governance;
  const old = await keyed({ role: 'agent', name: 'turner' });
  const task = { description: 'once, whatever the key', phase_id: 1 };
  const first = await stack.call(old, 'work.task.create', task, { idempotencyKey: 'turn' });
  const waits = await ask(old, 'turned', 'turned');
  const opened = await stack.ok<{ session: { session_id: string } }>(old, 'system.session.open', { policy: 'strict' });
  const { session_id } = opened.session;

  let key = old.keyId;
  for (let turn = 0; turn < 2; turn += 1) {
    const rotated = await keys.rotate('acme', key, { graceMs: 60_000 });
    key = rotated.key_id;
    const fresh = (await keys.authenticate(rotated.api_key))!;
    const again = await stack.call(fresh, 'work.task.create', task, { idempotencyKey: 'turn' });
    expect(again.envelope.warnings).toContain('Repeated call: this is the stored answer.');
    expect(again.data).toEqual(first.data);
    expect(await ask(fresh, 'turned', 'turned')).toBe(waits);
    expect(await listed(fresh)).toEqual([waits]);
    await stack.ok(fresh, 'system.session.get', { session_id });
    const within = await stack.pipeline.call({
      name: 'work.phase.set',
      arguments: { phase_id: 5 },
      caller: fresh,
      front: 'mcp',
      sessionId: session_id,
    });
    expect(within.envelope.status).toBe('pending_approval');
    const { approval_id } = within.data as { approval_id: string };
    await stack.ok(fresh, 'approval.request.cancel', { approval_id });
    await rows('delete from approvals where id = $1', [approval_id]);
  }
  const tasks = await rows('select 1 from work_tasks where description = $1', [task.description]);
  expect(tasks).toHaveLength(1);
  await approve(waits);
  const fresh = (await keys.callerOf('acme', key, 'turner'))!;
  expect((await get(fresh, waits)).answer).toMatchObject({ data: { existed: false } });
});

it('the ledger tells who decided about a call, and holds', async () => {
  const decided: Record<string, string> = {};
  const calls: Record<string, string> = {};
  const asked = async (name: string): Promise<string> => {
    const answer = await stack.call(robo, asking, schema(`told.${name}`));
    calls[name] = answer.envelope.tool_call_id;
    return (decided[name] = (answer.data as { approval_id: string }).approval_id);
  };
  await approve(await asked('approved'));
  await stack.ok(pam, 'approval.request.reject', { approval_id: await asked('rejected') });
  await stack.ok(robo, 'approval.request.cancel', { approval_id: await asked('cancelled') });
  await stack.stopWorkers();
  const late = await asked('expired');
  await rows('update approvals set expires_at = now() where id = $1', [late]);
  await stack.startWorkers();
  expect((await get(robo, late)).status).toBe('expired');

  const by: Record<string, object> = {
    approved: { principal: 'pam', key_id: pam.keyId, principal_kind: 'human', persona: 'pm' },
    rejected: { principal: 'pam', key_id: pam.keyId },
    cancelled: { principal: 'robo', key_id: robo.keyId, principal_kind: 'agent' },
    expired: { principal: 'signalbox', key_id: 'signalbox' },
  };
  const ann = await stack.caller({ role: 'admin', name: 'ann' });
  for (const [status, who] of Object.entries(by)) {
    const type = status === 'approved' ? 'tool.call.approved' : 'tool.call.rejected';
    const { events } = await stack.ok<{ events: LedgerEntry[] }>(ann, 'system.ledger.search', { type, tool_call_id: calls[status] });
    expect(events, status).toEqual([
      expect.objectContaining({ status, approval_id: decided[status], tool: asking, effect: 'write', ...who }),
    ]);
    expect(events[0]!.policy).toMatch(/^standard@/);
  }
  expect(await asTenant('acme', () => stack.services.governance.chain.verify('acme'))).toMatchObject({ intact: true, breaches: [] });
});
