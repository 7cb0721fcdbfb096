import { coreWords, keyWords, numbersOf } from '../text/names.ts';
import type { NamedThing, NameModel } from './types.ts';
import type { BestNames } from './names.ts';

/** Evidence for and against a match, in words; strongest first. */
export function evidenceOf(best: BestNames, a: NamedThing, b: NamedThing, model: NameModel): string[] {
  const said: { text: string; weight: number }[] = [];
  for (const [feature, level] of Object.entries(best.levels)) {
    if (level < 0) continue;
    const { m, u } = model.features[feature] ?? { m: [], u: [] };
    const weight = Math.abs(Math.log((m[level] ?? 1) / (u[level] ?? 1)));
    const text = wordings[feature]?.(level, best, a, b);
    if (text) said.push({ text, weight });
  }
  return said.sort((x, y) => y.weight - x.weight).map(({ text }) => text);
}

const quoted = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(', ');

const wordings: Record<string, (level: number, best: BestNames, a: NamedThing, b: NamedThing) => string | null> = {
  name: (level, { names: [left, right], comparison }, a, b) => {
    const { onlyA, onlyB, typos } = comparison;
    const alias = left !== a.key || right !== b.key ? ` (as "${left}" and "${right}")` : '';
    switch (level) {
      case 0:
        return `the names "${left}" and "${right}" share no word`;
      case 1:
        return `one name has ${quoted(onlyA)} where the other has ${quoted(onlyB)}${alias}`;
      case 2:
        return `one name is part of the other; only one has ${quoted([...onlyA, ...onlyB])}${alias}`;
      case 3:
      case 5: {
        const [short, long] = left.length <= right.length ? [left, right] : [right, left];
        return `"${short}" may be ${level === 5 ? 'the acronym' : 'a short form'} of "${long}"`;
      }
      case 4:
      case 6:
        return `the names differ by spelling only: ${typos.map(([x, y]) => `"${x}" and "${y}"`).join(', ')}${alias}`;
      default:
        return sameWords(left, right) + alias;
    }
  },
  numbers: (level, { names: [left, right] }) => {
    if (level === 2) return `the same number: ${quoted(numbersOf(left))}`;
    if (level === 1) return `only one name has a number: ${quoted([...numbersOf(left), ...numbersOf(right)])}`;
    return `different numbers: "${left}" and "${right}"`;
  },
  type: (level, _, a, b) => (level === 2 ? null : `one is a ${a.type}, the other a ${b.type}`),
  rarity: (level) => [`what the names share is short or common`, null, 'what the names share is rare'][level] ?? null,
  neighbours: (level) =>
    [
      'mentioned together with different things',
      'mentioned together with some of the same things',
      'mentioned together with the same things',
    ][level]!,
  meaning: (level) =>
    ['the names mean different things', null, 'the names mean similar things', 'the names mean nearly the same'][level] ?? null,
};

function sameWords(left: string, right: string): string {
  if (left === right) return 'the same name';
  const [a, b] = [coreWords(left), coreWords(right)];
  if (a.join(' ') === b.join(' ')) return `both are "${a.join(' ')}"; only the legal form differs`;
  if (a.join('') === b.join('')) return `the same letters: "${left}" and "${right}"`;
  return keyWords(left).length === keyWords(right).length ? 'the same words in another order' : 'the same words, legal form aside';
}
