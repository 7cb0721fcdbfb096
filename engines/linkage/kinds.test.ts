import { expect, it } from 'vitest';
import { kindOf } from './kinds.ts';
import { tableOf } from './table.ts';

const kind = (name: string, ...values: string[]): string => kindOf(tableOf([[name], ...values.map((value) => [value])], true).columns[0]!);

it('addresses have a house number with the street, wherever it stands', () => {
  expect(kind('where', '12 Mill Lane', "1/9a St. Mary's Road", '435 s. la cienega blv.', '3 Oak Drive, Hull', '7 Hard Way')).toBe(
    'address',
  );
  expect(kind('wo', 'Hauptstr. 5', 'Lindenstrasse 12a, Berlin', 'Via Roma 3', 'Straße des 17. Juni 135', '5 rue de la Paix')).toBe(
    'address',
  );
  expect(kind('person', 'john smith 12 oak street hull', 'mary ann, 4 high st, york', 'tom dill 9 mill road')).toBe('address');
  // With such a name, the number may stand in another column.
  expect(kind('street', 'Mill Lane', 'Oak Drive', 'High Street', 'Broadway')).toBe('address');
});

it('titles with the same words are texts', () => {
  const titles = [
    'Seagate 160 GB Internal Hard Drive',
    'Sony 16x DVD Drive',
    'Kingston 4 GB USB Flash Drive',
    'Maxtor 3 hard drive, 7200 rpm',
  ];
  expect(kind('title', ...titles)).toBe('text');
  expect(kind('title', 'Drive (2011)', 'The Road to El Dorado 2', 'Mulholland Drive', '10 Things I Hate')).toBe('text');
});
