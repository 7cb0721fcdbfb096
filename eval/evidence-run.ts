/** `npm run eval -- evidence`: reads each corpus, offline or with the whole product, and prints its scores. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { readGold, type Gold } from './evidence-gold.ts';
import type { Handing } from './evidence.ts';
import { factsTableOf, reportsText, showFacts, type FactsReport } from './evidence-facts.ts';
import { scoreEvidence, type Found, type FoundEntity } from './evidence-score.ts';
import { evidenceTableOf, showEvidence } from './evidence-table.ts';

export interface EvidenceOptions {
  json?: boolean | undefined;
  /** Scores this file alone. */
  only?: string | undefined;
  /** Also what was missed, wrongly found and wrongly labelled. */
  show?: boolean | undefined;
  offline?: boolean | undefined;
  /** "folder": the product is given the corpus as one folder; default: file by file. */
  by?: string | undefined;
  /** Offline: also all units and statements. */
  dump?: boolean | undefined;
  /** Scores this file of statements and reads nothing. */
  found?: string | undefined;
  /** Writes what was found there, in the format of `found`; for several corpora, with the corpus in the name. */
  out?: string | undefined;
  /** Writes all reports there, likewise. */
  reports?: string | undefined;
}

interface Read {
  found: Found[];
  entities: FoundEntity[];
  dump?: string;
  facts?: FactsReport;
}

export async function evalEvidence(dirs: readonly string[], options: EvidenceOptions, say: (line: string) => void): Promise<void> {
  const read = await readerOf(dirs, options, say);
  const scores: Record<string, unknown> = {};
  try {
    for (const dir of dirs) {
      const gold = readGold(dir);
      const { found, entities, dump, facts } = await read.corpus(dir, gold);
      const result = scoreEvidence(found, entities, gold, options.only);
      scores[basename(dir)] = facts ? { ...result, facts: { ...facts, reports: undefined } } : result;
      const own = (path: string | undefined): string | undefined =>
        dirs.length > 1 ? path?.replace(/(\.\w+)?$/, `-${basename(dir)}$1`) : path;
      const out = own(options.out);
      const reports = own(options.reports);
      if (out !== undefined) writeFileSync(out, JSON.stringify({ statements: found, entities }, null, 1));
      if (reports !== undefined && facts) writeFileSync(reports, reportsText(facts));
      if (options.json) continue;
      if (dump !== undefined) console.log(dump);
      console.log(`\n${basename(dir)}\n${evidenceTableOf(result)}`);
      if (facts) console.log(factsTableOf(facts));
      if (options.show) console.log([...showEvidence(found, gold, options.only), ...(facts ? showFacts(facts) : [])].join('\n'));
    }
  } finally {
    await read.close();
  }
  if (options.json) console.log(JSON.stringify(scores, null, 2));
}

interface Reader {
  corpus(dir: string, gold: Gold): Promise<Read>;
  close(): Promise<void>;
}

async function readerOf(dirs: readonly string[], options: EvidenceOptions, say: (line: string) => void): Promise<Reader> {
  if (options.found !== undefined) {
    const read = foundFile.parse(JSON.parse(readFileSync(options.found, 'utf8')));
    return { corpus: () => Promise.resolve(read), close: () => Promise.resolve() };
  }
  if (!options.offline) return await productReader(dirs, options.by === 'folder' ? 'folder' : 'files', say);
  const [{ readOffline }, { shippedJudge }, { localEmbedder }, { dumpOf }] = await Promise.all([
    import('./evidence-offline.ts'),
    import('./evidence-judge.ts'),
    import('./signals.ts'),
    import('./evidence-dump.ts'),
  ]);
  const embedder = await localEmbedder();
  if (!embedder) say('No embedding model: judged by words alone.');
  const { judge, vectorOf, keep } = shippedJudge(embedder);
  return {
    async corpus(dir) {
      const started = performance.now();
      const reading = await readOffline(dir, judge, vectorOf);
      say(`${basename(dir)}: read in ${Math.round(performance.now() - started)} ms`);
      return { found: reading.found, entities: reading.entities, ...(options.dump ? { dump: dumpOf(reading, options.only) } : {}) };
    },
    async close() {
      keep();
      await embedder?.close();
    },
  };
}

async function productReader(dirs: readonly string[], by: Handing, say: (line: string) => void): Promise<Reader> {
  const [{ handIn, startWith }, { evalFacts }] = await Promise.all([import('./evidence.ts'), import('./evidence-facts.ts')]);
  say('starting the stack');
  const stack = await startWith(dirs, say);
  return {
    async corpus(dir, gold) {
      const { found, entities, caller } = await handIn(stack, gold, dir, by, say);
      const facts = gold.report_facts.length > 0 ? await evalFacts(caller, gold, say) : undefined;
      await caller.close();
      return { found, entities, ...(facts ? { facts } : {}) };
    },
    close: () => stack.remove(),
  };
}

const word = z.string().nullish();
const foundStatement = z
  .object({
    file: z.string(),
    text: z.string(),
    class: word,
    severity: word,
    sentiment: word,
    customer: word,
    features: z.array(z.string()).default([]),
    competitors: z.array(z.string()).default([]),
    state: word,
    side: word,
    date: word,
    id: word,
    group: word,
    refersTo: word,
    refersAs: word,
  })
  .transform((each): Found => ({
    ...each,
    class: each.class ?? 'none',
    severity: each.severity ?? 'none',
    sentiment: each.sentiment ?? 'none',
    customer: each.customer ?? null,
    state: each.state ?? null,
    side: each.side ?? null,
    date: each.date ?? null,
    id: each.id ?? null,
    group: each.group ?? null,
    refersTo: each.refersTo ?? null,
    refersAs: each.refersAs ?? null,
  }));
const listed = z.object({ name: z.string(), type: z.string(), aliases: z.array(z.string()).default([]) });
/** As `score.py` takes it, or as `--out` writes it. */
const foundFile = z.union([
  z.array(foundStatement).transform((found) => ({ found, entities: [] })),
  z
    .object({ statements: z.array(foundStatement), entities: z.array(listed).default([]) })
    .transform(({ statements, entities }) => ({ found: statements, entities })),
]);
