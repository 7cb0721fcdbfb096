import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evalSignals, foldsOf, readRows, scored } from './signals.ts';

let folder: string;
const file = (name: string, lines: string[]): string => {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
};
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signals-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const rows = (...labels: string[]) => labels.map((label, i) => ({ text: `t${i}`, label, group: i % 2 === 0 ? 'a' : 'b' }));

test('columns are joined, one label column is read as it stands, several by which is filled', () => {
  const path = file('a.csv', ['id,title,body,kind,pos,neg', '1,A,"b, c",x,yes,', '2,D,,y,,1', '3,E,f,,1,1']);
  expect(readRows(path, { text: 'title,body', label: 'kind', group: 'id' })).toEqual([
    { text: 'A. b, c', label: 'x', group: '1' },
    { text: 'D', label: 'y', group: '2' },
  ]);
  expect(readRows(path, { text: 'title', label: 'pos,neg' }).map(({ label }) => label)).toEqual(['pos', 'neg']);
  expect(readRows(path, { text: 'title', label: 'kind', filled: true }).map(({ label }) => label)).toEqual(['filled', 'filled', 'empty']);
  expect(readRows(path, { text: 'title', label: 'pos' }).map(({ label }) => label)).toHaveLength(2);
  expect(() => readRows(path, { text: 'nope', label: 'kind' })).toThrow('no column "nope"');
});

test('folds are stratified and always the same', () => {
  const all = rows(...'aaaaaaaaaabbbbb'.split(''));
  const folds = foldsOf(all, 5);
  expect(foldsOf(all, 5)).toEqual(folds);
  for (let fold = 0; fold < 5; fold += 1) {
    expect(all.filter((row, i) => folds[i] === fold && row.label === 'a')).toHaveLength(2);
    expect(all.filter((row, i) => folds[i] === fold && row.label === 'b')).toHaveLength(1);
  }
});

test('macro-F1 as counted by hand, also per group', () => {
  // x: 2 of 3 found, 1 wrongly: P 2/3, R 2/3; y: 0 of 1.
  const { macro_f1, accuracy, labels, groups } = scored(rows('x', 'x', 'x', 'y'), ['x', 'x', 'y', 'x']);
  expect(labels.map(({ f1 }) => f1)).toEqual([2 / 3, 0]);
  expect(macro_f1).toBeCloseTo(1 / 3, 9);
  expect(accuracy).toBe(0.5);
  expect(groups!.map(({ group, n }) => [group, n])).toEqual([
    ['a', 2],
    ['b', 2],
  ]);
});

test('the classifier is trained on one file and told of another, or not trained at all', async () => {
  const train = file('train.csv', [
    'text,label',
    ...Array.from(
      { length: 12 },
      (_, i) => `${i % 2 === 0 ? 'it crashes with error' : 'please add feature'} ${i},${i % 2 === 0 ? 'broken' : 'wanted'}`,
    ),
  ]);
  const test = file('test.csv', ['text,label', 'another error and it crashes,broken', 'please add this,wanted']);
  const options = { text: 'text', label: 'label' };
  expect(await evalSignals({ ...options, train, test }, null, () => {})).toMatchObject({ macro_f1: 1, rows: 2 });
  const tones = file('tones.csv', [
    'text,label',
    'I love it so much,Tone (Positive)',
    'It is broken again and nobody answers,Tone (Negative)',
    'The button is on the left,Tone (Neutral)',
  ]);
  expect(await evalSignals({ ...options, data: tones, shipped: true }, null, () => {})).toMatchObject({ macro_f1: 1, task: 'untrained' });
  await expect(evalSignals({ ...options, test }, null, () => {})).rejects.toThrow('Untrained, it tells');
});
