import { describe, expect, it } from 'vitest';
import { patternProblem } from './patterns.ts';

describe('patterns of schemas', () => {
  it.each([
    '^[A-Z]{2}\\d{4,10}$',
    '^(foo|bar)+$',
    '^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$',
    '(a{2,5})+',
    '[(+*)]+(x)',
    '\\(a+\\)+',
    '^(?<year>\\d{4})-(?:\\d{2})$',
    '(a+)(b+)',
    '(a+)?',
  ])('%s passes', (pattern) => {
    expect(patternProblem(pattern)).toBeNull();
  });

  it.each([
    ['(a+)+$', 'forever'],
    ['(?:a*)*', 'forever'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'forever'],
    ['((x+)y)*', 'forever'],
    ['(a|b+){2,}', 'forever'],
    ['(\\d+,){30}', 'forever'],
    ['(a{0,40})*', 'forever'],
    ['a{1,100000}', 'counts'],
    ['(', 'regular expression'],
    ['\\-', 'regular expression'],
    ['a'.repeat(1_001), 'characters'],
  ])('%s is refused', (pattern, why) => {
    expect(patternProblem(pattern)).toContain(why);
  });
});
