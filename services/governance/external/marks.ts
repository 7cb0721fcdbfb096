import type { McpDefinition } from '../../../adapters/mcp/types.ts';
import type { ToolMark } from '../../../contracts/governance/external.ts';
import { blob, control, hidden, orders, wordsOfTools } from './rules.ts';

/** A definition with more is hardly read to its end. */
const mostMarks = 200;

/**
 * The places in a definition that a person should look at, in its order: what `flagsOf` finds, each with its text and
 * its place in it.
 * @param others names of other servers' tools
 */
export function marksOf(definition: McpDefinition, others: ReadonlySet<string>): ToolMark[] {
  const marks: ToolMark[] = [];
  for (const { path, key, text } of placesOf(definition, '')) {
    const found = [...marksIn(text, others)].toSorted((a, b) => a.start - b.start);
    marks.push(...found.map((mark) => ({ path, key, ...mark })));
    if (marks.length >= mostMarks) break;
  }
  return marks.slice(0, mostMarks);
}

type Found = Pick<ToolMark, 'start' | 'end' | 'kind' | 'what'>;

function* marksIn(text: string, others: ReadonlySet<string>): Generator<Found> {
  for (const [pattern, what] of orders) yield* all(text, pattern, 'instructions', what);
  yield* all(text, hidden, 'hidden_text', 'a character that is not shown');
  yield* all(text, control, 'hidden_text', 'a character that is not shown');
  yield* all(text, blob, 'hidden_text', 'a long piece of encoded text');
  for (const { word, at } of wordsOfTools(text)) {
    if (others.has(word)) yield { start: at, end: at + word.length, kind: 'other_tool', what: 'the name of a tool of others' };
  }
}

function* all(text: string, pattern: RegExp, kind: ToolMark['kind'], what: string): Generator<Found> {
  const everywhere = new RegExp(pattern.source, [...new Set(`${pattern.flags}g`)].join(''));
  for (const match of text.matchAll(everywhere)) {
    yield { start: match.index, end: match.index + match[0].length, kind, what };
  }
}

/** Each text of a definition with its JSON pointer; names of fields, too. */
function* placesOf(value: unknown, path: string, depth = 0): Generator<{ path: string; key: boolean; text: string }> {
  if (typeof value === 'string') yield { path, key: false, text: value };
  if (value === null || typeof value !== 'object' || depth > 40) return;
  for (const [name, inner] of Object.entries(value)) {
    const at = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!Array.isArray(value)) yield { path: at, key: true, text: name };
    yield* placesOf(inner, at, depth + 1);
  }
}
