import type { Database, Row } from '../../adapters/postgres/database.ts';
import { notFound } from '../../contracts/errors.ts';
import type { Entity, ReviewCase, ReviewSide } from '../../contracts/graph/graph.ts';
import { levelsOf, weighed } from '../../engines/linkage/names.ts';
import { nameKey } from '../../engines/text/names.ts';
import { changeOf, reviewRow, type ReviewRow } from '../kernel/reviews/reviews-records.ts';
import { Service } from '../kernel/service.ts';
import { linksOf } from './entity-view.ts';
import { modelOf } from './learning.ts';
import { bySignals } from './merge.ts';
import { latestPassages } from './mentions.ts';
import { entitiesById, itemOf } from './reviews-view.ts';

type Query = Database['query'];

const shownPassages = 3;
const shownNames = 50;

/** A question about entities with all that a person looks at before deciding it. */
export class ReviewCases extends Service {
  /** @throws AppError NOT_FOUND, also when its subject is gone */
  async get(tenant: string, id: string): Promise<ReviewCase> {
    const { query } = this.db;
    const row = await reviewRow(query, tenant, id);
    const ids = [row?.subject.a, row?.subject.b].filter((each) => each !== undefined);
    const entities = await entitiesById(query, tenant, ids);
    const item = row && itemOf(row, entities);
    if (!row || !item) throw notFound('feedback item', id, 'entity.review.list (review_pending_entities) shows those there are.');
    const first = entities.get(row.subject.a!)!;
    const second = row.subject.b === undefined ? undefined : entities.get(row.subject.b);
    // A name that moves or is added has no entity of its own yet.
    const part = row.action === 'split' ? (row.subject.key ?? nameKey(row.subject.name ?? '')) : undefined;
    const [a, b] = [
      await side(query, tenant, first),
      second && row.action !== 'split' ? await side(query, tenant, second) : await partOf(query, tenant, row, first, part, second?.name),
    ];
    return {
      ...item,
      status: item.status ?? 'open',
      notes: row.notes,
      origin: row.origin,
      a,
      b,
      match: await this.match(tenant, row, a, b),
      consequence: await this.consequence(tenant, row, { first, second, a, b }),
      change_id: row.status === 'confirmed' ? changeOf(tenant, row) : null,
    };
  }

  private async match(tenant: string, row: ReviewRow, a: ReviewSide, b: ReviewSide): Promise<ReviewCase['match']> {
    const model = await modelOf(this.db.query, tenant);
    const named = ({ name, aliases, type }: ReviewSide) => ({ key: nameKey(name), aliases: aliases.map(nameKey), type });
    const [left, right] = [named(a), named(b)];
    if (left.key === '' || right.key === '') return null;
    return { ...weighed(row.subject.levels ?? levelsOf(left, right), model), compared: row.subject.levels !== undefined };
  }

  private async consequence(
    tenant: string,
    row: ReviewRow,
    { first, second, a, b }: { first: Entity; second: Entity | undefined; a: ReviewSide; b: ReviewSide },
  ): Promise<ReviewCase['consequence']> {
    const { mentions, facts } = b;
    if (row.action !== 'merge' || !second) {
      const moved = row.action === 'alias' ? { mentions: 0, facts: 0 } : { mentions, facts };
      return { does: row.action, keeps: first.name, moves: b.name, names: [b.name], links: 0, ...moved };
    }
    const rows = await this.db.query<{ id: string; signal_count: number; created_at: Date }>(
      'select id, signal_count, created_at from entities where tenant_id = $1 and id = any($2)',
      [tenant, [first.entity_id, second.entity_id]],
    );
    const moves = rows.toSorted(bySignals)[0]?.id === second.entity_id ? a : b;
    return {
      does: 'merge',
      keeps: moves === a ? b.name : a.name,
      moves: moves.name,
      names: [moves.name, ...moves.aliases],
      mentions: moves.mentions,
      facts: moves.facts,
      links: moves.links.length,
    };
  }
}

interface Counts extends Row {
  mentions: number;
  signals: number;
  facts: number;
  first_seen_at: Date | null;
  last_seen_at: Date | null;
}

async function side(query: Query, tenant: string, { entity_id: id, name, type, aliases }: Entity): Promise<ReviewSide> {
  const [counts] = await query<Counts>(
    `select e.mention_count as mentions, e.signal_count as signals, e.first_seen_at, e.last_seen_at,
       (select count(*)::int from graph_facts f where f.tenant_id = $1 and (f.subject_id = $2 or f.object_id = $2) and f.recorded_to is null) as facts
     from entities e where e.tenant_id = $1 and e.id = $2`,
    [tenant, id],
  );
  return {
    ...view({ entity_id: id, name, type, aliases: aliases.slice(0, shownNames) }, counts),
    links: (await linksOf(query, tenant, [id])).get(id) ?? [],
    passages: await latestPassages(query, tenant, id, { limit: shownPassages }),
  };
}

/** What an entity would lose or gain: its mentions under one name. */
async function partOf(
  query: Query,
  tenant: string,
  row: ReviewRow,
  of: Entity,
  part: string | undefined,
  owner: string | undefined,
): Promise<ReviewSide> {
  const name = owner ?? row.subject.name ?? row.subject.alias ?? '';
  const key = part ?? nameKey(name);
  const [counts] = await query<Counts>(
    `with mine as materialized (select m.id, m.document_id from entity_mentions m where m.tenant_id = $1 and m.entity_id = $2 and m.key = $3)
     select count(*)::int as mentions, count(distinct m.document_id)::int as signals, min(d.said_at) as first_seen_at, max(d.said_at) as last_seen_at,
       (select count(distinct e.fact_id)::int from mine join graph_assertions a on a.tenant_id = $1 and (a.subject_mention = mine.id or a.object_mention = mine.id)
        join fact_evidence e on e.tenant_id = $1 and e.assertion_id = a.id) as facts
     from mine m join documents d on d.tenant_id = $1 and d.id = m.document_id`,
    [tenant, of.entity_id, key],
  );
  return {
    ...view({ entity_id: row.subject.b ?? null, name, type: row.type, aliases: [] }, counts),
    links: [],
    passages: await latestPassages(query, tenant, of.entity_id, { key, limit: shownPassages }),
  };
}

const view = (
  named: Pick<ReviewSide, 'entity_id' | 'name' | 'type' | 'aliases'>,
  counts: Counts | undefined,
): Omit<ReviewSide, 'links' | 'passages'> => ({
  ...named,
  mentions: counts?.mentions ?? 0,
  signals: counts?.signals ?? 0,
  facts: counts?.facts ?? 0,
  first_seen_at: counts?.first_seen_at?.toISOString() ?? null,
  last_seen_at: counts?.last_seen_at?.toISOString() ?? null,
});
