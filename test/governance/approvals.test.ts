import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Approval } from '../../contracts/governance/policy.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { committedVisible, onServer, withDatabase } from '../setup/databases.ts';
import { histories, replay, save } from '../setup/replay.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ model: false });
});
afterAll(() => stack?.stop());

const people = () => stack.caller({ role: 'pm', name: 'pam' });
const agents = (name = 'robo') => stack.caller({ role: 'agent', name });

/** A tool that agents ask for and people do not (A1), cheap to look at afterwards. */
const asking = 'schema.definition.register';
const schema = (name: string) => ({ name, version: '1.0.0', json_schema: { type: 'object' } });
const pendingOf = (data: unknown): string => (data as { approval_id: string }).approval_id;

describe('a call that asks', () => {
  it('waits for a person, runs once with what was asked for, and is answered to whoever comes back', async () => {
    const [pam, robo] = [await people(), await agents()];
    const first = await stack.call(robo, asking, schema('waits'), { idempotencyKey: 'waits-1' });
    expect([first.envelope.status, first.error]).toEqual(['pending_approval', undefined]);
    const id = pendingOf(first.data);
    expect(first.envelope.refs).toContainEqual({ type: 'approval', id });
    expect((await stack.ok<{ schemas: unknown[] }>(pam, 'schema.definition.list', { prefix: 'waits' })).schemas).toEqual([]);

    const again = await stack.call(robo, asking, schema('waits'), { idempotencyKey: 'waits-1' });
    expect(pendingOf(again.data)).toBe(id);
    const { approvals } = await stack.ok<{ approvals: Approval[] }>(pam, 'approval.request.list');
    expect(approvals.find((each) => each.approval_id === id)).toMatchObject({
      tool: asking,
      requested_by: 'robo',
      arguments: schema('waits'),
    });

    const { approval } = await stack.ok<{ approval: Approval }>(pam, 'approval.request.approve', { approval_id: id, note: 'fine' });
    expect(approval).toMatchObject({ status: 'completed', decided_by: 'pam', note: 'fine' });
    const { schemas } = await stack.ok<{ schemas: unknown[] }>(pam, 'schema.definition.list', { prefix: 'waits' });
    expect(schemas).toHaveLength(1);
    const answered = await stack.call(robo, asking, schema('waits'), { idempotencyKey: 'waits-1' });
    expect(answered.envelope).toMatchObject({ status: 'success', data: { existed: false } });
    const said = await stack.ok<{ approval: Approval }>(pam, 'approval.request.approve', { approval_id: id });
    expect(said.approval.status).toBe('completed');
    expect((await stack.call(pam, 'approval.request.reject', { approval_id: id })).error?.code).toBe('CONFLICT');
    const { job } = await stack.ok<{ job: { status: string } }>(robo, 'system.job.get', { job_id: id });
    expect(job.status).toBe('completed');
  });

  it('never runs when it is rejected, and says who said no and why', async () => {
    const [pam, robo] = [await people(), await agents()];
    const first = await stack.call(robo, asking, schema('never'), { idempotencyKey: 'never-1' });
    await stack.ok(pam, 'approval.request.reject', { approval_id: pendingOf(first.data), note: 'not this week' });
    const again = await stack.call(robo, asking, schema('never'), { idempotencyKey: 'never-1' });
    expect(again.error).toMatchObject({ code: 'FORBIDDEN', message: 'pam said no: not this week' });
    const { schemas } = await stack.ok<{ schemas: unknown[] }>(pam, 'schema.definition.list', { prefix: 'never' });
    expect(schemas).toEqual([]);
  });

  it('is decided once, by a person who may: ten at the same moment give one decision', async () => {
    const [pam, robo] = [await people(), await agents()];
    const id = pendingOf((await stack.call(robo, asking, schema('race'))).data);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        stack.call(pam, i % 2 ? 'approval.request.approve' : 'approval.request.reject', { approval_id: id, note: `n${i}` }),
      ),
    );
    const { approval } = await stack.ok<{ approval: Approval }>(pam, 'approval.request.get', { approval_id: id, wait_seconds: 10 });
    expect(['completed', 'rejected']).toContain(approval.status);
    const { schemas } = await stack.ok<{ schemas: unknown[] }>(pam, 'schema.definition.list', { prefix: 'race' });
    expect(schemas).toHaveLength(approval.status === 'completed' ? 1 : 0);
    expect(answers.some((each) => each.error?.code === 'CONFLICT')).toBe(true);
  });

  it('is never approved by an agent, a reader, or another tenant', async () => {
    const robo = await agents();
    const id = pendingOf((await stack.call(robo, asking, schema('who'))).data);
    for (const other of [robo, await agents('friend'), await stack.caller({ role: 'stakeholder', name: 'sue' })]) {
      expect((await stack.call(other, 'approval.request.approve', { approval_id: id })).error?.code).toBe('FORBIDDEN');
    }
    const stranger = await stack.caller({ tenant: 'other', role: 'admin' });
    expect((await stack.call(stranger, 'approval.request.approve', { approval_id: id })).error?.code).toBe('NOT_FOUND');
    expect((await stack.call(await agents('friend'), 'approval.request.get', { approval_id: id })).error?.code).toBe('NOT_FOUND');
  });

  it('is void when the policy changes in between, and when somebody changed what was asked for', async () => {
    const [admin, robo] = [await stack.caller({ role: 'admin', name: 'ann' }), await agents()];
    const changed = pendingOf((await stack.call(robo, asking, schema('changed'))).data);
    const tampered = pendingOf((await stack.call(robo, asking, schema('tampered'))).data);
    await asTenant('acme', () =>
      stack.db.query(`update approvals set input_hash = 'else' where tenant_id = 'acme' and id = $1`, [tampered]),
    );
    const one = await stack.ok<{ approval: Approval }>(admin, 'approval.request.approve', { approval_id: tampered });
    expect(one.approval).toMatchObject({ status: 'failed', answer: { error: { code: 'CONFLICT' } } });

    const broken = pendingOf((await stack.call(robo, asking, schema('broken'), { idempotencyKey: 'broken-1' })).data);
    await asTenant('acme', () =>
      stack.db.query(`update approvals set arguments = 'v1.bm90aGluZw' where tenant_id = 'acme' and id = $1`, [broken]),
    );
    const three = await stack.ok<{ approval: Approval }>(admin, 'approval.request.approve', { approval_id: broken });
    expect(three.approval.status).toBe('failed');
    const again = await stack.call(robo, asking, schema('broken'), { idempotencyKey: 'broken-1' });
    expect(again.error).toMatchObject({ code: 'CONFLICT', details: { reason: 'failed' } });

    await stack.ok(admin, 'system.policy.save', {
      name: 'standard',
      base: 'standard',
      rules: [{ when: 'tool.domain == "claim"', effect: 'ask', reason: 'Claims are looked at.' }],
    });
    const two = await stack.ok<{ approval: Approval }>(admin, 'approval.request.approve', { approval_id: changed });
    expect(two.approval).toMatchObject({
      status: 'failed',
      answer: { error: { code: 'CONFLICT', details: { reason: 'policy_changed' } } },
    });
    const { schemas } = await stack.ok<{ schemas: unknown[] }>(admin, 'schema.definition.list', {});
    expect(schemas.map((each) => (each as { name: string }).name)).not.toContain('changed');
  });

  it('is good for one call of one caller with these arguments, and for nothing else', async () => {
    const [pam, robo] = [await people(), await agents()];
    const asked = pendingOf((await stack.call(robo, asking, schema('bound'), { idempotencyKey: 'bound-1' })).data);
    await stack.ok(pam, 'approval.request.approve', { approval_id: asked });

    const other = await stack.call(robo, asking, schema('bound.else'), { idempotencyKey: 'bound-1' });
    expect(other.error).toMatchObject({ code: 'CONFLICT', message: 'This idempotency key was used for a call with other arguments.' });
    const reused = await stack.call(robo, asking, schema('bound'));
    expect(reused.envelope.status).toBe('pending_approval');
    const borrowed = await stack.call(await agents('friend'), asking, schema('bound'), { idempotencyKey: 'bound-1' });
    expect(borrowed.envelope.status).toBe('pending_approval');
    expect(new Set([asked, pendingOf(reused.data), pendingOf(borrowed.data)]).size).toBe(3);

    const { schemas } = await stack.ok<{ schemas: { name: string }[] }>(pam, 'schema.definition.list', { prefix: 'bound' });
    expect(schemas.map(({ name }) => name)).toEqual(['bound']);
  });

  it('runs once when its worker is stopped between the decision and the run', async () => {
    const [pam, robo] = [await people(), await agents()];
    const id = pendingOf((await stack.call(robo, asking, schema('restart'))).data);
    const approving = stack.call(pam, 'approval.request.approve', { approval_id: id, wait_seconds: 0 });
    await approving;
    await stack.stopWorkers();
    await stack.startWorkers();
    const { approval } = await stack.ok<{ approval: Approval }>(pam, 'approval.request.get', { approval_id: id, wait_seconds: 30 });
    expect(approval.status).toBe('completed');
    const { schemas } = await stack.ok<{ schemas: unknown[] }>(pam, 'schema.definition.list', { prefix: 'restart' });
    expect(schemas).toHaveLength(1);
  });
});

