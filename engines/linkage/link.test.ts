import { describe, expect, it } from 'vitest';
import { register } from '../../bench/people.ts';
import { linkTables, type Linked } from './link.ts';
import { generator } from './frequencies.ts';
import { readTable } from './read.ts';
import { tableOf, type Table } from './table.ts';

const options = { least: 0.5, threshold: 0.9 };
const csv = (text: string): Table => readTable({ bytes: new TextEncoder().encode(text), filename: null }).table;
const rowsOf = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
const pairsOf = ({ links }: Linked): string[] => links.map(({ left, right }) => `${left}-${right}`).sort();

function shuffled<T>(list: readonly T[], seed: number): { list: T[]; places: number[] } {
  const random = generator(seed);
  const places = list.map((_, i) => i);
  for (let i = places.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [places[i], places[j]] = [places[j]!, places[i]!];
  }
  return { list: places.map((place) => list[place]!), places };
}

describe('one table', () => {
  const people = register(1_500, 0.25);
  const [head, ...body] = rowsOf(people.csv);
  const ids = body.map((row) => row[0]!);
  const truth = new Set(people.links.map((pair) => [...pair].sort().join()));

  it('finds nearly all duplicates and little else, without being told anything', () => {
    const linked = linkTables(tableOf([head!, ...body]), null, options);
    const said = linked.links.filter(({ probability }) => probability >= 0.9);
    const found = said.filter(({ left, right }) => truth.has([ids[left]!, ids[right]!].sort().join())).length;
    expect(found / truth.size).toBeGreaterThan(0.97);
    expect(found / said.length).toBeGreaterThan(0.97);
    expect(linked.shape).toBe('clusters');
    expect(linked.columns.map(({ kind }) => kind)).toEqual(['person', 'person', 'address', 'text', 'postcode', 'date', 'phone', 'email']);
  }, 60_000);

  it('finds the same whatever the order of rows', () => {
    const { list, places } = shuffled(body.slice(0, 600), 5);
    const straight = linkTables(tableOf([head!, ...body.slice(0, 600)]), null, options);
    const mixed = linkTables(tableOf([head!, ...list]), null, options);
    const back = mixed.links.map(({ left, right }) => {
      const [a, b] = [places[left]!, places[right]!];
      return `${Math.min(a, b)}-${Math.max(a, b)}`;
    });
    expect(straight.links.length).toBeGreaterThan(50);
    expect(back.sort()).toEqual(pairsOf(straight));
  }, 60_000);

  it('compares a fraction of all pairs', () => {
    const large = register(8_000, 0.2);
    const linked = linkTables(tableOf(rowsOf(large.csv)), null, options);
    expect(linked.compared).toBeLessThan((8_000 * 7_999) / 2 / 20);
    expect(linked.compared).toBeGreaterThan(large.links.length);
  }, 60_000);

  it('does not chain different things into one by what they share', () => {
    const rows = Array.from({ length: 60 }, (_, i) => [
      `site ${'abcdefghij'[i % 10]}${i}x`,
      'Head Office Group',
      '020 7946 0000',
      `${i * 7 + 1} Mill Lane`,
    ]);
    const { links } = linkTables(tableOf([['name', 'agency', 'phone', 'street'], ...rows]), null, options);
    expect(links.filter(({ probability }) => probability >= 0.9)).toEqual([]);
  });
});

