import { expect, it } from 'vitest';
import { kbId } from '../../contracts/knowledge/knowledge.ts';
import { idOf } from './bases.ts';

it('makes ids of names', () => {
  const ids: Record<string, string> = {
    'Customer Calls (2026)': 'customer-calls-2026',
    '  Überblick / Ångström ': 'uberblick-angstrom',
    _memories: 'memories',
    'Q3: ½ done': 'q3-1-2-done',
    ['x'.repeat(62) + ' y']: 'x'.repeat(62),
  };
  for (const [name, id] of Object.entries(ids)) {
    expect(idOf(name), name).toBe(id);
    expect(kbId.safeParse(id).success, id).toBe(true);
  }
  for (const name of ['你好', '---', ' ']) expect(() => idOf(name), name).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
});
