/**
 * Writes all generated files: the types of rows in prisma/rows.ts, docs/tools.md, docs/configuration.md, docs/routes.md, the diagram of the contexts in
 * docs/architecture.md, one schema snapshot per tool, what the search of tools has learned, and the types of the clients.
 *   npm run gen              writes
 *   npm run gen -- --check   writes nothing, fails when something would change (CI)
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { access, routes } from '../api/access.ts';
import { environment } from '../platform/config.ts';
import { Catalogue } from '../tools/catalogue/catalogue.ts';
import { approvalText, systems, type AnyTool } from '../tools/catalogue/define.ts';
import { tools } from '../tools/index.ts';
import { contextArrows, contexts, readSources } from './check-imports.ts';
import type { Schema } from '../contracts/json-schema.ts';
import { exampleArguments, resolveRef } from '../tools/catalogue/examples.ts';
import { clientFiles, pythonFolder } from './gen-clients.ts';
import { learntText } from './gen-learnt.ts';
import { rowTypes } from './schema.ts';

const notice = '<!-- Written by `npm run gen`. Do not edit. -->';
const code = (text: string): string => `\`${text}\``;
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
const json = (value: unknown, indent?: number): string => JSON.stringify(value, null, indent);

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** A schema in short form: `string[]`, `1–100`, `"a" or "b"`. */
function typeOf(given: Schema, root: Schema): string {
  const schema = resolveRef(given, root);
  if (schema !== given && schema.properties) return given.$ref?.split('/').at(-1) ?? 'object';
  if (schema.const !== undefined) return json(schema.const);
  if (schema.enum) return schema.enum.map((value) => json(value)).join(' or ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map((choice) => typeOf(choice, root)))].join(' or ');
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any');
  if (type === 'array') {
    const inner = typeOf(schema.items ?? {}, root);
    return `${inner.includes(' ') ? `(${inner})` : inner}[]${range(schema.minItems, schema.maxItems, ' items')}`;
  }
  if (type === 'string') return (schema.format ?? 'string') + range(schema.minLength, schema.maxLength, ' characters');
  return type + range(schema.minimum, schema.maximum, '');
}

function range(low: number | undefined, high: number | undefined, unit: string): string {
  if (low === undefined && high === undefined) return '';
  if (low === undefined) return `, at most ${high}${unit}`;
  return high === undefined ? `, at least ${low}${unit}` : `, ${low}–${high}${unit}`;
}

/** One row per field; fields of objects inside follow as `outer.inner`, down to three levels. */
function fieldRows(given: Schema, root: Schema, withDefaults: boolean, prefix = '', depth = 0): string[][] {
  const schema = resolveRef(given, root);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix + name;
    const required = schema.required?.includes(name) === true && field.default === undefined;
    const state = required ? 'required' : field.default === undefined ? '' : code(json(field.default));
    const description = field.description ?? resolveRef(field, root).description ?? '';
    const row = [code(path), typeOf(field, root), ...(withDefaults ? [state] : [required ? '' : 'may be absent']), description];
    const inner = objectIn(field, root);
    return depth < 2 && inner
      ? [row, ...fieldRows(inner.schema, root, withDefaults, `${path}${inner.many ? '[]' : ''}.`, depth + 1)]
      : [row];
  });
}

function objectIn(given: Schema, root: Schema): { schema: Schema; many: boolean } | null {
  const schema = resolveRef(given, root);
  if (schema.properties) return { schema, many: false };
  if (schema.items) {
    const inner = objectIn(schema.items, root);
    return inner && { schema: inner.schema, many: true };
  }
  // `T or null`
  const choices = (schema.anyOf ?? []).filter((choice) => choice.type !== 'null');
  return choices.length === 1 && choices[0] ? objectIn(choices[0], root) : null;
}

