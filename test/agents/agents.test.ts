import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporal } from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { systemTenant } from '../../contracts/agents/agents.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Task } from '../../contracts/work/work.ts';
import { forgetReadMessages } from '../../services/agents/messages.ts';
import { histories, replay, save } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

const folder = fileURLToPath(new URL('../replay/histories', import.meta.url));

let stack: TestStack;
let pm: Caller;
let stranger: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm' });
  stranger = await stack.caller({ tenant: 'globex', name: 'stranger' });
});
afterAll(() => stack?.stop());

const agent = (name: string) => stack.caller({ role: 'agent', name });
const endpoint_url = 'https://agents.example/researcher';
const rows = <T extends Record<string, unknown>>(sql: string, ...values: unknown[]) =>
  asTenant('acme', () => stack.db.query<T>(sql, ['acme', ...values]));

describe('the registry', () => {
  it('creates one agent per registration, and one per stable key, also concurrently', async () => {
    const register = (fields: object = {}) =>
      stack.ok<{ agent_id: string }>(pm, 'agent.peer.register', {
        agent_type: 'twin',
        endpoint_url,
        capabilities: [{ name: 'dig' }],
        ...fields,
      });
    expect((await register()).agent_id).not.toBe((await register()).agent_id);
    const same = await Promise.all(
      Array.from({ length: 8 }, (_, i) => register({ stable_key: 'twin-1', capabilities: [{ name: `dig-${i}` }] })),
    );
    expect(new Set(same.map((one) => one.agent_id)).size).toBe(1);
    const { agents } = await stack.ok(pm, 'agent.peer.list', {});
    const [twin] = agents.filter((one: { agent_id: string }) => one.agent_id === same[0]!.agent_id);
    // The result is one registration, not a mixture of several.
    expect(twin.capabilities).toHaveLength(1);
  });

  it('repeats a registration under one idempotency key as one agent', async () => {
    const args = { agent_type: 'once', endpoint_url };
    const one = await stack.call(pm, 'agent.peer.register', args, { idempotencyKey: 'once' });
    const two = await stack.call(pm, 'agent.peer.register', args, { idempotencyKey: 'once' });
    expect((two.data as { agent_id: string }).agent_id).toBe((one.data as { agent_id: string }).agent_id);
  });

  it('shows agentic-rag its shape, by capability, to its own tenant only', async () => {
    const capability = { name: 'translate', description: 'Translates', parameters_schema: { type: 'object', required: ['text'] } };
    const { agent_id } = await stack.ok(pm, 'agent.peer.register', {
      agent_type: 'linguist',
      endpoint_url,
      capabilities: [capability],
      metadata: { region: 'eu' },
      credential: 'Authorization: Bearer very-secret',
    });
    const { agents } = await stack.ok(pm, 'agent.peer.list', { capability: 'translate' });
    expect(agents).toEqual([
      {
        agent_id,
        agent_type: 'linguist',
        endpoint_url,
        capabilities: [{ ...capability, returns_schema: {} }],
        tenant_id: 'acme',
        registered_at: expect.any(String),
        last_heartbeat: expect.any(String),
        health_status: 'healthy',
        metadata: { region: 'eu' },
        kind: 'peer',
        protocol: 'signalbox',
        status: 'active',
      },
    ]);
    expect((await stack.ok(pm, 'agent.capability.list', {}))['capabilities'].translate).toEqual([agent_id]);
    expect((await stack.ok(stranger, 'agent.capability.list', {}))['capabilities']).not.toHaveProperty('translate');
    expect((await stack.ok(stranger, 'agent.peer.list', { capability: 'translate' }))['agents']).toEqual([]);
    const [row] = await rows<{ credential: string }>('select credential from agents where tenant_id = $1 and id = $2', agent_id);
    expect(row!.credential).not.toContain('secret');
    expect(stack.secrets.open(row!.credential)).toBe('Authorization: Bearer very-secret');
  });

  it('refuses what it could not use', async () => {
    const refused = async (fields: object) =>
      (await stack.call(pm, 'agent.peer.register', { agent_type: 'bad', endpoint_url, capabilities: [], ...fields })).error;
    expect(await refused({ endpoint_url: 'http://10.0.0.1/' })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { reason: 'private_address' },
    });
    expect(await refused({ endpoint_url: 'ftp://agents.example' })).toMatchObject({ details: { reason: 'scheme' } });
    expect(await refused({ endpoint_url: undefined })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await refused({ capabilities: [{ name: 'x', parameters_schema: { type: 'nonsense' } }] })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { capability: 'x', field: 'parameters_schema' },
    });
    expect(await refused({ capabilities: [{ name: 'x' }, { name: 'x' }] })).toMatchObject({ code: 'VALIDATION_ERROR' });
    for (const [tool, args] of [
      ['agent.peer.heartbeat', { agent_id: 'acme-twin-1', activity: 'a\0b' }],
      ['agent.version.rollback', { agent_id: 'acme-twin-1', target_version: 2 ** 31, reason: 'worse' }],
    ] as const)
      expect((await stack.call(pm, tool, args)).error?.code, tool).toBe('VALIDATION_ERROR');
    const impostor = await agent('impostor');
    expect((await stack.call(impostor, 'agent.registry.register', { agent_type: 'bad', agent_id: 'somebody' })).error).toMatchObject({
      code: 'FORBIDDEN',
    });
    await stack.ok(pm, 'agent.peer.register', { agent_type: 'kept', endpoint_url, stable_key: 'kept' });
    const hijack = await stack.call(impostor, 'agent.peer.register', {
      agent_type: 'kept',
      endpoint_url: 'https://evil.example',
      stable_key: 'kept',
    });
    expect(hijack.error).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('shows a peer’s credential to no other address, and says so', async () => {
    const renew = (fields: object = {}) =>
      stack.call(pm, 'agent.peer.register', { agent_type: 'moving', endpoint_url, stable_key: 'moving', ...fields });
    const { agent_id } = (await renew({ credential: 'first' })).data as { agent_id: string };
    const credential = async (): Promise<string | null> => {
      const [row] = await rows<{ credential: string | null }>('select credential from agents where tenant_id = $1 and id = $2', agent_id);
      return row!.credential === null ? null : stack.secrets.open(row!.credential);
    };
    expect((await renew()).envelope.warnings).toEqual([]);
    expect(await credential()).toBe('first');
    const moved = await renew({ endpoint_url: 'https://agents.example/elsewhere' });
    expect(moved.envelope.warnings).toEqual([expect.stringContaining('credential')]);
    expect(await credential()).toBeNull();
    expect((await renew({ endpoint_url: 'https://agents.example/third', credential: 'third' })).envelope.warnings).toEqual([]);
    expect(await credential()).toBe('third');
  });

  it('lets a peer be changed and removed by the key that registered it, in its line, and by no other that takes its name', async () => {
    const owner = await agent('peer-owner');
    const mine = { agent_type: 'owned', endpoint_url, stable_key: 'owned' };
    const { agent_id } = await stack.ok(owner, 'agent.peer.register', mine);
    // As a request that names its worker by X-Agent-Id.
    const named = { ...(await agent('some-agent')), principal: agent_id };
    const moved = await stack.call(named, 'agent.peer.register', { ...mine, endpoint_url: 'https://evil.example' });
    expect(moved.error?.code).toBe('FORBIDDEN');
    expect((await stack.call(named, 'agent.peer.unregister', { agent_id })).error?.code).toBe('FORBIDDEN');
    const { keys } = stack.services.governance;
    const rotated = (await keys.authenticate((await keys.rotate('acme', owner.keyId, { graceMs: 0 })).api_key))!;
    expect((await stack.ok(rotated, 'agent.peer.register', mine)).agent_id).toBe(agent_id);
    await stack.ok(rotated, 'agent.peer.unregister', { agent_id });
  });

  it('holds the platform itself, seen by all and written by none', async () => {
    const own = { name: 'hybrid_retrieve', description: 'Finds', parameters_schema: { type: 'object' }, returns_schema: {} };
    const capabilities = [own, { ...own, name: 'ingest_url' }];
    await Promise.all([1, 2, 3].map(() => stack.services.agents.registry.registerSelf(capabilities)));
    const seen = async (args: object) => {
      const { agents } = await stack.ok(pm, 'agent.peer.list', args);
      return agents.find((each: { tenant_id: string }) => each.tenant_id === systemTenant).capabilities;
    };
    const named = { name: 'ingest_url', description: '', parameters_schema: {}, returns_schema: {} };
    // Its own come before the platform, whatever the limit cuts off.
    const whose = async (args: object) =>
      (await stack.ok<{ agents: { tenant_id: string }[] }>(pm, 'agent.peer.list', args)).agents.map(({ tenant_id }) => tenant_id);
    expect(await whose({ limit: 1, healthy_only: false })).toEqual(['acme']);
    expect((await whose({})).at(-1)).toBe(systemTenant);
    expect(await seen({ agent_id: 'agentic-rag-001' })).toEqual(capabilities);
    expect(await seen({ capability: 'hybrid_retrieve' })).toEqual([own, named]);
    expect(await seen({})).toEqual([{ ...named, name: 'hybrid_retrieve' }, named]);
    for (const caller of [pm, stranger]) {
      const { agents } = await stack.ok(caller, 'agent.peer.list', { capability: 'hybrid_retrieve' });
      expect(agents).toMatchObject([
        { agent_id: 'agentic-rag-001', agent_type: 'agentic-rag', tenant_id: systemTenant, health_status: 'healthy' },
      ]);
      for (const [tool, args] of [
        ['agent.peer.unregister', {}],
        ['agent.peer.heartbeat', {}],
        ['agent.registry.deactivate', { reason: 'x' }],
      ] as const) {
        expect((await stack.call(caller, tool, { agent_id: 'agentic-rag-001', ...args })).error, tool).toMatchObject({ code: 'FORBIDDEN' });
      }
      const back = await stack.afterApproval(caller, 'agent.version.rollback', { agent_id: 'agentic-rag-001', reason: 'x' });
      expect(back.error).toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});

describe('administration', () => {
  it('pauses an agent, which then gets no work, and lets it go on', async () => {
    const phase_id = 41;
    await stack.ok(pm, 'work.phase.set', { phase_id });
    const one = await agent('paused-1');
    await stack.ok(one, 'agent.registry.register', { agent_type: 'builder' });
    const { task } = await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'Wait', phase_id });
    const paused = await stack.ok(pm, 'deactivate_agent', { agent_id: 'paused-1', reason: 'Too many errors' });
    expect(paused).toMatchObject({ agent_id: 'paused-1', status: 'paused', reason: 'Too many errors', at: expect.any(String) });
    const again = await stack.ok(pm, 'deactivate_agent', { agent_id: 'paused-1', reason: 'Another reason' });
    expect(again).toMatchObject({ reason: 'Too many errors' });
    for (const args of [{ phase_id }, { task_id: task.id }]) {
      expect((await stack.call(one, 'work.task.claim', args)).error).toMatchObject({ code: 'CONFLICT', details: { reason: 'paused' } });
    }
    expect((await stack.ok(pm, 'list_registered_agents', { status: 'paused' }))['agents']).toMatchObject([{ agent_id: 'paused-1' }]);
    expect((await stack.call(stranger, 'deactivate_agent', { agent_id: 'paused-1', reason: 'x' })).error).toMatchObject({
      code: 'NOT_FOUND',
    });
    await stack.ok(pm, 'agent.registry.activate', { agent_id: 'paused-1' });
    expect((await stack.ok<{ task: Task }>(one, 'work.task.claim', { phase_id })).task.id).toBe(task.id);
    const history = await rows<{ event: string }>(
      'select event from agent_history where tenant_id = $1 and agent_id = $2 order by id',
      'paused-1',
    );
    expect(history.map((row) => row.event)).toEqual(['registered', 'paused', 'activated']);
  });

  it('keeps every version of what an agent is made of, and returns to an earlier one', async () => {
    const register = (definition?: object) =>
      stack.ok(pm, 'agent.registry.register', {
        kind: 'managed',
        agent_type: 'writer',
        agent_id: 'scribe',
        ...(definition ? { definition } : {}),
      });
    expect(await register({ prompt: 'one', model: 'm' })).toMatchObject({ version: 1, health: 'none' });
    expect((await register({ model: 'm', prompt: 'one' }))['version']).toBe(1);
    expect((await register({ prompt: 'two' }))['version']).toBe(2);
    expect((await register({ prompt: 'three' }))['version']).toBe(3);
    expect((await register())['version']).toBe(3);
    const back = (fields: object = {}) => stack.afterApproval(pm, 'rollback_agent', { agent_id: 'scribe', reason: 'worse', ...fields });
    expect((await back()).data).toMatchObject({ agent_id: 'scribe', from_version: 3, to_version: 2, effective_at: expect.any(String) });
    expect((await back({ target_version: 2 })).error).toMatchObject({ code: 'CONFLICT' });
    expect((await back({ target_version: 9 })).error).toMatchObject({ code: 'NOT_FOUND' });
    expect((await back({ target_version: 3 })).data).toMatchObject({ from_version: 2, to_version: 3 });
    // Two concurrent rollbacks go back one step each.
    await Promise.all([back(), back()]);
    expect((await back()).error).toMatchObject({ code: 'CONFLICT', details: { reason: 'first_version', version: 1 } });
    expect((await register({ prompt: 'four' }))['version']).toBe(4);
  });

  it('tells how agents do: objectives, quality, latest action', async () => {
    const one = await agent('measured');
    await stack.ok(one, 'agent.registry.register', { agent_type: 'writer', slos: { acceptance_rate: 0.6, error_rate: 0.1 } });
    for (const decision of ['accept', 'reject']) {
      const { output_id } = await stack.ok(one, 'agent.output.submit', { kind: 'note', title: 'A note', content: 'Text' });
      await stack.ok(pm, 'review_agent_outputs', { output_id, decision });
    }
    const measured = await eventually('its calls are in the ledger', async () => {
      const { agents } = await stack.ok(pm, 'list_registered_agents', {});
      const [found] = agents.filter((each: { agent_id: string }) => each.agent_id === 'measured');
      return found.last_action === 'agent.output.submit' && found.quality.error_rate !== null && found;
    });
    expect(measured).toMatchObject({
      status: 'active',
      version: 1,
      quality: { judged: 2, acceptance_rate: 0.5, error_rate: 0 },
      slos: [
        { name: 'acceptance_rate', target: 0.6, actual: 0.5, met: false },
        { name: 'error_rate', target: 0.1, actual: 0, met: true },
      ],
    });
  });

  it('tells who is doing what', async () => {
    const phase_id = 42;
    await stack.ok(pm, 'work.phase.set', { phase_id });
    const { task } = await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'Do it', phase_id });
    const [one, two] = [await agent('doing'), await agent('waiting')];
    await stack.ok(two, 'agent.registry.register', { agent_type: 'builder' });
    await stack.ok(one, 'work.task.claim', { phase_id });
    const find = (agents: { id: string }[], id: string) => agents.find((each) => each.id === id);
    const agents = await eventually('the claim is in the ledger', async () => {
      const { agents: all } = await stack.ok(pm, 'get_agent_status', {});
      return find(all, 'doing') && (find(all, 'doing') as { last_action?: string }).last_action === 'work.task.claim' && all;
    });
    expect(find(agents, 'doing')).toEqual({
      id: 'doing',
      phase_id,
      task_id: task.id,
      status: 'working',
      coherence_score: null,
      last_action: 'work.task.claim',
      started_at: expect.any(String),
    });
    expect(find(agents, 'waiting')).toMatchObject({ status: 'idle', task_id: null });
    expect((await stack.ok(stranger, 'get_agent_status', {}))['agents']).toEqual([]);
  });
});

