import { nameKey } from '../text/names.ts';
import type { Gram } from './grams.ts';
import type { Span } from './spans.ts';
import type { Scanned } from './tokens.ts';
import { plainWords } from './words.ts';

/**
 * The tenant's known names, wherever they occur. A plain lower-case word counts only for types that are written in
 * lower case.
 */
export function knownNames(scanned: Scanned, known: ReadonlyMap<string, readonly string[]>, grams: readonly Gram[]): Span[] {
  if (known.size === 0) return [];
  const { tokens, text } = scanned;
  const spans: Span[] = [];
  for (const { from, to, key, written } of grams) {
    const types = known.get(key);
    if (!types || types.length === 0) continue;
    const start = tokens[from]!.start;
    const end = tokens[to - 1]!.end;
    if (nameKey(text.slice(start, end)) !== key) continue;
    const type = fitting(types, written);
    if (!type) continue;
    if (!written && to - from === 1 && plainWords.has(key) && !lowerCase.has(type)) continue;
    spans.push({ start, end, type, certain: types.length === 1, confidence: written || to - from > 1 ? 0.95 : 0.8, origin: 'known' });
  }
  return spans;
}

/** Types whose names are also written without capitals. */
const lowerCase = new Set(['feature', 'issue', 'theme', 'product', 'thing', 'version']);

function fitting(types: readonly string[], written: boolean): string | undefined {
  return written ? types[0] : (types.find((type) => lowerCase.has(type)) ?? types[0]);
}
