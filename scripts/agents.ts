/**
 * Puts the real command lines of coding agents, at exact versions, through the adapters of `signalbox work`. A scripted model plays the
 * provider; nothing leaves this machine but the download of the programs, which are kept in this user's cache.
 *
 *   npm run agents
 *   npm run agents -- --only claude,codex --case work,mcp
 *   npm run agents -- --runner        through the whole of `signalbox work` instead: from its start to the merged commit
 *   … --json FILE          the outcome for machines, too
 *   … --record             writes what they print into the fixtures of the adapters' tests
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startStack } from '../bench/stack.ts';
import { callTool } from '../cli/client.ts';
import { agents } from '../cli/runner/agents/index.ts';
import { readConfig } from '../platform/config.ts';
import { cacheFolder } from '../platform/embedded/parts.ts';
import { caseNames, casesModel, removeTrials, tryAgent, type CaseName, type Outcome } from '../test/kit/agents/cases.ts';
import { record } from '../test/kit/agents/fixtures.ts';
import { installAgent } from '../test/kit/agents/install.ts';
import { throughRunner } from '../test/kit/agents/through.ts';
import { packages } from '../test/kit/agents/versions.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    case: { type: 'string' },
    json: { type: 'string' },
    record: { type: 'boolean', default: false },
    runner: { type: 'boolean', default: false },
  },
});
const chosen = values.only?.split(',') ?? Object.keys(agents);
const cases = (values.runner ? [] : (values.case?.split(',') ?? caseNames)) as CaseName[];
const unknown = [...chosen.filter((name) => !agents[name]), ...cases.filter((name) => !caseNames.includes(name))];
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Agents: ${Object.keys(agents).join(', ')}. Cases: ${caseNames.join(', ')}.`);
  process.exit(2);
}

// Whatever runs is ended with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const say = (line: string): void => console.error(`  ${line}`);
const rows: { agent: string; version: string; case: CaseName | 'runner'; ok: boolean; says: string; seconds: number }[] = [];
// In this user's cache and not in /tmp: Gemini CLI reads no settings, and Codex makes no helpers, below a folder that all may write.
const base = join(cacheFolder(readConfig()), 'agents');
mkdirSync(base, { recursive: true });
const folder = mkdtempSync(join(base, 'trial.'));
process.once('exit', () => removeTrials(folder));
const stack = cases.includes('mcp') || values.runner ? await startStack({ onProgress: say }) : null;
const model = await casesModel();
try {
  const key = await stack?.key({ role: 'agent', name: 'agents' });
  const admin = await stack?.key();
  const told = (name: string, of: CaseName | 'runner', { lines, ...row }: Outcome): void => {
    rows.push({ agent: name, version: packages[name]!.version, case: of, ...row });
    say(`${name} ${of}: ${row.ok ? 'as expected' : 'OTHERWISE'} (${row.says}) ${row.seconds.toFixed(1)} s`);
    if (!row.ok) for (const line of lines.slice(-12)) say(`    ${line.slice(0, 400)}`);
  };
  for (const [n, name] of chosen.entries()) {
    const { version } = packages[name]!;
    const programs = await installAgent(name).catch((error: unknown) => say(`${name} could not be installed: ${String(error)}`));
    if (!programs) {
      rows.push({ agent: name, version, case: cases[0] ?? 'runner', ok: false, says: 'not installed', seconds: 0 });
      continue;
    }
    const mcp = stack && { url: stack.runtime.mcp, headers: { 'X-API-Key': key!, 'X-Agent-Id': `${name}-1` } };
    await tryAgent({ agent: agents[name]!, programs, folder, mcp, model }, cases, (of, outcome: Outcome) => {
      told(name, of, outcome);
      if (values.record && outcome.ok) record(name, of, outcome.lines, folder);
    });
    if (!values.runner || !stack) continue;
    const to = { url: stack.runtime.api, key: admin, runtime: null };
    const call = async <T>(tool: string, args: object): Promise<T> => {
      const { error, data } = await callTool(tool, args, {}, to);
      if (error) throw new Error(`${tool}: ${error.message}`);
      return data as T;
    };
    const through = { agent: agents[name]!, programs, version, folder, url: to.url, key: key!, call, phase: 700 + n };
    told(
      name,
      'runner',
      await throughRunner(through).catch((error: unknown) => ({ ok: false, says: String(error), seconds: 0, lines: [] })),
    );
  }
} finally {
  await model.close();
  await stack?.remove();
}

const widths = [9, 9, 9, 3, 7];
const line = (...cells: string[]): string => cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ');
console.log(line('agent', 'version', 'case', 'ok', 'seconds', 'what happened'));
for (const row of rows) {
  console.log(line(row.agent, row.version, row.case, row.ok ? 'yes' : 'NO', row.seconds.toFixed(1).padStart(7), row.says));
}
const failed = rows.filter(({ ok }) => !ok);
console.log(failed.length === 0 ? 'Everything went as expected.' : `${failed.length} of ${rows.length} went otherwise.`);
if (values.json) writeFileSync(values.json, `${JSON.stringify({ ok: failed.length === 0, rows }, null, 2)}\n`);
process.exit(failed.length === 0 ? 0 : 1);
