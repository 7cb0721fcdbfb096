import { AppError } from '../../contracts/errors.ts';
import { closedRun, mergedRun } from '../../contracts/work/runs.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.run.merged',
  title: 'Report the merge of approved work',
  description:
    'Says that approved work was merged, which completes its task, or that it cannot be merged: then the task is ready again, with the conflict as a comment.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: mergedRun,
  output: closedRun,
  intents: ['the branch of a run was merged', 'merging the approved work failed'],
  aliases: [],
  async handler({ run_id, commit, conflict }, { caller, services }) {
    if ((commit === undefined) === (conflict === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'Give either commit or conflict.', {
        hint: 'commit is what the work became on its base branch; conflict says why it cannot be merged.',
      });
    }
    const merged = await services.work.runReviews.merged(caller, run_id, commit === undefined ? { conflict: conflict! } : { commit });
    return { data: merged, refs: services.work.runRefs(caller.tenant, merged.run) };
  },
});
