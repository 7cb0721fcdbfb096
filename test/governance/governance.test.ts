import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import type { Task } from '../../contracts/work/work.ts';
import { Catalogue } from '../../tools/catalogue/catalogue.ts';
import { defineTool, type Tool } from '../../tools/catalogue/define.ts';
import { ToolDirectory } from '../../tools/catalogue/directory.ts';
import { Metrics } from '../../tools/catalogue/metrics.ts';
import { Pipeline } from '../../tools/catalogue/pipeline.ts';
import { withDatabase } from '../setup/databases.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let acme: Caller & { apiKey: string };
let globex: Caller & { apiKey: string };
beforeAll(async () => {
  stack = await testStack({ model: false });
  acme = await stack.caller({ tenant: 'acme', name: 'ann' });
  globex = await stack.caller({ tenant: 'globex', name: 'gil' });
});
afterAll(() => stack?.stop());

describe('tenancy', () => {
  it('shows no row of any table without a tenant, and none of another one', async () => {
    await stack.ok(acme, 'work.task.create', { description: 'secret', phase_id: 1 });
    const tables = await stack.db.query<{ table_name: string }>(
      `select table_name from information_schema.columns where table_schema = 'public' and column_name = 'tenant_id'`,
    );
    expect(tables.length).toBeGreaterThan(10);
    for (const { table_name } of tables) {
      const [none] = await stack.db.query<{ n: string }>(`select count(*) as n from ${table_name}`);
      expect(none!.n, table_name).toBe('0');
      const [foreign] = await asTenant('globex', () =>
        stack.db.query<{ n: string }>(`select count(*) as n from ${table_name} where tenant_id <> 'globex'`),
      );
      expect(foreign!.n, table_name).toBe('0');
    }
    await expect(
      asTenant('globex', () =>
        stack.db.query(`insert into work_comments (tenant_id, id, task_id, author, body) values ('acme', 'x', 'x', 'x', 'x')`),
      ),
    ).rejects.toThrow(/row-level security/);
  });

  it('never mixes tenants up under concurrency, by statements and in transactions', async () => {
    const tenants = Array.from({ length: 6 }, (_, i) => `mixed-${i}`);
    const callers = await Promise.all(tenants.map((tenant) => stack.caller({ tenant, name: tenant })));
    for (const caller of callers) await stack.ok(caller, 'work.phase.set', { phase_id: 7, name: caller.tenant });
    const rounds = Array.from({ length: 40 }).flatMap(() => callers);
    await Promise.all(
      rounds.map(async (caller) => {
        const { phase } = await stack.ok<{ phase: { name: string } }>(caller, 'work.phase.get', { phase_id: 7 });
        expect(phase.name).toBe(caller.tenant);
        const rows = await asTenant(caller.tenant, () => stack.db.query<{ name: string }>('select name from phases where id = 7'));
        expect(rows).toEqual([{ name: caller.tenant }]);
      }),
    );
  });

  it('refuses a database role that bypasses the policies', async () => {
    const { ownerUrl } = inject('servers');
    await expect(openDatabase(ownerUrl)).rejects.toThrow(/bypasses row-level security/);
  });

  it('destroys a connection that comes back inside a transaction', async () => {
    await expect(
      stack.db.transaction(async (query) => {
        await query('select 1');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await stack.db.query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('keys', () => {
  it('are stored as hashes, authenticate, and stop when revoked', async () => {
    const key = await stack.services.governance.keys.create({ tenant: 'acme', role: 'agent', name: 'robot', rpm: 5 });
    expect(key).toMatchObject({ tenant: 'acme', role: 'agent', kind: 'agent', name: 'robot', rpm: 5 });
    const owner = new pg.Client({
      connectionString: withDatabase(inject('servers').ownerUrl, new URL(stack.databaseUrl).pathname.slice(1)),
    });
    await owner.connect();
    const { rows } = await owner.query('select * from api_keys');
    await owner.end();
    expect(JSON.stringify(rows)).not.toContain(key.api_key);

    expect(await stack.services.governance.keys.authenticate(key.api_key)).toMatchObject({
      tenant: 'acme',
      principal: 'robot',
      principalKind: 'agent',
    });
    for (const wrong of ['', 'sb_', key.api_key.slice(0, -1), `${key.api_key}x`, `sb_${'A'.repeat(43)}`]) {
      expect(await stack.services.governance.keys.authenticate(wrong), wrong).toBeNull();
    }
    await stack.services.governance.keys.revoke('acme', key.key_id);
    expect(await stack.services.governance.keys.authenticate(key.api_key)).toBeNull();
    await expect(stack.services.governance.keys.revoke('globex', key.key_id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are refused with bad tenants, roles and kinds', async () => {
    const { keys } = stack.services.governance;
    for (const wrong of [
      { tenant: 'Has Space', role: 'agent' },
      { tenant: 'ok', role: 'king' },
      { tenant: 'ok', role: 'agent', kind: 'ghost' },
    ]) {
      await expect(keys.create(wrong as never)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    }
  });
});

describe('limits', () => {
  it('answer 429 with a wait beyond calls per minute and burst, per key', async () => {
    const limited = await stack.caller({ name: 'hasty', rpm: 5, burst: 2 });
    const answers = [];
    for (let i = 0; i < 10; i += 1) answers.push(await stack.call(limited, 'work.phase.list'));
    expect(answers.map((answer) => answer.error?.code ?? 'ok')).toEqual([...Array(7).fill('ok'), ...Array(3).fill('RATE_LIMIT_EXCEEDED')]);
    const refused = answers.at(-1)!.envelope.error!;
    expect(refused).toMatchObject({ retryable: true });
    expect(refused.retry_after_seconds).toBeGreaterThan(0);
    expect((await stack.call(acme, 'work.phase.list')).error).toBeUndefined();
  });

  it('default to 60 + 10, and to 100 + 20 for the profile devflow', () => {
    const { limits } = stack.services.governance;
    expect(limits.limitsOf({ rateRpm: null, rateBurst: null, profile: null })).toEqual({ rpm: 60, burst: 10 });
    expect(limits.limitsOf({ rateRpm: null, rateBurst: null, profile: 'devflow' })).toEqual({ rpm: 100, burst: 20 });
  });
});

describe('the ledger', () => {
  const eventsOf = (toolCallId: string, count: number) =>
    eventually('its events', async () => {
      const { events } = await stack.ok<{ events: { type: string }[] }>(acme, 'system.ledger.search', { tool_call_id: toolCallId });
      return events.length >= count && events;
    });

  it('shows only calls that change something, if asked to', async () => {
    const read = await stack.call(acme, 'work.phase.list');
    const write = await stack.call(acme, 'work.task.create', { description: 'changes something', phase_id: 1 });
    await eventsOf(read.envelope.tool_call_id, 1);
    await eventsOf(write.envelope.tool_call_id, 2);
    const { events } = await stack.ok<{ events: { tool_call_id: string; effect: string }[] }>(acme, 'system.ledger.search', {
      changes_only: true,
      limit: 100,
    });
    expect(events.map(({ tool_call_id }) => tool_call_id)).toContain(write.envelope.tool_call_id);
    expect(events.filter(({ effect }) => effect === 'read')).toEqual([]);
  });

  it('has a start and an end of every call, refused ones too, and no arguments', async () => {
    const good = await stack.call(acme, 'create_task', { description: 'the arguments stay out', phase_id: 1 });
    const bad = await stack.call(acme, 'work.task.get', { task_id: 'task_nope' });
    const unknown = await stack.call(acme, 'no.such.tool', {});
    expect(await eventsOf(good.envelope.tool_call_id, 2)).toMatchObject([
      {
        type: 'tool.call.completed',
        tool: 'work.task.create',
        called_as: 'create_task',
        status: 'success',
        tool_version: 1,
        refs: [{ type: 'task' }, { type: 'workflow' }],
      },
      { type: 'tool.call.started', effect: 'write', principal: 'ann', persona: 'admin' },
    ]);
    expect(await eventsOf(bad.envelope.tool_call_id, 2)).toMatchObject([
      { type: 'tool.call.failed', error_code: 'NOT_FOUND' },
      { type: 'tool.call.started' },
    ]);
    expect(await eventsOf(unknown.envelope.tool_call_id, 2)).toMatchObject([{ type: 'tool.call.failed', tool: 'no.such.tool' }, {}]);
    const all = await asTenant('acme', () => stack.db.query('select * from ledger_events'));
    expect(JSON.stringify(all)).not.toContain('the arguments stay out');
    const { events } = await stack.ok<{ events: unknown[] }>(globex, 'system.ledger.search', { tool_call_id: good.envelope.tool_call_id });
    expect(events).toEqual([]);
  });

  it('has the start of a write committed before its effect, and without it there is none', async () => {
    let effects = 0;
    const writing = defineTool({
      ...(stack.pipeline.catalogue.find('work.phase.list')!.tool as Tool),
      name: 'test.effect.make',
      effect: 'write',
      aliases: [],
      handler: async () => ({ data: { phases: [], effects: (effects += 1) } }),
    });
    const { promise: committed, resolve: commit } = Promise.withResolvers<void>();
    let recorded = 0;
    let record = (): Promise<void> => ((recorded += 1), committed);
    const { governance } = stack.services;
    const ledger = { record: () => record(), note: () => {} } as unknown as typeof governance.ledger;
    const pipeline = new Pipeline({
      tools: new ToolDirectory(new Catalogue([writing]), new Map(), null),
      services: { ...stack.services, governance: Object.assign(Object.create(governance) as typeof governance, { ledger }) },
      metrics: new Metrics(),
      log: stack.log,
      logRequests: false,
    });
    const call = () => pipeline.call({ name: 'test.effect.make', caller: acme, front: 'rest' });
    const calling = call();
    await eventually('its start', async () => recorded === 1);
    // Whatever it might still do without waiting, it has had the time for.
    await stack.ok(acme, 'work.phase.list');
    expect(effects).toBe(0);
    commit();
    expect((await calling).error).toBeUndefined();
    expect(effects).toBe(1);

    record = () => Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'away'));
    expect((await call()).error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(effects).toBe(1);
  });

  it('has hashes of arguments without their secrets', async () => {
    const hash = async (args: object): Promise<string> => {
      const { envelope } = await stack.call(acme, 'notification.webhook.set_secret', args);
      const [row] = await eventsOf(envelope.tool_call_id, 2);
      return (row as unknown as { input_hash: string }).input_hash;
    };
    const [one, other] = ['one', 'other'].map((text) => `whsec_${Buffer.from(text.padEnd(32, '.')).toString('base64')}`);
    const url = 'https://hooks.example.com/a';
    const first = await hash({ url, secret: one });
    expect(first).toBe(await hash({ url, secret: other }));
    expect(first).not.toBe(hashOf({ url, secret: one }));
    expect(first).not.toBe(await hash({ url: `${url}b`, secret: one }));
  });
});

describe('the envelope', () => {
  it('warns of unknown fields on a seed name and refuses them on a canonical one', async () => {
    const lenient = await stack.call(acme, 'create_task', { description: 'x', phase_id: 1, urgency: 9 });
    expect(lenient.envelope).toMatchObject({ status: 'success', warnings: ['Unknown field "urgency" was ignored.'] });
    expect(lenient.data).toEqual({ task_id: expect.stringMatching(/^task_/), status: 'ready', kanban_column: 'ready' });
    expect(lenient.text).toBe(JSON.stringify(lenient.data));
    const strict = await stack.call(acme, 'work.task.create', { description: 'x', phase_id: 1, priorty: 'high' });
    expect(strict.envelope.error).toMatchObject({ code: 'VALIDATION_ERROR', suggestion: 'Did you mean "priority"?' });
  });

  it('cuts a limit beyond its cap, with a warning', async () => {
    const answer = await stack.call(acme, 'work.task.list', { limit: 5_000 });
    expect(answer.envelope).toMatchObject({ status: 'success', warnings: ['"limit" was cut to 100.'] });
    expect((await stack.call(acme, 'work.task.list', { limit: 0 })).error?.code).toBe('VALIDATION_ERROR');
  });

  it('answers a defect without its innards', async () => {
    const broken = defineTool({
      ...(stack.pipeline.catalogue.find('work.phase.list')!.tool as Tool),
      name: 'test.defect.raise',
      aliases: [],
      handler: () => Promise.reject(new Error('password=hunter2')),
    });
    const pipeline = new Pipeline({
      tools: new ToolDirectory(new Catalogue([broken]), new Map(), null),
      services: stack.services,
      metrics: new Metrics(),
      log: stack.log,
      logRequests: false,
    });
    const answer = await pipeline.call({ name: 'test.defect.raise', caller: acme, front: 'rest' });
    expect(answer.envelope.error).toMatchObject({ code: 'INTERNAL', retryable: false });
    expect(JSON.stringify(answer.envelope)).not.toContain('hunter2');
  });
});

describe('idempotency keys', () => {
  it('are free again after a refusal, and held by a failure whose effect is not known', async () => {
    const { idempotency } = stack.services.governance;
    const once = (key: string, args: string, work: () => Promise<unknown>) =>
      asTenant('acme', () => idempotency.once(acme, 'work.task.comment', key, args, work));
    const failing = (code: 'NOT_FOUND' | 'INTERNAL' | 'SERVICE_UNAVAILABLE') => () => Promise.reject(new AppError(code, 'no'));
    await expect(once('k-refused', 'a', failing('NOT_FOUND'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await once('k-refused', 'b', () => Promise.resolve('done'))).toEqual({ answer: 'done', repeated: false });
    for (const code of ['INTERNAL', 'SERVICE_UNAVAILABLE'] as const) {
      await expect(once(`k-${code}`, 'a', failing(code))).rejects.toMatchObject({ code });
      await expect(once(`k-${code}`, 'b', () => Promise.resolve('another'))).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(await once(`k-${code}`, 'a', () => Promise.resolve('repeated'))).toEqual({ answer: 'repeated', repeated: false });
    }
  });

  it('of workers that share a key are not for each other', async () => {
    const { idempotency } = stack.services.governance;
    const as = (principal: string) =>
      asTenant('acme', () =>
        idempotency.once({ ...acme, principal }, 'work.task.comment', 'k-shared', 'a', () => Promise.resolve(principal)),
      );
    expect(await as('worker-1')).toEqual({ answer: 'worker-1', repeated: false });
    expect(await as('worker-1')).toEqual({ answer: 'worker-1', repeated: true });
    await expect(as('worker-2')).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('of a call whose process died are taken over at once, under the same call key', async () => {
    const dead = await openDatabase(stack.databaseUrl, { max: 1 });
    const [task] = (await stack.ok<{ tasks: Task[] }>(acme, 'work.task.list', { limit: 1 })).tasks;
    const args = { task_id: task!.id, body: 'once' };
    // What a killed process leaves behind: a record that was started and has no end.
    await asTenant('acme', () =>
      dead.query(
        `insert into idempotency_records (tenant_id, key_id, tool, key, args_hash, state, owner) values ('acme', $1, 'work.task.comment', 'k-dead', $2, 'started', $3)`,
        [acme.keyId, hashOf(args), dead.sessions],
      ),
    );
    const running = await stack.call(acme, 'work.task.comment', args, { idempotencyKey: 'k-dead' });
    expect(running.error).toMatchObject({ code: 'CONFLICT', retryAfterSeconds: 2 });
    await dead.close();
    const comment = await eventually('the take-over', async () => {
      const answer = await stack.call(acme, 'work.task.comment', args, { idempotencyKey: 'k-dead' });
      return answer.error ? null : (answer.data as { comment: { id: string } }).comment;
    });
    const again = await stack.call(acme, 'work.task.comment', args, { idempotencyKey: 'k-dead' });
    expect(again.data).toMatchObject({ comment: { id: comment.id } });
  });
});
