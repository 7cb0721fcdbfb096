/**
 * How good the product is on judged data, through its real services:
 *   npm run eval -- retrieval DIR [--split test] [--json]   corpus.jsonl, queries.jsonl, qrels
 *   npm run eval -- multihop FILE [--json]                  HotpotQA or MuSiQue as jsonl; paragraphs pooled
 *   npm run eval -- memory FILE [--size N] [--json]         evidence recall of all ways of searching: the same files, and
 *                                                           conversations in LoCoMo's layout; N: characters of a passage
 *   npm run eval -- extraction FILE [--split even|odd]      features found in app reviews (Sentence content, Feature (All Annotated))
 *   npm run eval -- er --left A.csv --right B.csv --matches M.csv | --table T.csv (--links L.csv | --truth COLUMN) |
 *                       --pairs P.txt [--encoding latin1] [--json]   record linkage; labels are used for scoring only
 *   npm run eval -- tools FILE [--json]                     whether the search finds the right tool, and what tools cost in tokens
 *   npm run eval -- reports [--json]                       whether generated text is supported by what it cites
 *   npm run eval -- evidence DIR [DIR...] [--only FILE] [--show] [--json] [--out FILE | --found FILE] [--reports OUT]
 *                           [--by folder] [--offline [--dump]]
 *                           customer statements, names and report facts of a gold corpus (files/, gold.json), handed in as files
 *                           without metadata. --offline: only parsers and rules, within seconds; --show: what is missed and wrong;
 *                           --dump: every unit and statement; --by folder: handed in as one folder instead of file by file
 *   npm run eval -- signals [DIR]                           trained on customers' own labels (eval/labels, and the open sentences in
 *                                                           DIR), beside TF-IDF with logistic regression in the same run
 *   npm run eval -- signals --data F.csv --text COL[,COL] --label COL [--folds 5] [--group COL] [--json]
 *                           | --train A.csv --test B.csv …  macro-F1 of the offline classifier. A label column with many values or
 *                           none is "filled or empty" (--filled says so); of several columns (--label A,B,C) the one that is filled
 *                           is the label, rows with none or several are left out; --shipped learns nothing: the classifier as shipped.
 *                           App-review sentences, FILE=dabrowski_opinion_sentences_open.csv, --text "Sentence content":
 *                             mentions a feature   --data FILE --label "Feature (All Annotated)"
 *                             polarity             --data FILE --label "Feature (Positive),Feature (Neutral),Feature (Negative)"
 *                             polarity, untrained  the same with --shipped
 *   npm run eval -- feeds DIR [--json]                      what is read of a folder of feeds that say what they expect
 *   npm run eval -- files DIR [--json]                      what the parsers make of a folder
 *   npm run eval -- pages DIR [--json]                      web pages read as articles, beside what Readability expects
 */
import { parseArgs } from 'node:util';
import type { Collection } from './datasets.ts';
import type { Product } from './product.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    split: { type: 'string' },
    left: { type: 'string' },
    right: { type: 'string' },
    matches: { type: 'string' },
    table: { type: 'string' },
    links: { type: 'string' },
    truth: { type: 'string' },
    pairs: { type: 'string' },
    encoding: { type: 'string' },
    data: { type: 'string' },
    train: { type: 'string' },
    test: { type: 'string' },
    text: { type: 'string' },
    label: { type: 'string' },
    folds: { type: 'string' },
    group: { type: 'string' },
    shipped: { type: 'boolean' },
    filled: { type: 'boolean' },
    only: { type: 'string' },
    show: { type: 'boolean' },
    offline: { type: 'boolean' },
    dump: { type: 'boolean' },
    by: { type: 'string' },
    reports: { type: 'string' },
    found: { type: 'string' },
    size: { type: 'string' },
    out: { type: 'string' },
  },
});
const [what, path] = positionals;
const say = (line: string): void => console.error(`  ${line}`);

