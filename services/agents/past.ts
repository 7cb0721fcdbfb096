import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { Health } from '../../contracts/agents/agents.ts';
import type { AgentChange, AgentHistoryEntry, AgentVersion, PresenceSpan } from '../../contracts/agents/past.ts';
import { notFound } from '../../contracts/errors.ts';
import type { Columns } from '../../prisma/rows.ts';
import { down, keysetPage, matching, type Page, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import { spansOf, type Change } from './presence-spans.ts';

interface HistoryRow extends Row, Columns<'agent_history', 'id' | 'event' | 'actor' | 'created_at'> {
  detail: Record<string, unknown>;
}

interface VersionRow extends Row, Columns<'agent_versions', 'version' | 'note' | 'created_by' | 'created_at'> {
  definition: Record<string, unknown>;
  current: boolean;
}

/** An agent that flaps has this many changes at most in its strip; the interval begins later then. */
const mostChanges = 1_000;

/** What has happened to agents, also to those that were removed. */
export class AgentPast extends Service {
  /** Newest first. @throws AppError NOT_FOUND, VALIDATION_ERROR (cursor) */
  async history(tenant: string, id: string, events: readonly AgentChange[] | undefined, paging: Paging): Promise<Page<AgentHistoryEntry>> {
    await healthOf(this.db, tenant, id);
    const list = {
      select: 'id, event, detail, actor, created_at',
      from: 'agent_history',
      ...matching({ 'tenant_id = $': tenant, 'agent_id = $': id, 'event = any($)': events }),
      order: [down('id', 'bigint')],
    };
    return await keysetPage(this.db.query, list, paging, (row: HistoryRow) => ({
      id: String(row.id),
      event: row.event,
      detail: row.detail,
      actor: row.actor,
      at: row.created_at.toISOString(),
    }));
  }

  /** The highest first. @throws AppError NOT_FOUND, VALIDATION_ERROR (cursor) */
  async versions(tenant: string, id: string, paging: Paging): Promise<Page<AgentVersion>> {
    await healthOf(this.db, tenant, id);
    const list = {
      select: 'v.version, v.definition, v.note, v.created_by, v.created_at, v.version = a.version as current',
      from: 'agent_versions v join agents a on a.tenant_id = v.tenant_id and a.id = v.agent_id',
      ...matching({ 'v.tenant_id = $': tenant, 'v.agent_id = $': id }),
      order: [down('v.version', 'int')],
    };
    return await keysetPage(this.db.query, list, paging, ({ created_at, ...row }: VersionRow) => ({
      ...row,
      created_at: created_at.toISOString(),
    }));
  }

  /** The intervals of the last hours, oldest first, without gaps. @throws AppError NOT_FOUND */
  async presence(tenant: string, id: string, hours: number): Promise<{ since: string; until: string; spans: PresenceSpan[] }> {
    const health = await healthOf(this.db, tenant, id);
    const [{ until, since } = { until: new Date(), since: new Date() }] = await this.db.query<{ until: Date; since: Date }>(
      'select now() as until, now() - make_interval(hours => $1) as since',
      [hours],
    );
    const changes = await changesOf(this.db, tenant, id, since);
    const within = changes.filter(({ at }) => at >= since);
    // With too many changes only the newest are known.
    const begin = within.length > mostChanges ? within[0]!.at : since;
    return { since: begin.toISOString(), until: until.toISOString(), spans: spansOf(changes, health, begin, until) };
  }
}

/** @throws AppError NOT_FOUND */
async function healthOf(db: Database, tenant: string, id: string): Promise<Health> {
  const [row] = await db.query<{ health: Health }>('select health from agents where tenant_id = $1 and id = $2', [tenant, id]);
  if (!row) throw notFound('agent', id, 'agent.registry.list shows the agents there are.');
  return row.health;
}

/** The changes since then, in order, after the last ones before that say how it stood. */
async function changesOf(db: Database, tenant: string, id: string, since: Date): Promise<Change[]> {
  const last = (events: string): string =>
    `(select id, event, detail, created_at from agent_history where tenant_id = $1 and agent_id = $2 and created_at < $3
       and event in (${events}) order by id desc limit 1)`;
  return await db.query<Change & Row>(
    `select event, detail->>'from' as from, detail->>'reason' as reason, created_at as at from (
       ${last(`'healthy', 'unhealthy', 'offline'`)} union all ${last(`'paused', 'activated'`)}
       union all ${last(`'registered', 'updated', 'removed', 'unregistered'`)}
       union all (select id, event, detail, created_at from agent_history where tenant_id = $1 and agent_id = $2 and created_at >= $3
         order by id desc limit ${mostChanges + 1})) known order by id`,
    [tenant, id, since],
  );
}
