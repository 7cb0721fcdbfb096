import { tailed, tailRun } from '../../contracts/work/runs.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.run.tail',
  title: 'Follow the run of an agent',
  description: 'What an agent said and did, after a number; wait_seconds waits for the next event while the run goes on.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L2',
  input: tailRun,
  output: tailed,
  intents: ['watch the agent work', 'show the log of a run', 'what is the agent doing right now'],
  aliases: [],
  async handler({ run_id, after, limit, wait_seconds }, { caller, services, signal }) {
    const { events, run } = await services.work.runQueries.tail(caller.tenant, run_id, {
      after,
      limit,
      waitMs: wait_seconds * 1000,
      signal,
    });
    return {
      data: { events, after: events.at(-1)?.seq ?? after, state: run.state, run },
      refs: services.work.runRefs(caller.tenant, run),
    };
  },
});
