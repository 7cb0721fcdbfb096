/**
 * Runs the official MCP conformance suite against our front end, for both eras of the protocol.
 * Needs no database: the pipeline behind it is a double, since the suite judges the protocol only.
 *
 *   npm run conformance [-- --json FILE]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFixtures } from '../api/mcp/fixtures.ts';
import { testConfig, testServer } from '../api/testing.ts';

const revisions = ['2025-11-25', '2026-07-28'] as const;

/** Scenarios that fail here, by prefix, and why. Anything else that fails, and anything of these that passes, fails this run. */
const known: Record<string, string> = {
  'tasks-': 'the Tasks extension is not offered: long calls answer with a job, followed by system.job.get (not scored)',
};
const passesAnyway = new Set(['tasks-status-notifications']);

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}
interface Outcome {
  revision: string;
  scenario: string;
  /** Counts for conformance; extensions and scenarios added later do not. */
  scored: boolean;
  passed: number;
  failed: Check[];
  warnings: Check[];
}

const suite = fileURLToPath(new URL('../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));

/** The scenarios a revision requires of a server, from the suite's own list. */
function required(revision: string): Set<string> {
  const yaml = readFileSync(
    new URL(`../node_modules/@modelcontextprotocol/conformance/requirements/${revision}.yaml`, import.meta.url),
    'utf8',
  );
  const section = /^server:\n((?:[ #].*\n|\n)*)/m.exec(yaml)?.[1] ?? '';
  return new Set([...section.matchAll(/^ {2}- ([a-z0-9-]+)/gm)].map((match) => match[1]!));
}

async function run(url: string, revision: string): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    await new Promise<void>((resolve, reject) => {
      const child = spawn(process.execPath, [suite, 'server', '--url', url, '--requirements', revision, '--output-dir', folder], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      child.once('error', reject);
      child.once('exit', () => resolve());
    });
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('checks.json'))
      .map((file) => outcomeOf(revision, file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as Check[]))
      .sort((a, b) => a.scenario.localeCompare(b.scenario));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function outcomeOf(revision: string, file: string, checks: Check[]): Outcome {
  const scenario = (file.split('/')[0] ?? file).replace(/^server-(.*?)-\d{4}-\d{2}-\d{2}T.*$/, '$1');
  return {
    revision,
    scenario,
    scored: required(revision).has(scenario),
    passed: checks.filter((check) => check.status === 'SUCCESS').length,
    failed: checks.filter((check) => check.status === 'FAILURE'),
    warnings: checks.filter((check) => check.status === 'WARNING'),
  };
}

const reasonOf = (scenario: string): string | undefined =>
  passesAnyway.has(scenario) ? undefined : Object.entries(known).find(([prefix]) => scenario.startsWith(prefix))?.[1];

const server = await testServer({ config: testConfig({ AUTH_MODE: 'local' }), fixtures: createFixtures() });
const outcomes: Outcome[] = [];
for (const revision of revisions) outcomes.push(...(await run(`${server.url}/mcp`, revision)));
await server.app.close();

const unexpected: string[] = [];
for (const revision of revisions) {
  const mine = outcomes.filter((outcome) => outcome.revision === revision);
  const missing = [...required(revision)].filter((scenario) => !mine.some((outcome) => outcome.scenario === scenario));
  unexpected.push(...missing.map((scenario) => `${revision} ${scenario}: was not run`));
  for (const [label, part] of [
    ['scored', mine.filter((o) => o.scored)],
    ['not scored', mine.filter((o) => !o.scored)],
  ] as const) {
    const count = (of: (outcome: Outcome) => number): string => String(part.reduce((total, outcome) => total + of(outcome), 0)).padStart(4);
    console.log(
      `${revision}  ${label.padEnd(10)} ${String(part.length).padStart(3)} scenarios ${count((o) => o.passed)} passed ${count((o) => o.failed.length)} failed ${count((o) => o.warnings.length)} warnings`,
    );
  }
  for (const { scenario, failed, warnings } of mine) {
    const reason = reasonOf(scenario);
    if (failed.length > 0 && !reason) unexpected.push(`${revision} ${scenario}: fails`);
    if (failed.length === 0 && reason) unexpected.push(`${revision} ${scenario}: is listed as failing, but passes`);
    if (failed.length > 0 && reason) console.log(`  known    ${scenario} (${failed.length}): ${reason}`);
    else
      for (const check of [...failed, ...warnings])
        console.log(`  ${check.status.padEnd(8)} ${scenario} / ${check.id}: ${check.errorMessage ?? ''}`);
  }
}
console.log(unexpected.length === 0 ? 'All as expected.' : `Not as expected:\n  ${unexpected.join('\n  ')}`);

const jsonAt = process.argv.indexOf('--json');
if (jsonAt > 0 && process.argv[jsonAt + 1]) {
  writeFileSync(process.argv[jsonAt + 1]!, `${JSON.stringify({ ok: unexpected.length === 0, unexpected, known, outcomes }, null, 2)}\n`);
}
process.exit(unexpected.length === 0 ? 0 : 1);
