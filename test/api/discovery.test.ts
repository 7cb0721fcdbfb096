import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { fileVectorMemory } from '../../adapters/models/memory.ts';
import type { Caller } from '../../contracts/caller.ts';
import { Catalogue } from '../../tools/catalogue/catalogue.ts';
import { ToolDirectory } from '../../tools/catalogue/directory.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let caller: Caller;
beforeAll(async () => {
  stack = await testStack({ workers: false });
  caller = await stack.caller({ name: 'finder' });
});
afterAll(() => stack?.stop());

const search = async (query: string, limit = 5, who = caller): Promise<string[]> =>
  (await stack.ok<{ tools: { name: string }[] }>(who, 'system.tool.search', { query, limit })).tools.map((tool) => tool.name);

describe('tools are found', () => {
  it('by words, by old names and by what they do', async () => {
    expect((await search('claim a task'))[0]).toBe('work.task.claim');
    expect(await search('get_kanban_board')).toContain('work.board.get');
    expect(await search('audit trail')).toContain('system.ledger.search');
  });

  it('by meaning, where a model is at hand', { timeout: 120_000 }, async ({ skip }) => {
    if (inject('servers').modelDir === null) return skip('no embedding model');
    // Loading the model takes a moment; until then, searches use words only.
    const query = 'somebody needs to tell me what job comes next';
    await eventually('found', async () => (await search(query)).includes('work.task.claim'), 90_000);
    expect(await search('upload the minutes of a conversation')).toContain('ingest.transcript.submit');
  });

  it('by the kind of record that a bare id names', async () => {
    expect((await search('task_01jd3f8k2m9x4v7qn5ra'))[0]).toBe('work.task.get');
    expect(await search('what about apr_01jd3f8k2m9x4v7qn5ra')).toContain('approval.request.get');
  });

  it('for each step of a story, of up to 4,000 characters', async () => {
    const query = 'Claim the next task, save a memory about it, then search the ledger.';
    const { tools, steps } = await stack.ok<{ tools: { name: string }[]; steps: { step: string; tools: string[] }[] }>(
      caller,
      'system.tool.search',
      { query, limit: 5 },
    );
    expect(tools).toHaveLength(5);
    expect(steps.map(({ step }) => step)).toEqual(['Claim the next task', 'save a memory about it', 'search the ledger']);
    for (const [i, wanted] of ['work.task.claim', 'memory.record.save', 'system.ledger.search'].entries()) {
      expect(steps[i]!.tools).toContain(wanted);
      expect(tools.map(({ name }) => name)).toContain(wanted);
    }
    expect(await stack.ok(caller, 'system.tool.search', { query: 'claim a task' })).not.toHaveProperty('steps');
    expect(await search(`claim a task. ${'It is about the export of files. '.repeat(120)}`.slice(0, 4_000))).toHaveLength(5);
  });

  it('only as far as the key may call them', async () => {
    const reader = await stack.caller({ role: 'readonly', name: 'reader' });
    expect(await search('claim a task', 20, reader)).not.toContain('work.task.claim');
  });

  it('by the kind of record that a bare id names, by words alone', async () => {
    const alone = new ToolDirectory(stack.pipeline.catalogue, new Map(), null);
    const first = async (query: string) => (await alone.search(caller, query, 3)).found[0]?.tool.name;
    expect(await first('task_01jd3f8k2m9x4v7qn5ra')).toBe('work.task.get');
    expect(await first('key_01jd3f8k2m9x4v7qn5ra')).toBe('access.key.list');
    const agent = await stack.caller({ role: 'readonly', name: 'reads alone' });
    expect((await alone.search(agent, 'key_01jd3f8k2m9x4v7qn5ra', 3)).found.map(({ tool }) => tool.name)).not.toContain('access.key.list');
  });

  it('with another model without embedding their descriptions anew after a restart', { timeout: 180_000 }, async ({ skip }) => {
    if (!stack.embedder) return skip('no embedding model');
    let embedded = 0;
    const { embedder } = stack;
    const counting: typeof embedder = {
      // For the usual model, what was learned is shipped.
      id: 'another',
      dimensions: embedder.dimensions,
      close: () => embedder.close(),
      embed: (texts, options) => {
        embedded += texts.length;
        return embedder.embed(texts, options);
      },
    };
    const memory = fileVectorMemory(`${stack.config.SIGNALBOX_DATA_DIR}/cache`);
    // A few tools are enough, because each of their some 20 texts takes time.
    const some = new Catalogue(stack.pipeline.catalogue.tools.filter((tool) => tool.name.startsWith('work.template.')));
    const make = () => new ToolDirectory(some, new Map(), counting, memory);
    const before = make();
    await before.warmUp();
    const cost = embedded;
    embedded = 0;
    const after = make();
    await after.warmUp();
    expect(embedded).toBe(0);
    expect(cost).toBeGreaterThan(some.tools.length);
    expect(await after.search(caller, 'reuse a ticket', 3)).toEqual(await before.search(caller, 'reuse a ticket', 3));
    expect(embedded).toBe(2);
  });
});
