import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { Cleared, ClearPlace, ClearRef, ClearStage } from '../../contracts/activities/graph/episodes.ts';
import type { GraphCounts } from '../../contracts/graph/episodes.ts';
import { episodeBase } from '../../contracts/graph/graph.ts';
import { settleJob } from '../knowledge/index.ts';
import { eraseEpisodeDocuments } from './episodes-document.ts';
import { lockQueue } from './episodes-queue.ts';
import { refoldFacts } from './facts-records.ts';
import { followers } from '../kernel/followers.ts';
import { noteGraphChange, refoldEntities } from './fold.ts';
import { tidyEntities } from './forget.ts';
import { lockGraph } from './lock.ts';

type Query = Database['query'];

/** What to delete: the rows that existed at the time of the request. */
export interface ClearSpec extends Record<string, unknown> {
  /** Episodes up to this number. */
  upto: string;
  /** Documents, entities and reviews created before. */
  before: string;
  counts: GraphCounts;
}

/** Limits per transaction: short transactions, and little loss on a kill. */
const episodesAtOnce = 20;
const documentsAtOnce = 20;
const factsAtOnce = 2_000;
const reviewsAtOnce = 500;
const entitiesAtOnce = 200;

/** Counts of what clearing would delete now. */
export async function countGraph(query: Query, tenant: string): Promise<GraphCounts> {
  const [row] = await query<GraphCounts & Row>(
    `select (select count(*)::int from graph_episodes where tenant_id = $1) as episodes,
       (select count(*)::int from entities where tenant_id = $1 and status = 'active') as nodes,
       (select count(*)::int from graph_facts where tenant_id = $1) as facts,
       (select count(*)::int from entity_relations where tenant_id = $1 and passages > 0) as relations`,
    [tenant],
  );
  return row!;
}

/** Records the time of the request: later additions stay. */
export async function drawLine(db: Database, tenant: string): Promise<ClearSpec> {
  return await db.transaction(async (query) => {
    await lockQueue(query, tenant);
    const [line] = await query<{ upto: string; before: Date }>(
      `select coalesce(max(seq), 0)::text as upto, clock_timestamp() as before from graph_episodes where tenant_id = $1`,
      [tenant],
    );
    return { upto: line!.upto, before: line!.before.toISOString(), counts: await countGraph(query, tenant) };
  });
}

/** Clears for a while, starting at a place; each stage is idempotent. */
export async function clearSome(
  db: Database,
  { tenant, jobId }: ClearRef,
  place: ClearPlace,
  { beat, spent }: { beat(): void; spent(): boolean },
): Promise<Cleared> {
  const [job] = await db.query<{ spec: ClearSpec }>('select spec from jobs where tenant_id = $1 and id = $2', [tenant, jobId]);
  if (!job) throw new Error(`job ${jobId} has no row`);
  const { spec } = job;
  let at: ClearPlace | null = place;
  let rows = 0;
  while (at && at.stage === place.stage && !spent()) {
    beat();
    const current: ClearPlace = at;
    const step: Step = await db.transaction(async (query) => {
      await lockGraph(query, tenant);
      return await steps[current.stage](query, tenant, spec, current.after);
    });
    rows += step.rows;
    at = step.more ? { stage: current.stage, after: step.after } : following(current.stage);
  }
  // Entities of documents that were deleted meanwhile.
  if (at === null) await tidyEntities(db, tenant);
  return { place: at, rows, counts: spec.counts };
}

interface Step {
  rows: number;
  more: boolean;
  after: string | null;
}

type StageStep = (query: Query, tenant: string, spec: ClearSpec, after: string | null) => Promise<Step>;

