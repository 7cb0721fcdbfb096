/** Memories of a user, an agent and a session: who finds them, and that nobody else does, whatever way he reads. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { lineOf, type Caller } from '../../contracts/caller.ts';
import type { SearchHit, Source } from '../../contracts/knowledge/knowledge.ts';
import type { FoundMemory, Memory, MemoryScope, Saved } from '../../contracts/knowledge/memory.ts';
import { contentsOf } from '../../services/governance/exports/contents.ts';
import { atOneMoment, openTables } from '../../services/governance/exports/snapshot.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let ann: Caller;
let bob: Caller;
beforeAll(async () => {
  stack = await testStack({ workers: false });
  ann = await stack.caller({ name: 'ann', kind: 'human' });
  bob = await stack.caller({ name: 'bob', kind: 'human' });
});
afterAll(() => stack?.stop());

/** As the front ends make it of `X-Agent-Id`. */
const named = (caller: Caller, worker: string): Caller => ({ ...caller, principal: worker, worker });
const save = (caller: Caller, content: string, extra: object = {}) =>
  stack.ok<Saved>(caller, 'memory.record.save', { content, category: 'decision', ...extra });
const search = async (caller: Caller, query: string, extra: object = {}) =>
  (await stack.ok<{ memories: FoundMemory[] }>(caller, 'memory.record.search', { query, ...extra })).memories;
const list = async (caller: Caller, extra: object = {}) =>
  (await stack.ok<{ memories: Memory[] }>(caller, 'memory.record.list', { limit: 100, ...extra })).memories;
const idsOf = (memories: { memory_id: string }[]): string[] => memories.map((memory) => memory.memory_id).sort();

/** What each way of asking for a memory by its id answers. */
async function byId(caller: Caller, memory_id: string): Promise<unknown[]> {
  const answers = [
    await stack.call(caller, 'memory.record.get', { memory_id }),
    await stack.call(caller, 'memory.record.update', { memory_id, content: 'Taken over.' }),
    await stack.call(caller, 'memory.record.update', { memory_id, tags: ['taken'] }),
    await stack.call(caller, 'memory.record.save', { content: 'Taken over.', category: 'decision', supersedes: memory_id }),
    await stack.call(caller, 'memory.record.delete', { memory_id }),
  ];
  return answers.map((answer) => answer.error?.code ?? answer.envelope.status);
}
const hidden = ['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'];

