import type { Freshness, StakeholderScope } from '../../../../contracts/governance/policy.ts';
import { counted, percent } from '../../ui/words.ts';

export type Scope = Pick<StakeholderScope, 'team' | 'product_areas' | 'entity_types' | 'data_freshness'>;
export type Row = Scope & { updated_by: string; updated_at: string; keys: number };

export const ages: Record<Freshness, string> = { realtime: 'at once', daily: 'a day old', weekly: 'a week old' };

/** Names with commas between them; a name may hold spaces. */
export const namesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  ),
];

/** Of counts that have ended no share is known. */
export const share = (seen: number, all: number): string =>
  all === 0 || all > 10_000 ? '' : seen > 0 && seen * 100 < all ? '<1 %' : percent(seen / all);

/** "2 areas, 3 types, a day old" */
export const scopeText = ({ product_areas: areas, entity_types: types, data_freshness: fresh }: Omit<Scope, 'team'>): string =>
  [
    areas.length === 0 ? 'all areas' : counted(areas.length, 'area'),
    types.length === 0 ? 'all types' : counted(types.length, 'type'),
    fresh === 'realtime' ? 'of any age' : fresh === 'daily' ? 'a day old' : 'a week old',
  ].join(', ');
