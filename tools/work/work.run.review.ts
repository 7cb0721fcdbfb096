import { closedRun, reviewRun } from '../../contracts/work/runs.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.run.review',
  title: 'Decide about the work of an agent',
  description:
    'Approves what a run handed in, or sends it back for another attempt with a note; line comments come with work.task.comment. Approved work with a branch waits for its merge (work.run.merged).',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: reviewRun,
  output: closedRun,
  intents: ['approve what the agent did', 'send the work back with comments', 'answer the question of an agent'],
  aliases: [],
  async handler({ run_id, verdict, note }, { caller, services }) {
    const reviewed = await services.work.runReviews.review(caller, run_id, verdict, note);
    return { data: reviewed, refs: services.work.runRefs(caller.tenant, reviewed.run) };
  },
});
