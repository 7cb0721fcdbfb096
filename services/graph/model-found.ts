import type { Checked, CheckedName } from '../../engines/evidence/model-types.ts';
import type { Mention } from '../../engines/extraction/types.ts';
import { nameKey } from '../../engines/text/names.ts';
import type { PassageRow } from './document-input.ts';
import type { Found } from './extract.ts';

/** How sure a name and a fact are whose words stand in the text. */
const confidence = 0.9;

/** Adds what a language model found to what rules found in a document. What rules are certain of stays. */
export function addToFound(found: Found, { names, facts }: Pick<Checked, 'names' | 'facts'>, passages: readonly PassageRow[]): void {
  const places = new Map<string, number>();
  const placeOf = (chunk: string, start: number, end: number, key: string): string => [chunk, start, end, end === 0 ? key : ''].join('|');
  found.mentions.forEach(({ mention, chunk }, i) => {
    const place = placeOf(chunk, mention.start, mention.end, nameKey(mention.surface));
    const other = places.get(place);
    if (other === undefined || !found.mentions[other]!.mention.certain) places.set(place, i);
  });
  const indexOf = ({ passage, start, end, surface, type }: CheckedName): number => {
    const chunk = passages[passage]!.id;
    const place = placeOf(chunk, start, end, nameKey(surface));
    const mention: Mention = { passage, start, end, surface, type, certain: true, confidence, origin: 'model' };
    const at = places.get(place) ?? found.mentions.length;
    if (found.mentions[at]?.mention.certain !== true) found.mentions[at] = { mention, chunk };
    places.set(place, at);
    return at;
  };
  for (const name of names) indexOf(name);
  const key = (chunk: string, subject: number, predicate: string, object: number | null, value: string | null): string =>
    [chunk, nameKey(surfaceAt(subject)), predicate, nameKey(object === null ? (value ?? '') : surfaceAt(object))].join('|');
  const surfaceAt = (at: number): string => found.mentions[at]!.mention.surface;
  const said = new Set(
    found.assertions.map(({ assertion, chunk }) => key(chunk, assertion.subject, assertion.predicate, assertion.object, assertion.value)),
  );
  for (const { subject: who, object: what, ...fact } of facts) {
    const chunk = passages[fact.passage]!.id;
    const [subject, object] = [indexOf(who), what && indexOf(what)];
    const own = key(chunk, subject, fact.predicate, object, fact.value);
    if (said.has(own)) continue;
    said.add(own);
    found.assertions.push({ assertion: { ...fact, subject, object, confidence, origin: 'model' }, chunk });
  }
}
