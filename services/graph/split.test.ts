import { expect, it } from 'vitest';
import { defaultNameModel } from '../../engines/linkage/names.ts';
import { nameKey } from '../../engines/text/names.ts';
import { judge } from './split.ts';

/** Where a name goes when `own` is split into itself and `made`. */
const judged = (name: string, own: string, made: string): string =>
  judge(nameKey(name), nameKey(own), nameKey(made), 'customer', defaultNameModel);

it('gives a name to the one that it clearly fits better, and asks where it fits both', () => {
  expect(judged('Fabrikam West Ltd', 'Acme Corporation', 'Fabrikam West')).toBe('goes');
  expect(judged('Acme Corp', 'Acme Corporation', 'Fabrikam West')).toBe('stays');
  expect(judged('Acme', 'Acme Corporation', 'Acme Inc')).toBe('unsure');
});

it('leaves a name that is like neither where it is: it came by a person or a merge', () => {
  expect(judged('Blue Yonder', 'Acme Corporation', 'Fabrikam West')).toBe('stays');
});
