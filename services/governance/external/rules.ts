import type { McpDefinition } from '../../../adapters/mcp/types.ts';
import { hashOf } from '../../../contracts/ids.ts';
import type { ToolFlag } from '../../../contracts/governance/external.ts';
import { listedForm, spelled } from '../../../contracts/tool-names.ts';

const maxName = 64;
/** People do not read longer descriptions. */
const longText = 4_000;

/** Converts text to the characters of tool names; never empty. */
export const slug = (text: string): string =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '') || 'tool';

/** A server name from any text, at most 32 characters. */
export const serverSlug = (text: string): string => slug(text).slice(0, 32).replace(/_+$/, '');

/**
 * `external.{server}.{tool}` for each tool of a server, in order of discovery: a later one never takes an earlier
 * one's name. Clients allow 64 characters; longer names are cut and end with a part of their hash.
 */
export function toolNames(server: string, tools: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const tool of tools) {
    const prefix = `external.${server}.`;
    const room = maxName - prefix.length;
    const base = slug(tool);
    const short = base.length <= room ? base : `${base.slice(0, room - 7)}_${hashOf(tool).slice(0, 6)}`;
    let name = prefix + short;
    for (let n = 2; taken.has(name); n += 1) name = `${prefix}${short.slice(0, room - String(n).length - 1)}_${n}`;
    taken.add(name);
    names.set(tool, name);
  }
  return names;
}

/** The listed form of each name, short enough for clients and unique. */
export function listedForms(names: readonly string[]): Map<string, string> {
  const taken = new Set(names);
  return new Map(
    names.map((name) => {
      let form = listedForm(name);
      for (let n = 2; form !== name && taken.has(form); n += 1) form = listedForm(name, String(n));
      taken.add(form);
      return [name, form];
    }),
  );
}

/** Alternative spellings of each tool; ambiguous spellings are left out. */
export function spellings<T extends { name: string; listedAs: string }>(tools: readonly T[]): Map<string, T> {
  const found = new Map<string, T | null>(tools.map((tool) => [tool.listedAs, tool]));
  for (const tool of tools) {
    for (const spelling of new Set([spelled(tool.name, 'underscore'), spelled(tool.listedAs, 'underscore')])) {
      found.set(spelling, found.has(spelling) && found.get(spelling) !== tool ? null : tool);
    }
  }
  return new Map([...found].filter((entry): entry is [string, T] => entry[1] !== null));
}

/** Hash of the approved definition: everything that a model or a caller sees. */
export const definitionHash = ({ name, title, description, inputSchema, outputSchema, annotations }: McpDefinition): string =>
  hashOf({ name, title, description, inputSchema, outputSchema, annotations });

/** The effect by its annotations; without annotations it may write. */
export function effectOf({ annotations }: McpDefinition): 'read' | 'write' | 'destructive' {
  if (annotations?.['destructiveHint'] === true) return 'destructive';
  return annotations?.['readOnlyHint'] === true ? 'read' : 'write';
}

export const isIdempotent = (definition: McpDefinition): boolean =>
  effectOf(definition) === 'read' || definition.annotations?.['idempotentHint'] === true;

/** Differences between the approved and the current definition, one line each. */
export function changesOf(before: McpDefinition, now: McpDefinition): string[] {
  const changes: string[] = [];
  if ((before.title ?? '') !== (now.title ?? '')) changes.push(`title: "${cut(before.title)}" → "${cut(now.title)}"`);
  if ((before.description ?? '') !== (now.description ?? '')) {
    changes.push(`description: ${difference(before.description ?? '', now.description ?? '')}`);
  }
  changes.push(...schemaChanges('input', before.inputSchema, now.inputSchema));
  changes.push(...schemaChanges('output', before.outputSchema, now.outputSchema));
  if (hashOf(before.annotations ?? {}) !== hashOf(now.annotations ?? {})) {
    changes.push(`annotations: ${JSON.stringify(before.annotations ?? {})} → ${JSON.stringify(now.annotations ?? {})}`.slice(0, 400));
  }
  return changes;
}

const cut = (text = '', at = 120): string => (text.length > at ? `${text.slice(0, at)}…` : text);