function toolSection(catalogue: Catalogue, tool: AnyTool): string {
  const input = catalogue.jsonSchema(tool.input as z.ZodType) as Schema;
  const output = catalogue.jsonSchema(tool.output as z.ZodType) as Schema;
  const inputs = fieldRows(input, input, true);
  const answers = fieldRows(objectIn(output, output)?.schema ?? output, output, false);
  const example = exampleArguments(tool.input as z.ZodObject, input);
  if (!example) console.error(`${tool.name}: no valid example could be derived; give its fields .meta({ examples: […] })`);
  const traits = [
    tool.effect === 'read' ? 'reads' : tool.effect === 'write' ? 'writes' : 'destroys',
    ...(tool.idempotent ? ['idempotent'] : []),
    ...(tool.external ? ['reaches outside'] : []),
    `approval ${approvalText(tool)}`,
    `latency ${tool.latency}`,
    `scopes ${tool.scopes.map(code).join(', ') || 'none'}`,
    ...(tool.core ? ['listed in `core`'] : []),
  ];
  const aliases = systems.flatMap((system) => {
    const own = tool.aliases.filter((alias) => alias.system === system);
    return own.length === 0 ? [] : [[system, own.map(aliasLabel).join(', ')]];
  });
  return [
    `### ${code(tool.name)}`,
    `**${tool.title}.** ${tool.description}`,
    `${traits.join(' · ')}`,
    inputs.length === 0 ? 'No arguments.' : table(['Argument', 'Type', 'Default', 'Meaning'], inputs),
    answers.length === 0 ? `Answers with ${typeOf(output, output)}.` : table(['Answer field', 'Type', '', 'Meaning'], answers),
    ...(aliases.length === 0 ? [] : [table(['System', 'Its name for this tool'], aliases)]),
    ...(example ? [`\`\`\`json\n${json({ name: tool.name, arguments: example }, 2)}\n\`\`\``] : []),
  ].join('\n\n');
}

function aliasLabel(alias: AnyTool['aliases'][number]): string {
  const notes = [
    ...(alias.deprecated ? [`deprecated, use ${code(alias.deprecated.replacement)}`] : []),
    ...(alias.unlisted ? ['not listed'] : []),
  ];
  return code(alias.name) + (notes.length === 0 ? '' : ` (${notes.join('; ')})`);
}

