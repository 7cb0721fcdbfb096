/**
 * `npm run tour`: a demonstration on the running stack, over MCP with the official client. Each step checks its results;
 * the exit code is 1 when a check fails. Leaves its tasks in separate phases and its transcripts in a separate knowledge
 * base, both called "tour".
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withKeys } from '../cli/keys.ts';
import { asCliError } from '../cli/exit.ts';
import { paint, say } from '../cli/output.ts';
import { cliConfig, target, type Target } from '../cli/target.ts';
import { consoleAddress } from '../platform/console-address.ts';
import { connectAgent, type Agent } from './tour/agent.ts';
import { agents } from './tour/agents.ts';
import { expect, narrate, seconds } from './tour/narrate.ts';
import { planWork, race, type Plan } from './tour/work.ts';
import { learn } from './tour/learn.ts';
import { govern } from './tour/govern.ts';
import { news } from './tour/news.ts';
import { product } from './tour/product.ts';
import { people } from './tour/people.ts';
import { takeIn } from './tour/transcripts.ts';
import { fromTheDead } from './tour/lease.ts';
import { codingAgent } from './tour/runner.ts';

const run = randomBytes(3).toString('hex');
const workers = ['ada', 'bo', 'cy', 'di'].map((name) => `${name}-${run}`);
const doomed = `mole-${run}`;
const runner = `rik-${run}`;
const reader = `sal-${run}`;

async function makeKeys(tenant: string): Promise<Map<string, { id: string; secret: string }>> {
  return await withKeys(async (keys) => {
    const made = new Map<string, { id: string; secret: string }>();
    for (const name of [...workers, doomed, runner]) {
      const key = await keys.create({ tenant, role: 'agent', name, rpm: 60_000, burst: 1_000 });
      made.set(name, { id: key.key_id, secret: key.api_key });
    }
    const key = await keys.create({ tenant, role: 'stakeholder', kind: 'human', name: reader, team: `tour-${run}` });
    made.set(reader, { id: key.key_id, secret: key.api_key });
    return made;
  });
}

const revokeKeys = (tenant: string, ids: string[]): Promise<void> =>
  withKeys(async (keys) => {
    for (const id of ids) await keys.revoke(tenant, id);
  });

async function tour(to: Target, tenant: string, clean: (() => Promise<unknown>)[]): Promise<void> {
  const started = performance.now();
  const since = new Date().toISOString();

  const me = await narrate('Connecting the official MCP client', async (tell) => {
    const agent = await connectAgent(to, 'guide', to.key);
    clean.push(() => agent.close());
    const tools = await agent.tools();
    tell(`${to.url}/mcp is ${agent.server}; it shows ${tools.length} tools first, and a search finds the rest.`);
    const found = await agent.ok<{ tools: { name: string }[] }>('system.tool.search', { query: 'take the next job' });
    tell(
      `"take the next job" finds ${found.tools
        .slice(0, 3)
        .map((tool) => tool.name)
        .join(', ')}.`,
    );
    expect(
      // Compares names in this client's spelling.
      found.tools.some((tool) => tool.name.replaceAll('-', '.') === 'work.task.claim'),
      'the search finds work.task.claim',
    );
    return agent;
  });

  const keys = await narrate('Making a key for each of five agents, for a runner, and for a stakeholder', async (tell) => {
    const made = await makeKeys(tenant);
    clean.push(() =>
      revokeKeys(
        tenant,
        [...made.values()].map((key) => key.id),
      ),
    );
    tell(`${[...made.keys()].join(', ')}, in tenant ${tenant}. They are revoked at the end.`);
    return made;
  });
  const connect = async (name: string): Promise<Agent> => {
    const agent = await connectAgent(to, name, keys.get(name)?.secret);
    clean.push(() => agent.close());
    return agent;
  };

  const ingestion = await narrate('Taking meetings in and asking about them', (tell) => takeIn(me, tell));
  await narrate('Asking why, keeping what was learnt, reading a table', (tell) => learn(me, run, tell));
  await narrate('Who it is about: merged, split, and what held when', (tell) => people(me, run, tell));
  await narrate('What should we build next?', (tell) => product(me, run, tell));
  const plan = await narrate('Planning three phases of work', (tell) => planWork(me, run, tell));
  const [mole, ...team] = await Promise.all([doomed, ...workers].map(connect));
  const lost = await narrate('An agent takes a task and dies', async (tell) => {
    const task = await mole!.ok<{ task: { id: string; fencing_token: number } }>('work.task.claim', {
      task_id: plan.first,
      lease_seconds: 3,
    });
    await mole!.close();
    tell(`${doomed} holds ${task.task.id} with token ${task.task.fencing_token} for 3 s, and its session is closed.`);
    return task.task;
  });
  await narrate('Four agents race for everything that is ready', (tell) =>
    race(team, plan, { task: lost.id, from: doomed, onTaken: async () => fromTheDead(await connect(doomed), lost, tell) }, tell),
  );
  const coded = await narrate('A coding agent works in a repository', (tell) =>
    codingAgent(me, { url: to.url, key: keys.get(runner)!.secret }, run, tell),
  );
  await narrate('Agents from outside, and agents outside', (tell) => agents(me, team[0]!, to, run, tell));
  await narrate('Under rules: other servers, a person to ask, what a team may see', async (tell) =>
    govern(me, team[0]!, await connect(reader), run, tell),
  );
  await narrate('A brief of the news, and who is told', (tell) => news(me, run, tell));
  await narrate('What the records say', (tell) => summary(me, plan, since, tell));

  say();
  say(paint('bold', 'To look at'));
  const link = (label: string, url: string | undefined): void => (url ? say(`  ${label.padEnd(12)} ${paint('cyan', url)}`) : undefined);
  link('a task', plan.link);
  link('an ingestion', ingestion.link);
  link('metrics', `${to.url}/metrics`);
  const screen = (label: string, path: string): void => link(label, `${consoleAddress(to.url)}${path}`);
  say();
  say(paint('bold', 'In the console (`npx signalbox console` opens it signed in)'));
  screen('overview', '/');
  screen('the board', `/console/work?tag=${encodeURIComponent(plan.tag)}`);
  screen('that death', `/console/work/${lost.id}`);
  if (coded !== null) screen('a diff', `/console/work/${coded.task_id}`);
  screen('the meetings', '/console/search?q=What+was+decided');
  screen('next to do', '/console/opportunities');
  screen('who asked', '/console/approvals');
  screen('every call', `/console/ledger?since=${encodeURIComponent(since)}`);
  say();
  say(
    `${paint('green', 'All as it should be')}, ${seconds(performance.now() - started)}. Again any time; \`npx signalbox tasks board\` and \`npx signalbox ledger\` show more.`,
  );
}

interface LedgerEvent {
  tool: string;
  principal: string;
  type: string;
  error_code: string | null;
  duration_ms: number | null;
}

async function summary(me: Agent, plan: Plan, since: string, tell: (line: string) => void): Promise<void> {
  for (const phase of plan.phases) {
    const { stats } = await me.ok<{ stats: Record<string, number> }>('work.board.get', { phase_id: phase.id });
    tell(`board, ${phase.name}: ${stats['done']} done of ${stats['total_tasks']}, ${stats['in_progress']} in progress`);
  }
  const done = await me.ok<{ tasks: { status: string }[] }>('work.task.list', { tags: [plan.tag] });
  expect(done.tasks.length === plan.ids.length && done.tasks.every((task) => task.status === 'done'), 'every task of this run is done');

  const ours = await settledLedger(me, since, plan.ids.length);
  for (const tool of ['work.task.claim', 'work.task.heartbeat', 'work.task.complete']) {
    const calls = ours.filter((event) => event.tool === tool);
    const times = calls.map((event) => event.duration_ms ?? 0).sort((a, b) => a - b);
    const failed = calls.filter((event) => event.error_code);
    tell(
      `ledger, ${tool.padEnd(19)} ${String(calls.length).padStart(3)} calls, median ${Math.round(times[times.length >> 1] ?? 0)} ms${failed.length > 0 ? `, ${failed.length} refused (${failed[0]?.error_code})` : ''}`,
    );
  }
  expect(
    ours.some((event) => event.principal === doomed && event.tool === 'work.task.complete' && event.error_code !== null),
    'the ledger has the refused completion',
  );
}

/** The calls of this run's agents. Ends of calls are written within 100 ms, so it may have to read twice. */
async function settledLedger(me: Agent, since: string, completions: number): Promise<LedgerEvent[]> {
  const team = new Set([...workers, doomed]);
  for (const until = Date.now() + 3_000; ; await sleep(50)) {
    const events: LedgerEvent[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await me.call('system.ledger.search', { since, limit: 100, ...(cursor ? { cursor } : {}) });
      events.push(...(page.data as { events: LedgerEvent[] }).events);
      cursor = page.metadata.next_cursor;
    }
    const ours = events.filter((event) => team.has(event.principal) && event.type !== 'tool.call.started');
    if (ours.filter((event) => event.tool === 'work.task.complete' && !event.error_code).length >= completions) return ours;
    expect(Date.now() < until, 'the ledger has a completion for every task');
  }
}

const clean: (() => Promise<unknown>)[] = [];
try {
  const config = cliConfig();
  const to = target(config);
  await fetch(`${to.url}/health`).catch(() => {
    throw new Error(`No Signalbox answers at ${to.url}. Start it with \`npm start\` in another terminal.`);
  });
  await tour(to, to.runtime?.tenant ?? 'default', clean);
} catch (error) {
  const known = asCliError(error);
  say();
  say(`${paint('red', 'The tour ended early')}: ${error instanceof Error ? error.message : String(error)}`);
  // A cut connection has no hint.
  say(`  ${known?.hint ?? 'Once `npx signalbox status` says that all is up, run it again: nothing is lost.'}`);
  process.exitCode = known?.exit ?? 1;
} finally {
  for (const step of clean.toReversed()) await step().catch(() => {});
}
