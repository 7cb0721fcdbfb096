import type { Directory, EvidenceInput, Feature } from './types.ts';

/** A text as words between blanks, comparable with name keys. */
const folded = (text: string): string =>
  ` ${text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’`]s\b/gu, '')
    .replace(/['’`"“”]/gu, '')
    .replace(/&/gu, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/**
 * The part of the directory that a document may depend on: the vendor, and everything with a name or domain that
 * occurs in its title, origin, metadata or text. Equal parts give equal readings.
 */
export function concerning({ organisations, people, features }: Directory, input: EvidenceInput): Omit<Directory, 'version' | 'unsure'> {
  const text = folded(
    [
      input.title,
      input.origin,
      JSON.stringify([input.given, input.found, input.people ?? []]),
      ...input.passages.flatMap(({ text: body, title, speaker, turns }) => [
        title ?? '',
        speaker ?? '',
        ...new Set((turns ?? []).map(([, , name]) => name ?? '')),
        body,
      ]),
    ].join('\n'),
  );
  const named = (names: readonly string[]): boolean =>
    names.some((name) => {
      const words = folded(name);
      return words.trim() !== '' && text.includes(words);
    });
  const found = people.filter(({ name, aliases }) => named([name, ...aliases, ...name.split(' ')]));
  const employers = new Set(found.flatMap(({ posts }) => posts.map(({ organisation }) => organisation)));
  return {
    organisations: organisations.filter(
      ({ name, aliases, domains, role }) => role === 'vendor' || employers.has(name) || named([name, ...aliases, ...domains]),
    ),
    people: found,
    // Stems are beginnings of words.
    features: features.filter(
      (feature) => named([feature.name, ...feature.aliases]) || wordsOf(feature).some((stem) => text.includes(` ${stem}`)),
    ),
  };
}

/** Words by which a feature is recognised although it is not named. */
const wordsOf = (feature: Feature): string[] => feature.words.map(({ stem }) => stem);
