/**
 * Import rules (docs/architecture.md has the table). Reads every source file, distinguishes `import type` from
 * imports that exist at run time, and reports forbidden imports, run-time cycles between modules, and packages that
 * production code uses but does not declare.
 */
import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

interface Import {
  from: string;
  line: number;
  specifier: string;
  /** A file of this repository, relative to its root; a package; or a module of Node's own. */
  target: { kind: 'file' | 'package' | 'builtin'; name: string };
  typeOnly: boolean;
}

/** Path prefixes. A rule without a list does not restrict it. */
interface Rule {
  zone: string[];
  /** Files it may import in any way. */
  values: string[];
  /** Files it may import with `import type`, beside `values`. */
  types?: string[];
  packages?: string[];
  builtins?: string[];
}

/** Helpers without a connection: the current tenant, and the meaning of Temporal errors. */
const adapterHelpers = [
  'adapters/postgres/errors.ts',
  'adapters/postgres/prepared.ts',
  'adapters/postgres/tenancy.ts',
  'adapters/temporal/attributes.ts',
  'adapters/temporal/errors.ts',
];

/** Runs jobs in processes and threads with limits. Needs no server and no configuration. */
const processPool = 'platform/pool/';

/** The first rule whose zone holds a file applies; a file in no zone (entry points, scripts, tests) may import everything. */
const rules: Rule[] = [
  {
    zone: ['contracts/temporal.ts', 'contracts/activities/'],
    values: ['contracts/temporal.ts', 'contracts/activities/'],
    types: ['contracts/'],
    packages: [],
    builtins: [],
  },
  { zone: ['contracts/ids.ts'], values: ['contracts/'], packages: ['zod'], builtins: ['crypto'] },
  { zone: ['contracts/'], values: ['contracts/'], packages: ['zod'], builtins: [] },
  {
    zone: ['workflows/'],
    values: ['workflows/', 'contracts/temporal.ts'],
    types: ['contracts/'],
    packages: ['@temporalio/workflow', '@temporalio/common'],
    builtins: [],
  },
  {
    zone: ['activities/'],
    values: ['activities/', 'services/', 'engines/', 'contracts/', ...adapterHelpers],
    types: ['adapters/', 'workflows/', 'platform/'],
  },
  // Engines get their data as arguments: they use no store and no port.
  { zone: ['engines/'], values: ['engines/', 'contracts/', processPool], types: ['adapters/parsers/types.ts'] },
  {
    zone: ['services/'],
    values: ['services/', 'engines/', 'contracts/', processPool, ...adapterHelpers],
    types: ['adapters/', 'workflows/', 'platform/', 'prisma/rows.ts'],
  },
  {
    zone: ['tools/'],
    // Pure, and shared so that searches for tools and for passages weight words alike.
    values: ['tools/', 'contracts/', 'engines/', ...adapterHelpers],
    types: ['services/', 'adapters/', 'platform/'],
  },
  { zone: ['adapters/'], values: ['adapters/', 'contracts/', 'platform/'] },
  { zone: ['platform/'], values: ['platform/', 'contracts/'] },
  { zone: ['console/'], values: ['console/'], types: ['contracts/'] },
  // Published by themselves, for any runtime.
  { zone: ['clients/typescript/'], values: ['clients/typescript/'], packages: [], builtins: [] },
];

/**
 * The bounded contexts of services/, in order: each may import the earlier ones, through their index.ts only. The
 * kernel is a library for all, file by file.
 */
export const contexts = ['work', 'substrate', 'governance', 'outbound', 'knowledge', 'graph', 'signals', 'authoring', 'feeds', 'agents'];

const contextOf = (path: string): string | null => /^services\/([^/]+)\/./.exec(path)?.[1] ?? null;

/** Activities use their own context; the sweep and reviews in the kernel use the contexts they maintain. */
const activitiesOf = (path: string): string | null => /^activities\/([^/]+)\//.exec(path)?.[1] ?? null;

