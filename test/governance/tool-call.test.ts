/** system.tool.call: judged, approved, recorded and answered as the tool that it names. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Approval } from '../../contracts/governance/policy.ts';
import type { CallAnswer } from '../../tools/catalogue/pipeline.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ model: false });
});
afterAll(() => stack?.stop());

const through = (caller: Caller, name: string, args?: unknown, extra: object = {}): Promise<CallAnswer> =>
  stack.pipeline.call({
    name: 'system-tool-call',
    arguments: { name, ...(args === undefined ? {} : { arguments: args }) },
    caller,
    front: 'mcp',
    ...extra,
  });
/** An answer without what differs from call to call. */
const shape = ({ envelope, error, resolved }: CallAnswer) => ({
  status: envelope.status,
  data: envelope.data,
  error: envelope.error,
  code: error?.code,
  resolved: resolved?.name,
});
const entries = async (toolCallId: string) =>
  await eventually('both entries of the call', async () => {
    const rows = await asTenant('acme', () =>
      stack.db.query<{ type: string; tool: string; called_as: string; effect: string; input_hash: string }>(
        `select type, tool, called_as, effect, input_hash from ledger_events where tenant_id = 'acme' and tool_call_id = $1 order by type`,
        [toolCallId],
      ),
    );
    return rows.length >= 2 && rows;
  });

describe('system.tool.call', () => {
  it('answers, refuses and records as the inner tool, under any of its names', async () => {
    const ann = await stack.caller({ role: 'admin', name: 'ann' });
    for (const [name, args] of [
      ['work.phase.list', {}],
      ['work-phase-list', {}],
      ['get_tasks', {}],
      ['work.task.get', { task_id: 'task_none' }],
      ['work.task.get', { wrong: 1 }],
      ['work.task.lst', {}],
    ] as const) {
      const [direct, inner] = [await stack.call(ann, name, args), await through(ann, name, args)];
      expect(shape(inner), name).toEqual(shape(direct));
      expect((await entries(inner.envelope.tool_call_id)).map((row) => ({ ...row }))).toEqual(await entries(direct.envelope.tool_call_id));
    }
  });

  it('gives nobody a right: role, scope, capability and rules are those of the inner tool', async () => {
    const reader = await stack.caller({ role: 'readonly', name: 'ria' });
    expect((await through(reader, 'work.phase.list', {})).envelope.status).toBe('success');
    expect((await through(reader, 'work.task.create', { description: 'x' })).error).toMatchObject({ code: 'FORBIDDEN' });
    const scoped = { ...(await stack.caller({ role: 'agent', name: 'scoped' })), scopes: ['index:read'] };
    expect((await through(scoped, 'work.task.create', { description: 'x' })).error).toMatchObject({ code: 'FORBIDDEN' });
    const stakeholder = await stack.caller({ role: 'stakeholder', name: 'sue', team: 'sales' });
    expect((await through(stakeholder, 'work.phase.list', {})).error).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('of itself is refused, and recorded as itself', async () => {
    const ann = await stack.caller({ role: 'admin', name: 'ann2' });
    const nested = await through(ann, 'system.tool.call', { name: 'work.phase.list' });
    expect([nested.error?.code, nested.resolved?.name]).toEqual(['VALIDATION_ERROR', 'system.tool.call']);
    const wrong = await stack.call(ann, 'system.tool.call', { name: 'work.phase.list', args: {} });
    expect(wrong.error).toMatchObject({ code: 'VALIDATION_ERROR', hint: 'Its fields: name, arguments.' });
  });

  it('is one call with a direct one under the same idempotency key', async () => {
    const ann = await stack.caller({ role: 'admin', name: 'ann3' });
    const args = { phase_id: 1, description: 'told twice' };
    const first = await through(ann, 'work.task.create', args, { idempotencyKey: 'once' });
    const again = await stack.call(ann, 'work.task.create', args, { idempotencyKey: 'once' });
    expect(first.error).toBeUndefined();
    expect(again.data).toEqual(first.data);
    expect(again.envelope.warnings.join()).toContain('Repeated call');
  });

  it('asks a person about the inner call, which runs as what was asked for', async () => {
    const [robo, pam] = [await stack.caller({ role: 'agent', name: 'robo' }), await stack.caller({ role: 'pm', name: 'pam' })];
    const args = { name: 'through', version: '1.0.0', json_schema: { type: 'object' } };
    const asked = await through(robo, 'schema.definition.register', args, { idempotencyKey: 'ask' });
    expect(asked.envelope.status).toBe('pending_approval');
    const { approval_id } = asked.data as { approval_id: string };
    const { approvals } = await stack.ok<{ approvals: Approval[] }>(pam, 'approval.request.list');
    expect(approvals.find((each) => each.approval_id === approval_id)).toMatchObject({
      tool: 'schema.definition.register',
      arguments: args,
    });
    await stack.ok(pam, 'approval.request.approve', { approval_id, wait_seconds: 20 });
    const done = await stack.call(robo, 'schema.definition.register', args, { idempotencyKey: 'ask' });
    expect(done.envelope).toMatchObject({ status: 'success', data: { existed: false } });
  });

  it('cannot be handed in by other agents, to which only some tools are offered', async () => {
    const ann = await stack.caller({ role: 'admin', name: 'ann4' });
    const { error } = await stack.call(ann, 'agent.task.receive', {
      task_id: 'del_1',
      capability_name: 'system.tool.call',
      parameters: { name: 'work.task.create', arguments: { description: 'x' } },
    });
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason: 'lacks_capability' } });
  });
});

describe('what is found', () => {
  it('comes with the way to call it, for the client that asks', async () => {
    const ann = await stack.caller({ role: 'admin', name: 'ann5' });
    const ask = async (name: string, args: object, profile: string) =>
      (await stack.pipeline.call({ name, arguments: args, caller: ann, front: 'mcp', audience: { style: 'hyphen', profile } })).data as {
        how_to_call?: string;
        name?: string;
        tools?: { name: string }[];
      };
    const found = await ask('system.tool.search', { query: 'list the phases of work' }, 'core');
    expect(found.tools!.map(({ name }) => name)).toContain('work-phase-list');
    expect(found.how_to_call).toContain('system-tool-call');
    expect((await ask('system.tool.search', { query: 'list the phases of work' }, 'unified')).how_to_call).toBeUndefined();
    expect(await ask('system.tool.describe', { name: 'work.phase.list' }, 'core')).toMatchObject({
      name: 'work-phase-list',
      how_to_call: expect.stringContaining('system-tool-call'),
    });
    expect((await ask('system.tool.describe', { name: 'work.task.claim' }, 'core')).how_to_call).toBeUndefined();
  });
});
