/** Recall of `system.tool.search` on judged intents and stories, beside its words alone and its vectors alone. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Embedder } from '../adapters/models/embedder.ts';
import type { Caller } from '../contracts/caller.ts';
import { ToolDirectory, type VectorMemory } from '../tools/catalogue/directory.ts';
import { mean } from './metrics.ts';

/** An intent, and the tools that are right for it; `set` is reported on its own. */
const intent = z.object({ intent: z.string().min(1), tools: z.array(z.string()).min(1), set: z.string().default('all') });
/** Several steps told at once; for each step the tools that are right. */
const story = z.object({ story: z.string().min(1), steps: z.array(z.array(z.string()).min(1)).min(1) });
export type Intent = z.infer<typeof intent>;
type ToldStory = z.infer<typeof story>;

export interface Asked {
  intents: Intent[];
  stories: ToldStory[];
}

export interface Recalled {
  name: string;
  intents: number;
  'recall@1': number;
  'recall@5': number;
}

export interface Covered {
  stories: number;
  steps: number;
  /** Share of the steps with a right tool among the first five of all. */
  inTools: number;
  /** The same, or among the first five of a step. */
  inSteps: number;
}

export interface SearchReport {
  recalled: Recalled[];
  covered: Covered | null;
  /** Wanted tools that do not exist. */
  unknown: string[];
  /** But for those of held sets: who reads single ones of them would tune to them. */
  missed: { intent: string; wanted: string[]; found: string[] }[];
}

/** Of this set only totals are told. */
const held = 'held';

export const deep = 5;

/** One JSON object per line. @throws Error naming an invalid line */
export function readAsked(file: string): Asked {
  const asked: Asked = { intents: [], stories: [] };
  for (const [i, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    const value: unknown = JSON.parse(line);
    const one = intent.safeParse(value);
    const told = story.safeParse(value);
    if (one.success) asked.intents.push(one.data);
    else if (told.success) asked.stories.push(told.data);
    else throw new Error(`${file}:${i + 1}: {"intent": "...", "tools": ["..."]} or {"story": "...", "steps": [["..."]]} is expected.`);
  }
  return asked;
}

/** Keeps what several directories of the same tools learn. */
export function sharedMemory(): VectorMemory {
  const kept = new Map<string, number[][]>();
  return {
    recall: async (key) => kept.get(key) ?? null,
    remember: async (key, vectors) => void kept.set(key, vectors),
  };
}

/**
 * @param directory the one whose search is judged, warmed up
 * @param memory the directory's
 */
export async function judgeSearch(
  { intents, stories }: Asked,
  directory: ToolDirectory,
  { embedder, caller, memory }: { embedder: Embedder | null; caller: Caller; memory: VectorMemory },
): Promise<SearchReport> {
  const { catalogue } = directory;
  const existing = intents.filter(({ tools }) => tools.some((name) => catalogue.find(name)));
  const ways = [
    { way: 'search', searched: directory },
    { way: 'words alone', searched: new ToolDirectory(catalogue, new Map(), null) },
    ...(embedder ? [{ way: 'vectors alone', searched: new ToolDirectory(catalogue, new Map(), embedder, memory, 0) }] : []),
  ];
  const recalled: Recalled[] = [];
  const missed: SearchReport['missed'] = [];
  for (const { way, searched } of ways) {
    await searched.warmUp();
    const judged: { wanted: Intent; found: string[] }[] = [];
    for (const wanted of existing) judged.push({ wanted, found: await namesFor(searched, caller, wanted.intent) });
    for (const set of new Set(existing.map((each) => each.set))) {
      recalled.push(
        recallOf(
          `${set}: ${way}`,
          judged.filter(({ wanted }) => wanted.set === set),
        ),
      );
    }
    if (searched !== directory) continue;
    for (const { wanted, found } of judged)
      if (wanted.set !== held && !hits(wanted, found, deep)) missed.push({ intent: wanted.intent, wanted: wanted.tools, found });
  }
  return {
    recalled,
    covered: stories.length === 0 ? null : await cover(stories, directory, caller),
    unknown: [...new Set(intents.flatMap(({ tools }) => tools.filter((name) => !catalogue.find(name))))].sort(),
    missed,
  };
}

const namesFor = async (directory: ToolDirectory, caller: Caller, query: string): Promise<string[]> =>
  (await directory.search(caller, query, deep)).found.map(({ tool }) => tool.name);

const hits = ({ tools }: Intent, found: readonly string[], k: number): boolean => found.slice(0, k).some((name) => tools.includes(name));

function recallOf(name: string, judged: readonly { wanted: Intent; found: string[] }[]): Recalled {
  const within = (k: number): number => mean(judged.map(({ wanted, found }) => (hits(wanted, found, k) ? 1 : 0)));
  return { name, intents: judged.length, 'recall@1': within(1), 'recall@5': within(deep) };
}

async function cover(stories: readonly ToldStory[], directory: ToolDirectory, caller: Caller): Promise<Covered> {
  const inTools: number[] = [];
  const inSteps: number[] = [];
  for (const { story: told, steps } of stories) {
    const answer = await directory.search(caller, told, deep);
    const first = new Set(answer.found.map(({ tool }) => tool.name));
    const all = new Set([...first, ...answer.steps.flatMap(({ found }) => found.map(({ tool }) => tool.name))]);
    for (const wanted of steps) {
      inTools.push(wanted.some((name) => first.has(name)) ? 1 : 0);
      inSteps.push(wanted.some((name) => all.has(name)) ? 1 : 0);
    }
  }
  return { stories: stories.length, steps: inTools.length, inTools: mean(inTools), inSteps: mean(inSteps) };
}

/** Formats the report for people. */
export function searchLines({ recalled, covered, unknown, missed }: SearchReport): string[] {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.padStart(9);
  return [
    `${''.padEnd(34)}${'intents'.padStart(8)}${'@1'.padStart(9)}${'@5'.padStart(9)}`,
    ...recalled.map(
      ({ name, intents, ...at }) => `${name.padEnd(34)}${String(intents).padStart(8)}${percent(at['recall@1'])}${percent(at['recall@5'])}`,
    ),
    ...(covered === null
      ? []
      : [
          `${covered.stories} stories, ${covered.steps} steps: a right tool among the first five${percent(covered.inTools)}, or among those of a step${percent(covered.inSteps)}`,
        ]),
    ...(unknown.length > 0 ? [`not there: ${unknown.join(', ')}`] : []),
    ...missed.map(({ intent: said, wanted, found }) => `missed: "${said}" → ${wanted.join(' or ')}; found ${found.join(', ')}`),
  ];
}
