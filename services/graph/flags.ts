import type { Database } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import { notFound } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import { noteEvent } from '../kernel/outbox.ts';
import { keyOf } from './aliases.ts';
import { noteGraphChange, refoldEntities } from './fold.ts';
import { noteHistory } from './history.ts';
import { lockGraph } from './lock.ts';
import type { Candidate } from './lookup-decide.ts';
import { byKey, survivors } from './lookup-sql.ts';
import type { EntityLookup } from './lookup.ts';
import { insertAliases, insertEntities } from './resolve-records.ts';
import { openReview, pairOf } from '../kernel/reviews/reviews-records.ts';
import { Service } from '../kernel/service.ts';

type Query = Database['query'];

export interface Flag {
  name: string;
  severity?: string | undefined;
  reason: string;
  /** Signals or whole documents about it. */
  signalIds: readonly string[];
}

/** Where it is mentioned: a statement, or 0 to 0 for a whole document. */
interface Place {
  document_id: string;
  chunk_id: string;
  start_at: number;
  end_at: number;
}

export interface Flagged {
  issue_id: string;
  /** Whether it is new. */
  created: boolean;
  /** The question whether it is the same as a known one with a similar name. */
  feedback_id?: string;
}

/** Minimum similarity with a known issue for a question to people. */
const asked = 0.6;

/** Flags an issue, known or new. A repeat under the same `callKey` changes nothing. */
export class IssueFlags extends Service<'reviews', { lookup: EntityLookup }> {
  /** @throws AppError VALIDATION_ERROR (no name), NOT_FOUND (a signal) */
  async flag(caller: Caller, flag: Flag, callKey: string): Promise<Flagged> {
    const { tenant } = caller;
    const key = keyOf(flag.name);
    // Compared before the lock is taken; entities added meanwhile are found by name.
    const near = (await this.deps.lookup.similar(tenant, key)).find((each) => each.type === 'issue' && each.confidence >= asked);
    const flagged = await this.db.transaction(async (query) => {
      await lockGraph(query, tenant);
      return await write(query, caller, { ...flag, key }, near, derivedId('flag', tenant, callKey));
    });
    if (flagged.feedback_id !== undefined) await this.deps.reviews.start({ tenant, id: flagged.feedback_id }, caller.principal);
    return flagged;
  }
}

async function write(
  query: Query,
  { tenant, principal }: Caller,
  flag: Flag & { key: string },
  near: Candidate | undefined,
  changeId: string,
): Promise<Flagged> {
  const [before] = await query<{ data: { answer: Flagged } }>(
    `select data from entity_history where tenant_id = $1 and change_id = $2 and event = 'flagged'`,
    [tenant, changeId],
  );
  if (before) return before.data.answer;
  const places = await placesOf(query, tenant, flag.signalIds);

  const same = await ofKey(query, tenant, flag.key);
  const answer: Flagged = { issue_id: same ?? derivedId('ent', tenant, changeId), created: same === null };
  if (same === null) {
    const entity = {
      id: answer.issue_id,
      type: 'issue',
      name: flag.name.trim(),
      certain: true,
      origin: 'flag' as const,
      createdBy: principal,
    };
    await insertEntities(query, tenant, [entity]);
    const alias = { entityId: entity.id, type: 'issue', key: flag.key, alias: entity.name, origin: 'name' as const, by: principal };
    await insertAliases(query, tenant, [alias]);
    await noteHistory(query, tenant, {
      entityId: entity.id,
      event: 'created',
      changeId,
      data: { name: entity.name, origin: 'flag' },
      by: principal,
    });
    const review = near ? await ask(query, tenant, principal, entity, flag, near) : null;
    if (review !== null) answer.feedback_id = review;
  }
  const { issue_id } = answer;
  const [known] = await query<{ name: string }>(
    'update entities set metadata = metadata || $3::jsonb, rev = rev + 1, updated_at = now() where tenant_id = $1 and id = $2 returning name',
    [tenant, issue_id, JSON.stringify(flag.severity === undefined ? {} : { severity: flag.severity })],
  );
  const data = { severity: flag.severity ?? null, reason: flag.reason, signal_ids: flag.signalIds, answer };
  await noteHistory(query, tenant, { entityId: issue_id, event: 'flagged', changeId, data, by: principal });
  const touched = await mention(query, tenant, issue_id, flag, places);
  await noteEvent(query, tenant, 'issue.flagged', issue_id, {
    name: known!.name,
    severity: flag.severity ?? null,
    reason: flag.reason,
    signal_ids: flag.signalIds,
  });
  await noteGraphChange(query, tenant, issue_id, [issue_id, ...touched]);
  return answer;
}

