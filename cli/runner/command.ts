/** `signalbox work`: from flags to a runner, and from signals of the system to its end. */
import { resolve } from 'node:path';
import type { WorkGiven } from '../commands/work-runner.ts';
import { CliError, exits, usage } from '../exit.ts';
import { note, sayJson } from '../output.ts';
import { target } from '../target.ts';
import type { Agent } from './agents/agent.ts';
import { agents } from './agents/index.ts';
import { plainAgent } from './agents/plain.ts';
import { repositoryName } from './git.ts';
import { Runner, type Tally } from './loop.ts';
import { agentVersion, baseOf, preflight, repositoryAt } from './preflight.ts';
import { dataFolder, paceOf, type Pace, type Settings } from './settings.ts';

/** @throws CliError before anything is claimed */
export async function settingsOf(given: WorkGiven, env: NodeJS.ProcessEnv, pace: Partial<Pace> = {}): Promise<Settings> {
  if (given.phase === undefined)
    throw usage('Which phase?', '--phase 2 takes the tasks that implement; `signalbox tasks board` shows what there is.');
  const folder = resolve(given.repo ?? '.');
  const repo = await repositoryAt(folder);
  const extra = given.command ?? [];
  const agent = agentOf(given.agent, extra);
  const remote = given.remote ?? 'origin';
  return {
    target: target(),
    phase: given.phase,
    repo,
    repository: await repositoryName(repo, remote),
    agent,
    extra,
    agentVersion: await agentVersion(agent, env['PATH'] ?? ''),
    model: given.model ?? null,
    name: given.name ?? '',
    max: given.max,
    base: await baseOf(folder, given.base),
    data: resolve(given.data ?? dataFolder(repo, env)),
    leaseSeconds: given.lease,
    timeout: given.timeout,
    idle: given.idle,
    commandTimeout: given.commandTimeout,
    budgetUsd: given.budgetUsd ?? null,
    tokens: given.tokens ?? null,
    dayUsd: given.dayUsd ?? null,
    dayTokens: given.dayTokens ?? null,
    setup: given.setup ?? [],
    checks: given.check ?? [],
    merge: given.merge ?? null,
    push: given.push ?? null,
    remote,
    env: given.env ?? [],
    once: given.once ?? false,
    untilEmpty: given.untilEmpty ?? false,
    keep: given.keep ?? false,
    pace: { ...paceOf(given.lease), ...pace },
    say: note,
  };
}

function agentOf(name: string | undefined, extra: readonly string[]): Agent {
  if (name === undefined || name === 'plain') {
    if (extra.length === 0)
      throw usage('Which agent?', `--agent ${Object.keys(agents).join(', ')}; or a program after \`--\`: -- my-agent {prompt_file}`);
    return plainAgent(extra);
  }
  const agent = agents[name];
  if (!agent) throw usage(`No agent "${name}".`, `One of: ${Object.keys(agents).join(', ')}; or any program after \`--\`.`);
  return agent;
}

export async function workCommand(given: WorkGiven): Promise<void> {
  const env = environment();
  const settings = await settingsOf(given, env);
  for (const word of await preflight(settings)) note(word);
  const runner = await Runner.open(settings, env);
  const { agent, agentVersion: version, max, phase, repo, base, data } = settings;
  note(
    `${agent.title}${version === null ? '' : ` ${version}`}, ${max} at once, phase ${phase}: ${repo}, merged into ${base}. Data: ${data}`,
  );
  const tally = await untilSignal(runner);
  if (given.json) sayJson(tally);
  else
    note(
      `${tally.done} done, ${tally.merged} of them merged; ${tally.waiting} wait for a person, ${tally.failed} failed, ${tally.lost} lost.`,
    );
}

/** The first signal gives the tasks back, the second ends at once. */
async function untilSignal(runner: Runner): Promise<Tally> {
  let count = 0;
  const onSignal = (): void => {
    count += 1;
    if (count === 1) {
      note('Stopping the agents and giving the tasks back. Once more: at once.');
      runner.stop();
      return;
    }
    void runner.kill().finally(() => process.exit(exits.interrupted));
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  try {
    const tally = await runner.run();
    if (count > 0) throw new CliError(exits.interrupted, 'USAGE', 'Stopped.');
    return tally;
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

// oxlint-disable-next-line node/no-process-env -- an allowlist of it goes to the agents
const environment = (): NodeJS.ProcessEnv => process.env;
