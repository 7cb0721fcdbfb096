import { createHash } from 'node:crypto';
import type { Caller } from '../../contracts/caller.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { maxEpisode, type Episode } from '../../contracts/graph/episodes.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { settleJob } from '../knowledge/index.ts';
import type { CountedPage } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import { eraseEpisodeDocuments } from './episodes-document.ts';
import type { EpisodeProcesses } from './episodes-process.ts';
import { enqueue, episodeById, episodePage, requeue, type EpisodeFilter } from './episodes-queue.ts';
import { lockGraph } from './lock.ts';

export interface NewEpisodeRequest {
  name: string;
  body: string;
  source: Episode['source'];
  sourceDescription: string;
  kind: Episode['kind'];
  /** Default: a new one. */
  uuid?: string | undefined;
  /** ISO; default: now. */
  saidAt?: string | undefined;
  /** Identifies the call: a repeat is the same episode. */
  callKey: string;
}

/** Episodes: stored before the answer, and ingested in order per tenant. */
export class Episodes extends Service<never, { episodeProcesses: EpisodeProcesses }> {
  /**
   * Queues an episode. The same uuid with the same content changes nothing, except that a failed one is retried; with
   * other content it replaces the former one, which stays in the graph until the new one is ingested.
   * @throws AppError VALIDATION_ERROR
   */
  async add(caller: Caller, wanted: NewEpisodeRequest): Promise<{ episode: Episode; existed: boolean; warnings: string[]; refs: Ref[] }> {
    const { tenant } = caller;
    const body = wanted.body.toWellFormed();
    check(body, wanted.source);
    const id = wanted.uuid ?? uuidOf(tenant, wanted.callKey);
    const how = await enqueue(this.db, tenant, {
      id,
      kind: wanted.kind,
      name: wanted.name.toWellFormed(),
      body,
      source: wanted.source,
      sourceDescription: wanted.sourceDescription.toWellFormed(),
      saidAt: wanted.saidAt === undefined ? undefined : new Date(wanted.saidAt),
      createdBy: caller.principal,
    });
    const warnings: string[] = [];
    if (how === 'exists') warnings.push('There is just this episode under this uuid already; nothing was added.');
    if (how === 'replaced') warnings.push('Another episode had this uuid; this one replaces it.');
    if (how === 'again') warnings.push('This episode had failed; it is tried again.');
    // Committed: if the signal is lost, the sweep finds it.
    await this.deps.episodeProcesses
      .wake(tenant)
      .catch(() => warnings.push('It is stored, but its processing waits until Temporal is back.'));
    const standing = await episodeById(this.db.query, tenant, id);
    // Deleted meanwhile.
    if (!standing) throw notFound('episode', id);
    return { episode: standing.episode, existed: how === 'exists', warnings, refs: this.deps.episodeProcesses.refs(tenant, id) };
  }

  /**
   * Includes its text.
   * @throws AppError NOT_FOUND, also for another tenant's id
   */
  async get(tenant: string, id: string): Promise<Episode & { body: string }> {
    const found = await episodeById(this.db.query, tenant, id);
    if (!found) throw unknown(id);
    return { ...found.episode, body: found.body };
  }

  /** Newest first. */
  async list(tenant: string, filter: EpisodeFilter): Promise<CountedPage<Episode>> {
    return await episodePage(this.db.query, tenant, filter);
  }

  /**
   * Deletes an episode, queued or ingested: its passages and facts without other evidence are deleted, and a fact
   * that it had ended holds again.
   * @throws AppError NOT_FOUND, also for another tenant's id
   */
  async remove(tenant: string, id: string): Promise<void> {
    await this.db.transaction(async (query) => {
      await lockGraph(query, tenant);
      const gone = await query('delete from graph_episodes where tenant_id = $1 and id = $2 returning 1', [tenant, id]);
      if (gone.length === 0) throw unknown(id);
      await eraseEpisodeDocuments(query, tenant, [id]);
      await settleJob(query, tenant, id, 'abandoned');
    });
  }

  /**
   * Retries a failed episode, after the queued ones.
   * @throws AppError CONFLICT
   */
  async retry(tenant: string, id: string): Promise<void> {
    if (!(await requeue(this.db, tenant, id))) {
      throw new AppError('CONFLICT', 'This episode has not failed: it was deleted or replaced.', { details: { episode_id: id } });
    }
    await this.deps.episodeProcesses.wake(tenant);
  }
}

const unknown = (id: string): AppError => notFound('episode', id, 'graph.episode.list shows those there are.');

function check(body: string, source: Episode['source']): void {
  if (body.includes('\0')) throw new AppError('VALIDATION_ERROR', 'The episode must not contain NUL.');
  if (body.trim() === '') throw new AppError('VALIDATION_ERROR', 'The episode is empty.', { hint: 'Say in episode_body what happened.' });
  if (body.length > maxEpisode) {
    throw new AppError('VALIDATION_ERROR', `The episode has ${body.length} characters; at most ${maxEpisode} are accepted.`, {
      hint: 'Split it into several episodes; ingest.document.submit accepts whole documents.',
    });
  }
  if (source !== 'json') return;
  try {
    JSON.parse(body);
  } catch {
    throw new AppError('VALIDATION_ERROR', 'The body of an episode with source "json" must be JSON, as a string.', {
      hint: 'Use source "text" for anything else.',
    });
  }
}

/** Has the form of a UUID v4; the same for repeats of a call. */
function uuidOf(tenant: string, callKey: string): string {
  const hex = createHash('sha256')
    .update(JSON.stringify(['episode', tenant, callKey]))
    .digest('hex');
  const variant = ((parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