function toolsPage(catalogue: Catalogue): string {
  const sorted = [...catalogue.tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  const domains = [...new Set(sorted.map((tool) => domainOf(tool)))];
  const aliasCount = sorted.reduce((sum, tool) => sum + tool.aliases.length, 0);
  return [
    notice,
    '# Tools',
    `${sorted.length} tools under ${sorted.length + aliasCount} names. Every tool can be called over MCP, REST and the command line, under its own name or an alias; ` +
      'each answer is an envelope with `status`, `data`, `metadata`, `refs`, `warnings`, `tool_call_id` and, on failure, `error`. ' +
      'The answer fields below are those of `data`.',
    domains
      .map(
        (domain) =>
          `- [${domain}](#${domain}): ${sorted
            .filter((tool) => domainOf(tool) === domain)
            .map((tool) => code(tool.name))
            .join(', ')}`,
      )
      .join('\n'),
    ...domains.flatMap((domain) => [
      `## ${domain}`,
      ...sorted.filter((tool) => domainOf(tool) === domain).map((tool) => toolSection(catalogue, tool)),
    ]),
  ].join('\n\n');
}

const domainOf = (tool: AnyTool): string => tool.name.split('.')[0] ?? tool.name;

/** A tool as clients see it; a change of the public contract is visible in review as a change of this file. */
function snapshot(catalogue: Catalogue, tool: AnyTool): string {
  const { name, title, description, annotations, inputSchema } = catalogue.describe({ tool, name: tool.name });
  const aliases = tool.aliases
    .map((alias) => {
      const listed = catalogue.describe({ tool, alias, name: alias.name });
      return {
        name: alias.name,
        system: alias.system,
        description: listed.description,
        ...(alias.deprecated ? { deprecated: alias.deprecated } : {}),
        ...(alias.unlisted ? { unlisted: true } : {}),
        inputSchema: listed.inputSchema,
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return json(
    { name, title, description, annotations, inputSchema, outputSchema: catalogue.jsonSchema(tool.output as z.ZodType), aliases },
    2,
  );
}

function configurationPage(): string {
  const schema = z.toJSONSchema(environment, { io: 'input', unrepresentable: 'any' }) as Schema;
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    code(name),
    settingType(field),
    field.default === undefined
      ? 'unset'
      : field.default === ''
        ? 'empty'
        : code(typeof field.default === 'string' ? field.default : json(field.default)),
    environment.shape[name as keyof typeof environment.shape].description ?? '',
  ]);
  return [
    notice,
    '# Configuration',
    'All settings are environment variables, read once at the start by `platform/config.ts`. An empty variable counts as unset. A bad value stops the start with an error that names it.',
    table(['Variable', 'Value', 'Default', 'Meaning'], rows),
  ].join('\n\n');
}

function routesPage(): string {
  const listed = Object.entries(routes).flatMap(([route, who]) => {
    const name = route.replaceAll('::', ':');
    if (typeof who === 'string') return [[code(name), '', who]];
    return [...Object.entries(who.each), ['anything else', who.others]].map(([each, one]) => [code(name), each, one]);
  });
  return [
    notice,
    '# Who may call what',
    'Every HTTP route, from `api/access.ts`. One hook checks key and role before each route; a route that is not listed stops the start. Read-only roles are `readonly`, `stakeholder` and `new_pm`.',
    table(
      ['Caller', 'Meaning'],
      Object.entries(access).map(([name, { says }]) => [code(name), says]),
    ),
    'Some records have further checks. People outside stakeholder teams see the A2A tasks of other keys; only people with the role `operator`, `pm`, `pm_leader` or `admin` may change them (cancel, answer, set callbacks). Only the key that set a callback sees its token. An MCP session and an event stream belong to the key that opened them.',
    table(
      ['Route', 'Operation', 'Caller'],
      listed.map(([route = '', operation = '', who = '']) => [route, operation === '' ? '' : code(operation), who]),
    ),
  ].join('\n\n');
}

/** The page with a new diagram: contexts in order, each arrow with the number of its imports. */
function architecturePage(page: string): string {
  const arrows = [...contextArrows(readSources(root, 'services/**/*.ts'))]
    .map(([pair, count]) => ({ from: pair.split(' ')[0] ?? '', to: pair.split(' ')[1] ?? '', count }))
    .filter(({ to }) => to !== 'kernel')
    .sort((a, b) => contexts.indexOf(a.from) - contexts.indexOf(b.from) || contexts.indexOf(a.to) - contexts.indexOf(b.to));
  const diagram = [
    '```mermaid',
    'flowchart RL',
    ...contexts.map((context) => `  ${context}`),
    ...arrows.map(({ from, to, count }) => `  ${from} -- ${count} --> ${to}`),
    '```',
  ].join('\n');
  const marked = /(<!-- Contexts, by `npm run gen` -->\n)[^]*?(\n<!-- End of the contexts -->)/;
  if (!marked.test(page)) throw new Error('docs/architecture.md has no place for the diagram of the contexts');
  return page.replace(marked, (_, begin: string, end: string) => `${begin}\n${diagram}\n${end}`).trimEnd();
}

function settingType(field: Schema): string {
  if (field.enum?.includes('true')) return 'true or false';
  if (field.enum) return field.enum.join(', ');
  if (field.type === 'integer') return `number${range(field.minimum, (field.maximum ?? 0) >= 2 ** 31 ? undefined : field.maximum, '')}`;
  return 'text';
}

/** A description of each system, with the supported interfaces beside its tools. */
const systemsKept: Record<(typeof systems)[number], string> = {
  'pm-intelligence':
    'A knowledge layer for product managers: signals, entities, evidence, reports. Its MCP tools, its A2A skills, and its gateway for agents under `/api/agents/v1` ([gateway.md](gateway.md)) with its error format, its deprecation headers and its event stream.',
  devflow:
    'A gateway that gives coding assistants tasks, knowledge and memory. Its tools over `POST /mcp/execute`, over `GET /mcp/sse` with answers on the stream, and over lines on stdin; `GET /mcp/tools`, `/mcp/metrics` and its health checks; the header `X-API-Key`.',
  'agentic-rag':
    "A server around Graphiti with search and ingestion, a registry of agents and delegation. Its tools with texts for people, also with the prefix `graphiti_` for Graphiti's names; agents over REST under `/a2a/agents` and `/a2a/tasks`; JSON-RPC requests whose id is null.",
  'intelli-platform':
    'A governed tool architecture: namespaces, sessions, policies, manifests, pointers, claims. Its names answer with the envelope; three flat spellings of former versions work, too.',
  perception:
    'Seven tools that read news and send briefs, over `POST /mcp/tools/{name}`, with bare data or its own error body as the answer.',
};

function compatibilityPage(catalogue: Catalogue): string {
  const sections = systems.map((system) => {
    const names = catalogue.tools.flatMap((tool) =>
      tool.aliases
        .filter((alias) => alias.system === system)
        .map((alias) => [code(alias.name), code(tool.name), alias.deprecated ? `use ${code(alias.deprecated.replacement)}` : '']),
    );
    const sorted = names.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
    return [`## ${system}`, systemsKept[system], table(['Its name', 'Tool', 'Deprecated'], sorted)].join('\n\n');
  });
  return [
    notice,
    '# Compatibility',
    'Signalbox combines five systems, and their clients keep working unchanged. Each name keeps the contract of its system: arguments, defaults, the shape of the answer, and errors. The code and these pages use the names of the five systems as described here. A profile of the same name (`?profile=devflow`) lists the names of one system alone; [tools.md](tools.md) shows the arguments of every name.',
    ...sections,
  ].join('\n\n');
}

const root = resolve(import.meta.dirname, '..');
const snapshots = 'tools/schemas';
const checking = process.argv.includes('--check');
const catalogue = new Catalogue(tools);
const files = new Map<string, string>([
  ['tools/catalogue/search/learnt.json', (await learntText(catalogue.tools, !checking)) ?? ''],
  ['docs/tools.md', toolsPage(catalogue)],
  ['prisma/rows.ts', rowTypes().trimEnd()],
  ['docs/compatibility.md', compatibilityPage(catalogue)],
  ['docs/configuration.md', configurationPage()],
  ['docs/routes.md', routesPage()],
  ['docs/architecture.md', architecturePage(readFileSync(join(root, 'docs/architecture.md'), 'utf8'))],
  ...catalogue.tools.map((tool): [string, string] => [`${snapshots}/${tool.name}.json`, snapshot(catalogue, tool)]),
  ...(await clientFiles(catalogue)),
]);
/** Folders that hold generated files alone. */
const existing = [snapshots, pythonFolder]
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`));
const stale = existing.filter((file) => !files.has(file) && !file.endsWith('__pycache__'));
const changed = [...files].filter(
  ([file, text]) => !existsSync(join(root, file)) || readFileSync(join(root, file), 'utf8') !== `${text}\n`,
);

if (checking) {
  for (const file of [...changed.map(([name]) => name), ...stale].sort()) console.error(`${file} is not up to date: npm run gen`);
  if (changed.length + stale.length > 0) process.exitCode = 1;
} else {
  for (const file of stale) rmSync(join(root, file));
  for (const [file, text] of changed) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), `${text}\n`);
  }
  console.log(`${files.size} files, ${changed.length} written, ${stale.length} removed`);
}