/** Mentions and assertions are deleted first; derived data is not updated meanwhile, but recomputed at the end. */
const steps: Record<ClearStage, StageStep> = {
  async episodes(query, tenant, { upto }) {
    const gone = await query<{ id: string }>(
      `delete from graph_episodes e where e.tenant_id = $1 and e.id in
         (select id from graph_episodes where tenant_id = $1 and seq <= $2 order by seq limit ${episodesAtOnce}) and e.seq <= $2 returning e.id`,
      [tenant, upto],
    );
    const ids = gone.map((row) => row.id);
    await forget(query, tenant, ids);
    await eraseEpisodeDocuments(query, tenant, ids);
    for (const id of ids) await settleJob(query, tenant, id, 'abandoned');
    return done(ids, episodesAtOnce);
  },

  async documents(query, tenant, { before }) {
    const documents = await query<{ id: string }>(
      `select d.id from documents d where d.tenant_id = $1 and d.graph is not null and d.created_at <= $2
         and not exists (select from knowledge_bases b where b.tenant_id = $1 and b.scope = d.scope and b.id = $3)
       order by d.id limit ${documentsAtOnce} for update of d`,
      [tenant, before, episodeBase],
    );
    const ids = documents.map((row) => row.id);
    await forget(query, tenant, ids);
    return done(ids, documentsAtOnce);
  },

  async facts(query, tenant) {
    const gone = await query<{ id: string }>(
      `delete from graph_facts f where f.tenant_id = $1 and f.id in
         (select o.id from graph_facts o where o.tenant_id = $1
            and not exists (select from fact_evidence e where e.tenant_id = $1 and e.fact_id = o.id) limit ${factsAtOnce}) returning f.id`,
      [tenant],
    );
    return done(
      gone.map((row) => row.id),
      factsAtOnce,
    );
  },

  async reviews(query, tenant, { before }) {
    // A process that waits for an answer notices that its question is gone, and ends. Decisions that are being
    // carried out finish.
    const gone = await query<{ id: string }>(
      `delete from reviews r where r.tenant_id = $1 and r.id in
         (select id from reviews where tenant_id = $1 and kind = 'entity_match' and status <> 'deciding' and created_at <= $2 limit ${reviewsAtOnce}) returning r.id`,
      [tenant, before],
    );
    await query('delete from matcher_models where tenant_id = $1 and updated_at <= $2', [tenant, before]);
    return done(
      gone.map((row) => row.id),
      reviewsAtOnce,
    );
  },

  async entities(query, tenant, { before }) {
    const entities = await query<{ id: string }>(
      `select e.id from entities e where e.tenant_id = $1 and (e.created_at <= $2 or e.origin = 'extraction')
         and not exists (select from entity_mentions m where m.tenant_id = $1 and m.entity_id = e.id) order by e.id limit ${entitiesAtOnce}`,
      [tenant, before],
    );
    const ids = entities.map((row) => row.id);
    await query('delete from graph_facts where tenant_id = $1 and (subject_id = any($2) or object_id = any($2))', [tenant, ids]);
    await query('delete from entity_relations where tenant_id = $1 and (source_id = any($2) or target_id = any($2))', [tenant, ids]);
    await query('delete from entity_history where tenant_id = $1 and entity_id = any($2)', [tenant, ids]);
    // Also deletes their names and links.
    await query('delete from entities where tenant_id = $1 and id = any($2)', [tenant, ids]);
    if (ids.length > 0) await noteGraphChange(query, tenant, ids[0]!, ids);
    return done(ids, entitiesAtOnce);
  },

  /** Later statements refer to these entities, so only those statements are kept. */
  async survivors(query, tenant, { before }, after) {
    const entities = await query<{ id: string }>(
      `select id from entities where tenant_id = $1 and ($2::text is null or id > $2) order by id limit ${entitiesAtOnce}`,
      [tenant, after],
    );
    const ids = entities.map((row) => row.id);
    if (ids.length === 0) return done(ids, entitiesAtOnce);
    await query(
      `delete from entity_aliases a where a.tenant_id = $1 and a.entity_id = any($2) and a.created_at <= $3
         and not exists (select from entity_mentions m where m.tenant_id = $1 and m.entity_id = a.entity_id and m.key = a.key)
         and exists (select from entity_mentions m join entity_aliases o on o.tenant_id = $1 and o.entity_id = m.entity_id and o.key = m.key
           where m.tenant_id = $1 and m.entity_id = a.entity_id)`,
      [tenant, ids, before],
    );
    await query('delete from entity_links where tenant_id = $1 and entity_id = any($2) and created_at <= $3', [tenant, ids, before]);
    await query('delete from entity_history where tenant_id = $1 and entity_id = any($2) and at <= $3', [tenant, ids, before]);
    await query(
      `update entities e set description = null, area = null, state = null, state_source = null, metadata = '{}', origin = 'extraction', updated_at = now()
       where e.tenant_id = $1 and e.id = any($2) and e.created_at <= $3`,
      [tenant, ids, before],
    );
    await query(
      `update entities e set name = best.alias, model = null, embedding = null, rev = e.rev + 1, updated_at = now()
       from (select distinct on (a.entity_id) a.entity_id, a.alias from entity_aliases a
             where a.tenant_id = $1 and a.entity_id = any($2) order by a.entity_id, (a.origin = 'name') desc, a.created_at, a.key) best
       where e.tenant_id = $1 and e.id = best.entity_id
         and not exists (select from entity_aliases a where a.tenant_id = $1 and a.entity_id = e.id and a.alias = e.name)`,
      [tenant, ids],
    );
    const concerned = new Set(await refoldEntities(query, tenant, ids));
    for (const id of await refoldFacts(query, tenant, { entityIds: ids })) concerned.add(id);
    await noteGraphChange(query, tenant, ids[0]!, [...concerned]);
    return { ...done(ids, entitiesAtOnce), after: ids.at(-1)! };
  },
};

/** Resets the documents, so that the next extraction starts from the beginning. Locked by the caller. */
async function forget(query: Query, tenant: string, documentIds: readonly string[]): Promise<void> {
  await query('select 1 from documents where tenant_id = $1 and id = any($2) order by id for update', [tenant, documentIds]);
  await followers.documentsVoid(query, tenant, documentIds);
  await query('delete from graph_assertions where tenant_id = $1 and document_id = any($2)', [tenant, documentIds]);
  await query('delete from entity_mentions where tenant_id = $1 and document_id = any($2)', [tenant, documentIds]);
  await query('update documents set graph = null, extractor = null where tenant_id = $1 and id = any($2)', [tenant, documentIds]);
}

const done = (ids: readonly string[], atOnce: number): Step => ({ rows: ids.length, more: ids.length === atOnce, after: null });

const order: readonly ClearStage[] = ['episodes', 'documents', 'facts', 'reviews', 'entities', 'survivors'];

function following(stage: ClearStage): ClearPlace | null {
  const next = order[order.indexOf(stage) + 1];
  return next === undefined ? null : { stage: next, after: null };
}
