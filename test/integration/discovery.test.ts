import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { fileVectorMemory } from '../../adapters/models/memory.ts';
import type { Caller } from '../../contracts/caller.ts';
import { ToolDirectory } from '../../tools/directory.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

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

  it('by meaning, where a model is at hand', async ({ skip }) => {
    if (inject('servers').modelDir === null) return skip('no embedding model');
    expect(await search('somebody needs to tell me what job comes next')).toContain('work.task.claim');
    expect(await search('upload the minutes of a conversation')).toContain('ingest.transcript.submit');
  });

  it('only as far as the key may call them', async () => {
    const reader = await stack.caller({ role: 'readonly', name: 'reader' });
    expect(await search('claim a task', 20, reader)).not.toContain('work.task.claim');
  });

  it('without embedding their descriptions anew after a restart', async ({ skip }) => {
    if (!stack.embedder) return skip('no embedding model');
    let embedded = 0;
    const { embedder } = stack;
    const counting: typeof embedder = {
      id: embedder.id,
      dimensions: embedder.dimensions,
      close: () => embedder.close(),
      embed: (texts, options) => {
        embedded += texts.length;
        return embedder.embed(texts, options);
      },
    };
    const memory = fileVectorMemory(`${stack.config.SIGNALBOX_DATA_DIR}/cache`);
    const make = () => new ToolDirectory(stack.pipeline.catalogue, new Map(), counting, memory);
    const first = await make().search(caller, 'claim a task', 3);
    const cost = embedded;
    embedded = 0;
    expect(await make().search(caller, 'claim a task', 3)).toEqual(first);
    expect(cost).toBeGreaterThan(50);
    expect(embedded).toBe(1);
  });
});
