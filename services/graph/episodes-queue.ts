import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { Episode } from '../../contracts/graph/episodes.ts';
import { settleJob } from '../knowledge/index.ts';
import { writeCursor } from '../kernel/paging.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Columns } from '../../prisma/rows.ts';
import { lock } from '../kernel/locks.ts';

type Query = Database['query'];

/** Rows of episodes and their queue. */

export interface QueuedEpisode {
  id: string;
  /** Changes when the episode is replaced, so that work on its former text writes nothing. */
  seq: string;
  kind: Episode['kind'];
  name: string;
  body: string;
  source: Episode['source'];
  source_description: string;
  said_at: Date;
  attempts: number;
}

export interface NewEpisode {
  id: string;
  kind: Episode['kind'];
  name: string;
  body: string;
  source: Episode['source'];
  sourceDescription: string;
  /** Undefined: now. */
  saidAt?: Date | undefined;
  createdBy: string;
}

/** Serializes additions and reads of the queue: numbers follow the order of commits. */
export async function lockQueue(query: Query, tenant: string): Promise<void> {
  await lock(query, `episodes/${tenant}`);
}

/**
 * Adds an episode to the end of the queue. An identical one is left unchanged, unless it had failed; one with other
 * content is replaced.
 */
export async function enqueue(db: Database, tenant: string, wanted: NewEpisode): Promise<'added' | 'exists' | 'replaced' | 'again'> {
  return await db.transaction(async (query) => {
    await lockQueue(query, tenant);
    const values = [
      tenant,
      wanted.id,
      wanted.kind,
      wanted.name,
      wanted.body,
      wanted.source,
      wanted.sourceDescription,
      wanted.saidAt ?? null,
      wanted.createdBy,
    ];
    const added = await query(
      `insert into graph_episodes (tenant_id, id, kind, name, body, source, source_description, said_at, created_by)
       values ($1, $2, $3, $4, $5, $6, $7, coalesce($8::timestamptz, date_trunc('milliseconds', now())), $9) on conflict do nothing returning 1`,
      values,
    );
    if (added.length > 0) return 'added';
    const [row] = await query<{ same: boolean; status: string }>(
      `select (kind, name, body, source, source_description, said_at) = ($3, $4, $5, $6, $7, coalesce($8::timestamptz, said_at)) as same, status
       from graph_episodes where tenant_id = $1 and id = $2 for update`,
      values.slice(0, 8),
    );
    if (row?.same && row.status !== 'failed') return 'exists';
    await query(
      `update graph_episodes set kind = $3, name = $4, body = $5, source = $6, source_description = $7,
         said_at = coalesce($8::timestamptz, case when $10::boolean then said_at else date_trunc('milliseconds', now()) end),
         created_by = $9, seq = default, status = 'queued', attempts = 0, error = null, updated_at = now()
       where tenant_id = $1 and id = $2`,
      [...values, row?.same ?? false],
    );
    await settleJob(query, tenant, wanted.id, 'resolved');
    return row?.same ? 'again' : 'replaced';
  });
}

/**
 * Takes the first of the queue, including one that was taken before.
 * @returns null: the queue is empty
 */
export async function takeUp(query: Query, tenant: string): Promise<QueuedEpisode | null> {
  const [row] = await query<QueuedEpisode & Row>(
    `update graph_episodes e set attempts = e.attempts + 1, updated_at = now()
     where e.tenant_id = $1 and e.id = (select id from graph_episodes where tenant_id = $1 and status = 'queued' order by seq limit 1)
       and e.status = 'queued'
     returning e.id, e.seq::text, e.kind, e.name, e.body, e.source, e.source_description, e.said_at, e.attempts`,
    [tenant],
  );
  return row ?? null;
}

/** Its content is in the graph. */
export async function settle(db: Database, tenant: string, { id, seq }: QueuedEpisode): Promise<void> {
  await db.transaction(async (query) => {
    const done = await query(
      `update graph_episodes set status = 'done', error = null, updated_at = now()
       where tenant_id = $1 and id = $2 and seq = $3 and status = 'queued' returning 1`,
      [tenant, id, seq],
    );
    if (done.length > 0) await settleJob(query, tenant, id, 'resolved');
  });
}

