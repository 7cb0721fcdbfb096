import { expect, it } from 'vitest';
import { tableOf } from '../engines/linkage/table.ts';
import { pairBaselines, tableBaselines } from './er-baselines.ts';

const table = (...names: string[]) => tableOf([['name', 'city'], ...names.map((name) => [name, 'York'])], true);

it('pairs have a score of each method', () => {
  const [equal, letters, words] = pairBaselines(table('Acme-Works', 'Globex', ''), table('acme works', 'Initech', ''));
  expect(equal).toMatchObject({ exact: true, scores: [1, 0, 1] });
  expect(letters!.scores[0]).toBe(1);
  expect(letters!.scores[1]).toBeLessThan(0.9);
  expect(words!.scores[0]).toBeCloseTo(1, 9);
  // The city is all that they share, and every record has it.
  expect(words!.scores[1]).toBeLessThan(0.3);
});

it('tables have equal and similar rows, each pair once', () => {
  const [equal, similar] = tableBaselines(table('Acme Works', 'Globex'), table('ACME works', 'Acme Work', 'Hooli'));
  expect(equal!.pairs).toEqual([{ left: 0, right: 0, score: 1 }]);
  expect(similar!.pairs[0]).toMatchObject({ left: 0, right: 0 });
  const [same, like] = tableBaselines(table('Acme', 'Acme', 'Globex'), null);
  expect(same!.pairs).toEqual([{ left: 1, right: 0, score: 1 }]);
  expect(like!.pairs.every(({ left, right }) => left > right)).toBe(true);
});

it('nothing comes of nothing', () => {
  const empty = tableOf([]);
  expect(tableBaselines(empty, null).map(({ pairs }) => pairs)).toEqual([[], []]);
  expect(pairBaselines(empty, empty).map(({ scores }) => scores)).toEqual([[], [], []]);
});
