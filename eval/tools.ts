/**
 * How well a caller finds the right tool, and how many tokens tools cost: recall of `system.tool.search` on judged
 * intents, tokens of each profile, and of stories with discovery and with every tool listed.
 */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
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
import { deep, judgeSearch, searchLines, sharedMemory, type Asked, type SearchReport } from './tool-search.ts';
import { tokensOf } from '../scripts/token-count.ts';

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
  search: SearchReport;
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

export async function evalTools(asked: Asked, product: Product, say: (line: string) => void): Promise<ToolsReport> {
  const { services, caller } = product;
  const catalogue = new Catalogue(tools);
  const memory = sharedMemory();
  const directory = new ToolDirectory(catalogue, new Map(), product.embedder, memory);
  say('reading the tools');
  await directory.warmUp();
  const pipeline = new Pipeline({ tools: directory, services, metrics: new Metrics(), log: pino({ level: 'silent' }), logRequests: false });
  const call = async (name: string, args: unknown): Promise<Answer> => {
    const { data, text, error } = await pipeline.call({ name, arguments: args, caller, front: 'mcp' });
    if (error) throw new Error(`${name}: ${error.message} ${error.hint ?? ''}`);
    return { data, text };
  };

  say(`searching for ${asked.intents.length} intents and ${asked.stories.length} stories`);
  const times: number[] = [];
  for (const { intent } of asked.intents) {
    const started = performance.now();
    await call('system.tool.search', { query: intent, limit: deep });
    times.push(performance.now() - started);
  }
  const search = await judgeSearch(asked, directory, { embedder: product.embedder, caller, memory });

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
    search,
    searchMs: spread(times),
    profiles: costs,
    stories: told,
    typicalSession: Math.round(mean(told.map(({ definitions }) => definitions.discovery))),
  };
}

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
  const { p50, p95 } = report.searchMs;
  return [
    `${report.tools} tools; a search took ${p50.toFixed(1)} / ${p95.toFixed(1)} ms (p50/p95)`,
    '',
    ...searchLines(report.search),
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
