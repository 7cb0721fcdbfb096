/**
 * Compares the file lists ("ways") in docs/architecture.md with the real imports. A numbered line must be reached from
 * the numbered line before it; a nested line from its numbered line or from a nested line above it. A service that starts
 * a workflow or sends it an update imports the workflow's type.
 */
import { basename, dirname } from 'node:path';
import { importsOf } from './check-imports.ts';

/** First and last file of each way, and its maximum length. */
export const ways: Record<string, { first: string; last: string; limit: number }> = {
  'a claim': { first: 'tools/catalogue/pipeline.ts', last: 'services/work/records.ts', limit: 8 },
  'a document': { first: 'tools/catalogue/pipeline.ts', last: 'services/knowledge/records-publish.ts', limit: 15 },
  'an A2A message': { first: 'api/a2a/handler.ts', last: 'services/work/records.ts', limit: 14 },
};

/** Never listed: contracts, adapters, the pipeline's own steps, and the wiring of kernel and contexts. */
const uncounted = [
  /^(contracts|adapters|platform|prisma)\//,
  /^tools\/catalogue\//,
  /^services\/(.+\/)?index\.ts$/,
  /^services\/kernel\/(kernel|service)\.ts$/,
];

/** Imports of listed files that are not listed themselves, with the reason (rule in docs/architecture.md). */
export const beside: Record<string, string> = {
  'activities/kernel/stage.ts': 'runs any stage as its tenant, with heartbeats',
  'api/a2a/errors.ts': 'says an error in the words of the protocol',
  'api/a2a/versions.ts': 'the versions of the protocol',
  'engines/intents/skills.ts': 'the list of skills',
  'services/agents/a2a/perform.ts': 'calls of tools: the other thing that a message may ask for',
  'services/agents/a2a/push.ts': 'callbacks, told after the row',
  'services/agents/a2a/rights.ts': 'who may see and change a task that is there',
  'services/agents/a2a/scripted.ts': 'what conformance kits talk to, behind a test switch',
  'services/agents/a2a/tasks-result.ts': 'what becomes of the message once its work is over',
  'services/kernel/blobs.ts': 'deletes the bytes of what was replaced',
  'services/kernel/execution.ts': 'the type of a call that a process makes',
  'services/kernel/followers.ts': 'tells other contexts what was replaced',
  'services/kernel/jobs.ts': 'of a message: follows the job that a call of a tool became',
  'services/kernel/notify.ts': 'wakes who waits for the row',
  'services/kernel/outbox.ts': 'tells those who follow of what is published',
  'services/kernel/paging.ts': 'lists of jobs',
  'services/kernel/waiting.ts': 'waits for an end',
  'services/knowledge/commands-answers.ts': 'tells the caller how the job stands',
  'services/knowledge/folder.ts': 'folders: many contents are a run',
  'services/knowledge/records-dlq.ts': 'stages that failed, and refused contents',
  'services/knowledge/runs.ts': 'runs: many contents',
  'services/knowledge/runs-spec.ts': 'runs: many contents',
  'services/work/actors.ts': 'names the caller as a process knows it',
  'services/work/blockers.ts': 'tasks that wait for others',
  'services/work/words.ts': 'title and description of a new task',
  'services/work/rows.ts': 'rows of tasks as they are read',
  'services/work/queries.ts': 'reads, and shows a row to its caller',
  'tools/knowledge/ingest.shared.ts': 'fields and answers that the tools share',
  'workflows/graph/graph-stages.ts': 'goes on from what is published',
  'workflows/index.ts': 'names all workflows',
  'workflows/kernel/attributes.ts': "Temporal's list",
  'workflows/kernel/failure.ts': 'what a failure says',
  'workflows/kernel/job.ts': "keeps the job's row: no search waits for it",
  'workflows/kernel/projector.ts': 'lets one write at a time through, for any process',
  'workflows/kernel/turns.ts': 'lets one change at a time through',
  'workflows/knowledge/parking.ts': 'waits for a decision about a stage that failed',
  'workflows/work/task/shape.ts': 'edits and ends of a task by people: no claim takes them',
  'workflows/work/task/lease.ts': 'whose lease it is: nobody asks that of a ready task',
  'workflows/work/task/state.ts': 'of a message: what follows once the task is on the board',
  'workflows/work/task/workflow.ts': 'of a message: what follows once the task is on the board',
  'workflows/work/watching.ts': 'waits for the end of the task on the board',
};

