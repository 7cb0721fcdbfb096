import { useSession } from '../api/session.ts';
import { counted } from './words.ts';

const ages = { realtime: 'as of now', daily: 'a day old', weekly: 'a week old' } as const;
const count = (n: number, one: string): string => (n === 0 ? `all ${one}s` : counted(n, one));

/** Why a team's key does not see all. Nothing for other keys. */
export function Scope() {
  const { data: facts } = useSession();
  if (!facts?.team) return null;
  const { scope } = facts;
  return (
    <>
      Shown within the scope of <strong>{facts.team}</strong>
      {scope?.configured &&
        `: ${count(scope.product_areas.length, 'area')}, ${count(scope.entity_types.length, 'type')}, ${ages[scope.data_freshness]}`}
    </>
  );
}
