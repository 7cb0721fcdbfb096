import type { EpisodesTaken } from '../../contracts/activities/graph/episodes.ts';
import { AppError } from '../../contracts/errors.ts';
import { writeEpisode } from './episodes-document.ts';
import { noteFailure, settle, takeUp, type QueuedEpisode } from './episodes-queue.ts';
import { extractDocuments, type Extracting } from './extract.ts';
import { embedGraph } from './embed.ts';
import { resolveDocuments } from './resolve.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** Attempts whose worker died also count, but with a higher limit. */
const attempts = 5;
const deaths = 25;

type Intake = Pick<Kernel, 'db' | 'embedder' | 'matching' | 'reviews'>;

/**
 * Ingests queued episodes strictly in order, so that a later one can refer to earlier ones. After a kill it repeats
 * from the first unfinished one; idempotent.
 * @param spent whether it is time to return
 */
export async function takeEpisodes(intake: Intake, tenant: string, options: Extracting & { spent(): boolean }): Promise<EpisodesTaken> {
  const done = { taken: 0, failed: 0, pause: 0 };
  while (!options.spent()) {
    options.beat();
    options.signal.throwIfAborted();
    const episode = await takeUp(intake.db.query, tenant);
    if (!episode) {
      // Until this is done, searches match by words.
      await embedGraph(intake, tenant, options);
      return { state: 'empty', ...done };
    }
    const problem = episode.attempts > deaths ? diedOften : await attempt(intake, tenant, episode, options);
    if (!problem) {
      done.taken += 1;
      continue;
    }
    const final = problem.final || episode.attempts >= attempts;
    await noteFailure(intake.db, tenant, episode, problem, final);
    if (!final) return { state: 'again', ...done, pause: 2 ** (episode.attempts - 1) };
    done.failed += 1;
  }
  return { state: 'more', ...done };
}

interface Problem {
  code: string;
  message: string;
  /** A retry cannot help. */
  final: boolean;
}
const diedOften: Problem = { code: 'INTERNAL', message: 'Its workers died, time and again.', final: true };

/** @returns null: it is in the graph, or was deleted meanwhile */
async function attempt(intake: Intake, tenant: string, episode: QueuedEpisode, options: Extracting): Promise<Problem | null> {
  const { db, embedder, matching } = intake;
  const { beat, signal } = options;
  try {
    if (!(await writeEpisode(db, embedder, tenant, episode))) return null;
    await extractDocuments(db, tenant, [episode.id], { beat, signal });
    const { reviews } = await resolveDocuments({ db, matching }, tenant, [episode.id], beat);
    await intake.reviews.startAll(tenant, reviews);
    await settle(db, tenant, episode);
    return null;
  } catch (error) {
    // The database or Temporal is unavailable, or the worker is stopping: not the episode's fault.
    if (signal.aborted || (error instanceof AppError && error.retryable)) throw error;
    const { code, message } = error instanceof AppError ? error : { code: 'INTERNAL', message: String(error) };
    return { code, message: message.slice(0, 500), final: error instanceof AppError };
  }
}
