import { Context } from '@temporalio/activity';
import type { DraftActivities } from '../../contracts/activities/authoring/draft.ts';
import { checkDraft, gatherDraft, writeDraft, type StageDeps } from '../../services/authoring/records.ts';
import { longStage } from '../kernel/stage.ts';

export const draftActivities = (deps: StageDeps): DraftActivities => ({
  gatherDraft: (job) => longStage(job.tenant, () => gatherDraft(deps, job)),
  writeDraft: (job) => longStage(job.tenant, () => writeDraft(deps, job, Context.current().cancellationSignal)),
  checkDraft: (job) => longStage(job.tenant, () => checkDraft(deps, job)),
});
