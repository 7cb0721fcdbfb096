import { expect, it } from 'vitest';
import { celPieces } from './cel.ts';

it('colours what an expression consists of, and loses nothing of it', () => {
  const text = `tool.domain == "connector" && !caller.name.startsWith('bot "x') && 3 in [1, 2] // true`;
  const pieces = celPieces(text);
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  expect(pieces.filter(({ className }) => className).map((piece) => piece.text)).toEqual([
    'tool',
    '"connector"',
    'caller',
    'startsWith',
    `'bot "x'`,
    '3',
    'in',
    '1',
    '2',
    'true',
  ]);
  // A text that is not ended yet, while somebody types it.
  expect(celPieces('tool.name == "wor').at(-1)!.text).toBe('"wor');
});
