/**
 * How well a caller finds the right tool, and how many tokens tools cost: recall of `system.tool.search` on judged
 * intents, tokens of each profile, and of stories with discovery and with every tool listed.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { z } from 'zod';
import { instructionsFor } from '../api/mcp/server.ts';
import { spread, type Spread } from '../bench/stats.ts';
import { Catalogue, profiles } from '../tools/catalogue/catalogue.ts';
import { ToolDirectory } from '../tools/catalogue/directory.ts';
import { tools } from '../tools/index.ts';
import { Metrics } from '../tools/catalogue/metrics.ts';
import { Pipeline } from '../tools/catalogue/pipeline.ts';
import { mean } from './metrics.ts';
import type { Product } from './product.ts';
import { stories, type Said, type Story } from './stories.ts';
import { tokensOf } from '../scripts/token-count.ts';

/** An intent, and the tools that are right for it. */
const intent = z.object({ intent: z.string().min(1), tools: z.array(z.string()).min(1) });
export type Intent = z.infer<typeof intent>;

interface Recalled {
  intents: number;
  'recall@1': number;
  'recall@5': number;
}

interface StoryCost {
  title: string;
  steps: number;
  /** Steps whose tool was not among the search's first five. */
  missed: string[];
  /** Tokens of definitions for the model: the list, and the searches with their answers. */
  definitions: { discovery: number; everything: number };
  /** The same plus the calls and their answers. */
  total: { discovery: number; everything: number };
}

export interface ToolsReport {
  tools: number;
  all: Recalled;
  /** For intents with an existing tool. */
  existing: Recalled;
  /** Wanted tools that do not exist. */
  unknown: string[];
  missed: { intent: string; wanted: string[]; found: string[] }[];
  searchMs: Spread;
  profiles: { profile: string; tools: number; tokens: number }[];
  stories: StoryCost[];
  /** Mean of the stories' definitions with discovery. */
  typicalSession: number;
}

interface Answer {
  data: unknown;
  text: string;
}

const namesIn = ({ data }: Answer): string[] => (data as { tools: { name: string }[] }).tools.map(({ name }) => name);

const deep = 5;

/** One JSON object per line. @throws Error naming an invalid line */
export function readIntents(file: string): Intent[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, i) => {
      if (line.trim() === '') return [];
      const parsed = intent.safeParse(JSON.parse(line));
      if (!parsed.success) throw new Error(`${file}:${i + 1}: {"intent": "...", "tools": ["..."]} is expected.`);
      return [parsed.data];
    });
}

export async function evalTools(intents: readonly Intent[], product: Product, say: (line: string) => void): Promise<ToolsReport> {
  const { services, caller } = product;
  const catalogue = new Catalogue(tools);
  const directory = new ToolDirectory(catalogue, new Map(), product.embedder);
  say('reading the tools');
  await directory.warmUp();
  const pipeline = new Pipeline({ tools: directory, services, metrics: new Metrics(), log: pino({ level: 'silent' }), logRequests: false });
  const call = async (name: string, args: unknown): Promise<Answer> => {
    const { data, text, error } = await pipeline.call({ name, arguments: args, caller, front: 'mcp' });
    if (error) throw new Error(`${name}: ${error.message} ${error.hint ?? ''}`);
    return { data, text };
  };

  say(`searching for ${intents.length} intents`);
  const times: number[] = [];
  const judged: { wanted: Intent; found: string[] }[] = [];
  for (const wanted of intents) {
    const started = performance.now();
    const found = namesIn(await call('system.tool.search', { query: wanted.intent, limit: deep }));
    times.push(performance.now() - started);
    judged.push({ wanted, found });
  }
  const exists = (wanted: Intent): boolean => wanted.tools.some((name) => catalogue.find(name) !== undefined);

  const costs = profiles.map((profile) => {
    const listed = catalogue.list(caller, profile);
    return { profile, tools: listed.length, tokens: tokensOf({ tools: listed }) };
  });
  const tokensIn = (profile: string): number => costs.find((cost) => cost.profile === profile)!.tokens;
  say(`telling ${stories.length} stories`);
  const told: StoryCost[] = [];
  for (const story of stories) told.push(await tell(story, { call, catalogue, core: tokensIn('core'), everything: tokensIn('unified') }));

  return {
    tools: catalogue.tools.length,
    all: recalled(judged),
    existing: recalled(judged.filter(({ wanted }) => exists(wanted))),
    unknown: [...new Set(intents.flatMap((wanted) => wanted.tools.filter((name) => !catalogue.find(name))))].sort(),
    missed: judged
      .filter(({ wanted, found }) => exists(wanted) && !found.some((name) => wanted.tools.includes(name)))
      .map(({ wanted, found }) => ({ intent: wanted.intent, wanted: wanted.tools, found })),
    searchMs: spread(times),
    profiles: costs,
    stories: told,
    typicalSession: Math.round(mean(told.map(({ definitions }) => definitions.discovery))),
  };
}

