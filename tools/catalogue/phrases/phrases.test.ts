import { expect, it } from 'vitest';
import { tools } from '../../index.ts';
import { phrases, phrasesOf } from './index.ts';

it('are of tools that there are', () => {
  const names = new Set(tools.map(({ name }) => name));
  expect(Object.keys(phrases).filter((name) => !names.has(name))).toEqual([]);
});

it('are whole, and no two tools have the same one', () => {
  const all = Object.keys(phrases).flatMap((name) => [...new Set(phrasesOf(name))]);
  expect(all.filter((phrase) => phrase.trim() !== phrase || phrase.length < 5 || phrase.includes(';'))).toEqual([]);
  expect(all.filter((phrase, i) => all.indexOf(phrase) !== i)).toEqual([]);
});
