import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSources } from './check-imports.ts';
import { listedIn, wayProblems, ways, writersOf } from './ways.ts';

const root = resolve(import.meta.dirname, '..');
const sources = readSources(
  root,
  '{activities,adapters,api,cli,contracts,engines,platform,prisma,services,tools,workers,workflows}/**/*.ts',
);
const architecture = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const lists = listedIn(architecture);

/** The sources with changes; null deletes a file. */
const changed = (changes: Record<string, string | null>): Map<string, string> => {
  const copy = new Map(sources);
  for (const [file, text] of Object.entries(changes)) {
    if (text === null) copy.delete(file);
    else copy.set(file, text);
  }
  return copy;
};

/** Removes imports and exports of a file. */
const without = (text: string, file: string): string => {
  const name = file.split('/').at(-1)!;
  if (!text.includes(name)) return text;
  return text.replaceAll(new RegExp(`^(?:import|export) [^;]*from '[^']*\\b${name.replaceAll('.', '\\.')}';$`, 'gm'), '');
};

describe('the ways in docs/architecture.md', () => {
  it('are those that the code takes', () => {
    expect(wayProblems(architecture, sources)).toEqual([]);
  });

  it('of a document begins with either tool', () => {
    const other = architecture.replace('2. `tools/knowledge/ingest.document.submit.ts`', '2. `tools/knowledge/ingest.content.submit.ts`');
    expect(other).not.toBe(architecture);
    expect(wayProblems(other, sources)).toEqual([]);
  });

  const steps = Object.keys(ways).flatMap((way) => lists.get(way)!.map(({ file }, i) => ({ way, file, i })));

  it.each(steps)('$way: is refused when $file is gone', ({ way, file }) => {
    expect(wayProblems(architecture, changed({ [file]: null }))).toContain(`the way of ${way}: ${file} does not exist`);
  });

  it.each(steps.filter(({ i }) => i > 0))('$way: is refused when nothing imports $file', ({ way, file }) => {
    const deaf = new Map([...sources].map(([importer, text]) => [importer, without(text, file)]));
    expect(wayProblems(architecture, deaf).join('\n')).toMatch(new RegExp(`way of ${way}: nothing leads from .* to ${file}`));
  });
});

/** A way of four files: the command imports a helper and starts a workflow that schedules an activity. */
const small: Record<string, string> = {
  'services/a/commands.ts': "import type { Rules } from './rules.ts';\nimport type { flow } from '../../workflows/a/workflow.ts';",
  'services/a/rules.ts': '',
  'workflows/a/workflow.ts': "import type { A } from '../../contracts/activities/a.ts';\nproxy<A>().write();",
  'activities/a/a.ts': "import type { A } from '../../contracts/activities/a.ts';\nexport const a: A = { write };",
  'contracts/activities/a.ts': 'export interface A {\n  write(): void;\n}',
  'workers/host.ts': "import { a } from '../activities/a/a.ts';",
};
const ofA = { a: { first: 'services/a/commands.ts', last: 'activities/a/a.ts', limit: 4 } };
const list = (lines: string): string =>
  `# Architecture\n\n## The way of a\n\n${lines}\n\n## Words\n\n1. \`services/a/words.ts\` is no part.\n`;
const right = `1. \`services/a/commands.ts\` asks.
   - \`services/a/rules.ts\` decides.
2. \`workflows/a/workflow.ts\` waits.
3. \`activities/a/a.ts\` writes.`;

/** The problems of a list, with some files of the tree changed. */
const said = (lines: string, changes: Record<string, string> = {}, excused: Record<string, string> = {}, expected = ofA): string[] =>
  wayProblems(list(lines), new Map(Object.entries({ ...small, ...changes })), expected, excused);

describe('a list', () => {
  it('that the imports bear out is accepted', () => {
    expect(said(right)).toEqual([]);
  });

  it.each<[string, string, RegExp]>([
    ['is missing', '', /begins with nothing/],
    ['leaves out its beginning', right.replace(/^.*\n/, ''), /begins with services\/a\/rules.ts/],
    ['leaves out its end', right.replace(/\n3\..*$/, ''), /ends with workflows\/a\/workflow.ts/],
    ['leaves out a step', right.replace(/2\..*\n/, ''), /nothing leads from services\/a\/commands.ts to activities\/a\/a.ts/],
    ['leaves out a helper', right.replace(/ {3}-.*\n/, ''), /commands.ts imports services\/a\/rules.ts: list it/],
    ['names a file twice', `${right}\n4. \`activities/a/a.ts\` writes.`, /stands there twice/],
    ['names a file that is not there', right.replace('a/rules.ts', 'a/rule.ts'), /services\/a\/rule.ts does not exist/],
    ['says nothing of a file', right.replace(' decides.', ''), /commands.ts imports services\/a\/rules.ts: list it/],
    [
      'has its steps in another order',
      right.replace(/(2\..*)\n(3\..*)/, '$2\n$1'),
      /nothing leads from services\/a\/commands.ts to activities/,
    ],
    [
      'hangs a file on the wrong step',
      right.replace(/( {3}-.*\n)(2\..*\n)/, '$2$1'),
      /nothing leads from workflows\/a\/workflow.ts to services/,
    ],
  ])('that %s is refused', (_name, lines, problem) => {
    expect(said(lines).join('\n')).toMatch(problem);
  });

  it('that is longer than its limit is refused', () => {
    expect(said(right, {}, {}, { a: { ...ofA.a, limit: 3 } })).toEqual(['the way of a: has 4 files, more than 3']);
  });

  it.each<[string, string, string]>([
    ['starts another workflow', 'services/a/commands.ts', "import type { Rules } from './rules.ts';"],
    ['schedules nothing of the contract', 'workflows/a/workflow.ts', "import type { A } from '../../contracts/activities/a.ts';"],
    ['no longer hosts the activity', 'workers/host.ts', ''],
    ['follows another contract', 'activities/a/a.ts', "import type { B } from '../../contracts/activities/b.ts';"],
  ])('is refused when the code %s', (_name, file, text) => {
    expect(said(right, { [file]: text }).join('\n')).toMatch(/nothing leads from/);
  });

  it('accepts excused files, as long as a listed file imports them', () => {
    const more = { 'services/a/rules.ts': "import { name } from './names.ts';" };
    expect(said(right, more)).toEqual([expect.stringContaining('imports services/a/names.ts: list it')]);
    expect(said(right, more, { 'services/a/names.ts': 'names' })).toEqual([]);
    expect(said(right, {}, { 'services/a/names.ts': 'names' })).toEqual(['services/a/names.ts stands beside no way']);
  });
});

describe('rows of tasks', () => {
  it('are written by the files whose names say so', () => {
    expect(writersOf('work_tasks', sources)).toEqual(['services/work/edits.ts', 'services/work/records.ts']);
  });

  it.each(['insert into work_tasks (id) values (1)', 'update work_tasks set rev = 1', 'delete from\n  work_tasks where true'])(
    'are not written elsewhere: %s',
    (sql) => {
      const tree = changed({ 'services/work/claims.ts': `await db.query(\`${sql}\`);` });
      expect(writersOf('work_tasks', tree)).toContain('services/work/claims.ts');
    },
  );

  it('may be read elsewhere', () => {
    const tree = new Map([
      ['services/a.ts', 'select 1 from work_tasks'],
      ['services/b.ts', 'update work_tasks_old set a = 1'],
    ]);
    expect(writersOf('work_tasks', tree)).toEqual([]);
  });
});
