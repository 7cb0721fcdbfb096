/** Runs the official MCP conformance suite against a server with the suite's fixtures, for old and new revisions. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const revisions = ['2025-11-25', '2026-07-28'] as const;

export interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

export interface Outcome {
  revision: string;
  scenario: string;
  /** Counts for conformance; extensions and scenarios added later do not. */
  scored: boolean;
  passed: number;
  failed: Check[];
  warnings: Check[];
  /** The suite made no check that can fail, so the scenario is untested. */
  untested: boolean;
}

const suite = fileURLToPath(new URL('../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));
const requirements = fileURLToPath(new URL('../node_modules/@modelcontextprotocol/conformance/requirements', import.meta.url));

/** The scenarios that a revision requires of a server, from the suite's own list. */
export function required(revision: string): Set<string> {
  const yaml = readFileSync(join(requirements, `${revision}.yaml`), 'utf8');
  const section = /^server:\n((?:[ #].*\n|\n)*)/m.exec(yaml)?.[1] ?? '';
  return new Set([...section.matchAll(/^ {2}- ([a-z0-9-]+)/gm)].map((match) => match[1]!));
}

/** @param url of the MCP endpoint. @returns one outcome for each revision and scenario that was run */
export async function runMcpSuite(url: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const revision of revisions) outcomes.push(...(await run(url, revision)));
  return outcomes;
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
    const scored = required(revision);
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('checks.json'))
      .map((file) => {
        const scenario = (file.split('/')[0] ?? file).replace(/^server-(.*?)-\d{4}-\d{2}-\d{2}T.*$/, '$1');
        const checks = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Check[];
        return outcomeOf(revision, scenario, scored.has(scenario), checks);
      })
      .sort((a, b) => a.scenario.localeCompare(b.scenario));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function outcomeOf(revision: string, scenario: string, scored: boolean, checks: Check[]): Outcome {
  const those = (status: Check['status']): Check[] => checks.filter((check) => check.status === status);
  const passed = those('SUCCESS').length;
  const failed = those('FAILURE');
  const warnings = those('WARNING');
  return { revision, scenario, scored, passed, failed, warnings, untested: passed + failed.length + warnings.length === 0 };
}

/** Every failed check by its id, and every required scenario that was not run or is untested. */
export function shortcomings(outcomes: readonly Outcome[]): string[] {
  const failed = outcomes.flatMap(({ revision, scenario, failed }) =>
    failed.map(({ id, errorMessage }) => `${revision} ${scenario} / ${id}: ${errorMessage ?? 'failed'}`),
  );
  const missing = revisions.flatMap((revision) =>
    [...required(revision)]
      .filter(
        (scenario) => !outcomes.some((outcome) => outcome.revision === revision && outcome.scenario === scenario && !outcome.untested),
      )
      .map((scenario) => `${revision} ${scenario}: was not tested`),
  );
  return [...failed, ...missing];
}
