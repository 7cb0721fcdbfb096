import type { Assertion, Extracted, Mention, Passage } from '../../engines/extraction/types.ts';

/**
 * Pure: JSON as lines of text, and the facts in those lines. Each line is complete, so that passages may be cut
 * between any two: `Acme (customer) · plan: Enterprise`, `Acme (customer) · owner → Anna Petrov (stakeholder)`; `+`
 * instead of `·` where several values are possible.
 */

interface Subject {
  name: string;
  type: string;
}

/** Keys that give the type of the named object below them. */
const typeOf: Record<string, string> = {
  ...Object.fromEntries(['customer', 'client', 'account'].map((key) => [key, 'customer'])),
  ...Object.fromEntries(['feature', 'capability'].map((key) => [key, 'feature'])),
  ...Object.fromEntries(['issue', 'bug', 'ticket', 'incident'].map((key) => [key, 'issue'])),
  ...Object.fromEntries(['theme', 'topic'].map((key) => [key, 'theme'])),
  ...Object.fromEntries(
    ['stakeholder', 'user', 'person', 'people', 'owner', 'assignee', 'manager', 'contact', 'employee', 'reporter', 'author'].map((key) => [
      key,
      'stakeholder',
    ]),
  ),
  ...Object.fromEntries(['company', 'organization', 'organisation', 'vendor', 'team', 'employer'].map((key) => [key, 'organization'])),
  ...Object.fromEntries(['product', 'service', 'app'].map((key) => [key, 'product'])),
  ...Object.fromEntries(['place', 'city', 'country', 'location', 'region'].map((key) => [key, 'place'])),
};
const nameKeys = ['name', 'full_name', 'fullname', 'display_name', 'title', 'label'];
const unknownType = 'thing';
const maxDepth = 8;
const maxLines = 2_000;
/** Maximum characters of a name, and of a value: a line is never longer than a passage. */
const maxName = 120;
const maxValue = 400;

/** @returns lines of text, grouped by subject */
export function linesOfJson(value: unknown): string[][] {
  const groups: string[][] = [];
  let count = 0;
  const visit = (node: unknown, key: string, above: Subject | null, path: string, several: boolean, depth: number): string[] => {
    if (depth > maxDepth || count >= maxLines || node === null || node === undefined) return [];
    if (Array.isArray(node)) return node.flatMap((each) => visit(each, key, above, path, true, depth + 1));
    if (!isRecord(node)) return scalar(String(node), key, above, path, several);
    const own = named(node, key);
    const lines: string[] = [];
    for (const [field, inner] of Object.entries(node)) {
      if (own && (nameKeys.includes(normal(field)) || (normal(field) === 'type' && typeof inner === 'string'))) continue;
      lines.push(...visit(inner, field, own ?? above, own || path === '' ? field : `${path} ${field}`, false, depth + 1));
    }
    if (!own) return lines;
    if (lines.length > 0) groups.push(lines);
    // It has its own lines; here only its relation to the parent.
    return above ? [`${shown(above)} ${several ? '+' : '·'} ${label(path)} → ${shown(own)}`] : lines.length > 0 ? [] : [shown(own)];
  };
  const scalar = (text: string, key: string, above: Subject | null, path: string, several: boolean): string[] => {
    const plain = oneLine(text, maxValue);
    if (plain === '') return [];
    count += 1;
    if (!above) return [`${label(path) || 'value'}: ${plain}`];
    const type = typeOf[singular(key)];
    const object = type && plain.length <= maxName && /\p{L}/u.test(plain) ? shown({ name: plain, type }) : null;
    return [`${shown(above)} ${several ? '+' : '·'} ${label(path)}${object ? ` → ${object}` : `: ${plain}`}`];
  };
  const rest = visit(value, '', null, '', false, 0);
  return rest.length > 0 ? [rest, ...groups] : groups;
}

const line = /^(.+?) \(([a-z][a-z0-9_]{0,31})\)(?: ([·+]) ([^:→]+?)(?:: (.+)| → (.+) \(([a-z][a-z0-9_]{0,31})\)))?$/u;

/** The mentions and assertions in such lines. */
export function extractJson(passages: readonly Passage[]): Extracted {
  const mentions: Mention[] = [];
  const assertions: Assertion[] = [];
  for (const [passage, { text }] of passages.entries()) {
    let at = 0;
    for (const written of text.split('\n')) {
      const start = at;
      at += written.length + 1;
      const [, name, type, sign, key, value, object, objectType] = line.exec(written) ?? [];
      if (!name || !type) continue;
      const mention = (surface: string, from: number, its: string): number =>
        mentions.push({
          passage,
          start: from,
          end: from + surface.length,
          surface,
          type: its,
          certain: its !== unknownType,
          confidence: 0.9,
          origin: 'rules',
        }) - 1;
      const subject = mention(name, start, type);
      if (!key || (value === undefined && !object)) continue;
      assertions.push({
        passage,
        start,
        end: start + written.length,
        subject,
        predicate: predicateOf(key),
        object: object ? mention(object, start + written.lastIndexOf(` → ${object} (`) + 3, objectType!) : null,
        value: object ? null : value!,
        statement: written.slice(0, 500),
        exclusive: sign === '·',
        validFrom: null,
        validTo: null,
        confidence: 0.9,
      });
    }
  }
  return { mentions, assertions };
}

function named(node: Record<string, unknown>, key: string): Subject | null {
  const field = Object.keys(node).find((each) => nameKeys.includes(normal(each)));
  const name = field === undefined ? undefined : node[field];
  if (typeof name !== 'string') return null;
  const plain = oneLine(name, maxName + 1);
  if (plain === '' || plain.length > maxName || !/\p{L}|\p{N}/u.test(plain)) return null;
  const said = node['type'];
  const stated =
    typeof said === 'string' ? (typeOf[singular(said)] ?? (/^[a-z][a-z0-9_]{0,31}$/.test(normal(said)) ? normal(said) : null)) : null;
  return { name: plain, type: stated ?? typeOf[singular(key)] ?? unknownType };
}

const shown = ({ name, type }: Subject): string => `${name.replace(/\) (?=[·+→] )/gu, ')- ').replaceAll(' → ', ' - ')} (${type})`;
const label = (path: string): string =>
  path
    .replace(/[:→·+\s_]+/gu, ' ')
    .trim()
    .slice(0, 80);
const normal = (key: string): string =>
  key
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
const singular = (key: string): string => {
  const plain = normal(key).split('_').at(-1)!;
  if (plain in typeOf) return plain;
  return plain.endsWith('ies') ? `${plain.slice(0, -3)}y` : plain.replace(/s$/, '');
};
const predicateOf = (key: string): string =>
  `has_${
    normal(key)
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 56) || 'value'
  }`;
const oneLine = (text: string, max: number): string => text.replace(/\s+/g, ' ').trim().slice(0, max).toWellFormed();
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
