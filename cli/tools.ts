import { readFileSync } from 'node:fs';
import { callTool, failure, listTools, type ListedTool, type Output } from './client.ts';
import type { ToolCall } from './commands/stack.ts';
import { usage } from './exit.ts';
import { aside, clean, facts, note, paint, say, sayJson, table } from './output.ts';

const effectOf = (tool: ListedTool): string => {
  if (tool.annotations?.readOnlyHint) return 'read';
  return tool.annotations?.destructiveHint ? 'destructive' : 'write';
};

export async function listCommand(profile: string, json: boolean): Promise<void> {
  const tools = await listTools(profile);
  if (json) return sayJson({ profile, tools });
  table(tools, ['name', { effect: effectOf }, 'description as what it does']);
  note(`\n${tools.length} tools in profile ${profile}. \`signalbox tools describe NAME\` shows one.`);
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

export function showTool(tool: Output<'system.tool.describe'>): void {
  const [input, output] = [tool.input_schema as Schema, tool.output_schema as Schema];
  say(`${paint('bold', clean(tool.name))}  ${tool.title}${tool.alias_of ? ` (${tool.alias_of})` : ''}`);
  say(clean(tool.description));
  say();
  facts({
    effect: `${tool.effect}${tool.idempotent ? ', a repeat changes nothing more' : ''}`,
    scopes: tool.scopes.join(', '),
    'also known as': tool.aliases.map((alias) => `${alias.name} (${alias.system})`).join(', '),
  });
  const fields = Object.entries(input.properties ?? {}).map(([name, schema]) => ({ ...schema, name }));
  say();
  if (fields.length === 0) say('No arguments.');
  else
    table(fields, [
      'name as argument',
      {
        type: typeOf,
        '': ({ name, default: preset }) =>
          input.required?.includes(name) ? 'required' : preset === undefined ? '' : `= ${JSON.stringify(preset)}`,
        meaning: ({ description }) => description ?? '',
      },
    ]);
  say();
  say(`${paint('dim', 'answers')}  ${Object.keys(output.properties ?? {}).join(', ') || typeOf(output)}`);
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map(String).join('|');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join('|');
  if (schema.type === 'array') return `${schema.items ? typeOf(schema.items) : 'any'}[]`;
  const bounds = schema.minimum !== undefined && schema.maximum !== undefined ? ` ${schema.minimum}–${schema.maximum}` : '';
  return `${[schema.type ?? 'any'].flat().join('|')}${bounds}`;
}

export async function callCommand({ name, args, json, ...options }: ToolCall): Promise<void> {
  const envelope = await callTool(name, parseArguments(args), options);
  if (envelope.error) throw failure(envelope);
  if (json) return sayJson(envelope);
  say(clean(JSON.stringify(envelope.data, null, 2)));
  aside(envelope);
}

function parseArguments(given: string | undefined): Record<string, unknown> {
  const text =
    given === undefined ? '{}' : given === '-' ? readFileSync(0, 'utf8') : given.startsWith('@') ? readArgument(given.slice(1)) : given;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usage(
      `The arguments are not valid JSON: ${(error as Error).message}`,
      `Give an object, e.g. '{"phase_id": 2}', @FILE, or - for stdin.`,
    );
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw usage('The arguments must be one JSON object.');
  return value as Record<string, unknown>;
}

function readArgument(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usage(`Cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`);
  }
}
