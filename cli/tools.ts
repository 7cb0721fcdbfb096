import { readFileSync } from 'node:fs';
import type { Ref } from '../contracts/envelope.ts';
import { callTool, failure, listTools, ok, type ListedTool } from './client.ts';
import type { CallToolOptions } from './commands/tools.ts';
import { usage } from './exit.ts';
import { clean, defined, facts, note, oneLine, paint, say, sayJson, table } from './output.ts';

const effectOf = (tool: ListedTool): string => {
  if (tool.annotations?.readOnlyHint) return 'read';
  return tool.annotations?.destructiveHint ? 'destructive' : 'write';
};

export async function listCommand(profile: string, json: boolean): Promise<void> {
  const tools = await listTools(profile);
  if (json) return sayJson({ profile, tools });
  table(
    ['name', 'effect', 'what it does'],
    tools.map((tool) => [tool.name, effectOf(tool), tool.description]),
  );
  note(`\n${tools.length} tools in profile ${profile}. \`signalbox tools describe NAME\` shows one.`);
}

interface Description {
  name: string;
  alias_of?: string;
  title: string;
  description: string;
  effect: string;
  idempotent: boolean;
  scopes: string[];
  version: number;
  input_schema: Schema;
  output_schema: Schema;
  aliases: { name: string; system: string }[];
}

interface Schema {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  default?: unknown;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
}

export async function describeCommand(name: string, json: boolean): Promise<void> {
  const { data: tool } = await ok<Description>('system.tool.describe', { name });
  if (json) return sayJson(tool);
  say(`${paint('bold', clean(tool.name))}  ${tool.title}${tool.alias_of ? ` (${tool.alias_of})` : ''}`);
  say(clean(tool.description));
  say();
  facts([
    ['effect', `${tool.effect}${tool.idempotent ? ', a repeat changes nothing more' : ''}`],
    ['scopes', tool.scopes.join(', ')],
    ['also known as', tool.aliases.map((alias) => `${alias.name} (${alias.system})`).join(', ')],
  ]);
  const required = new Set(tool.input_schema.required);
  const fields = Object.entries(tool.input_schema.properties ?? {});
  say();
  if (fields.length === 0) say('No arguments.');
  else
    table(
      ['argument', 'type', '', 'meaning'],
      fields.map(([field, schema]) => [
        field,
        typeOf(schema),
        required.has(field) ? 'required' : schema.default === undefined ? '' : `= ${JSON.stringify(schema.default)}`,
        oneLine(schema.description ?? ''),
      ]),
    );
  say();
  say(`${paint('dim', 'answers')}  ${Object.keys(tool.output_schema.properties ?? {}).join(', ') || typeOf(tool.output_schema)}`);
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map(String).join('|');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join('|');
  if (schema.type === 'array') return `${schema.items ? typeOf(schema.items) : 'any'}[]`;
  const bounds = schema.minimum !== undefined && schema.maximum !== undefined ? ` ${schema.minimum}–${schema.maximum}` : '';
  return `${[schema.type ?? 'any'].flat().join('|')}${bounds}`;
}

export async function callCommand(name: string, given: string | undefined, options: CallToolOptions, json: boolean): Promise<void> {
  const envelope = await callTool(name, parseArguments(given), options);
  if (envelope.error) throw failure(envelope);
  if (json) return sayJson(envelope);
  say(clean(JSON.stringify(envelope.data, null, 2)));
  aside(envelope);
}

/** Warnings and links of an answer, beside its data. */
export function aside({ warnings, refs }: { warnings: string[]; refs: Ref[] }): void {
  for (const warning of warnings) note(`${paint('yellow', 'Note', process.stderr)}: ${clean(warning)}`);
  for (const ref of refs) if (ref.url) note(`${paint('dim', `${ref.type} ${ref.id}`, process.stderr)}  ${clean(ref.url)}`);
}

function parseArguments(given: string | undefined): Record<string, unknown> {
  const text =
    given === undefined ? '{}' : given === '-' ? readFileSync(0, 'utf8') : given.startsWith('@') ? readArgument(given.slice(1)) : given;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usage(`The arguments are no JSON: ${(error as Error).message}`, `Give an object, e.g. '{"phase_id": 2}', @FILE, or - for stdin.`);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw usage('The arguments must be one JSON object.');
  return defined(value as Record<string, unknown>);
}

function readArgument(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usage(`Cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`);
  }
}
