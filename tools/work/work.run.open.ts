import { openedRun, openRun } from '../../contracts/work/runs.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.run.open',
  title: 'Open the run of an agent',
  description:
    'Records that you start an agent on the task you hold, and answers with what it must know and a key of its own that ends with the run. For runners such as signalbox work.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  toldOnce: 'key',
  scopes: ['work:write'],
  latency: 'L1',
  input: openRun,
  output: openedRun,
  intents: ['start a coding agent on my task', 'begin a run', 'briefing for an agent'],
  aliases: [],
  async handler({ with_key, ...start }, { caller, services }) {
    const { run, briefing } = await services.work.runs.open(caller, start);
    const key = with_key ? await services.governance.runKeys.make(caller, run) : null;
    return { data: { run, briefing, key }, refs: services.work.runRefs(caller.tenant, run) };
  },
});
