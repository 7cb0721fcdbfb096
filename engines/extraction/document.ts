import { keyWords, nameKey } from '../text/names.ts';
import type { Mention } from './types.ts';

/** Types that the words themselves show. */
const own = new Set(['issue', 'feature', 'theme', 'version']);

/** A name has one type per document: the known one, else that of a clear rule, else the best guess. */
export function agree(mentions: readonly Mention[]): void {
  for (const group of byKey(mentions).values()) {
    if (group.every((mention) => mention.type === group[0]!.type && mention.certain === group[0]!.certain)) continue;
    const scores = new Map<string, number>();
    for (const mention of group) scores.set(mention.type, (scores.get(mention.type) ?? 0) + weight(mention));
    const [type] = [...scores].reduce((best, each) => (each[1] > best[1] ? each : best));
    const certain = group.some((mention) => mention.type === type && mention.certain);
    for (const mention of group) {
      if (mention.origin === 'metadata' || (own.has(mention.type) && own.has(type))) continue;
      mention.type = type;
      mention.certain = certain;
    }
  }
}

const weight = (mention: Mention): number =>
  (mention.origin === 'metadata' ? 1_000 : 0) +
  (mention.origin === 'known' ? 100 : 0) +
  (mention.certain ? 10 : 0) +
  (mention.type === 'thing' ? 0.1 : mention.confidence);

function byKey(mentions: readonly Mention[]): Map<string, Mention[]> {
  const groups = new Map<string, Mention[]>();
  for (const mention of mentions) {
    const key = nameKey(mention.surface);
    const group = groups.get(key);
    if (group) group.push(mention);
    else groups.set(key, [mention]);
  }
  return groups;
}

/**
 * "Kaine" after "Timothy Michael Kaine" is the same person. Where a passage has the full name, the partial one is
 * dropped; otherwise the person counts as mentioned by the whole passage. Ambiguous partial names stay.
 */
export function inFull(mentions: readonly Mention[]): Mention[] {
  const full = new Map<string, Mention | null>();
  for (const mention of mentions) {
    if (!(mention.type === 'person' || mention.type === 'stakeholder')) continue;
    const words = keyWords(nameKey(mention.surface));
    if (words.length < 2) continue;
    for (const part of new Set([words[0]!, words.at(-1)!])) {
      const other = full.get(part);
      full.set(
        part,
        other === undefined || (other !== null && isPart(other, mention))
          ? mention
          : other !== null && isPart(mention, other)
            ? other
            : null,
      );
    }
  }
  if (full.size === 0) return [...mentions];
  const there = new Set(mentions.map((mention) => `${mention.passage} ${nameKey(mention.surface)}`));
  return mentions.flatMap((mention) => {
    const key = nameKey(mention.surface);
    const person =
      key.includes(' ') || mention.origin === 'known' || mention.origin === 'metadata' || own.has(mention.type) ? undefined : full.get(key);
    if (
      !person ||
      (mention.type !== 'person' && mention.type !== 'thing' && mention.type !== 'stakeholder') ||
      (mention.certain && mention.type !== person.type)
    )
      return [mention];
    const place = `${mention.passage} ${nameKey(person.surface)}`;
    if (there.has(place)) return [];
    there.add(place);
    const { type, certain, surface } = person;
    return [{ passage: mention.passage, start: 0, end: 0, surface, type, certain, confidence: 0.6, origin: 'rules' }];
  });
}

/** "Tim Kaine" and "Timothy Michael Kaine" have the same ending; the longer one represents both. */
const isPart = (shorter: Mention, longer: Mention): boolean => {
  const words = keyWords(nameKey(longer.surface));
  return keyWords(nameKey(shorter.surface)).every((word) => words.some((each) => each.startsWith(word)));
};
