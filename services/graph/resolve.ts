import type { Database } from '../../adapters/postgres/database.ts';
import type { GraphDone } from '../../contracts/activities/graph/graph.ts';
import { newId } from '../../contracts/ids.ts';
import { factGroupsOf, refoldFacts } from './facts-records.ts';
import { addContribution, noteGraphChange } from './fold.ts';
import type { MatchSettings } from './index.ts';
import { lockGraph } from './lock.ts';
import { modelOf } from './learning.ts';
import { nameKey } from '../../engines/text/names.ts';
import { retype } from './retype.ts';
import { Candidates, type KnownEntity } from './resolve-candidates.ts';
import { decide, type Decision, type Named } from './resolve-decide.ts';
import { insertAliases, insertEntities, type NewAlias } from './resolve-records.ts';
import { directoryOfTenant } from './directory.ts';
import { featureKeys } from './vouched.ts';
import { openReview, pairOf } from '../kernel/reviews/reviews-records.ts';
import { followers } from '../kernel/followers.ts';

type Query = Database['query'];

/** Documents per transaction. */
const documentsAtOnce = 25;

/** Assigns every mention of extracted documents to an entity, known or new, and folds the results. */
export async function resolveDocuments(
  { db, matching }: { db: Database; matching: MatchSettings },
  tenant: string,
  ids: readonly string[],
  beat: () => void = () => {},
): Promise<GraphDone> {
  const done: GraphDone = { documents: 0, mentions: 0, created: 0, reviews: [] };
  for (let from = 0; from < ids.length; from += documentsAtOnce) {
    beat();
    const part = await db.transaction((query) => resolveSome(query, tenant, ids.slice(from, from + documentsAtOnce), matching));
    done.documents += part.documents;
    done.mentions += part.mentions;
    done.created += part.created;
    done.reviews.push(...part.reviews);
  }
  return done;
}

/** The same within a transaction. */
export async function resolveSome(query: Query, tenant: string, asked: readonly string[], settings: MatchSettings): Promise<GraphDone> {
  const nothing = { documents: 0, mentions: 0, created: 0, reviews: [] };
  await lockGraph(query, tenant);
  const documents = await query<{ id: string }>(
    // Marked here, so that a repeat has nothing to do.
    `with open as (select id from documents where tenant_id = $1 and id = any($2) and status = 'active' and graph = 'extracted' order by id for no key update)
     update documents d set graph = 'resolved' from open where d.tenant_id = $1 and d.id = open.id returning d.id`,
    [tenant, asked],
  );
  const ids = documents.map((row) => row.id);
  if (ids.length === 0) return nothing;
  const names = await query<Named & { n: number } & Record<string, unknown>>(
    `select type, key, bool_or(certain) as certain, mode() within group (order by surface) as surface, count(*)::int as n
     from entity_mentions where tenant_id = $1 and document_id = any($2) and entity_id is null group by type, key
     order by bool_or(certain) desc, count(*) desc, type, key`,
    [tenant, ids],
  );
  const decided = names.length > 0 ? await decideAll(query, tenant, names, settings) : undecided();
  await insertEntities(query, tenant, decided.created);
  await insertAliases(query, tenant, decided.aliases);
  await retype(query, tenant, decided.upgrades);
  await query(
    `update entity_mentions m set entity_id = r.entity, assigned_by = r.how from jsonb_to_recordset($3::jsonb) as r(type text, key text, entity text, how text)
     where m.tenant_id = $1 and m.document_id = any($2) and m.entity_id is null and m.type = r.type and m.key = r.key`,
    [tenant, ids, JSON.stringify(decided.assigned)],
  );
  await count(query, tenant, decided.counts);
  const concerned = new Set(await addContribution(query, tenant, ids, 1));
  for (const id of await refoldFacts(query, tenant, await factGroupsOf(query, tenant, ids))) concerned.add(id);
  const reviews: string[] = [];
  for (const review of decided.reviews) {
    const id = await openReview(query, tenant, review);
    if (id !== null) reviews.push(id);
  }
  // Their type changed, so the counts of their signals change.
  await followers.entitiesChanged(
    query,
    tenant,
    decided.upgrades.map(({ id }) => id),
  );
  await noteGraphChange(query, tenant, ids[0]!, [...concerned]);
  return { documents: ids.length, mentions: names.reduce((sum, { n }) => sum + n, 0), created: decided.created.length, reviews };
}

