import { expect, it } from 'vitest';
import { differenceOf, fieldsOf, piecesOf, readable } from './model.ts';

const before = {
  name: 'pay',
  description: 'Pays.',
  inputSchema: { type: 'object', properties: { to: { type: 'string' }, old: { type: 'number' } } },
};
const now = {
  name: 'pay',
  description: 'Pays twice.',
  inputSchema: { type: 'object', properties: { to: { type: 'string' }, 'a/b': { enum: [1, 2] } } },
};

it('compares definitions field by field', () => {
  expect(fieldsOf(before, now).map(({ path, state }) => [path, state])).toEqual([
    ['/name', 'same'],
    ['/description', 'changed'],
    ['/inputSchema/type', 'same'],
    ['/inputSchema/properties/to/type', 'same'],
    ['/inputSchema/properties/old/type', 'gone'],
    ['/inputSchema/properties/a~1b/enum/0', 'new'],
    ['/inputSchema/properties/a~1b/enum/1', 'new'],
  ]);
  expect(fieldsOf(null, now).every(({ state }) => state === 'same')).toBe(true);
  expect(readable('/inputSchema/properties/a~1b/enum/0')).toBe('inputSchema › properties › a/b › enum › 0');
});

it('cuts a text at what differs and at what is marked, and loses nothing of it', () => {
  expect(differenceOf('Pays twice.', 'Pays.')).toEqual([4, 10]);
  expect(differenceOf('Pays.', 'Pays twice.')).toEqual([4, 4]);
  expect(differenceOf('aa', 'aaa')).toEqual([2, 2]);
  const mark = { path: '/description', key: false, start: 2, end: 8, kind: 'instructions', what: 'orders' } as const;
  const pieces = piecesOf('Pays twice.', [4, 10], [mark]);
  expect(pieces.map(({ text, differs, marks }) => [text, differs, marks.length])).toEqual([
    ['Pa', false, 0],
    ['ys', false, 1],
    [' twi', true, 1],
    ['ce', true, 0],
    ['.', false, 0],
  ]);
});
