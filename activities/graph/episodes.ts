import { Context } from '@temporalio/activity';
import type { ClearActivities, EpisodeActivities } from '../../contracts/activities/episodes.ts';
import { clearSome } from '../../services/graph/clear-records.ts';
import { takeEpisodes } from '../../services/graph/episodes-intake.ts';
import type { GraphService } from '../../services/graph/index.ts';
import type { Deps } from '../../services/index.ts';
import { beat, longStage } from '../kernel/stage.ts';

/** Duration of one call before it returns to the workflow, in ms. */
const budgetMs = 10_000;

export function episodeActivities(
  { db, embedder, matching }: Pick<Deps, 'db' | 'embedder' | 'matching'>,
  graph: GraphService,
): EpisodeActivities & ClearActivities {
  const startReviews = async (tenant: string, ids: string[]): Promise<void> => {
    for (const id of ids) await graph.processes.start({ tenant, id }, 'signalbox');
  };
  return {
    takeEpisodes: (tenant) =>
      longStage(tenant, () => takeEpisodes({ db, embedder, matching, startReviews }, tenant, { beat, ...budget() })),
    clearSome: (ref, place) => longStage(ref.tenant, () => clearSome(db, ref, place, { beat, ...budget() })),
  };
}

function budget(): { signal: AbortSignal; spent(): boolean } {
  const signal = Context.current().cancellationSignal;
  const until = Date.now() + budgetMs;
  return { signal, spent: () => signal.aborted || Date.now() >= until };
}
