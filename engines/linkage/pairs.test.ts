import { describe, expect, it } from 'vitest';
import { generator } from './frequencies.ts';
import { scorePairs } from './pairs.ts';
import { tableOf } from './table.ts';

/** Songs of albums: a third of the others are of the same album, and agree in four columns of six. */
function songs(albums: number, matching: number) {
  const random = generator(albums);
  const word = (): string => Array.from({ length: 6 }, () => 'abcdefghiklmnoprstuvw'[Math.floor(random() * 21)]!).join('');
  const left: string[][] = [];
  const right: string[][] = [];
  let before: string[] | undefined;
  for (let a = 0; a < albums; a++) {
    const album = [`${word()} ${word()}`, `${word()} band`, `${2000 + (a % 20)}-0${1 + (a % 9)}-1${a % 10}`, `$${1 + (a % 3)}.29`];
    const tracks = Array.from({ length: 4 }, () => [
      `${word()} ${word()}`,
      `${2 + Math.floor(random() * 4)}:${10 + Math.floor(random() * 49)}`,
    ]);
    for (const [i, track] of tracks.entries()) {
      const match = random() < matching;
      left.push([...track, ...album]);
      right.push([...tracks[match ? i : (i + 1) % 4]!, ...(match || random() < 0.35 ? album : (before ?? album))]);
    }
    before = album;
  }
  const names = ['song', 'time', 'album', 'artist', 'released', 'price'];
  return { left: tableOf([names, ...left], true), right: tableOf([names, ...right], true) };
}

describe('lists of pairs', () => {
  it('that are empty, of one row or of empty columns are scored', () => {
    expect(scorePairs(tableOf([]), tableOf([])).probabilities.length).toBe(0);
    expect(scorePairs(tableOf([['a', 'b']], true), tableOf([['a', 'b']], true)).probabilities.length).toBe(0);
    const one = scorePairs(tableOf([['name'], ['Acme']], true), tableOf([['name'], ['Acme']], true)).probabilities;
    expect(one.length).toBe(1);
    expect(Number.isFinite(one[0])).toBe(true);
    const blank = tableOf([['name', 'x'], ...Array.from({ length: 5 }, () => ['', ''])], true);
    expect(Array.from(scorePairs(blank, blank).probabilities).every(Number.isFinite)).toBe(true);
    const huge = tableOf([['name'], ['x'.repeat(10_000)], ['y '.repeat(5_000)], ['東京'.repeat(5_000)]], true);
    expect(Array.from(scorePairs(huge, huge).probabilities).every(Number.isFinite)).toBe(true);
  });

  it('give the same whichever side is left', () => {
    const { left, right } = songs(40, 0.3);
    const [a, b] = [scorePairs(left, right).probabilities, scorePairs(right, left).probabilities];
    for (const [i, p] of a.entries()) expect(b[i]).toBeCloseTo(p, 6);
  });
});
