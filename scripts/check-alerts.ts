/**
 * Alert rules: each has a severity, a runbook that exists and a test of both outcomes; with promtool on the PATH the tests are run.
 * Prints `skipped: …` for what could not be run.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

interface Rules {
  groups: { rules: { alert?: string; expr: string; labels?: Record<string, string>; annotations?: Record<string, string> }[] }[];
}
interface Tests {
  tests: { alert_rule_test?: { alertname: string; exp_alerts?: unknown[] }[] }[];
}

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'deploy', 'prometheus', 'rules');
const names = readdirSync(folder).sort();
const read = <T>(name: string): T => parse(readFileSync(join(folder, name), 'utf8')) as T;
const problems: string[] = [];

/** Headings as GitHub links them. */
function anchorsOf(document: string): Set<string> {
  const headings = readFileSync(join(root, document), 'utf8').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

const outcomes = new Map<string, Set<'fires' | 'stays quiet'>>();
for (const name of names.filter((each) => each.endsWith('.test.yml'))) {
  for (const { alertname, exp_alerts: expected = [] } of read<Tests>(name).tests.flatMap((test) => test.alert_rule_test ?? [])) {
    const seen = outcomes.get(alertname) ?? new Set();
    outcomes.set(alertname, seen.add(expected.length > 0 ? 'fires' : 'stays quiet'));
  }
}

const ruleFiles = names.filter((name) => !name.endsWith('.test.yml'));
const alerts = ruleFiles.flatMap((name) =>
  read<Rules>(name).groups.flatMap(({ rules }) => rules.filter(({ alert }) => alert !== undefined)),
);
if (alerts.length === 0) problems.push('There are no alerts.');
for (const { alert = '', labels, annotations } of alerts) {
  if (!['page', 'ticket'].includes(labels?.['severity'] ?? '')) problems.push(`${alert}: severity is neither page nor ticket.`);
  for (const part of ['summary', 'description']) if (!annotations?.[part]) problems.push(`${alert}: no ${part}.`);
  const [document = '', anchor = ''] = annotations?.['runbook_url']?.split('#') ?? [];
  if (document !== 'docs/runbooks.md' || !anchorsOf(document).has(anchor))
    problems.push(`${alert}: docs/runbooks.md has no section #${anchor}.`);
  for (const outcome of ['fires', 'stays quiet'] as const)
    if (!outcomes.get(alert)?.has(outcome)) problems.push(`${alert}: no test shows that it ${outcome}.`);
}

const promtool = (...args: string[]): void => {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' });
  if (error && (error as NodeJS.ErrnoException).code === 'ENOENT') {
    console.log('skipped: promtool is not on the PATH (Debian: apt-get install prometheus), so the tests of the alerts were not run');
    return;
  }
  if (status !== 0) problems.push(`promtool ${args.join(' ')}: ${error?.message ?? ''}${stdout}${stderr}`);
  else console.log(`promtool: ${args.slice(0, 2).join(' ')} passed`);
};
promtool('test', 'rules', ...names.filter((name) => name.endsWith('.test.yml')));

console.log(`${alerts.length} alerts`);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