/** One file leads to another without importing it. */
interface HandOver {
  from: RegExp;
  to: RegExp;
  /** The imports that make the hand-over possible. */
  links(from: string, to: string, tree: Tree): [importer: string, imported: string][];
  /** Names of the objects that are handed over: the first file must use one of them. */
  names(from: string, to: string, tree: Tree): string[];
}

const indexOf = (file: string): string => `${dirname(file)}/index.ts`;

/** From services/index.ts through the index of each folder down to a file. */
function wired(to: string): [importer: string, imported: string][] {
  const folders = dirname(to).split('/');
  const indexes = folders.map((_, i) => `${folders.slice(0, i + 1).join('/')}/index.ts`);
  return [...indexes, to].slice(1).map((file, i) => [indexes[i]!, file]);
}

/** The property names by which a context's index.ts exposes a file's class. */
function givenAs(to: string, tree: Tree): string[] {
  const classes = [...tree.text(to).matchAll(/export class (\w+)/g)].map((match) => match[1]);
  return [...tree.text(indexOf(to)).matchAll(/readonly (\w+)(?:: \w+)? = new (\w+)\(/g)]
    .filter((match) => classes.includes(match[2]))
    .map((match) => match[1]!);
}

/** The contract of activities that both sides import. */
const contractOf = (from: string, to: string, tree: Tree): string =>
  tree.imports(from).find((file) => file.startsWith('contracts/activities/') && tree.imports(to).includes(file)) ?? 'contracts/activities/';

const handOvers: HandOver[] = [
  {
    // The pipeline finds the tool in its catalogue.
    from: /^tools\/catalogue\/pipeline\.ts$/,
    to: /^tools\/(?!catalogue\/).+\/.+\.ts$/,
    links: (from, to) => [
      ['workers/main.ts', from],
      ['workers/main.ts', 'tools/index.ts'],
      ['tools/index.ts', to],
    ],
    names: () => ['handler'],
  },
  {
    // A tool gets its services with the call.
    from: /^tools\/(?!catalogue\/)/,
    to: /^services\/.+\/.+\.ts$/,
    links: (from, to) => [
      [from, 'tools/catalogue/define.ts'],
      ['tools/catalogue/define.ts', 'tools/catalogue/given.ts'],
      ['tools/catalogue/given.ts', 'services/index.ts'],
      ...wired(to),
    ],
    names: (_from, to, tree) => givenAs(to, tree),
  },
  {
    // Activities get their services from the worker.
    from: /^activities\//,
    to: /^services\/.+\/.+\.ts$/,
    links: (from, to) => [[from, 'services/index.ts'], ...wired(to)],
    names: (_from, to, tree) => givenAs(to, tree),
  },
  {
    // A workflow schedules activities by their contract; a queue's worker runs them.
    from: /^workflows\//,
    to: /^activities\//,
    links: (from, to, tree) => [
      [from, contractOf(from, to, tree)],
      [to, contractOf(from, to, tree)],
      ['workers/host.ts', to],
    ],
    names: (from, to, tree) =>
      [...tree.text(contractOf(from, to, tree)).matchAll(/^ {2}(\w+)\(/gm)].map((match) => match[1]!).filter((name) => tree.says(to, name)),
  },
  {
    // A service names the parts of the kernel that it uses.
    from: /^services\//,
    to: /^services\/kernel\/(jobs|processes)\.ts$/,
    links: (from, to) => [
      [from, 'services/kernel/service.ts'],
      ['services/kernel/service.ts', 'services/kernel/kernel.ts'],
      ['services/kernel/kernel.ts', to],
    ],
    names: (_from, to) => [basename(to, '.ts')],
  },
  {
    // A workflow calls tools through the pipeline: workers pass the pipeline's `execute` to activities.
    from: /^services\//,
    to: /^tools\/catalogue\/pipeline\.ts$/,
    links: (from, to) => [
      [from, 'services/kernel/execution.ts'],
      [to, 'services/kernel/execution.ts'],
      ['workers/main.ts', to],
    ],
    names: () => ['execute'],
  },
];

/** Source files and their imports, of any kind. */
class Tree {
  private readonly sources: ReadonlyMap<string, string>;
  private readonly known = new Map<string, string[]>();

  constructor(sources: ReadonlyMap<string, string>) {
    this.sources = sources;
  }

  has(file: string): boolean {
    return this.sources.has(file);
  }

  text(file: string): string {
    return this.sources.get(file) ?? '';
  }

  says(file: string, name: string): boolean {
    return new RegExp(`\\b${name}\\b`).test(this.text(file));
  }

  imports(file: string): string[] {
    const read = (): string[] =>
      importsOf(file, this.text(file))
        .filter(({ target }) => target.kind === 'file')
        .map(({ target }) => target.name);
    const found = this.known.get(file) ?? read();
    this.known.set(file, found);
    return found;
  }

  leads(from: string, to: string): boolean {
    if (this.imports(from).includes(to)) return true;
    return handOvers.some(
      (way) =>
        way.from.test(from) &&
        way.to.test(to) &&
        way.links(from, to, this).every(([importer, imported]) => this.imports(importer).includes(imported)) &&
        way.names(from, to, this).some((name) => this.says(from, name)),
    );
  }
}

interface Step {
  file: string;
  /** Stands below a numbered line. */
  nested: boolean;
}

/** The lists in the sections "The way of …": one line per file. */
export function listedIn(markdown: string): Map<string, Step[]> {
  const lists = new Map<string, Step[]>();
  for (const section of markdown.split(/^## /m).slice(1)) {
    const name = /^The way of (.+)$/m.exec(section.split('\n', 1)[0]!)?.[1];
    const steps = [...section.matchAll(/^( *)(?:\d+\.|-) `([^`]+\.ts)` \S/gm)].map((line) => ({ file: line[2]!, nested: line[1] !== '' }));
    if (name !== undefined) lists.set(name, steps);
  }
  return lists;
}

/** Problems of the lists, as sentences. Keys of `sources` are paths relative to the repository. */
export function wayProblems(
  markdown: string,
  sources: ReadonlyMap<string, string>,
  expected: typeof ways = ways,
  excused: Record<string, string> = beside,
): string[] {
  const tree = new Tree(sources);
  const lists = listedIn(markdown);
  const problems: string[] = [];
  const met = new Set<string>();
  for (const [name, { first, last, limit }] of Object.entries(expected)) {
    const steps = lists.get(name) ?? [];
    const files = steps.map(({ file }) => file);
    const say = (problem: string): void => void problems.push(`the way of ${name}: ${problem}`);
    if (files[0] !== first) say(`begins with ${files[0] ?? 'nothing'}, not with ${first}`);
    if (files.at(-1) !== last) say(`ends with ${files.at(-1) ?? 'nothing'}, not with ${last}`);
    if (files.length > limit) say(`has ${files.length} files, more than ${limit}`);
    for (const [i, { file, nested }] of steps.entries()) {
      if (files.indexOf(file) !== i) say(`${file} stands there twice`);
      if (!tree.has(file)) say(`${file} does not exist`);
      // The numbered line before, and its nested lines up to this one.
      const begin = steps.findLastIndex((step, at) => at < i && !step.nested);
      const before = nested ? files.slice(begin, i) : files.slice(begin, begin + 1);
      if (i > 0 && !before.some((other) => tree.leads(other, file))) say(`nothing leads from ${before.join(' or ')} to ${file}`);
      for (const other of new Set(tree.imports(file))) {
        const inside = file.startsWith('engines/') && dirname(other) === dirname(file);
        if (files.includes(other) || inside || uncounted.some((zone) => zone.test(other))) continue;
        met.add(other);
        if (!(other in excused)) say(`${file} imports ${other}: list it, or say in scripts/ways.ts why it does not count`);
      }
    }
  }
  for (const file of Object.keys(excused)) if (!met.has(file)) problems.push(`${file} stands beside no way`);
  return problems;
}

/** Shipped files that write rows of a table. */
export function writersOf(table: string, sources: ReadonlyMap<string, string>): string[] {
  const writes = new RegExp(`\\b(?:insert into|update|delete from|merge into|truncate(?: table)?|copy)\\s+(?:only\\s+)?${table}\\b`, 'i');
  const ships = /^(?:activities|adapters|api|cli|contracts|engines|platform|services|tools|workers|workflows)\//;
  return [...sources].filter(([file, text]) => ships.test(file) && !file.endsWith('.test.ts') && writes.test(text)).map(([file]) => file);
}
