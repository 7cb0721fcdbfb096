import { useSession } from '../api/session.ts';

<<<<<<< HEAD
const ages = { realtime: 'as of now', daily: 'a day old', weekly: 'a week old' } as const;
const count = (n: number, one: string): string => (n === 0 ? `all ${one}s` : `${n} ${one}${n === 1 ? '' : 's'}`);

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
=======
const many = (count: number, one: string, more: string): string => (count === 0 ? `all ${more}` : `${count} ${count === 1 ? one : more}`);
const age = { realtime: 'at once', daily: 'a day old', weekly: 'a week old' };

/** A team's key sees a part of the tenant: which. */
export function Scope() {
  const { data: facts } = useSession();
  if (!facts?.scope) return null;
  const { product_areas: areas, entity_types: types, data_freshness: freshness } = facts.scope;
  return (
    <p className="mb-3 border-l-4 border-route bg-sunk p-3">
      Shown within the scope of <em>{facts.team}</em>: {many(areas.length, 'area', 'areas')}, {many(types.length, 'type', 'types')}, {age[freshness]}.
    </p>
>>>>>>> 69933c3 (wip)
  );
}