/** The differing part of two texts. */
function difference(before: string, now: string): string {
  let start = 0;
  while (start < before.length && before[start] === now[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < now.length - start && before.at(-1 - end) === now.at(-1 - end)) end += 1;
  const [was, is] = [before.slice(start, before.length - end), now.slice(start, now.length - end)];
  if (was === '') return `added "${cut(is, 200)}"`;
  return is === '' ? `taken out "${cut(was, 200)}"` : `"${cut(was)}" → "${cut(is, 200)}"`;
}

function schemaChanges(which: string, before: Record<string, unknown> | undefined, now: Record<string, unknown> | undefined): string[] {
  if (hashOf(before ?? null) === hashOf(now ?? null)) return [];
  const [was, is] = [fieldsOf(before), fieldsOf(now)];
  const lines = [
    ...Object.keys(is)
      .filter((key) => !(key in was))
      .map((key) => `${which}: new field "${cut(key)}"`),
    ...Object.keys(was)
      .filter((key) => !(key in is))
      .map((key) => `${which}: field "${cut(key)}" is gone`),
    ...Object.keys(is)
      .filter((key) => key in was && hashOf(was[key]) !== hashOf(is[key]))
      .map((key) => `${which}: field "${cut(key)}" has changed`),
  ];
  return lines.length > 0 ? lines.slice(0, 20) : [`${which}: schema has changed`];
}

const fieldsOf = (schema: Record<string, unknown> | undefined): Record<string, unknown> => {
  const fields = schema?.['properties'];
  return fields !== null && typeof fields === 'object' ? (fields as Record<string, unknown>) : {};
};

export const orders: [RegExp, string][] = [
  [
    /\b(ignore|disregard|forget|override)\b.{0,40}\b(previous|prior|above|earlier|other|all|system)\b.{0,40}\b(instruction|prompt|rule|message|tool)/i,
    'tells the model to ignore what it was told',
  ],
  [
    /\b(do not|don't|never|without)\b.{0,40}\b(tell|mention|inform|reveal|notify|show|telling|mentioning|informing|asking)\b.{0,40}\b(user|human|anyone|person|operator)/i,
    'asks to keep something from people',
  ],
  [/<\s*\/?\s*(important|system|secret|instructions?|hidden|admin)\b[^>]*>/i, 'holds marks of a hidden prompt'],
  [
    /\b(before|after|when|whenever)\b.{0,60}\b(this|any|other|another)\b.{0,20}\btools?\b.{0,80}\b(must|should|always|first)\b/i,
    'says how other tools are to be used',
  ],
  [/\byou (must|should|have to|need to) (always|first|also|never)\b/i, 'gives the model orders'],
  [/\b(system prompt|hidden instruction|jailbreak|developer mode)\b/i, 'speaks of prompts'],
  [
    /(~\/\.|\.ssh\b|id_rsa|\.env\b|\/etc\/passwd|mcp\.json|\.aws\b|private key|environment variables?)/i,
    'speaks of files or variables with secrets',
  ],
];
export const hidden =
  /[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e00ff}]|\u034f|(?!\ufe0f)\p{Variation_Selector}/u;
export const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
export const blob = /[A-Za-z0-9+/]{200,}/;

/**
 * Parts of a definition that may try to instruct the model. A hint for the approving person, not a proof.
 * @param others names of other servers' tools
 */
export function flagsOf(definition: McpDefinition, others: ReadonlySet<string>): ToolFlag[] {
  const flags: ToolFlag[] = [];
  const texts = [...textsOf(definition)];
  const all = texts.join('\n');
  for (const [pattern, what] of orders) {
    const found = pattern.exec(all);
    if (found) flags.push({ kind: 'instructions', what: `${what}: "${cut(found[0].replaceAll(/\s+/g, ' '))}"` });
  }
  if (hidden.test(all) || control.test(all)) flags.push({ kind: 'hidden_text', what: 'holds characters that are not shown' });
  if (blob.test(all)) flags.push({ kind: 'hidden_text', what: 'holds a long piece of encoded text' });
  const named = [...new Set([...wordsOfTools(all)].map(({ word }) => word))].filter((word) => others.has(word));
  if (named.length > 0) flags.push({ kind: 'other_tool', what: `names tools of others: ${named.slice(0, 5).join(', ')}` });
  const longest = Math.max(0, ...texts.map((each) => each.length));
  if (longest > longText) flags.push({ kind: 'long', what: `holds a text of ${longest} characters` });
  return flags;
}

/** Words that may be names of tools, with their places. */
export function* wordsOfTools(text: string): Generator<{ word: string; at: number }> {
  for (const { 0: word, index } of text.matchAll(/[A-Za-z][\w.-]{5,}/g)) yield { word: word.replace(/[.-]+$/, ''), at: index };
}

function* textsOf(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string') yield value;
  if (value === null || typeof value !== 'object' || depth > 40) return;
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield key;
    yield* textsOf(inner, depth + 1);
  }
}
