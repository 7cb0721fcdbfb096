import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { readModelFacts } from './model-facts.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

function folderOf(files: Record<string, unknown>): string {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-facts-'));
  folders.push(dir);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return dir;
}

const usual = { dimensions: 384, pooling: 'cls', queryPrefix: '', passagePrefix: '', maxTokens: 512 };
const published = {
  'config.json': { hidden_size: 1024 },
  '1_Pooling/config.json': { word_embedding_dimension: 768, pooling_mode_cls_token: false, pooling_mode_mean_tokens: true },
  'sentence_bert_config.json': { max_seq_length: 128 },
  'config_sentence_transformers.json': { prompts: { query: 'query: ', document: 'passage: ' } },
};

it.each([
  [{}, {}, usual],
  [{ 'config.json': { hidden_size: 1024 } }, {}, { ...usual, dimensions: 1024 }],
  [published, {}, { dimensions: 768, pooling: 'mean', queryPrefix: 'query: ', passagePrefix: 'passage: ', maxTokens: 128 }],
  [
    published,
    { dimensions: 256, queryPrefix: '', pooling: 'last' as const },
    { dimensions: 256, pooling: 'last', queryPrefix: '', passagePrefix: 'passage: ', maxTokens: 128 },
  ],
  [
    { 'sentence_bert_config.json': { max_seq_length: 8192 }, '1_Pooling/config.json': { pooling_mode: 'lasttoken' } },
    {},
    { ...usual, pooling: 'last' },
  ],
])('reads %o with %o', (files, given, expected) => {
  expect(readModelFacts(folderOf(files), given)).toEqual(expected);
});

it('names the file that is no JSON', () => {
  expect(() => readModelFacts(folderOf({ 'config.json': '{' }))).toThrow('config.json');
});