describe('messages', () => {
  it('wait in the inbox of an agent, also of one that is not there yet, until they are acknowledged', async () => {
    const sent = await stack.ok(pm, 'send_message_to_agent', { agent_id: 'later', message: 'Read me' });
    expect(Object.keys(sent).sort()).toEqual(['delivered_at', 'status']);
    await stack.ok(pm, 'agent.message.send', { agent_id: 'later', message: 'And me', data: { n: 1 } });
    const later = await agent('later');
    const { messages, unread } = await stack.ok(later, 'agent.message.list', {});
    expect([messages.map((each: { message: string }) => each.message), unread]).toEqual([['Read me', 'And me'], 2]);
    const ids = messages.map((each: { message_id: string }) => each.message_id);
    const other = await agent('other');
    const foreign = await stack.call(other, 'agent.message.acknowledge', { message_ids: ids });
    expect(foreign.data).toEqual({ acknowledged: [] });
    expect((await stack.call(other, 'agent.message.list', { agent_id: 'later' })).error).toMatchObject({ code: 'FORBIDDEN' });
    expect((await stack.ok(pm, 'agent.message.list', { agent_id: 'later' }))['messages']).toHaveLength(2);
    for (let i = 0; i < 2; i += 1) {
      expect(await stack.ok(later, 'agent.message.acknowledge', { message_ids: [ids[0]] })).toEqual({ acknowledged: [ids[0]] });
    }
    expect((await stack.ok(later, 'agent.message.list', {}))['messages'].map((each: { message_id: string }) => each.message_id)).toEqual([
      ids[1],
    ]);
    const all = await stack.ok(later, 'agent.message.list', { include_read: true });
    expect(all['messages'].map((each: { message_id: string }) => each.message_id)).toEqual([ids[1], ids[0]]);
    const events = await rows('select 1 from outbox where tenant_id = $1 and type = $2 and subject = any($3)', 'agent.message_sent', ids);
    expect(events).toHaveLength(2);
  });

  it('deliver once under one idempotency key, and each of many at once', async () => {
    const busy = await agent('busy');
    const args = { agent_id: 'busy', message: 'once' };
    await Promise.all(Array.from({ length: 4 }, () => stack.call(pm, 'agent.message.send', args, { idempotencyKey: 'msg-1' })));
    await Promise.all(Array.from({ length: 40 }, (_, i) => stack.ok(pm, 'agent.message.send', { agent_id: 'busy', message: `m${i}` })));
    const read: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await stack.call(busy, 'agent.message.list', { limit: 7, ...(cursor ? { cursor } : {}) });
      const { messages } = answer.data as { messages: { message: string; message_id: string }[] };
      read.push(...messages.map((each) => each.message));
      await stack.ok(busy, 'agent.message.acknowledge', { message_ids: messages.map((each) => each.message_id) });
      cursor = answer.envelope.metadata.next_cursor;
    } while (cursor);
    expect(read.toSorted()).toEqual(['once', ...Array.from({ length: 40 }, (_, i) => `m${i}`)].toSorted());
  });

  it('are forgotten a month after they were acknowledged, and no sooner', async () => {
    const reader = await agent('forgetful');
    const sent = await Promise.all([0, 1, 2].map((i) => stack.ok(pm, 'agent.message.send', { agent_id: 'forgetful', message: `m${i}` })));
    const ids = sent.map(({ message_id }) => message_id as string);
    await stack.ok(reader, 'agent.message.acknowledge', { message_ids: ids.slice(0, 2) });
    const back = `update agent_messages set delivered_at = now() - interval '40 days',
      acknowledged_at = acknowledged_at - case when id = $2 then interval '31 days' else interval '29 days' end where tenant_id = $1 and recipient = 'forgetful'`;
    await rows(back, ids[0]);
    expect(await asTenant('acme', () => forgetReadMessages(stack.db.query, 'acme', 30))).toBe(1);
    const { messages } = await stack.ok(reader, 'agent.message.list', { include_read: true });
    expect(messages.map((one: { message_id: string }) => one.message_id).toSorted()).toEqual(ids.slice(1).toSorted());
  });

  it('wake whoever waits for one', async () => {
    const waiter = await agent('waiter');
    const started = Date.now();
    const waiting = stack.ok(waiter, 'agent.message.list', { wait_seconds: 20 });
    await eventually('it listens', async () => {
      const listening = await stack.db.query(
        `select 1 from pg_stat_activity where application_name = 'signalbox-notices' and datname = current_database()`,
      );
      return listening.length > 0;
    });
    await stack.ok(pm, 'agent.message.send', { agent_id: 'waiter', message: 'Now' });
    expect((await waiting)['messages']).toMatchObject([{ message: 'Now', from: 'pm' }]);
    expect(Date.now() - started).toBeLessThan(10_000);
    expect((await stack.ok(await agent('quiet'), 'agent.message.list', { wait_seconds: 0.2 }))['messages']).toEqual([]);
    const gone = new AbortController();
    const aborted = stack.call(await agent('quiet-2'), 'agent.message.list', { wait_seconds: 30 }, { signal: gone.signal });
    gone.abort();
    expect((await aborted).data).toMatchObject({ messages: [] });
  });
});