async function ofKey(query: Query, tenant: string, key: string): Promise<string | null> {
  const ids = (await byKey(query, tenant, key)).map((row) => row.entity_id);
  const issue = [...(await survivors(query, tenant, ids)).values()].find((entity) => entity.type === 'issue');
  return issue?.id ?? null;
}

/** @throws AppError NOT_FOUND, also for another tenant's */
async function placesOf(query: Query, tenant: string, ids: readonly string[]): Promise<Place[]> {
  if (ids.length === 0) return [];
  const rows = await query<Omit<Place, 'chunk_id'> & { given: string; chunk_id: string | null }>(
    `select s.id as given, s.document_id, s.chunk_id::text, s.start_at, s.end_at
     from signals s join documents d on d.tenant_id = $1 and d.id = s.document_id and d.status = 'active'
     where s.tenant_id = $1 and s.id = any($2)
     union all
     select d.id, d.id, c.id::text, 0, 0 from documents d
     left join lateral (select id from chunks where tenant_id = $1 and document_id = d.id order by ordinal limit 1) c on true
     where d.tenant_id = $1 and d.status = 'active' and d.id = any($2)`,
    [tenant, ids],
  );
  const found = new Set(rows.map((row) => row.given));
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) throw notFound('signal or document', missing, 'signal.record.search shows the signal_id of each signal.');
  // A document without text has no location.
  return rows.flatMap(({ given: _, chunk_id, ...place }) => (chunk_id === null ? [] : [{ ...place, chunk_id }]));
}

async function ask(
  query: Query,
  tenant: string,
  by: string,
  entity: { id: string; name: string },
  flag: Flag & { key: string },
  near: Candidate,
): Promise<string | null> {
  const [other] = await query<{ key: string }>(
    `select key from entity_aliases where tenant_id = $1 and entity_id = $2 order by (origin = 'name') desc, key limit 1`,
    [tenant, near.entity_id],
  );
  if (!other) return null;
  return await openReview(query, tenant, {
    action: 'merge',
    type: 'issue',
    subject: { a: entity.id, b: near.entity_id },
    pair: pairOf('issue', flag.key, other.key),
    confidence: near.confidence,
    evidence: [`"${entity.name}" was flagged, and "${near.name}" is known under nearly that name.`, flag.reason],
    origin: 'flag',
    createdBy: by,
  });
}

/**
 * Asserted by the person who flags.
 * @returns the entities whose counts or relations changed
 */
async function mention(
  query: Query,
  tenant: string,
  issueId: string,
  flag: Flag & { key: string },
  places: readonly Place[],
): Promise<string[]> {
  if (places.length === 0) return [];
  await query(
    `insert into entity_mentions (tenant_id, document_id, chunk_id, start_at, end_at, surface, type, key, certain, confidence, origin, entity_id, assigned_by)
     select $1, p.document_id, p.chunk_id, p.start_at, p.end_at, $3, 'issue', $4, true, 1, 'person', $5, 'person'
     from jsonb_to_recordset($2::jsonb) as p(document_id text, chunk_id bigint, start_at int, end_at int) on conflict do nothing`,
    [tenant, JSON.stringify(places), flag.name.trim(), flag.key, issueId],
  );
  return await refoldEntities(query, tenant, [issueId]);
}
