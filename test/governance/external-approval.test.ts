/** Calls of other servers' tools that a person decides about. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { openUpstream, text, type Upstream } from '../setup/mcp.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let bank: Upstream;
let ann: Caller;
let bot: Caller;
const pay = { name: 'pay', description: 'Pays.', inputSchema: { type: 'object' as const, properties: { to: { type: 'string' } } } };

beforeAll(async () => {
  stack = await testStack({ model: false, env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  bank = await openUpstream('2025', { tools: [pay], answer: ({ args }) => text(`paid ${args['to']}`) });
  ann = await stack.caller({ name: 'ann', kind: 'human' });
  bot = await stack.caller({ name: 'bot', role: 'agent' });
  await stack.ok(ann, 'external.server.add', { name: 'bank', url: bank.url, approve_all: true });
});
afterAll(async () => {
  await stack.stop();
  await bank.stop();
});

async function ask(to: string): Promise<string> {
  const asked = await stack.call(bot, 'external.bank.pay', { to });
  expect(asked.envelope.status).toBe('pending_approval');
  return (asked.envelope.data as { approval_id: string }).approval_id;
}
const outcome = (approval_id: string) =>
  eventually('the call has ended', async () => {
    const { approval } = await stack.ok(ann, 'approval.request.get', { approval_id });
    return approval.finished_at !== null && approval;
  });

it('an approved call is made once, a rejected one never', async () => {
  const [yes, no] = [await ask('Ada'), await ask('Eve')];
  expect(bank.calls).toHaveLength(0);
  await stack.ok(ann, 'approval.request.reject', { approval_id: no });
  await stack.ok(ann, 'approval.request.approve', { approval_id: yes });
  expect(await outcome(yes)).toMatchObject({ status: 'completed', answer: { data: { content: [{ type: 'text', text: 'paid Ada' }] } } });
  expect(bank.calls.map(({ args }) => args['to'])).toEqual(['Ada']);
});

it('one whose answer holds what Postgres cannot keep has been made all the same', async () => {
  const { answer } = bank;
  bank.answer = () => text('a\0b \ud83e');
  try {
    const id = await ask('Joe');
    await stack.ok(ann, 'approval.request.approve', { approval_id: id });
    expect(await outcome(id)).toMatchObject({
      status: 'completed',
      answer: { data: { content: [{ type: 'text', text: 'a\ufffdb \ufffd' }] } },
    });
  } finally {
    bank.answer = answer;
  }
});

it('a definition that changes before the decision is made stops the call', async () => {
  const before = bank.calls.length;
  const id = await ask('Bob');
  bank.tools = [{ ...pay, description: 'Pays twice.' }];
  await stack.ok(ann, 'external.server.test', { name: 'bank' });
  // Refused at once, or when the call is made; never sent.
  await stack.call(ann, 'approval.request.approve', { approval_id: id });
  await eventually('it is over', async () => {
    const { approval } = await stack.ok(ann, 'approval.request.get', { approval_id: id });
    return !['pending', 'approved', 'started'].includes(approval.status);
  });
  expect(bank.calls).toHaveLength(before);
});

it('what changed, what was approved, and each change of health, are events; a refresh that finds the same is none', async () => {
  const told = async (type: string) =>
    (
      await asTenant('acme', () =>
        stack.db.query<{ data: object }>(
          `select data from outbox where tenant_id = 'acme' and type = $1 and subject = 'bank' order by id`,
          [type],
        ),
      )
    ).map(({ data }) => data);
  const tools = (await told('external.tool_changed')).length;
  expect(await told('external.server_health')).toEqual([{ server: 'bank', from: 'unknown', health: 'healthy' }]);
  bank.tools = [{ ...pay, description: 'Pays thrice.' }];
  await stack.ok(ann, 'external.server.test', { name: 'bank' });
  await stack.ok(ann, 'external.server.test', { name: 'bank' });
  await stack.ok(ann, 'external.tool.approve', { server: 'bank', tools: ['pay'] });
  await stack.ok(ann, 'external.tool.approve', { server: 'bank', tools: ['pay'] });
  expect((await told('external.tool_changed')).slice(tools)).toEqual([
    { server: 'bank', changed: 1, waiting: 0, gone: 0 },
    { server: 'bank', approved: 1, by: 'ann' },
  ]);
  expect(await told('external.server_health')).toHaveLength(1);
  await bank.stop();
  await stack.call(ann, 'external.server.test', { name: 'bank' });
  expect((await told('external.server_health')).at(-1)).toEqual({ server: 'bank', from: 'healthy', health: 'unhealthy' });
});
