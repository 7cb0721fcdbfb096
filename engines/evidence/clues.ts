import { keyWords, nameKey } from '../text/names.ts';
import { organisationOf, peopleClues, withoutTitles } from './clues-people.ts';
import { partsOf, productClues } from './clues-products.ts';
import { rivalClues } from './clues-rivals.ts';
import { segmentsOf } from './clues-text.ts';
import type { Clue, EvidenceInput, Layout } from './types.ts';

/** Most clues of one document: the surest. */
const most = 1_000;

/** What one document tells about names. Deterministic; each clue once, at its highest weight. */
export function cluesOf(input: EvidenceInput, layout: Layout): Clue[] {
  const segments = segmentsOf(input, layout);
  const parts = partsOf(input, layout);
  const owned = new Set(parts.map(({ name }) => nameKey(name)));
  const isPart = (name: string): boolean => owned.has(nameKey(name));
  const taken = takenNames(layout, isPart);
  const isTaken = (name: string): boolean =>
    taken.whole.has(nameKey(name)) || keyWords(nameKey(name)).some((word) => taken.people.has(word));
  const found = [
    ...peopleClues(input, layout, isPart),
    ...productClues(layout, segments, parts, isTaken),
    ...rivalClues(input, layout, segments, isTaken),
  ];
  const clues = new Map<string, Clue>();
  for (const clue of found) {
    const [subject, object] = [nameKey(clue.subject), clue.object === null ? '' : nameKey(clue.object)];
    if (subject === '' || subject === object || (clue.object !== null && object === '')) continue;
    const key = [clue.kind, subject, object, clue.day ?? ''].join('\n');
    const other = clues.get(key);
    if (!other || other.weight < clue.weight) clues.set(key, clue);
  }
  return [...clues.values()].sort((a, b) => b.weight - a.weight || (a.kind < b.kind ? -1 : 1)).slice(0, most);
}

/** Names of people and organisations of the document: neither features nor competitors. */
function takenNames(layout: Layout, isPart: (name: string) => boolean): { whole: Set<string>; people: Set<string> } {
  const whole = new Set<string>();
  const people = new Set<string>();
  for (const { name, organisation } of layout.participants) {
    if (isPart(name)) continue;
    for (const word of keyWords(nameKey(withoutTitles(name)))) if (word.length > 2) people.add(word);
    const here = organisationOf(organisation);
    if (here) whole.add(nameKey(here));
  }
  // What heads a paper about others are the others.
  if (layout.kind !== 'rivals') for (const name of layout.organisations) whole.add(nameKey(name));
  for (const { row } of layout.units) if (row?.customer) whole.add(nameKey(row.customer));
  return { whole, people };
}