describe('the scope of a memory', () => {
  it('user: the holder of the key finds it under every name of an agent, nobody else does', async () => {
    const { memory_id } = await save(ann, 'Ann drinks oolong tea in meetings.', { scope: 'user' });
    for (const me of [ann, named(ann, 'coder'), { ...ann, mcpSession: 'one' }]) {
      expect(await search(me, 'oolong tea')).toEqual([expect.objectContaining({ memory_id, scope: 'user' })]);
      expect(idsOf(await list(me, { scope: 'user' }))).toEqual([memory_id]);
    }
    for (const other of [bob, named(bob, 'ann'), await stack.caller({ name: 'ann', kind: 'human' })]) {
      expect(idsOf(await search(other, 'oolong tea'))).not.toContain(memory_id);
      expect(idsOf(await list(other))).not.toContain(memory_id);
      expect(await list(other, { scope: 'user' })).toEqual([]);
      expect(await byId(other, memory_id)).toEqual(hidden);
    }
    expect((await stack.ok<{ memory: Memory }>(ann, 'memory.record.get', { memory_id })).memory.content).toContain('oolong');
  });

  it('agent: the named agent of the key finds it, neither another agent nor another key under the same name', async () => {
    const coder = named(ann, 'coder');
    const { memory_id } = await save(coder, 'The linter needs the flag --cache here.', { scope: 'agent' });
    expect((await search(coder, 'linter flag'))[0]).toMatchObject({ memory_id, scope: 'agent' });
    expect(idsOf(await search({ ...coder, mcpSession: 'later' }, 'linter flag', { scope: 'agent' }))).toEqual([memory_id]);
    for (const other of [ann, named(ann, 'tester'), named(bob, 'coder')]) {
      expect(idsOf(await search(other, 'linter flag')), other.principal).not.toContain(memory_id);
      expect(await byId(other, memory_id), other.principal).toEqual(hidden);
    }
  });

  it('session: it is found in the work session or MCP session in which it was saved', async () => {
    const [one, two] = await Promise.all(
      ['one', 'two'].map(async (name): Promise<Caller> => {
        const { session } = await stack.ok<{ session: { session_id: string } }>(ann, 'system.session.open', { name });
        return { ...ann, access: await stack.services.governance.policies.accessOf(ann, session.session_id) };
      }),
    );
    const { memory_id } = await save(one!, 'The failing shard is number four.', { scope: 'session' });
    expect((await search(one!, 'failing shard'))[0]).toMatchObject({ memory_id, scope: 'session' });
    for (const other of [ann, two!, bob]) expect(idsOf(await search(other, 'failing shard'))).not.toContain(memory_id);
    const [found] = await list(one!, { scope: 'session' });
    // Nothing tells when a session is over for good.
    expect(Date.parse(found!.expires_at!) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);

    const mcp = { ...ann, mcpSession: 'abc' };
    const other = await save(mcp, 'The failing shard is number five.', { scope: 'session' });
    expect(idsOf(await search(mcp, 'failing shard', { scope: 'session' }))).toEqual([other.memory_id]);
    // Whoever names the session of another key has another session.
    for (const stranger of [
      { ...bob, mcpSession: 'abc' },
      { ...bob, access: one!.access! },
    ]) {
      expect(idsOf(await search(stranger, 'failing shard'))).toEqual([]);
    }
    const none = await stack.call(ann, 'memory.record.save', { content: 'x', category: 'decision', scope: 'session' });
    expect(none.error).toMatchObject({ code: 'VALIDATION_ERROR', hint: expect.stringContaining('system.session.open') });
  });

  it('of the key of a run: the agent of its runner, and the run as its session', async () => {
    const { memories } = stack.services.knowledge;
    const opened = async (id: string, of: Caller): Promise<Caller> => {
      await asTenant('acme', () =>
        stack.db.query(
          `insert into work_runs (tenant_id, id, task_id, phase_id, fencing_token, attempt, agent, worker, principal, line, host, merge)
           values ('acme', $1, $1, 1, 1, 1, 'claude', 'w', 'runner', $2, 'h', 'none')`,
          [id, lineOf(of)],
        ),
      );
      return { ...(await stack.caller({ name: `claude/${id}`, role: 'agent' })), run: id };
    };
    const [first, second, strange] = [await opened('run_1', ann), await opened('run_2', ann), await opened('run_3', bob)];
    // The services, because the pipeline refuses a run that holds no task.
    const keep = (caller: Caller, content: string, scope: MemoryScope) =>
      asTenant('acme', () => memories.save(caller, { content, category: 'decision', scope }));
    const found = (caller: Caller) => asTenant('acme', async () => idsOf((await memories.search(caller, 'gnu', { limit: 10 })).memories));
    const kept = await keep(first, 'The gnu runs the migration twice.', 'agent');
    const passing = await keep(first, 'The gnu is on step three.', 'session');
    expect(await found(first)).toEqual([kept.memory_id, passing.memory_id].sort());
    expect(await found(second)).toEqual([kept.memory_id]);
    expect(await found(named(ann, 'claude'))).toContain(kept.memory_id);
    // The name that a run's agent sends changes nothing.
    expect(await found(named(second, 'boss'))).toEqual([kept.memory_id]);
    expect(await found(strange)).toEqual([]);
    await expect(keep(first, 'x', 'user')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('team: everybody finds it beside their own, in one ranking', async () => {
    const cat = await stack.caller({ name: 'cat', kind: 'human' });
    const team = await save(cat, 'Invoices are numbered by the ibis service.');
    const own = await save(cat, 'The ibis service is slow on my laptop.', { scope: 'user' });
    const far = await save(cat, 'Lunch is at noon.', { scope: 'user' });
    const found = await search(cat, 'who numbers invoices: the ibis service');
    expect(found[0]!.memory_id).toBe(team.memory_id);
    expect(found.map((memory) => memory.memory_id)).toContain(own.memory_id);
    const lunch = found.find((memory) => memory.memory_id === far.memory_id);
    expect(lunch?.score ?? 0).toBeLessThan(found[0]!.score / 2);
    for (const { score } of found) expect(score).toBeLessThanOrEqual(1);
    expect((await search(cat, 'slow laptop'))[0]!.memory_id).toBe(own.memory_id);
    expect(idsOf(await search(cat, 'ibis service', { scope: 'team' }))).not.toContain(own.memory_id);
    expect(idsOf(await search(cat, 'ibis', { scope: 'user' }))).not.toContain(team.memory_id);
    expect((await search(bob, 'ibis service')).map((memory) => memory.memory_id)).toContain(team.memory_id);
    // The aliases know no scopes: what they save is the team's.
    const { memory_id } = await stack.ok<Saved>(cat, 'save_memory', { content: 'The ibis is a bird.', category: 'pattern', scope: 'user' });
    expect(await search(bob, 'ibis bird', { category: 'pattern' })).toEqual([expect.objectContaining({ memory_id, scope: 'team' })]);
  });

  it('is part of what a memory is: the same content may be saved in each', async () => {
    const content = 'We review on Mondays.';
    const saved = [
      await save(ann, content),
      await save(ann, content, { scope: 'user' }),
      await save(bob, content, { scope: 'user' }),
      await save(ann, content, { scope: 'agent' }),
    ];
    expect(new Set(idsOf(saved)).size).toBe(4);
    expect(saved.map(({ status }) => status)).toEqual(['saved', 'saved', 'saved', 'saved']);
    expect((await save(bob, content, { scope: 'user' })).status).toBe('exists');
    const both = (await search(ann, 'review Mondays')).filter((memory) => memory.content === content);
    expect(both.map(({ scope }) => scope).sort()).toEqual(['agent', 'team', 'user']);
    // Neither does a private memory replace one of the team.
    const wrong = await stack.call(ann, 'memory.record.save', {
      content: 'We review on Fridays.',
      category: 'decision',
      scope: 'user',
      supersedes: saved[0]!.memory_id,
    });
    expect(wrong.error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await search(bob, 'review Fridays', { scope: 'team' })).not.toContainEqual(
      expect.objectContaining({ content: 'We review on Fridays.' }),
    );
  });

  it("stays its tenant's", async () => {
    const gil = await stack.caller({ tenant: 'globex', name: 'ann', kind: 'human' });
    const { memory_id } = await save(ann, 'The caracal is mine.', { scope: 'user' });
    // A forged caller of another tenant with the same key line.
    for (const other of [gil, { ...ann, tenant: 'globex' }]) {
      expect(await search(other, 'caracal')).toEqual([]);
      expect(await byId(other, memory_id)).toEqual(hidden);
    }
  });
});

describe('a private memory', () => {
  const word = 'quagga';
  let id: string;
  beforeAll(async () => {
    await save(ann, 'The team has a zebra.');
    ({ memory_id: id } = await save(ann, `My ${word} is called Lotte.`, {
      scope: 'user',
      tags: [`${word}tag`],
      metadata: { note: `${word}meta` },
    }));
    // Also as a former version.
    ({ memory_id: id } = await stack.ok<Saved>(ann, 'memory.record.update', { memory_id: id, content: `My ${word} is called Emil.` }));
  });

  it('is found by its owner', async () => {
    expect((await search(ann, word))[0]!.memory_id).toBe(id);
  });

  it('stands in no table but that of memories, so nothing that reads or copies others can have it', async () => {
    const tables = await stack.db.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and has_table_privilege(c.oid, 'select')`,
    );
    expect(tables.length).toBeGreaterThan(80);
    const holding: string[] = [];
    for (const { name } of tables) {
      const found = await asTenant('acme', () => stack.db.query(`select 1 from "${name}" t where t::text ilike $1 limit 1`, [`%${word}%`]));
      if (found.length > 0) holding.push(name);
    }
    expect(holding).toEqual(['memories']);
    // Neither does its id: who follows events learns of no private memory.
    const told = await asTenant('acme', () =>
      stack.db.query('select 1 from outbox where subject = $1 or data::text like $2', [id, `%${id}%`]),
    );
    expect(told).toEqual([]);
  });

  it('is not found, listed or read as knowledge, not even by its owner', async () => {
    for (const reader of [ann, bob]) {
      const { hits } = await stack.ok<{ hits: SearchHit[] }>(reader, 'index.chunk.search', { query: `${word} Emil Lotte` });
      expect(JSON.stringify(hits)).not.toContain(word);
      const { sources } = await stack.ok<{ sources: Source[] }>(reader, 'knowledge.source.list', { limit: 100 });
      expect(sources).toEqual([]);
      for (const [tool, args] of [
        ['knowledge.source.get', { source_id: id }],
        ['knowledge.source.delete', { source_id: id }],
        ['knowledge.document.get', { document_id: id }],
        ['document.content.classify', { document_id: id }],
        ['document.table.extract', { document_id: id }],
      ] as const) {
        const answer = await stack.call(reader, tool, args);
        expect(answer.error, tool).toMatchObject({ code: 'NOT_FOUND' });
      }
      expect((await stack.call(reader, 'index.chunk.search', { query: word, filters: { kb_id: '_memories' } })).error).toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    }
  });

  it("is not in another's answer to the same question, whoever asks first", async () => {
    for (const order of [
      [ann, bob],
      [bob, ann],
    ]) {
      for (const asks of order) {
        const found = await search(asks, `what is the name of the ${word}`);
        expect(JSON.stringify(found).includes(word), asks.principal).toBe(asks === ann);
      }
    }
    // The words of a private memory do not even weigh in the rank of others' answers.
    const before = await search(bob, 'zebra of the team');
    await save(ann, 'A zebra, a zebra, a team of zebras.', { scope: 'user' });
    expect(await search(bob, 'zebra of the team')).toEqual(before);
  });

  it('is in no export', async () => {
    const lines = await asTenant('acme', () =>
      atOneMoment(stack.db, async (query) => {
        const found: string[] = [];
        for (const table of await openTables(
          query,
          'acme',
          contentsOf('full_backup'),
          { from: null, to: null },
          AbortSignal.timeout(60_000),
        ))
          for await (const slice of table.slices()) found.push(...slice);
        return found;
      }),
    );
    expect(lines.some((line) => line.includes('The team has a zebra.'))).toBe(true);
    expect(lines.filter((line) => line.includes(word))).toEqual([]);
  });

  it('is erased with its former versions when its owner deletes it', async () => {
    await stack.ok(ann, 'memory.record.delete', { memory_id: id });
    expect(await asTenant('acme', () => stack.db.query('select 1 from memories where content like $1', [`%${word}%`]))).toEqual([]);
  });
});
