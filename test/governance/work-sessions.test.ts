import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../contracts/caller.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ model: false, workers: false });
});
afterAll(() => stack?.stop());

const open = async (caller: Caller, wish: object = {}): Promise<string> =>
  (await stack.ok<{ session: { session_id: string } }>(caller, 'system.session.open', wish)).session.session_id;
const within = (caller: Caller, sessionId: string, name: string, args: object = {}) =>
  stack.pipeline.call({ name, arguments: args, caller, front: 'mcp', sessionId });

describe('a work session', () => {
  it('narrows what its key may do, and only while it lasts', async () => {
    const robo = await stack.caller({ role: 'agent', name: 'robo' });
    const phase = { phase_id: 5 };
    expect((await stack.call(robo, 'work.phase.set', phase)).error).toBeUndefined();
    const careful = await open(robo, { policy: 'strict' });
    expect((await within(robo, careful, 'work.phase.set', phase)).envelope.status).toBe('pending_approval');
    expect((await within(robo, careful, 'work.phase.list')).error).toBeUndefined();
    const told = await within(robo, careful, 'system.policy.explain', { tool: 'work.phase.set' });
    expect(told.data).toMatchObject({ effect: 'ask', rule: 'level strict', session_id: careful });
    await stack.ok(robo, 'system.session.close', { session_id: careful });
    const other = await open(robo, { policy: 'strict' });
    await stack.ok(robo, 'system.session.close', { session_id: other });
    expect((await within(robo, other, 'work.phase.set', phase)).error).toMatchObject({ code: 'GONE' });
  });

  it('never widens it: the stricter of key and session holds', async () => {
    const key = await stack.services.governance.keys.create({ tenant: 'acme', role: 'agent', name: 'held', policy: 'strict', rpm: 10_000 });
    const held = (await stack.services.governance.keys.authenticate(key.api_key))!;
    const ann = await stack.caller({ role: 'admin', name: 'ann' });
    const allowing = { base: 'open', rules: [{ when: 'true', effect: 'allow', reason: 'All is well.' }] };
    await stack.ok(ann, 'system.policy.save', { name: 'free', ...allowing });
    const free = await open(held, { policy: 'free' });
    expect((await within(held, free, 'work.phase.set', { phase_id: 6 })).envelope.status).toBe('pending_approval');
  });

  it('lets only what is mounted be used, and lists what was taken along', async () => {
    const pam = await stack.caller({ role: 'pm', name: 'pam' });
    const session = await open(pam, { mounts: ['hubspot'], tools: ['graph.store.clear', 'claim_task'] });
    const post = await within(pam, session, 'connector.slack.post_message', { channel: '#a', text: 'b' });
    expect(post.error).toMatchObject({ code: 'FORBIDDEN', details: { rule: 'mount' } });
    const access = await stack.services.governance.policies.accessOf(pam, session);
    const names = stack.pipeline.catalogue.list({ ...pam, access }, 'core').map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['graph.store.clear', 'claim_task', 'system.tool.search']));
  });

  it('belongs to the key that opened it', async () => {
    const [pam, sam] = [await stack.caller({ role: 'pm', name: 'pam' }), await stack.caller({ role: 'pm', name: 'sam' })];
    const session = await open(pam);
    expect((await stack.call(sam, 'system.session.get', { session_id: session })).error?.code).toBe('NOT_FOUND');
    expect((await within(sam, session, 'work.phase.list')).error?.code).toBe('GONE');
  });
});

describe('capabilities of a key', () => {
  it('cover their domain, and what a tenant says they stand for', async () => {
    const key = await stack.services.governance.keys.create({
      tenant: 'acme',
      role: 'agent',
      name: 'scout',
      capabilities: ['cap:index'],
      rpm: 10_000,
    });
    const scout = (await stack.services.governance.keys.authenticate(key.api_key))!;
    expect((await stack.call(scout, 'work.phase.list')).error).toMatchObject({ code: 'FORBIDDEN', details: { rule: 'capability' } });
    const found = await stack.ok<{ tools: { name: string }[] }>(scout, 'system.tool.search', { query: 'list the phases of work' });
    expect(found.tools.some(({ name }) => name.startsWith('work.'))).toBe(false);
    expect((await stack.call(scout, 'index.chunk.search', { query: 'x' })).error).toBeUndefined();
    const ann = await stack.caller({ role: 'admin', name: 'ann' });
    await stack.ok(ann, 'system.capability.save', { name: 'cap:index', tools: ['work.phase.*'] });
    const again = { ...scout, access: await stack.services.governance.policies.accessOf(scout) };
    expect((await stack.call(again, 'work.phase.list')).error).toBeUndefined();
    expect((await stack.call(again, 'index.chunk.search', { query: 'x' })).error?.code).toBe('FORBIDDEN');
  });
});