describe('outputs', () => {
  const submit = async (name: string, content = 'What I wrote') =>
    (await stack.ok<{ output_id: string }>(await agent(name), 'agent.output.submit', { kind: 'summary', title: 'Summary', content }))
      .output_id;

  it('wait by agent for a person, who corrects one; both versions are kept and the agent is told', async () => {
    const output_id = await submit('author');
    const { groups } = await stack.ok(pm, 'review_agent_outputs', { agent_id: 'author' });
    expect(groups).toMatchObject([{ agent_id: 'author', outputs: [{ output_id, status: 'pending', content: 'What I wrote' }] }]);
    const judgement = { output_id, decision: 'correct', correction: 'What it should be', notes: 'Shorter' };
    expect((await stack.call(await agent('author'), 'review_agent_outputs', judgement)).error).toMatchObject({ code: 'FORBIDDEN' });
    expect((await stack.call(pm, 'review_agent_outputs', { output_id, decision: 'correct' })).error).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect((await stack.call(stranger, 'review_agent_outputs', judgement)).error).toMatchObject({ code: 'NOT_FOUND' });
    const { output } = await stack.ok(pm, 'review_agent_outputs', judgement);
    expect(output).toMatchObject({ status: 'corrected', content: 'What I wrote', correction: 'What it should be', decided_by: 'pm' });
    const inbox = await stack.ok(await agent('author'), 'agent.message.list', {});
    expect(inbox['messages']).toMatchObject([{ from: 'pm', data: { output_id, decision: 'corrected', correction: 'What it should be' } }]);
    expect((await stack.ok(pm, 'review_agent_outputs', judgement))['output']).toEqual(output);
    const second = await stack.caller({ name: 'second' });
    for (const [caller, decision] of [
      [pm, { output_id, decision: 'reject' }],
      [second, judgement],
    ] as const) {
      expect((await stack.call(caller, 'review_agent_outputs', decision)).error).toMatchObject({
        code: 'CONFLICT',
        details: { reason: 'corrected' },
      });
    }
  });

  it('are judged once, also with concurrent judgements', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, (_, i) => stack.caller({ name: `judge-${i}` })));
    for (let round = 0; round < 3; round += 1) {
      const output_id = await submit(`racer-${round}`);
      const answers = await Promise.all(
        people.map((person, i) => stack.call(person, 'review_agent_outputs', { output_id, decision: 'correct', correction: `by ${i}` })),
      );
      const [won] = answers.filter((answer) => !answer.error).map((answer) => (answer.data as { output: Record<string, string> }).output);
      expect(answers.filter((answer) => answer.error).map((answer) => answer.error!.code)).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT']);
      const { groups } = await stack.ok(pm, 'review_agent_outputs', { agent_id: `racer-${round}`, status: 'all' });
      // The winner's judgement is kept, not the last writer's.
      expect(groups[0].outputs).toMatchObject([{ status: 'corrected', correction: won!['correction'], decided_by: won!['decided_by'] }]);
      expect(won!['correction']).toBe(`by ${won!['decided_by']!.at(-1)}`);
    }
  });

  it('are judged although nobody worked when it was said', async () => {
    const output_id = await submit('patient');
    await stack.stopWorkers();
    const judging = stack.call(pm, 'review_agent_outputs', { output_id, decision: 'accept' });
    await stack.startWorkers();
    expect((await judging).error).toBeUndefined();
    expect((await stack.ok(pm, 'review_agent_outputs', { output_id, decision: 'accept' }))['output']).toMatchObject({ status: 'accepted' });
  });

  it('leave histories without a word of what was said, which replay', async () => {
    const recorded = [];
    for await (const each of histories(stack.temporal.client, `WorkflowType = 'review'`)) recorded.push(each);
    expect(recorded.length).toBeGreaterThan(3);
    expect(await replay(recorded)).toBe(recorded.length);
    const text = recorded
      .map(({ history }) => Buffer.from(temporal.api.history.v1.History.encode(history).finish()).toString('latin1'))
      .join('');
    expect(text).toContain('confirm');
    if (process.env['RECORD_HISTORIES']) save(join(folder, 'review-output-0.history.gz'), recorded[0]!.history);
    for (const secret of ['What I wrote', 'What it should be', 'Shorter']) expect(text).not.toContain(secret);
  });
});