/** It failed; `final`: it is given up, so that others continue and a person decides. */
export async function noteFailure(
  db: Database,
  tenant: string,
  { id, seq, name, attempts }: QueuedEpisode,
  problem: { code: string; message: string },
  final: boolean,
): Promise<void> {
  await db.transaction(async (query) => {
    const standing = await query(
      `update graph_episodes set error = $4, status = case when $5 then 'failed' else status end, updated_at = now()
       where tenant_id = $1 and id = $2 and seq = $3 and status = 'queued' returning 1`,
      [tenant, id, seq, problem.message, final],
    );
    if (!final || standing.length === 0) return;
    await query(
      `insert into dlq_items (tenant_id, id, job_id, workflow_id, source_id, title, stage, step, error_code, error, attempts, status)
       values ($1, $2, $3, $4, $3, $5, 'extraction', 'episode', $6, $7, $8, 'refused')
       on conflict (tenant_id, id) do update set status = 'refused', error_code = excluded.error_code, error = excluded.error,
         attempts = excluded.attempts, decided_by = null, last_failed_at = now(), updated_at = now()`,
      [tenant, `dlq_${id}`, id, workflowIds.episodes(tenant), name, problem.code, problem.message, attempts],
    );
  });
}

/**
 * Moves a failed episode to the end of the queue.
 * @returns false: it has not failed, or is gone
 */
export async function requeue(db: Database, tenant: string, id: string): Promise<boolean> {
  return await db.transaction(async (query) => {
    await lockQueue(query, tenant);
    const rows = await query(
      `update graph_episodes set status = 'queued', attempts = 0, error = null, seq = default, updated_at = now()
       where tenant_id = $1 and id = $2 and status = 'failed' returning 1`,
      [tenant, id],
    );
    return rows.length > 0;
  });
}

interface EpisodeRow
  extends Row, Columns<'graph_episodes', 'id' | 'name' | 'source_description' | 'said_at' | 'error' | 'created_by' | 'created_at'> {
  kind: Episode['kind'];
  source: Episode['source'];
  status: Episode['status'];
  position: number | null;
}

const columns = `e.id, e.kind, e.name, e.source, e.source_description, e.said_at, e.status, e.error, e.created_by, e.created_at,
  case when e.status = 'queued' then (select count(*)::int from graph_episodes q where q.tenant_id = $1 and q.status = 'queued' and q.seq <= e.seq) end as position`;

/** Includes its text. */
export async function episodeById(query: Query, tenant: string, id: string): Promise<{ episode: Episode; body: string } | null> {
  const [row] = await query<EpisodeRow & { body: string }>(
    `select ${columns}, e.body from graph_episodes e where e.tenant_id = $1 and e.id = $2`,
    [tenant, id],
  );
  return row ? { episode: view(row), body: row.body } : null;
}

export interface EpisodeFilter {
  status?: Episode['status'] | undefined;
  kind?: Episode['kind'] | undefined;
}

/**
 * Newest first, after a time (in Postgres' format) and an id.
 * @returns some episodes, and the position of the next
 */
export async function episodesAfter(
  query: Query,
  tenant: string,
  { status, kind }: EpisodeFilter,
  after: { at: string; id: string } | null,
  limit: number,
): Promise<{ episodes: Episode[]; total: number; next?: string }> {
  const where = `e.tenant_id = $1 and ($2::text is null or e.status = $2) and ($3::text is null or e.kind = $3)`;
  const values = [tenant, status ?? null, kind ?? null];
  const [{ total }] = (await query<{ total: number }>(`select count(*)::int as total from graph_episodes e where ${where}`, values)) as [
    { total: number },
  ];
  const rows = await query<EpisodeRow & { at: string }>(
    `select ${columns}, e.created_at::text as at from graph_episodes e where ${where}
       and ($4::timestamptz is null or (e.created_at, e.id) < ($4, $5)) order by e.created_at desc, e.id desc limit $6`,
    [...values, after?.at ?? null, after?.id ?? null, limit + 1],
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { episodes: page.map(view), total, ...(rows.length > limit && last ? { next: writeCursor(last.at, last.id) } : {}) };
}

const view = (row: EpisodeRow): Episode => ({
  episode_id: row.id,
  kind: row.kind,
  name: row.name,
  source: row.source,
  source_description: row.source_description,
  said_at: row.said_at.toISOString(),
  status: row.status,
  position: row.position,
  error: row.error,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
});
