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
import { readIntents } from '../../eval/tools.ts';

const open = fileURLToPath(new URL('../../../shared/data/7-tools/intents.jsonl', import.meta.url));
const catalogue = new Catalogue(tools);
const caller = testCaller('finder', { role: 'admin', principalKind: 'human' });

describe('intents', () => {
  const fileOf = (text: string): string => {
    const file = join(mkdtempSync(join(tmpdir(), 'intents-')), 'intents.jsonl');
    writeFileSync(file, text);
    return file;
  };

  it('are read a line at a time, and a bad line is named', () => {
    const good = '{"intent": "what is next", "tools": ["work.task.claim"]}\n\n';
    expect(readIntents(fileOf(good))).toEqual([{ intent: 'what is next', tools: ['work.task.claim'] }]);
    expect(() => readIntents(fileOf(`${good}{"intent": "x", "tools": []}\n`))).toThrow(/:3: /);
  });
});

describe('of the open intents', () => {
  it('nearly all find a right tool among the first five', { timeout: 180_000 }, async ({ skip }) => {
    const { modelDir } = inject('servers');
    if (!existsSync(open)) return skip('no open intents beside the project');
    if (modelDir === null) return skip('no embedding model');
    const embedder = createLocalEmbedder({ dir: modelDir });
    try {
      const directory = new ToolDirectory(catalogue, new Map(), embedder);
      await directory.warmUp();
      const wanted = readIntents(open).filter((each) => each.tools.some((name) => catalogue.find(name)));
      let found = 0;
      for (const each of wanted) {
        const hits = await directory.search(caller, each.intent, 5);
        if (hits.some(({ tool }) => each.tools.includes(tool.name))) found += 1;
      }
      expect(wanted.length).toBeGreaterThan(20);
      expect(found / wanted.length).toBeGreaterThanOrEqual(0.9);
    } finally {
      await embedder.close();
    }
  });
});
