/** Runs a checkout of the official A2A compatibility kit against a server with the scripted agent. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { XMLParser } from 'fast-xml-parser';

export interface Kit {
  dir: string;
  version: '1.0' | '0.3';
  python: string;
}

export interface KitCheck {
  /** The kit's name: the check's id is in the name or at the start of the message. */
  name: string;
  /** Counts for conformance; the kit's quality and feature checks do not. */
  scored: boolean;
  outcome: 'passed' | 'failed' | 'skipped';
  message: string;
}

/** The suites of each version, and whether they count. Markers as in the kit's own runner. */
const suites = {
  '1.0': [{ path: 'tests/compatibility', scored: true, marker: null }],
  '0.3': [
    { path: 'tests/mandatory', scored: true, marker: 'mandatory_jsonrpc or mandatory_protocol' },
    { path: 'tests/optional/capabilities', scored: true, marker: null },
    { path: 'tests/optional/multi_transport', scored: true, marker: 'transport_equivalence' },
    { path: 'tests/optional/quality', scored: false, marker: null },
    { path: 'tests/optional/features', scored: false, marker: null },
  ],
} as const;

const howTo = `A2A_TCK_DIR must name the folder of a checkout of github.com/a2aproject/a2a-tck: branch 1.0-dev for A2A 1.0, 0.3.x for 0.3; for both, two folders separated by "${delimiter}".`;

/** @throws Error that says what is missing */
export function kitsIn(folders: string | undefined): Kit[] {
  const dirs = (folders ?? '').split(delimiter).filter(Boolean);
  if (dirs.length === 0) throw new Error(howTo);
  return dirs.map((given) => {
    const dir = resolve(given);
    const version = existsSync(join(dir, 'tests/compatibility')) ? '1.0' : existsSync(join(dir, 'tests/mandatory')) ? '0.3' : null;
    if (version === null) throw new Error(`${dir} is not a checkout of the kit. ${howTo}`);
    const own = join(dir, '.venv/bin/python');
    const python = existsSync(own) ? own : 'python3';
    try {
      execFileSync(python, ['-c', 'import pytest, httpx, grpc, tck'], { cwd: dir, stdio: 'ignore' });
    } catch {
      throw new Error(`The kit in ${dir} lacks Python packages. There: python3 -m venv .venv && .venv/bin/pip install -e .`);
    }
    return { dir, version, python };
  });
}

/** @param url of the server, without a path */
export async function runKit({ dir, version, python }: Kit, url: string): Promise<KitCheck[]> {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-'));
  try {
    const checks: KitCheck[] = [];
    for (const [i, { path, scored, marker }] of suites[version].entries()) {
      const report = join(folder, `${i}.xml`);
      const target = version === '1.0' ? [`--sut-host=${url}`] : [`--sut-url=${url}/a2a`, '--test-scope=all'];
      const marked = marker === null ? [] : ['-m', marker];
      await run(python, ['-m', 'pytest', path, ...target, ...marked, '-q', '-p', 'no:cacheprovider', `--junitxml=${report}`], dir);
      if (!existsSync(report)) throw new Error(`The kit in ${dir} ended without a report of ${path}.`);
      checks.push(...checksOf(readFileSync(report, 'utf8'), scored));
    }
    return checks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The exit code only says that some check failed; the report says which. */
function run(command: string, args: string[], cwd: string): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(command, args, {
      cwd,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    });
    child.once('error', failed);
    child.once('exit', () => done());
  });
}

interface Told {
  '@message'?: string;
}
interface TestCase {
  '@classname': string;
  '@name': string;
  failure?: Told;
  error?: Told;
  skipped?: Told | '';
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseAttributeValue: false,
  isArray: (name) => name === 'testcase' || name === 'testsuite',
});

/** The checks of a report in JUnit's form. */
export function checksOf(xml: string, scored: boolean): KitCheck[] {
  const { testsuites } = parser.parse(xml) as { testsuites?: { testsuite?: { testcase?: TestCase[] }[] } };
  return (testsuites?.testsuite ?? [])
    .flatMap(({ testcase }) => testcase ?? [])
    .map((one) => {
      const bad = one.failure ?? one.error;
      const name = `${one['@classname'].split('.').at(-1)}::${one['@name']}`;
      const outcome = bad === undefined ? (one.skipped === undefined ? 'passed' : 'skipped') : 'failed';
      return { name, scored, outcome, message: (bad?.['@message'] ?? '').split('\n')[0]!.slice(0, 300) };
    });
}

/** Checks that fail on every server that follows the standard, by the end of their name, with the reason. */
const defects: Record<Kit['version'], Record<string, string>> = {
  '1.0': {
    'test_must_requirement[CORE-SEND-003-jsonrpc]':
      'asks by its text for ContentTypeNotSupportedError, which it gets, but does not name the error that it expects, so that the runner wants a success',
    'test_must_requirement[CORE-SEND-003-http_json]': 'the same over HTTP+JSON',
  },
  '0.3': {},
};

/** Checks that should have passed, or that are listed as a defect and pass. */
export function fallsShort(version: Kit['version'], checks: KitCheck[]): string[] {
  const known = defects[version];
  const reasonOf = (name: string): string | undefined => Object.entries(known).find(([end]) => name.endsWith(end))?.[1];
  return checks
    .filter(({ scored }) => scored)
    .flatMap(({ name, outcome, message }) => {
      if (outcome === 'failed' && reasonOf(name) === undefined) return [`${version} ${name}: ${message}`];
      if (outcome === 'passed' && reasonOf(name) !== undefined) return [`${version} ${name}: is listed as a defect of the kit, but passes`];
      return [];
    });
}

export const knownDefects = (version: Kit['version']): [string, string][] => Object.entries(defects[version]);
