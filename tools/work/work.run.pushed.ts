import { closedRun, pushedRun } from '../../contracts/work/runs.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.run.pushed',
  title: 'Report the push of approved work',
  description:
    'Says that the branch of approved work was pushed. The tracker of its repository opens the pull request; when that is merged, the task is done, and when it is closed, the task is ready again.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L2',
  input: pushedRun,
  output: closedRun.pick({ run: true }),
  intents: ['the branch of a run was pushed', 'open a pull request for approved work'],
  aliases: [],
  async handler({ run_id, commit }, { caller, services }) {
    const { run, tracker } = await services.work.pulls.pushed(caller, run_id, commit);
    await services.work.trackers.trigger(caller.tenant, tracker);
    return { data: { run }, refs: services.work.runRefs(caller.tenant, run) };
  },
});
