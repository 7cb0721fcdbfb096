import { nameKey } from '../text/names.ts';
import type { NameType } from './model-types.ts';
import type { Span } from './statements-sentences.ts';
import type { Directory, EvidenceInput, Voiced } from './types.ts';
import { foldText, type Folded } from './verbatim.ts';

/** A unit and the known names, as answers of a language model are compared with them. */

export interface Unit {
  voiced: Voiced;
  /** Of the unit; offsets count from its beginning. */
  text: Folded;
}

export const unitOf = (input: EvidenceInput, voiced: Voiced): Unit => ({
  voiced,
  text: foldText(input.passages[voiced.passage]!.text.slice(voiced.start, voiced.end)),
});

export const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/** Known names by key. */
export type Known = ReadonlyMap<string, { name: string; type: NameType }>;

export function knownIn({ organisations, features, people }: Directory): Known {
  const known = new Map<string, { name: string; type: NameType }>();
  const add = (names: readonly string[], name: string, type: NameType): void => {
    for (const each of names) if (nameKey(each) !== '' && !known.has(nameKey(each))) known.set(nameKey(each), { name, type });
  };
  for (const { name, aliases, renamed } of features) add([name, ...aliases, ...(renamed ? [renamed.from] : [])], name, 'feature');
  for (const { name, aliases, role } of organisations)
    add([name, ...aliases], name, role === 'customer' || role === 'competitor' ? role : 'organization');
  for (const { name, aliases } of people) add([name, ...aliases], name, 'person');
  return known;
}

export const isName = (name: string): boolean => name.length <= 80 && nameKey(name) !== '' && name.trim().split(/\s+/).length <= 8;