interface Decided {
  created: (KnownEntity & { certain: boolean })[];
  aliases: NewAlias[];
  /** Entities whose type was guessed and is now known. */
  upgrades: { id: string; type: string }[];
  assigned: { type: string; key: string; entity: string; how: string }[];
  counts: { type: string; how: Decision['how'] }[];
  reviews: Parameters<typeof openReview>[2][];
}

const undecided = (): Decided => ({ created: [], aliases: [], upgrades: [], assigned: [], counts: [], reviews: [] });

async function decideAll(query: Query, tenant: string, names: readonly Named[], settings: MatchSettings): Promise<Decided> {
  const keys = [...new Set(names.map((named) => named.key))];
  const candidates = await Candidates.load(query, tenant, keys, featureKeys(await directoryOfTenant(query, tenant)));
  const model = await modelOf(query, tenant);
  const apart = await refused(query, tenant);
  const decided = undecided();
  for (const named of names) {
    const decision = decide(named, candidates, model, settings, apart);
    decided.counts.push({ type: named.type, how: decision.how });
    let entity: KnownEntity;
    if (decision.how === 'by_name' || decision.how === 'automatic') {
      ({ entity } = decision);
      if (named.certain && !entity.certain) {
        decided.upgrades.push({ id: entity.id, type: named.type });
        Object.assign(entity, { type: named.type, certain: true });
      }
      if (decision.how === 'automatic') {
        decided.aliases.push({ entityId: entity.id, type: entity.type, key: named.key, alias: named.surface, origin: 'resolution' });
        candidates.addKey(entity, named.key);
      }
    } else {
      const { type, certain, surface, key } = named;
      entity = { id: newId('ent'), type, certain, name: surface, signals: 0, keys: [key] };
      decided.created.push(entity);
      decided.aliases.push({ entityId: entity.id, type, key, alias: surface, origin: 'name' });
      candidates.add(entity);
      if (decision.how === 'reviewed') {
        decided.reviews.push({
          action: 'merge',
          type,
          subject: { a: entity.id, b: decision.entity.id, levels: decision.match.levels },
          pair: pairOf(type, key, nameKey(decision.entity.name)),
          confidence: decision.match.probability,
          evidence: decision.match.evidence,
          origin: 'resolution',
          createdBy: 'signalbox',
        });
      }
    }
    decided.assigned.push({
      type: named.type,
      key: named.key,
      entity: entity.id,
      how: decision.how === 'automatic' ? 'resolution' : 'name',
    });
  }
  // Created and confirmed within one batch: written with its final type.
  for (const alias of decided.aliases) {
    const made = decided.created.find((entity) => entity.id === alias.entityId);
    if (made) alias.type = made.type;
  }
  const fresh = new Set(decided.created.map((entity) => entity.id));
  decided.upgrades = decided.upgrades.filter(({ id }) => !fresh.has(id));
  return decided;
}

/** Names that people have said are not the same: a rejected match, or a split. */
async function refused(query: Query, tenant: string): Promise<(type: string, a: string, b: string) => boolean> {
  const rows = await query<{ pair: string }>(
    `select pair from reviews where tenant_id = $1 and kind = 'entity_match' and status = 'rejected' and pair is not null limit 100000`,
    [tenant],
  );
  const pairs = new Set(rows.map((row) => row.pair));
  return (type, a, b) => pairs.size > 0 && pairs.has(pairOf(type, a, b));
}

async function count(query: Query, tenant: string, counts: Decided['counts']): Promise<void> {
  const sums = [...Map.groupBy(counts, (each) => each.type)].map(([type, own]) => {
    const of = (how: Decision['how']): number => own.filter((each) => each.how === how).length;
    return { type, by_name: of('by_name'), automatic: of('automatic'), reviewed: of('reviewed'), fresh: of('fresh') };
  });
  await query(
    `insert into resolution_counts as c (tenant_id, day, type, by_name, automatic, reviewed, fresh)
     select $1, (now() at time zone 'utc')::date, r.type, r.by_name, r.automatic, r.reviewed, r.fresh
     from jsonb_to_recordset($2::jsonb) as r(type text, by_name int, automatic int, reviewed int, fresh int) order by r.type
     on conflict (tenant_id, day, type) do update set by_name = c.by_name + excluded.by_name, automatic = c.automatic + excluded.automatic,
       reviewed = c.reviewed + excluded.reviewed, fresh = c.fresh + excluded.fresh`,
    [tenant, JSON.stringify(sums)],
  );
}