describe('policies', () => {
  it('explain themselves', async () => {
    const robo = await agents();
    const told = await stack.ok<{ effect: string; rule: string; seen: { tool: { approval: string } } }>(robo, 'system.policy.explain', {
      tool: asking,
    });
    expect(told).toMatchObject({ effect: 'ask', seen: { tool: { approval: 'A1' }, caller: { kind: 'agent' } } });
  });

  it('refuse an expression that is none, and say where', async () => {
    const admin = await stack.caller({ role: 'admin', name: 'ann' });
    const refused = await stack.call(admin, 'system.policy.save', {
      name: 'mine',
      base: 'open',
      rules: [{ when: 'tool.name == ', effect: 'deny', reason: 'x' }],
    });
    expect(refused.error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(refused.error?.message).toMatch(/Rule 1/);
  });

  it('refuse patterns, loops and whatever else could keep a process busy, and say what to use instead', async () => {
    const admin = await stack.caller({ role: 'admin', name: 'ann' });
    const save = (when: string) =>
      stack.call(admin, 'system.policy.save', { name: 'mine', base: 'open', rules: [{ when, effect: 'deny', reason: 'x' }] });
    for (const [name, when] of [
      ['matches', 'caller.name.matches("^(a+)+$")'],
      ['all', 'session.mounts.all(m, m != "x")'],
      ['exists', '!["a"].exists(m, m == caller.name)'],
      ['exists_one', '["a"].exists_one(m, m == caller.name)'],
      ['map', '"a" in session.mounts.map(m, m + "b")'],
      ['filter', 'has(tool.name) ? session.mounts.filter(m, true).size() > 0 : false'],
      ['bind', 'cel.bind(a, caller.name, a + a) == "x"'],
      ['split', 'caller.name.split("").size() > 3'],
    ]) {
      const { error } = await save(when!);
      expect(error, when).toMatchObject({ code: 'VALIDATION_ERROR', hint: expect.stringContaining('startsWith') });
      expect(error!.message, when).toContain(`Rule 1 is no valid CEL expression: ${name}()`);
    }
    const plain = 'has(tool.name) && tool.name.startsWith("work.") && !(caller.name in ["ann", "bo"]) && caller.name.size() > 2';
    expect((await save(plain)).error).toBeUndefined();
  });

  it('saved before they were refused do not open, and close', async () => {
    const [closing, opening] = await Promise.all(
      ['deny', 'allow'].map(async (effect) => {
        const rules = [{ when: 'tool.name.matches("^work")', effect, reason: 'Saved long ago.' }];
        await asTenant('acme', () =>
          stack.db.query(`insert into policies (tenant_id, name, version, definition, created_by) values ('acme', $1, 1, $2, 'ann')`, [
            `old-${effect}`,
            JSON.stringify({ base: 'strict', rules }),
          ]),
        );
        const key = await stack.services.governance.keys.create({ tenant: 'acme', role: 'agent', policy: `old-${effect}` });
        return (await stack.services.governance.keys.authenticate(key.api_key))!;
      }),
    );
    expect((await stack.call(closing!, 'work.phase.list')).error).toMatchObject({ code: 'FORBIDDEN', message: 'Saved long ago.' });
    expect((await stack.call(opening!, 'work.phase.set', { phase_id: 5 })).envelope.status).toBe('pending_approval');
  });

  it('judge by the front that a call came by', async () => {
    const admin = await stack.caller({ role: 'admin', name: 'ann' });
    await stack.ok(admin, 'system.policy.save', {
      name: 'fronts',
      base: 'open',
      rules: [
        { when: 'caller.front == "rest" && tool.name == "work.phase.list"', effect: 'deny', reason: 'Not by REST.' },
        { when: 'caller.front == "mcp" && tool.name == "work.phase.get"', effect: 'deny', reason: 'Not by MCP.' },
      ],
    });
    const key = await stack.services.governance.keys.create({ tenant: 'acme', role: 'agent', policy: 'fronts' });
    const caller = (await stack.services.governance.keys.authenticate(key.api_key))!;
    const by = async (front: 'rest' | 'mcp', name: string, args = {}) =>
      (await stack.pipeline.call({ name, arguments: args, caller, front })).error?.message;
    expect(await by('rest', 'work.phase.list')).toBe('Not by REST.');
    expect(await by('mcp', 'work.phase.list')).toBeUndefined();
    expect(await by('mcp', 'work.phase.get', { phase_id: 1 })).toBe('Not by MCP.');
    expect(await by('rest', 'work.phase.get', { phase_id: 1 })).toBeUndefined();
    const told = await stack.pipeline.call({
      name: 'system.policy.explain',
      arguments: { tool: 'work.phase.list' },
      caller,
      front: 'rest',
    });
    expect(told.data).toMatchObject({ effect: 'deny', seen: { caller: { front: 'rest' } } });
  });
});

describe('the ledger', () => {
  it('shows what somebody changed, took out or put in', async () => {
    const admin = await stack.caller({ tenant: 'chained', role: 'admin', name: 'ann' });
    for (let i = 0; i < 5; i += 1) await stack.ok(admin, 'work.phase.list');
    await stack.ok(admin, 'work.phase.set', { phase_id: 7 });
    await committedVisible(stack.db);
    const check = () => stack.services.governance.chain.verify('chained');
    const verified = () => asTenant('chained', check);
    expect(await verified()).toMatchObject({ intact: true, breaches: [] });
    const database = withDatabase(inject('servers').ownerUrl, new URL(stack.databaseUrl).pathname.slice(1));
    const owner = (sql: string) => onServer(database, sql);
    await owner(`update ledger_events set principal = 'nobody' where id = (select min(id) from ledger_events where tenant_id = 'chained')`);
    expect((await verified()).breaches).toContainEqual(expect.objectContaining({ kind: 'edited' }));
    await owner(`delete from ledger_events where id = (select min(id) from ledger_events where tenant_id = 'chained')`);
    expect((await verified()).breaches).toContainEqual(expect.objectContaining({ kind: 'missing' }));
  });
});

it('leaves histories that replay', async () => {
  const folder = fileURLToPath(new URL('../replay/histories', import.meta.url));
  const recorded = [];
  for await (const each of histories(stack.temporal.client, `WorkflowType = 'toolCall'`)) recorded.push(each);
  expect(recorded.length).toBeGreaterThan(4);
  expect(await replay(recorded)).toBe(recorded.length);
  if (!process.env['RECORD_HISTORIES']) return;
  mkdirSync(folder, { recursive: true });
  const longest = recorded.toSorted((a, b) => b.history.events!.length - a.history.events!.length);
  longest.slice(0, 2).forEach(({ history }, i) => save(join(folder, `toolCall-${i}.history.gz`), history));
});
