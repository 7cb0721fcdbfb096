/**
 * Compares the speed of each hot path with its floor, measured in the same run:
 *   npm run bench
 *   npm run bench -- --only claim,race --quick --json FILE
 *   npm run bench -- --only claim --profile FOLDER     a .cpuprofile of each process
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Context } from './context.ts';
import { measureBoard, measureList } from './measures/board.ts';
import { measureClaim } from './measures/claim.ts';
import { measureDelegation } from './measures/delegation.ts';
import { measureEvents } from './measures/events.ts';
import { measureExternal } from './measures/external.ts';
import { measureFair } from './measures/fair.ts';
import { measureFeeds } from './measures/feeds.ts';
import { measureGraph } from './measures/graph.ts';
import { measureGrowthOfAgents } from './measures/growth-agents.ts';
import { measureGrowthOfLedger } from './measures/growth-ledger.ts';
import { measureGrowthOfSearch } from './measures/growth-search.ts';
import { measureGrowth } from './measures/growth-tasks.ts';
import { measureHarvest } from './measures/harvest.ts';
import { measureHealth } from './measures/health.ts';
import { measureIngest } from './measures/ingest.ts';
import { measureInsight } from './measures/insight.ts';
import { measureKill } from './measures/kill.ts';
import { measureSearch } from './measures/knowledge-many.ts';
import { measureKnowledge } from './measures/knowledge.ts';
import { measureLink } from './measures/link.ts';
import { measurePipeline } from './measures/pipeline.ts';
import { measurePresence } from './measures/presence.ts';
import { measureRace } from './measures/race.ts';
import { measureSoak } from './measures/soak.ts';
import { measureStart } from './measures/start.ts';
import { printSection, type Section } from './report.ts';
import { startStack } from './stack.ts';

const measures: Record<string, (context: Context) => Promise<Section>> = {
  claim: measureClaim,
  race: measureRace,
  board: measureBoard,
  list: measureList,
  growth: measureGrowth,
  'growth-agents': measureGrowthOfAgents,
  'growth-ledger': measureGrowthOfLedger,
  'growth-search': measureGrowthOfSearch,
  knowledge: measureKnowledge,
  search: measureSearch,
  ingest: measureIngest,
  fair: measureFair,
  graph: measureGraph,
  link: measureLink,
  insight: measureInsight,
  health: measureHealth,
  harvest: measureHarvest,
  presence: measurePresence,
  delegation: measureDelegation,
  pipeline: measurePipeline,
  external: measureExternal,
  events: measureEvents,
  feeds: measureFeeds,
  soak: measureSoak,
  kill: measureKill,
  // Last, because it stops the stack and starts it again.
  start: measureStart,
};

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    json: { type: 'string' },
    quick: { type: 'boolean', default: false },
    profile: { type: 'string' },
    data: { type: 'string' },
  },
});
const names = values.only?.split(',') ?? Object.keys(measures);
const unknown = names.filter((name) => !(name in measures));
if (unknown.length > 0) throw new Error(`No measure ${unknown.join(', ')}. There are: ${Object.keys(measures).join(', ')}.`);

// The stack's Node processes inherit it.
if (values.profile) process.env['NODE_OPTIONS'] = `--cpu-prof --cpu-prof-dir=${resolve(values.profile)}`;
const say = (line: string): void => console.error(`  ${line}`);
const sections: Section[] = [];
say('starting the stack');
const stack = await startStack({ onProgress: say, env: { ALLOW_PRIVATE_NETWORK: 'true' } });
try {
  for (const name of names) {
    const section = await measures[name]!({
      stack,
      say,
      quick: values.quick,
      dataDir: values.data ?? fileURLToPath(new URL('../../shared/data', import.meta.url)),
    });
    sections.push(section);
    printSection(section);
  }
} finally {
  await stack.remove();
}
if (values.json) writeFileSync(values.json, `${JSON.stringify({ sections }, null, 2)}\n`);
process.exit();
