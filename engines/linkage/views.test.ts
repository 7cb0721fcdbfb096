import { describe, expect, it } from 'vitest';
import { generator } from './frequencies.ts';
import { linkTables } from './link.ts';
import { scorePairs } from './pairs.ts';
import { tableOf } from './table.ts';
import { withViews } from './views.ts';

/** Citations in one cell: words that many share, a few rare ones, and years and pages; written twice, differently. */
function citations(count: number) {
  const random = generator(count);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const common = 'query systems data efficient parallel index views storage learning distributed models objects'.split(' ');
  const venues = ['proceedings of the conference on data', 'journal of information systems', 'transactions on storage'];
  const name = (): string => Array.from({ length: 7 }, () => pick('abdegiklmnoprstuvz'.split(''))).join('');
  const left: string[][] = [];
  const right: string[][] = [];
  for (let i = 0; i < count; i++) {
    const [title, author, venue, year, page] = [
      [name(), pick(common), pick(common), pick(common)].join(' '),
      name(),
      pick(venues),
      1985 + (i % 25),
      1 + Math.floor(random() * 800),
    ];
    left.push([`${author}. ${title}. In ${venue}, pages ${page}-${page + 9}, ${year}.`]);
    if (i % 3 !== 0) right.push([`${title}, ${pick(['by', 'from'])} J. ${author} (${year}) ${venue.slice(0, 20)} ${page}`]);
  }
  return { left, right };
}

describe('one long text per row', () => {
  const { left, right } = citations(300);
  const [a, b] = [tableOf([['citation'], ...left], true), tableOf([['reference'], ...right], true)];

  it('is linked by its words and numbers', () => {
    const { links, columns } = linkTables(a, b, { least: 0.5, threshold: 0.9 });
    expect(columns.map((column) => column.left)).toEqual(['citation', 'words in the text', 'numbers in the text']);
    const matching = left.flatMap((_, i) => (i % 3 !== 0 ? [i] : []));
    const found = links.filter((link) => link.probability >= 0.9 && matching[link.right] === link.left).length;
    expect(found / right.length).toBeGreaterThan(0.95);
    expect(found / links.length).toBeGreaterThan(0.95);
  }, 240_000);

  it('in lists of pairs as well', () => {
    const same = left.flatMap((row, i) => (i % 3 !== 0 ? [row] : []));
    const turned = [...same.slice(0, 100), ...same.slice(101), same[100]!];
    const { probabilities } = scorePairs(tableOf([['text'], ...turned], true), tableOf([['text'], ...right], true));
    expect(probabilities.slice(0, 100).filter((p) => p >= 0.5).length).toBeGreaterThan(90);
    expect(probabilities.slice(100).filter((p) => p >= 0.5).length).toBeLessThan(10);
  }, 240_000);

  it('but not within one table, where it would find what shares words', () => {
    expect(withViews(a, null)).toEqual({ left: a, right: null });
  });
});

describe('other tables stay as they are', () => {
  const rowsOf = (...rows: string[][]) => tableOf(rows, true);
  it.each([
    ['two columns of words', rowsOf(['name', 'place'], ['one two three four five', 'far out'], ['six seven eight nine ten', 'near'])],
    ['names', rowsOf(['name', 'n'], ['Amber Trading', '7'], ['Basalt Works', '9'])],
    ['no words', rowsOf(['a', 'b'], ['1', '2'], ['3', '4'])],
    ['no rows', tableOf([])],
  ])('%s', (_, table) => {
    expect(withViews(table, null)).toEqual({ left: table, right: null });
    expect(withViews(table, table)).toEqual({ left: table, right: table });
  });
});