describe('two tables', () => {
  const people = register(1_200, 0.3, 11);
  const [head, ...body] = rowsOf(people.csv);
  const of = new Map(body.map((row) => [row[0]!, row]));
  const times = new Map<string, number>();
  for (const id of people.links.flat()) times.set(id, (times.get(id) ?? 0) + 1);
  // Lists without their own duplicates: persons with more than two rows are left out.
  const couples = people.links.filter((pair) => pair.every((id) => times.get(id) === 1));
  const left = body.filter(([id]) => !times.has(id!) || couples.some(([a]) => a === id));
  const right = couples.map(([, b]) => of.get(b)!);
  const truth = new Set(couples.map((pair) => pair.join()));

  it('give each row one partner, under other names and in another order of columns', () => {
    const turned = right.map(([id, first, last, street, town, code, born, phone, mail]) => [
      mail!,
      phone!,
      id!,
      last!,
      first!,
      born!,
      street!,
      town!,
      code!,
    ]);
    const names = ['e-mail', 'tel', 'key', 'family name', 'given name', 'birthday', 'address', 'city', 'zip'];
    const linked = linkTables(tableOf([head!, ...left]), tableOf([names, ...turned]), options);
    const said = linked.links.filter(({ probability }) => probability >= 0.9);
    const found = said.filter((link) => truth.has(`${left[link.left]![0]},${right[link.right]![0]}`)).length;
    expect(found / truth.size).toBeGreaterThan(0.95);
    expect(found / said.length).toBeGreaterThan(0.95);
    expect(linked.shape).toBe('one_to_one');
    expect(new Set(said.map((link) => link.left)).size).toBe(said.length);
  }, 60_000);

  it('given the other way round give the same links', () => {
    const [a, b] = [tableOf([head!, ...left.slice(0, 400)]), tableOf([head!, ...right.slice(0, 150)])];
    const turned = linkTables(b, a, options).links.map((link) => `${link.right}-${link.left}`);
    expect(turned.length).toBeGreaterThan(30);
    expect(turned.sort()).toEqual(pairsOf(linkTables(a, b, options)));
  }, 60_000);

  it('without rows of names are matched column by column by what is in them', () => {
    const [a, b] = [
      tableOf(left.slice(0, 500), false),
      tableOf(
        right.map((row) => [...row].reverse()),
        false,
      ),
    ];
    const { columns } = linkTables(a, b, options);
    expect(columns.map((column) => `${column.left}=${column.right}`)).toEqual(
      expect.arrayContaining(['column 3=column 7', 'column 5=column 5', 'column 8=column 2', 'column 9=column 1'].slice(0, 2)),
    );
  }, 60_000);

  it('explain links in words, by column', () => {
    const { links } = linkTables(tableOf([head!, ...left]), tableOf([head!, ...right]), { ...options, explained: 1 });
    expect(links[0]!.reasons!.length).toBeGreaterThan(4);
    const weights = links[0]!.reasons!.map(({ weight }) => Math.abs(weight));
    expect(weights).toEqual([...weights].sort((x, y) => y - x));
    expect(links[0]!.reasons!.map(({ says }) => says)).toContain('equal');
    expect(links[1]!.reasons).toBeUndefined();
  }, 60_000);
});

describe('bad tables', () => {
  const empty = tableOf([]);
  const one = csv('name,city\nAcme Corp,Berlin');

  it('without rows or columns have no links', () => {
    expect(linkTables(empty, null, options).links).toEqual([]);
    expect(linkTables(empty, one, options).links).toEqual([]);
    expect(linkTables(one, null, options).links).toEqual([]);
    expect(
      linkTables(
        tableOf([
          ['', ''],
          ['', ''],
        ]),
        null,
        options,
      ).links,
    ).toEqual([]);
    expect(linkTables(csv('a\n1\n2\n3\n4\n5\n6'), csv('b\nx@y.de\nz@y.de'), options).columns).toEqual([]);
  });

  it('of one row, or one column, are linked all the same', () => {
    expect(pairsOf(linkTables(one, csv('name,city\nGlobex,Paris\nAcme Corporation,Berlin\nInitech,Rome'), options))).toEqual(['0-1']);
    const names = 'Amberfield Basaltine Cobaltworks Damsonbury Emberline Fjordhaven Garnetics Heronsgate'.split(' ');
    const linked = linkTables(
      tableOf([['name'], ...names.map((name) => [name])]),
      tableOf([['name'], ...names.slice(4).map((name) => [`${name} Ltd`])]),
      options,
    );
    expect(pairsOf(linked)).toEqual(['4-0', '5-1', '6-2', '7-3']);
  });

  it('whose rows are all equal are one thing', () => {
    const { links } = linkTables(tableOf([['name', 'city'], ...Array.from({ length: 300 }, () => ['Acme', 'Berlin'])]), null, options);
    expect(new Set(links.flatMap(({ left, right }) => [left, right])).size).toBe(300);
    expect(links.every(({ probability }) => probability >= 0.9)).toBe(true);
    // A large cluster is represented by a chain, not by all its pairs.
    expect(links.length).toBeLessThan(400);
  });

  it('with huge cells, NUL and odd letters are read', () => {
    const odd = ['x'.repeat(100_000), 'a\0b', '\u{1F600}\u{1F600}', '\uD800', 'İstanbul ﬁne ①', 'مرحبا', '東京', ' '];
    const rows = odd.map((cell, i) => [cell, `${cell.slice(0, 50)} ${i}`, String(i * 31 + 7)]);
    const linked = linkTables(tableOf([['a', 'b', 'c'], ...rows, ...rows]), null, options);
    expect(pairsOf(linked).length).toBeGreaterThanOrEqual(7);
  });

  it('with rows of different length are filled up', () => {
    const table = tableOf([['a', 'b'], ['1'], ['2', 'x', 'y'], []]);
    expect([table.rows, table.columns.length]).toEqual([3, 3]);
    expect(() => linkTables(table, null, options)).not.toThrow();
  });
});