function contextProblem(entry: Import): string | null {
  const { name } = entry.target;
  if (development.test(entry.from) || !/^(services|tools|activities)\//.test(entry.from)) return null;
  const from = contextOf(entry.from);
  const to = contextOf(name);
  const own = activitiesOf(entry.from);
  if (own === 'kernel' || (own !== null && own === to)) return null;
  if (to === null || to === 'kernel' || from === to) return null;
  // index.ts wires all contexts; files beside it handle rows of all contexts.
  if (from === null && entry.from.startsWith('services/')) return null;
  if (from === 'kernel') return `the kernel may not import the context ${to}`;
  if (!contexts.includes(to)) return `services/${to} is not among the contexts of scripts/check-imports.ts`;
  if (from !== null && contexts.indexOf(from) < contexts.indexOf(to)) return `${from} comes before ${to} and may not import it`;
  return name === `services/${to}/index.ts` ? null : `${name} is inside ${to}: import services/${to}/index.ts`;
}

/** Folders of shipped code; the others may use devDependencies, and only they import themselves. */
const production = /^(api|tools|engines|services|workflows|activities|workers|adapters|contracts|platform|cli)\//;
const development = /^(test|scripts|bench|chaos|eval)\/|\.test\.ts$|\/testing\.ts$/;

const startsWithAny = (path: string, beginnings: string[]): boolean => beginnings.some((beginning) => path.startsWith(beginning));

export function importsOf(file: string, source: string): Import[] {
  const { program, module } = parseSync(file, source);
  const found: Import[] = [];
  const add = (specifier: string, offset: number, typeOnly: boolean): void => {
    const line = source.slice(0, offset).split('\n').length;
    found.push({ from: file, line, specifier, target: targetOf(file, specifier), typeOnly });
  };
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') add(node.source.value, node.start, node.importKind === 'type');
    else if (node.type === 'ExportNamedDeclaration' && node.source) add(node.source.value, node.start, node.exportKind === 'type');
    else if (node.type === 'ExportAllDeclaration') add(node.source.value, node.start, node.exportKind === 'type');
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = /^(['"])(.*)\1$/.exec(source.slice(moduleRequest.start, moduleRequest.end));
    if (literal?.[2]) add(literal[2], moduleRequest.start, false);
  }
  return found;
}

function targetOf(file: string, specifier: string): Import['target'] {
  if (specifier.startsWith('.')) return { kind: 'file', name: normalize(join(dirname(file), specifier)) };
  const bare = specifier.replace(/^node:/, '');
  const first = bare.split('/')[0] ?? bare;
  if (bare !== specifier || builtinModules.includes(first)) return { kind: 'builtin', name: bare };
  return { kind: 'package', name: specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : first };
}

function layerProblem(entry: Import): string | null {
  if (development.test(entry.from)) return null;
  const { kind, name } = entry.target;
  if (kind === 'file' && production.test(entry.from) && development.test(name)) return 'production code must not import tests or scripts';
  const rule = rules.find((candidate) => startsWithAny(entry.from, candidate.zone));
  if (!rule) return null;
  const zone = rule.zone.join(' and ');
  if (kind === 'file') {
    if (startsWithAny(name, rule.values)) return null;
    if (!startsWithAny(name, rule.types ?? [])) return `${zone} may not import ${name}`;
    return entry.typeOnly ? null : `${zone} may import ${name} only with "import type"`;
  }
  const allowed = kind === 'package' ? rule.packages : rule.builtins;
  return allowed === undefined || allowed.includes(name)
    ? null
    : `${zone} may not import ${kind === 'package' ? 'the package' : 'Node module'} ${name}`;
}

/** Groups of modules that reach each other at run time (Tarjan), each shown as its shortest cycle. */
function cyclesIn(graph: Map<string, string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const groups: Set<string>[] = [];
  const visit = (node: string): void => {
    index.set(node, index.size);
    low.set(node, index.get(node) ?? 0);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(node) !== index.get(node)) return;
    const group = new Set(stack.splice(stack.indexOf(node)));
    if (group.size > 1 || graph.get(node)?.includes(node)) groups.push(group);
  };
  for (const node of [...graph.keys()].sort()) if (!index.has(node)) visit(node);
  return groups.map((group) => shortestLoop(graph, group));
}

function shortestLoop(graph: Map<string, string[]>, group: Set<string>): string[] {
  const start = [...group].sort()[0] ?? '';
  const queue = [[start]];
  const seen = new Set<string>();
  for (let path = queue.shift(); path; path = queue.shift()) {
    for (const next of graph.get(path.at(-1) ?? '') ?? []) {
      if (next === start) return [...path, start];
      if (group.has(next) && !seen.has(next)) queue.push([...path, next]);
      seen.add(next);
    }
  }
  return [...group];
}

export interface Declared {
  dependencies: string[];
}

/** Every broken rule, as `file:line: what is wrong`. Keys of `sources` are paths relative to the repository. */
export function importProblems(sources: Map<string, string>, declared: Declared): string[] {
  const all = [...sources].flatMap(([file, source]) => importsOf(file, source));
  const problems: string[] = [];
  for (const entry of all) {
    const { kind, name } = entry.target;
    const at = `${entry.from}:${entry.line}`;
    const problem = layerProblem(entry) ?? (kind === 'file' ? contextProblem(entry) : null);
    if (problem) problems.push(`${at}: ${problem}`);
    const shipped = production.test(entry.from) && !development.test(entry.from) && !entry.typeOnly;
    if (kind === 'package' && shipped && !declared.dependencies.includes(name)) {
      problems.push(`${at}: ${name} is not among the dependencies in package.json`);
    }
    if (kind === 'file' && /\.[cm]?tsx?$/.test(name) && !sources.has(name)) {
      problems.push(`${at}: ${name} does not exist`);
    }
  }
  const graph = new Map<string, string[]>([...sources.keys()].map((file) => [file, []]));
  for (const { from, target, typeOnly } of all) if (!typeOnly && sources.has(target.name)) graph.get(from)?.push(target.name);
  for (const loop of cyclesIn(graph)) problems.push(`${loop[0]}: cycle ${loop.join(' → ')}`);
  return problems;
}

/** What shipped code imports that is not shipped with it: found only when the command that needs it is run. */
export function unshipped(sources: Map<string, string>, ships: (file: string) => boolean): string[] {
  return [...sources]
    .filter(([file]) => ships(file) && !development.test(file))
    .flatMap(([file, source]) => importsOf(file, source))
    .filter(({ target, typeOnly }) => !typeOnly && target.kind === 'file' && !ships(target.name))
    .map(({ from, line, target }) => `${from}:${line}: ${target.name} is not shipped`);
}

/** Number of imports between contexts: `from to` → count. */
export function contextArrows(sources: Map<string, string>): Map<string, number> {
  const arrows = new Map<string, number>();
  for (const [file, source] of sources) {
    const from = contextOf(file);
    if (from === null || development.test(file)) continue;
    for (const { target } of importsOf(file, source)) {
      const to = contextOf(target.name);
      if (target.kind === 'file' && to !== null && to !== from) arrows.set(`${from} ${to}`, (arrows.get(`${from} ${to}`) ?? 0) + 1);
    }
  }
  return arrows;
}

/** @returns every source file by its path from the root */
export function readSources(root: string, pattern = '**/*.{ts,tsx}'): Map<string, string> {
  const skip = /(^|\/)(node_modules|\.signalbox|coverage|dist)(\/|$)/;
  const files = globSync(pattern, { cwd: root, exclude: (path) => skip.test(path) }).sort();
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..');
  const sources = readSources(root);
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
  const problems = importProblems(sources, { dependencies: Object.keys(manifest.dependencies) });
  for (const problem of problems) console.error(problem);
  console.log(`${sources.size} files, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}
