import { describe, expect, it } from 'vitest';
import { extendsOther, withIdentifiers } from './identifiers.ts';
import { linkTables } from './link.ts';
import { scorePairs } from './pairs.ts';
import { tableOf, type Table } from './table.ts';

const brands = ['Sonora', 'Canova', 'Nikora', 'Lumina'];
const models = Array.from({ length: 160 }, (_, i) => ({
  brand: brands[i % 4]!,
  letters: 'PLKD'[i % 4]! + 'XS'[i % 2]!,
  number: 100 + 10 * i,
}));
const spelt = [
  (letters: string, number: number) => `${letters}-${number}H`,
  (letters: string, number: number) => `${letters} ${number}H`,
  (letters: string, number: number) => `${letters}${number}h`,
];
const ours = (): string[][] => models.map(({ brand, letters, number }) => [`${brand} ${letters}${number}H Turntable with belt`]);
const theirs = (): string[][] =>
  models.map(({ brand, letters, number }, i) => [`${brand} turntable (black) ${spelt[i % 3]!(letters, number)}, 12-inch, 33 rpm, 230v`]);
const table = (rows: string[][]): Table => tableOf([['title'], ...rows], true);
const found = (left: Table, right: Table | null = null): string[] | null => {
  const column = withIdentifiers(left, right).left.columns.find(({ identifiers }) => identifiers);
  return column ? Array.from(column.ids, (id) => column.values[id]!) : null;
};

describe('identifiers', () => {
  it('are found in texts, however they are written', () => {
    const { right } = withIdentifiers(table(ours()), table(theirs()));
    const column = right!.columns.at(-1)!;
    expect(column.identifiers).toBe(true);
    const whole = models.map(({ letters, number }) => `${letters}${number}h`.toLowerCase());
    expect(Array.from(column.ids, (id, row) => column.values[id]!.split(' ').includes(whole[row]!)).every(Boolean)).toBe(true);
    // Sizes, speeds and voltages are properties.
    expect(column.values.some((value) => value.split(' ').some((text) => ['12inch', '33rpm', '230v'].includes(text)))).toBe(false);
  });

  it('are not dates, measures, ordinals, decades, or what many texts have', () => {
    const rows = Array.from({ length: 40 }, (_, i) => [`song ${i} 18-May-${10 + i} 2015 1080p 500GB 2nd 1980s 10x20 mp3 802.11n remaster`]);
    expect(found(table(rows))).toBeNull();
    expect(found(table(rows.map(([text], i) => [`${text!} ZX${1000 + i}`])))).toEqual(rows.map((_, i) => `zx${1000 + i}`));
  });

  it('are sought only where there are enough of them, and they have letters', () => {
    const plain = Array.from({ length: 40 }, (_, i) => [`a plain title of thing ${'abcdefghij'[i % 10]}`]);
    expect(found(table(plain))).toBeNull();
    expect(found(table(plain.map(([text], i) => [i < 4 ? `${text!} ZX${1000 + i}` : text!])))).toBeNull();
    expect(found(table(plain.map(([text], i) => [`${text!} 60${100 + i}`])))).toBeNull();
    // On one side only.
    expect(found(table(ours()), table(plain))).toBeNull();
  });

  it('of hostile tables do no harm', () => {
    const odd = ['x1'.repeat(5_000), '型番PSLX350H', 'a-'.repeat(5_000), '-1-2-3-', '\uD800', '', '١٢٣٤٥٦'];
    expect(() => found(table(odd.map((cell) => [cell])))).not.toThrow();
    expect(found(tableOf([]))).toBeNull();
    expect(found(table([]))).toBeNull();
    expect(found(table([['Sonora PS-LX350H turntable']]), table([['turntable PSLX350H by Sonora']]))).toEqual(['pslx350h']);
    expect(
      found(
        table([
          ['', ''],
          ['', ''],
        ]),
      ),
    ).toBeNull();
  });

  it('may have a few letters more, but not digits', () => {
    expect([extendsOther('dscw120', 'dscw120b'), extendsOther('pslx350h', 'lx350h')]).toEqual([true, true]);
    expect([
      extendsOther('kdl40', 'kdl400'),
      extendsOther('w120', 'w120b'),
      extendsOther('dscw120', 'dscw130'),
      extendsOther('12345', '1234567'),
    ]).toEqual([false, false, false, false]);
  });
});

describe('products', () => {
  it('are linked by them, and sister models are kept apart', () => {
    const { links, columns } = linkTables(table(ours()), table(theirs()), { least: 0.5, threshold: 0.9 });
    expect(columns.map(({ kind }) => kind)).toContain('identifiers');
    expect(links.length).toBeGreaterThanOrEqual(150);
    expect(links.every(({ left, right }) => left === right)).toBe(true);
    const turned = linkTables(table(theirs()), table(ours()), { least: 0.5, threshold: 0.9 }).links;
    expect(turned.length).toBe(links.length);
  });

  it('in a list of pairs as well, with a reason', () => {
    const pairs = models.flatMap((_, i) => [0, 1, 4].map((apart) => [i, (i + apart) % models.length] as const));
    const [a, b] = [ours(), theirs()];
    const { probabilities } = scorePairs(table(pairs.map(([i]) => a[i]!)), table(pairs.map(([, j]) => b[j]!)));
    // Each match is more probable than the pairs of its sister models.
    for (let row = 0; row < pairs.length; row += 3) {
      expect(probabilities[row]).toBeGreaterThan(Math.max(probabilities[row + 1]!, probabilities[row + 2]!));
    }
    const { links } = linkTables(table(a), table(b), { least: 0.5, threshold: 0.9, explained: 1 });
    expect(links[0]!.reasons!.find(({ column }) => column === 'identifiers in the text')).toMatchObject({ says: 'equal' });
  });
});
