/**
 * How good the product is on judged data, through its real services:
 *   npm run eval -- retrieval DIR [--split test] [--json]   corpus.jsonl, queries.jsonl, qrels
 *   npm run eval -- multihop FILE [--json]                  HotpotQA or MuSiQue as jsonl; paragraphs pooled
 *   npm run eval -- files DIR [--json]                      what the parsers make of a folder
 */
import { parseArgs } from 'node:util';
import type { Collection } from './datasets.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, split: { type: 'string' } },
});
const [what, path] = positionals;
const say = (line: string): void => console.error(`  ${line}`);

async function retrieval(read: (path: string) => Promise<Collection>): Promise<void> {
  const collection = await read(path!);
  const [{ startProduct }, { evalRetrieval, tableOf }] = await Promise.all([import('./product.ts'), import('./retrieval.ts')]);
  say('starting the stack');
  const product = await startProduct(say);
  try {
    const report = await evalRetrieval(collection, product, say);
    console.log(values.json ? JSON.stringify(report, null, 2) : tableOf(report));
    if (!product.model) say('No embedding model could be had: searched by words alone.');
  } finally {
    await product.remove();
  }
}

const kinds: Record<string, () => Promise<void>> = {
  retrieval: () => retrieval(async (dir) => (await import('./datasets.ts')).readCollection(dir, values.split)),
  multihop: () => retrieval(async (file) => (await import('./datasets.ts')).readMultihop(file)),
  files: async () => void (await (await import('./files.ts')).evalFiles(path!, { json: values.json })),
};

const kind = kinds[what ?? ''];
if (!kind || path === undefined) {
  console.error(`Usage: npm run eval -- (${Object.keys(kinds).join(' | ')}) PATH [--json]`);
  process.exit(2);
}
try {
  await kind();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
process.exit();
