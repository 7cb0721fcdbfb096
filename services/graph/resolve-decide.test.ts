import { expect, it } from 'vitest';
import { defaultNameModel } from '../../engines/linkage/names.ts';
import { nameKey } from '../../engines/text/names.ts';
import { Candidates, type KnownEntity } from './resolve-candidates.ts';
import { decide, type Decision } from './resolve-decide.ts';

const known = (name: string, more: Partial<KnownEntity> = {}): KnownEntity => ({
  id: `ent_${name}`,
  type: 'customer',
  certain: true,
  name,
  signals: 1,
  keys: [nameKey(name)],
  ...more,
});

/** The decision about a name with these known entities, as "how name". */
function decided(
  surface: string,
  entities: KnownEntity[],
  { type = 'customer', certain = true, apart = [] as string[] }: { type?: string; certain?: boolean; apart?: string[] } = {},
): string {
  const candidates = new Candidates();
  for (const entity of entities) candidates.add(entity);
  const decision: Decision = decide(
    { type, key: nameKey(surface), certain, surface },
    candidates,
    defaultNameModel,
    { autoMerge: 0.9, review: 0.6 },
    (_type, a, b) => apart.includes(a) && apart.includes(b),
  );
  return decision.how === 'fresh' ? 'fresh' : `${decision.how} ${decision.entity.name}`;
}

it('takes a name that fits one entity for it, and asks where it would fit two', () => {
  const [corporation, inc] = [known('Acme Corporation'), known('Acme Inc')];
  expect(decided('Acme', [corporation])).toBe('automatic Acme Corporation');
  expect(decided('Acme', [inc])).toBe('automatic Acme Inc');
  expect(decided('Acme', [corporation, inc])).toMatch(/^reviewed Acme/);
  expect(decided('Acme', [inc, corporation, known('Fabrikam')])).toMatch(/^reviewed Acme/);
});

it('knows what has just that name, by its type first, and the one with most evidence where the type is a guess', () => {
  const [customer, theme] = [known('Aurora'), known('Aurora', { id: 'ent_theme', type: 'theme', signals: 9 })];
  expect(decided('AURORA', [theme, customer])).toBe('by_name Aurora');
  expect(decided('Aurora', [theme], { certain: true })).toBe('fresh');
  expect(decided('Aurora', [theme], { type: 'thing', certain: false })).toBe('by_name Aurora');
  expect(decided('Aurora', [known('Aurora', { type: 'thing', certain: false })])).toBe('by_name Aurora');
});

it('makes nothing of another type into one, and nothing that people have said is apart', () => {
  expect(decided('Acme', [known('Acme Corporation', { type: 'product' })])).toBe('fresh');
  expect(decided('Acme', [known('Acme Corporation')], { apart: [nameKey('Acme'), nameKey('Acme Corporation')] })).toBe('fresh');
  expect(decided('Fabrikam', [known('Acme Corporation')])).toBe('fresh');
});

it('asks nobody about a name whose type is guessed, nor about types that are not worth it', () => {
  const two = (type: string, certain = true): KnownEntity[] =>
    ['Acme Corporation', 'Acme Inc'].map((name) => known(name, { type, certain }));
  expect(decided('Acme', two('customer'))).toMatch(/^reviewed/);
  expect(decided('Acme', two('customer'), { certain: false, type: 'thing' })).toBe('fresh');
  expect(decided('Acme', two('place'), { type: 'place' })).toBe('fresh');
});
