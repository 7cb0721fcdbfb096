import { closedRun, closeRun } from '../../contracts/work/runs.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.run.close',
  title: 'End the run of an agent',
  description:
    'Records what your run did and moves its task: done completes it, failed lets another attempt begin, blocked and question wait for a person, released gives it back. The key of the agent ends.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: closeRun,
  output: closedRun,
  intents: ['the agent is finished', 'hand in what an agent did', 'the agent is stuck and asks a person'],
  aliases: [],
  async handler({ run_id, fencing_token, ...end }, { caller, services }) {
    const closed = await services.work.runs.close(caller, run_id, fencing_token, end);
    await services.governance.runKeys.end(caller, run_id);
    return { data: closed, refs: services.work.runRefs(caller.tenant, closed.run) };
  },
});