/** Starts the whole product, lets `work` measure it and prints what that tells. */
async function measured<R>(work: (product: Product) => Promise<R>, tableOf: (report: R) => string): Promise<void> {
  const { startProduct } = await import('./product.ts');
  say('starting the stack');
  const product = await startProduct(say);
  try {
    const report = await work(product);
    console.log(values.json ? JSON.stringify(report, null, 2) : tableOf(report));
    if (!product.model) say('No embedding model could be had: searched by words alone.');
  } finally {
    await product.remove();
  }
}

async function retrieval(read: (path: string) => Promise<Collection>): Promise<void> {
  const collection = await read(path!);
  const { evalRetrieval, tableOf } = await import('./retrieval.ts');
  await measured((product) => evalRetrieval(collection, product, say), tableOf);
}

async function memory(): Promise<void> {
  const { evalMemory, memoryTableOf, readMemory } = await import('./memory.ts');
  const collection = readMemory(path!);
  const size = values.size === undefined ? undefined : Number(values.size);
  await measured((product) => evalMemory(collection, product, say, size), memoryTableOf);
}

async function extraction(): Promise<void> {
  const { extractionTableOf, readMarked, scoreFeatures } = await import('./extraction.ts');
  const half = values.split === 'even' || values.split === 'odd' ? values.split : 'all';
  const report = scoreFeatures(readMarked(path!, half));
  console.log(values.json ? JSON.stringify(report, null, 2) : extractionTableOf(report));
}

async function er(): Promise<void> {
  const { erTableOf, evalEr } = await import('./er.ts');
  const report = evalEr(values);
  console.log(values.json ? JSON.stringify(report, null, 2) : erTableOf(report));
}

async function tools(): Promise<void> {
  const { evalTools, toolsTableOf } = await import('./tools.ts');
  const { readAsked } = await import('./tool-search.ts');
  const asked = readAsked(path!);
  await measured((product) => evalTools(asked, product, say), toolsTableOf);
}

async function reports(): Promise<void> {
  const { evalReports, reportsTableOf } = await import('./reports.ts');
  await measured((product) => evalReports(product, say), reportsTableOf);
}

async function feeds(): Promise<void> {
  const { evalFeeds, feedsTableOf } = await import('./feeds.ts');
  const report = await evalFeeds(path!);
  console.log(values.json ? JSON.stringify(report, null, 2) : feedsTableOf(report));
}

async function signals(): Promise<void> {
  const { evalSignals, localEmbedder, signalsTableOf } = await import('./signals.ts');
  const { evalSets, setsTableOf } = await import('./signals-sets.ts');
  const embedder = await localEmbedder();
  try {
    if (values.data === undefined && values.train === undefined && values.test === undefined) {
      const sets = await evalSets(path, embedder, say);
      console.log(values.json ? JSON.stringify(sets, null, 2) : setsTableOf(sets));
      return;
    }
    const report = await evalSignals(values, embedder, say);
    console.log(values.json ? JSON.stringify(report, null, 2) : signalsTableOf(report));
  } finally {
    await embedder?.close();
  }
}

const kinds: Record<string, () => Promise<void>> = {
  retrieval: () => retrieval(async (dir) => (await import('./datasets.ts')).readCollection(dir, values.split)),
  multihop: () => retrieval(async (file) => (await import('./datasets.ts')).readMultihop(file)),
  memory,
  tools,
  reports,
  extraction,
  er,
  signals,
  evidence: async () => (await import('./evidence-run.ts')).evalEvidence(positionals.slice(1), values, say),
  feeds,
  files: async () => void (await (await import('./files.ts')).evalFiles(path!, { json: values.json })),
  pages: async () => void (await (await import('./pages.ts')).evalPages(path!, { json: values.json })),
};

const kind = kinds[what ?? ''];
if (!kind || (path === undefined && what !== 'er' && what !== 'reports' && what !== 'signals')) {
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
