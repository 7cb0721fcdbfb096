/**
 * Puts the real command lines of coding agents, at exact versions, through the adapters of `signalbox work`. A scripted model plays the
 * provider; nothing leaves this machine but the download of the programs, which are kept in this user's cache.
 *
 *   npm run agents
 *   npm run agents -- --only claude,codex --case work,mcp
 *   … --json FILE          the outcome for machines, too
 *   … --record             writes what they print into the fixtures of the adapters' tests
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startStack } from '../bench/stack.ts';
import { agents } from '../cli/runner/agents/index.ts';
import { readConfig } from '../platform/config.ts';
import { cacheFolder } from '../platform/embedded/parts.ts';
import { caseNames, casesModel, removeTrials, tryAgent, type CaseName, type Outcome } from '../test/kit/agents/cases.ts';
import { record } from '../test/kit/agents/fixtures.ts';
import { installAgent } from '../test/kit/agents/install.ts';
import { packages } from '../test/kit/agents/versions.ts';

const { values } = parseArgs({
  options: { only: { type: 'string' }, case: { type: 'string' }, json: { type: 'string' }, record: { type: 'boolean', default: false } },
});
const chosen = values.only?.split(',') ?? Object.keys(agents);
const cases = (values.case?.split(',') ?? caseNames) as CaseName[];
const unknown = [...chosen.filter((name) => !agents[name]), ...cases.filter((name) => !caseNames.includes(name))];
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Agents: ${Object.keys(agents).join(', ')}. Cases: ${caseNames.join(', ')}.`);
  process.exit(2);
}

// Whatever runs is ended with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const say = (line: string): void => console.error(`  ${line}`);
const rows: { agent: string; version: string; case: CaseName; ok: boolean; says: string; seconds: number }[] = [];
// In this user's cache and not in /tmp: Gemini CLI reads no settings, and Codex makes no helpers, below a folder that all may write.
const base = join(cacheFolder(readConfig()), 'agents');
mkdirSync(base, { recursive: true });
const folder = mkdtempSync(join(base, 'trial.'));
process.once('exit', () => removeTrials(folder));
const stack = cases.includes('mcp') ? await startStack({ onProgress: say }) : null;
const model = await casesModel();
try {
  const key = await stack?.key({ role: 'agent', name: 'agents' });
  for (const name of chosen) {
    const { version } = packages[name]!;
    const programs = await installAgent(name).catch((error: unknown) => say(`${name} could not be installed: ${String(error)}`));
    if (!programs) {
      rows.push({ agent: name, version, case: cases[0]!, ok: false, says: 'not installed', seconds: 0 });
      continue;
    }
    const mcp = stack && { url: stack.runtime.mcp, headers: { 'X-API-Key': key!, 'X-Agent-Id': `${name}-1` } };
    await tryAgent({ agent: agents[name]!, programs, folder, mcp, model }, cases, (of, outcome: Outcome) => {
      const { lines, ...row } = outcome;
      rows.push({ agent: name, version, case: of, ...row });
      say(`${name} ${of}: ${row.ok ? 'as expected' : 'OTHERWISE'} (${row.says}) ${row.seconds.toFixed(1)} s`);
      if (!row.ok) for (const line of lines.slice(-6)) say(`    ${line.slice(0, 400)}`);
      if (values.record && row.ok) record(name, of, lines, folder);
    });
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
