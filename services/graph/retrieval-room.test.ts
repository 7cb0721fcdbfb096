import { expect, it } from 'vitest';
import type { Fused } from '../../engines/retrieval/fusion.ts';
import { withRoom } from './retrieval-room.ts';

/** Hits by their titles, best first; a star: a path led there. */
function ranking(...marked: string[]): { ranked: Fused[]; titles: Map<string, string> } {
  const ranked = marked.map((mark, i): Fused => {
    const score = 1 - i / 10;
    return { id: String(i + 1), score, ...(mark.endsWith('*') ? { graph: { share: 0.1, by: 'Ada', from: '1' } } : {}) };
  });
  return { ranked, titles: new Map(marked.map((mark, i) => [String(i + 1), mark.replace('*', '')])) };
}
const order = ({ ranked, titles }: ReturnType<typeof ranking>): string =>
  withRoom(ranked, titles)
    .map((hit) => hit.id)
    .join('');

it('a title that fills the head makes room for what paths lead to', () => {
  const five = ranking('A', 'A', 'A', 'A', 'A', 'A*', 'B', 'C*', 'D*', 'E*');
  expect(order(five)).toBe('12389456710');
  expect(withRoom(five.ranked, five.titles).map((hit) => hit.score)).toEqual(
    [1, 0.9, 0.8, 0.7, 0.7, 0.7, 0.6, 0.5, 0.4, 0.1].map((n) => expect.closeTo(n)),
  );
});

it('only as many as there are, and only the last give way', () => {
  expect(order(ranking('A', 'B', 'A', 'A', 'A', 'C', 'D*'))).toBe('1234756');
  expect(order(ranking('A', 'A', 'A', 'A', 'A', 'C', 'D*'))).toBe('1234756');
});

it('nothing moves if the head has several titles, or no path leads elsewhere', () => {
  expect(order(ranking('A', 'A', 'A', 'B', 'B', 'C*'))).toBe('123456');
  expect(order(ranking('A', 'A', 'A', 'A', 'A', 'A*', 'C'))).toBe('1234567');
  expect(withRoom([], new Map())).toEqual([]);
});

it('passages without a title are not alike', () => {
  const { ranked } = ranking('A', 'A', 'A', 'A', 'A', 'C*');
  expect(withRoom(ranked, new Map()).map((hit) => hit.id)).toEqual(['1', '2', '3', '4', '5', '6']);
});
