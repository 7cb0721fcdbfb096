import { Context } from '@temporalio/activity';
import type { ClearActivities, EpisodeActivities } from '../../contracts/activities/graph/episodes.ts';
import { clearSome } from '../../services/graph/clear-records.ts';
import { takeEpisodes } from '../../services/graph/episodes-intake.ts';
import type { Services } from '../../services/index.ts';
import { beat, longStage } from '../kernel/stage.ts';

/** Duration of one call before it returns to the workflow, in ms. */
const budgetMs = 10_000;

export const episodeActivities = ({ kernel }: Services): EpisodeActivities & ClearActivities => ({
  takeEpisodes: (tenant) => longStage(tenant, () => takeEpisodes(kernel, tenant, { beat, ...budget() })),
  clearSome: (ref, place) => longStage(ref.tenant, () => clearSome(kernel.db, ref, place, { beat, ...budget() })),
});

function budget(): { signal: AbortSignal; spent(): boolean } {
  const signal = Context.current().cancellationSignal;
  const until = Date.now() + budgetMs;
  return { signal, spent: () => signal.aborted || Date.now() >= until };
}
