/** Documents read, their tables, their kind; artifacts as what is read or ingested. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { IngestAnswer } from '../../contracts/knowledge/knowledge.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  stack = await testStack();
  pm = await stack.caller({ name: 'pm' });
});
afterAll(() => stack?.stop());

const file = (name: string, content: string): string => {
  const path = join(stack.config.INGEST_ROOTS[0]!, name);
  writeFileSync(path, content);
  return path;
};

interface ParsedAnswer {
  document_id: string;
  sections: { title: string; level: number }[];
  text_ref: string;
  table_count: number;
}

const prices =
  '# Prices\n\nWhat it costs.\n\n| Plan | Price |\n| --- | --- |\n| Team | 10 |\n| Company | 90 |\n\n## Terms\n\nPaid yearly.\n';

it('are read without being indexed, and give their outline, text and tables', async () => {
  const read = await stack.ok<ParsedAnswer>(pm, 'document.parse', { file_path: file('prices.md', prices) });
  expect(read.sections).toMatchObject([
    { title: 'Prices', level: 1 },
    { title: 'Terms', level: 2 },
  ]);
  const artifact = await asTenant(pm.tenant, () => stack.services.substrate.artifacts.text(pm.tenant, read.text_ref));
  expect(artifact.content).toContain('Paid yearly.');
  const { tables } = await stack.ok<{ tables: { rows: string[][] }[] }>(pm, 'document.extract_tables', { document_id: read.document_id });
  expect(tables).toHaveLength(read.table_count);
  expect(tables[0]!.rows).toContainEqual(['Team', '10']);
  const { hits } = await stack.ok<{ hits: unknown[] }>(pm, 'index.chunk.search', { query: 'price of the team plan' });
  expect(hits).toEqual([]);
  const sources = await stack.ok<{ sources: unknown[] }>(pm, 'knowledge.source.list', {});
  expect(sources.sources).toEqual([]);
  // Once more: the same document, read once.
  expect((await stack.ok<ParsedAnswer>(pm, 'document.content.parse', { file_path: file('prices.md', prices) })).document_id).toBe(
    read.document_id,
  );
});

it('are classified by meaning, with labels of the caller or the usual ones', async (context) => {
  if (!stack.embedder) return context.skip();
  const talk =
    'WEBVTT\n\n00:01.000 --> 00:04.000\n<v Ann>Let us go through the sprint board, one by one.\n\n00:05.000 --> 00:09.000\n<v Bob>I finished the export, next I take the crash.\n';
  const { document_id } = await stack.ok<ParsedAnswer>(pm, 'document.content.parse', { file_path: file('standup.vtt', talk) });
  expect(await stack.ok(pm, 'document.classify', { document_id })).toMatchObject({ label: 'meeting_transcript' });
  const own = await stack.ok<{ label: string; confidence: number; alternatives: { confidence: number }[] }>(
    pm,
    'document.content.classify',
    {
      document_id,
      labels: ['cooking recipe', 'software team meeting', 'weather forecast'],
    },
  );
  expect(own.label).toBe('software team meeting');
  expect(own.confidence + own.alternatives.reduce((sum, each) => sum + each.confidence, 0)).toBeCloseTo(1, 2);
});

it('come from artifacts, too, and only of the own tenant', async () => {
  const { sha256 } = await stack.ok<{ sha256: string }>(pm, 'substrate.artifact.upload', {
    content: prices,
    media_type: 'text/markdown',
    filename: 'prices.md',
  });
  const read = await stack.ok<ParsedAnswer>(pm, 'document.parse', { artifact_sha256: sha256 });
  expect(read.sections[0]).toMatchObject({ title: 'Prices' });
  const made = await stack.ok<IngestAnswer>(pm, 'index.ingest', { source: { kind: 'artifact', sha256 }, kb_id: 'artifacts' });
  expect(made).toMatchObject({ status: 'completed' });
  const { tables } = await stack.ok<{ tables: { rows: string[][] }[] }>(pm, 'document.table.extract', { document_id: made.document_id });
  expect(tables[0]!.rows).toContainEqual(['Company', '90']);
  const other = await stack.caller({ tenant: 'globex', name: 'other' });
  expect((await stack.call(other, 'document.parse', { artifact_sha256: sha256 })).error).toMatchObject({ code: 'NOT_FOUND' });
  expect((await stack.call(other, 'document.extract_tables', { document_id: read.document_id })).error).toMatchObject({
    code: 'NOT_FOUND',
  });
  expect((await stack.call(other, 'document.classify', { document_id: read.document_id })).error).toMatchObject({ code: 'NOT_FOUND' });
});
