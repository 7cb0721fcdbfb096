import { appended, appendEvents } from '../../contracts/work/runs.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.run.append',
  title: 'Record what an agent did',
  description:
    'Adds events of an agent and its usage so far to your run; each number is stored once, secrets are masked. Go on with next_seq of the answer.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  ledger: 'batched',
  input: appendEvents,
  output: appended,
  intents: ['log what the agent says', 'report tokens and cost of a run', 'stream the steps of an agent'],
  aliases: [],
  async handler({ run_id, fencing_token, ...said }, { caller, services }) {
    return { data: { next_seq: await services.work.runs.append(caller, run_id, fencing_token, said) } };
  },
});
