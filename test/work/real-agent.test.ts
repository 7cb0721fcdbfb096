/** Claude Code itself, with a scripted model: through its adapter, against the tools of a real stack. `npm run agents` tries all six. */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agents } from '../../cli/runner/agents/index.ts';
import { readConfig } from '../../platform/config.ts';
import { cacheFolder } from '../../platform/embedded/parts.ts';
import { casesModel, removeTrials, Trial, tryAgent, type CaseName, type Outcome } from '../kit/agents/cases.ts';
import { installAgent, NoRegistry } from '../kit/agents/install.ts';
import { throughRunner } from '../kit/agents/through.ts';
import { packages } from '../kit/agents/versions.ts';
import type { ScriptedModel } from '../kit/model/server.ts';
import { openApis, type Api } from '../setup/apis.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

const agent = agents['claude']!;
const programs = await installAgent(agent.name).catch((error: unknown) => {
  // Without a network there is nothing to test; a machine that tests every change must have one.
  if (!(error instanceof NoRegistry) || process.env['CI']) throw error;
  console.warn(`Claude Code is not tried: ${error.message}`);
  return null;
});

describe.skipIf(programs === null)('Claude Code', () => {
  let stack: TestStack;
  let api: Api;
  let model: ScriptedModel;
  let folder: string;
  let mcp: { url: string; headers: Record<string, string> };
  beforeAll(async () => {
    stack = await testStack({ model: false });
    [api] = (await openApis(stack, 1)) as [Api];
    model = await casesModel();
    const base = join(cacheFolder(readConfig()), 'agents');
    mkdirSync(base, { recursive: true });
    folder = mkdtempSync(join(base, 'trial.'));
    const { apiKey } = await stack.caller({ role: 'agent', name: 'runner' });
    mcp = { url: `${api.url}/mcp`, headers: { 'X-API-Key': apiKey, 'X-Agent-Id': 'runner/1' } };
  });
  afterAll(async () => {
    removeTrials(folder);
    await model.close();
    await api.close();
    await stack.stop();
  });

  it.each([
    ['works in a worktree, is resumed, and says how it ended', ['work', 'resume', 'blocked']],
    ['calls Signalbox with the key of its run', ['mcp']],
    ['is not done after a refusal, or with a wrong key', ['refusal', '401']],
    ['is not done when it is stopped, and leaves no process', ['SIGTERM', 'kill -9']],
    ['finds the skills that connect writes', ['skills']],
  ] satisfies [string, CaseName[]][])(
    '%s',
    async (_, cases) => {
      const outcomes: Record<string, Outcome> = {};
      await tryAgent({ agent, programs: programs!, folder, mcp, model }, cases, (name, outcome) => (outcomes[name] = outcome));
      for (const name of cases) expect(outcomes[name], outcomes[name]!.lines.slice(-3).join('\n')).toMatchObject({ ok: true });
    },
    120_000,
  );

  it('goes through the whole runner: sent back, resumed, merged', async () => {
    const boss = await stack.caller({ role: 'admin', name: 'boss' });
    const { apiKey: key } = await stack.caller({ role: 'agent', name: 'runners' });
    const { version } = packages[agent.name]!;
    const call = async <T>(tool: string, args: object): Promise<T> => await stack.ok<T>(boss, tool, args);
    const outcome = await throughRunner({ agent, programs: programs!, version, folder, url: api.url, key, call, phase: 70 });
    expect(outcome, outcome.lines.join('\n')).toMatchObject({ ok: true });
  }, 240_000);

  it('shows the key to nobody who lists processes', async () => {
    const run = new Trial({ agent, programs: programs!, folder, mcp, model }).start('endless', { mcp });
    await run.waitFor('tail -f /dev/null');
    const arguments_ = readdirSync('/proc').flatMap((name) => {
      try {
        return /^\d+$/.test(name) ? [readFileSync(`/proc/${name}/cmdline`, 'utf8')] : [];
      } catch {
        return [];
      }
    });
    run.killAll();
    await run.ended;
    expect(arguments_.some((line) => line.includes('--mcp-config'))).toBe(true);
    expect(arguments_.filter((line) => line.includes(mcp.headers['X-API-Key']!))).toEqual([]);
  });
});