const recalled = (judged: readonly { wanted: Intent; found: string[] }[]): Recalled => {
  const within = (k: number) =>
    mean(judged.map(({ wanted, found }) => (found.slice(0, k).some((name) => wanted.tools.includes(name)) ? 1 : 0)));
  return { intents: judged.length, 'recall@1': within(1), 'recall@5': within(deep) };
};

interface Telling {
  call(name: string, args: unknown): Promise<Answer>;
  catalogue: Catalogue;
  core: number;
  everything: number;
}

/** Executes a story. With discovery, a tool that is not listed costs a search, whose answer has its schema. */
async function tell({ title, steps }: Story, { call, catalogue, core, everything }: Telling): Promise<StoryCost> {
  const run = randomBytes(4).toString('hex');
  const answers: unknown[] = [];
  const said: Said = (step, ...path) => path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], answers[step]);
  const missed: string[] = [];
  let searches = 0;
  let calls = 0;
  for (const { want, tool, args } of steps) {
    if (!catalogue.find(tool)?.tool.core) {
      const asked = { query: want, limit: deep };
      const found = await call('system.tool.search', asked);
      searches += tokensOf(asked) + tokensOf(found.text);
      if (!namesIn(found).includes(tool)) missed.push(`${want} → ${tool}`);
      const schema = await call('system.tool.describe', { name: tool });
      searches += tokensOf({ name: tool }) + tokensOf(schema.text);
    }
    const given = args(said, run);
    const { data, text } = await call(tool, given);
    answers.push(data);
    calls += tokensOf(given) + tokensOf(text);
  }
  const told = (profile: string): number => tokensOf(instructionsFor(catalogue, { style: 'hyphen', profile }));
  const definitions = { discovery: told('core') + core + searches, everything: told('unified') + everything };
  return {
    title,
    steps: steps.length,
    missed,
    definitions,
    total: { discovery: definitions.discovery + calls, everything: definitions.everything + calls },
  };
}

/** Formats the report for people. */
export function toolsTableOf(report: ToolsReport): string {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.padStart(9);
  const recall = (name: string, { intents, ...at }: Recalled): string =>
    `${name.padEnd(34)}${String(intents).padStart(8)}${percent(at['recall@1'])}${percent(at['recall@5'])}`;
  const { p50, p95 } = report.searchMs;
  return [
    `${report.tools} tools; a search took ${p50.toFixed(1)} / ${p95.toFixed(1)} ms (p50/p95)`,
    '',
    `${''.padEnd(34)}${'intents'.padStart(8)}${'@1'.padStart(9)}${'@5'.padStart(9)}`,
    recall('all', report.all),
    recall('those whose tool exists', report.existing),
    ...(report.unknown.length > 0 ? [`not there: ${report.unknown.join(', ')}`] : []),
    ...report.missed.map(({ intent: said, wanted, found }) => `missed: "${said}" → ${wanted.join(' or ')}; found ${found.join(', ')}`),
    '',
    `${'tokens of a profile'.padEnd(34)}${'tools'.padStart(8)}${'tokens'.padStart(9)}`,
    ...report.profiles.map(({ profile, tools: n, tokens }) => `${profile.padEnd(34)}${String(n).padStart(8)}${String(tokens).padStart(9)}`),
    '',
    `tokens of a story: definitions shown, and all in all; with discovery, and with the profile "unified" listed`,
    ...report.stories.flatMap(({ title, definitions, total, missed }) => [
      `${title.padEnd(60)}${String(definitions.discovery).padStart(8)}${String(definitions.everything).padStart(8)}${String(total.discovery).padStart(8)}${String(total.everything).padStart(8)}`,
      ...missed.map((each) => `  not found: ${each}`),
    ]),
    `typical session (mean of the definitions with discovery): ${report.typicalSession} tokens`,
  ].join('\n');
}
