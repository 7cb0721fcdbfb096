import { describe, expect, it } from 'vitest';
import { describes, isQuestion } from './phrasing.ts';

describe('isQuestion', () => {
  it.each([
    'Who founded the company',
    'in what year did it close',
    'To whom was it sold',
    'are there tables of stability',
    'the colour of it?  ',
    'Wann kam er an?',
  ])('takes "%s" for one', (text) => expect(isQuestion(text)).toBe(true));
  it.each(['whatever works', 'island hopping', 'drag of slender wings', 'In the year of its closing', 'doing business'])(
    'does not take "%s" for one',
    (text) => expect(isQuestion(text)).toBe(false),
  );
});

it('describes: long enough, and no question', () => {
  expect(describes('measurement of dielectric constants of liquids', 4)).toBe(true);
  expect(describes('measurement of liquids', 2)).toBe(false);
  expect(describes('how are dielectric constants of liquids measured', 5)).toBe(false);
});
