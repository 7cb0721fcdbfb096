import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, it } from 'vitest';
import { createLocalEmbedder } from '../../adapters/models/embedder.ts';
import { testCaller } from '../../api/testing.ts';
import { Catalogue } from '../../tools/catalogue/catalogue.ts';
import { ToolDirectory } from '../../tools/catalogue/directory.ts';
import { tools } from '../../tools/index.ts';
import { judgeSearch, readAsked, sharedMemory } from '../../eval/tool-search.ts';

const open = fileURLToPath(new URL('../../../shared/data/7-tools/intents.jsonl', import.meta.url));
const blind = fileURLToPath(new URL('../../eval/labels/tool-intents-blind.jsonl', import.meta.url));
const catalogue = new Catalogue(tools);
const caller = testCaller('finder', { role: 'admin', principalKind: 'human' });

describe('intents', () => {
  const fileOf = (text: string): string => {
    const file = join(mkdtempSync(join(tmpdir(), 'intents-')), 'intents.jsonl');
    writeFileSync(file, text);
    return file;
  };

  it('and stories are read a line at a time, and a bad line is named', () => {
    const good =
      '{"intent": "what is next", "tools": ["work.task.claim"]}\n\n{"story": "take it, end it", "steps": [["work.task.claim"]]}\n';
    expect(readAsked(fileOf(good))).toEqual({
      intents: [{ intent: 'what is next', tools: ['work.task.claim'], set: 'all' }],
      stories: [{ story: 'take it, end it', steps: [['work.task.claim']] }],
    });
    expect(() => readAsked(fileOf(`${good}{"intent": "x", "tools": []}\n`))).toThrow(/:4: /);
  });

  it('are judged by set, and stories by their steps; what held sets miss is not told', async () => {
    const directory = new ToolDirectory(catalogue, new Map(), null);
    const asked = {
      intents: [
        { intent: 'claim the next task', tools: ['work.task.claim'], set: 'a' },
        { intent: 'xyzzy', tools: ['work.task.claim'], set: 'b' },
        { intent: 'claim the next task', tools: ['no.such.tool'], set: 'b' },
        { intent: 'plugh', tools: ['work.task.claim'], set: 'held' },
      ],
      stories: [
        { story: 'Claim the next task, then save a memory.', steps: [['work.task.claim'], ['memory.record.save'], ['no.such.tool']] },
      ],
    };
    const { recalled, covered, unknown, missed } = await judgeSearch(asked, directory, { embedder: null, caller, memory: sharedMemory() });
    expect(recalled).toEqual(
      ['search', 'words alone'].flatMap((way) => [
        { name: `a: ${way}`, intents: 1, 'recall@1': 1, 'recall@5': 1 },
        { name: `b: ${way}`, intents: 1, 'recall@1': 0, 'recall@5': 0 },
        { name: `held: ${way}`, intents: 1, 'recall@1': 0, 'recall@5': 0 },
      ]),
    );
    expect(covered).toMatchObject({ stories: 1, steps: 3 });
    expect(covered!.inSteps).toBeCloseTo(2 / 3);
    expect(unknown).toEqual(['no.such.tool']);
    expect(missed.map(({ intent }) => intent)).toEqual(['xyzzy']);
  });
});

describe('nearly all judged intents', () => {
  it('find a right tool among the first five, and more do than by words alone', { timeout: 600_000 }, async ({ skip }) => {
    const { modelDir } = inject('servers');
    if (modelDir === null) return skip('no embedding model');
    const embedder = createLocalEmbedder({ dir: modelDir });
    try {
      const memory = sharedMemory();
      const directory = new ToolDirectory(catalogue, new Map(), embedder, memory);
      await directory.warmUp();
      const judged = readAsked(blind);
      // Of the sets beside the project there is none in a clone.
      const asked = existsSync(open)
        ? { ...judged, intents: [...judged.intents, ...readAsked(open).intents.map((each) => ({ ...each, set: 'open' }))] }
        : judged;
      const { recalled, covered } = await judgeSearch(asked, directory, { embedder, caller, memory });
      const recall = (name: string): number => recalled.find((each) => each.name === name)!['recall@5'];
      for (const set of new Set(asked.intents.map((each) => each.set))) {
        expect(recall(`${set}: search`), set).toBeGreaterThanOrEqual(0.9);
        expect(recall(`${set}: search`), set).toBeGreaterThan(recall(`${set}: words alone`));
      }
      expect(covered!.inSteps).toBeGreaterThanOrEqual(0.9);
    } finally {
      await embedder.close();
    }
  });
});
