/** A register of people and firms with known duplicates, the same in every run: test data for table linkage. */

/** The same numbers in every run (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

const given =
  'james mary robert patricia john jennifer michael linda david elizabeth william barbara richard susan joseph jessica thomas sarah karen nancy lisa daniel anthony matthew mark donald steven paul andrew joshua kenneth kevin brian george timothy ronald edward jason jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott brandon benjamin samuel gregory alexander patrick frank raymond jack dennis jerry tyler aaron jose adam nathan henry zachary douglas peter kyle noah ethan jeremy christian walter keith austin roger terry sean gerald carl dylan harold jordan jesse bryan lawrence arthur gabriel bruce logan billy joe alan juan elijah willie albert wayne randy mason vincent liam roy bobby caleb bradley russell lucas'.split(
    ' ',
  );
const starts =
  'har wil john and mar gar fle tho brad cald don ell fitz gor hamil ing jen kel lang mor nor os par quin rich sand tal und vau wat young zim bren cor dal ever'.split(
    ' ',
  );
const middles = 'ing er el an der ber ley in ma ke ro li to ga den son mar ri ve lo'.split(' ');
const ends = 'ton son ley man field wood ford er s well ham berg stein ski worth den more by land ric'.split(' ');
const streets =
  'oak maple cedar pine elm washington lake hill walnut spring north ridge church willow mill sunset railroad jackson river highland'.split(
    ' ',
  );
const kinds = 'street avenue road drive lane court place boulevard'.split(' ');

export interface Register {
  csv: string;
  rows: number;
  /** Pairs of ids of rows that are the same person. */
  links: [string, string][];
}

/** @param share share of rows that duplicate another row, with typical human mistakes */
export function register(rows: number, share = 0.2, seed = 7): Register {
  const random = generator(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  // A few values are frequent and most are rare, as in real data.
  const often = (count: number): number => Math.floor(count * random() ** 2.5);
  const surnames = Array.from({ length: Math.max(50, rows / 12) }, () => pick(starts) + (random() < 0.6 ? pick(middles) : '') + pick(ends));
  const towns = Array.from({ length: Math.max(10, rows / 150) }, () => ({
    name: `${pick(starts)}${pick(ends)} ${random() < 0.3 ? pick(['heights', 'park', 'bay', 'falls']) : ''}`.trim(),
    code: String(10_000 + Math.floor(random() * 89_999)),
  }));
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const typo = (text: string): string => {
    if (text.length < 3) return text;
    const at = 1 + Math.floor(random() * (text.length - 1));
    const letter = /\d/.test(text[at]!) ? String(Math.floor(random() * 10)) : letters[Math.floor(random() * letters.length)]!;
    const kind = random();
    if (kind < 0.3) return text.slice(0, at) + letter + text.slice(at + 1);
    if (kind < 0.55) return text.slice(0, at) + text.slice(at + 1);
    if (kind < 0.8) return text.slice(0, at) + letter + text.slice(at);
    return text.slice(0, at - 1) + text[at]! + text[at - 1]! + text.slice(at + 1);
  };
  const person = (): string[] => {
    const town = towns[often(towns.length)]!;
    const first = given[often(given.length)]!;
    const last = surnames[often(surnames.length)]!;
    const born = `${1930 + Math.floor(random() * 75)}-${String(1 + Math.floor(random() * 12)).padStart(2, '0')}-${String(1 + Math.floor(random() * 28)).padStart(2, '0')}`;
    return [
      first,
      last,
      `${1 + Math.floor(random() * 900)} ${pick(streets)} ${pick(kinds)}`,
      town.name,
      town.code,
      born,
      `${200 + Math.floor(random() * 700)}-555-${String(Math.floor(random() * 10_000)).padStart(4, '0')}`,
      `${first}.${last}${Math.floor(random() * 100)}@example.${pick(['com', 'org', 'net'])}`,
    ];
  };
  const again = (row: readonly string[]): string[] => {
    const copy = [...row];
    for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes--) {
      const at = Math.floor(random() * copy.length);
      copy[at] = random() < 0.25 ? '' : typo(copy[at]!);
    }
    return copy;
  };
  const people: string[][] = [];
  const links: [string, string][] = [];
  const entries: { id: number; cells: string[] }[] = [];
  while (entries.length < rows) {
    const id = entries.length;
    if (people.length > 0 && random() < share) {
      const of = Math.floor(random() * people.length);
      entries.push({ id, cells: again(people[of]!) });
      links.push([`p${of}`, `p${id}`]);
      // At most one duplicate each, because `people` and `entries` have the same numbering.
      people.push(entries[id]!.cells);
    } else {
      const cells = person();
      people.push(cells);
      entries.push({ id, cells });
    }
  }
  const shuffled = [...entries];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
  }
  const lines = shuffled.map(({ id, cells }) => [`p${id}`, ...cells].join(','));
  return { csv: ['id,first_name,surname,street,town,postcode,born,phone,email', ...lines, ''].join('\n'), rows, links: closed(links) };
}

/** A copy of a copy is also linked with the original. */
function closed(links: readonly [string, string][]): [string, string][] {
  const groups = new Map<string, string[]>();
  for (const [a, b] of links) {
    const group = groups.get(a) ?? [a];
    group.push(b);
    groups.set(a, group);
    groups.set(b, group);
  }
  return [...new Set(groups.values())].flatMap((group) => group.flatMap((a, i) => group.slice(0, i).map((b): [string, string] => [b, a])));
}
