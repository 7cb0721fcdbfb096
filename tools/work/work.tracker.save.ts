import { z } from 'zod';
import { tracker, trackerFields, trackerId, trackerToken } from '../../contracts/work/trackers.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.tracker.save',
  title: 'Save an issue tracker',
  description:
    'Has issues of a GitHub or GitLab repository, a Jira project or a Linear team become tasks of a phase, and tells the issues what becomes of them. The token is kept sealed and never shown. With tracker_id it changes or pauses one.',
  effect: 'write',
  idempotent: true,
  external: true,
  approval: { people: 'A0', agents: 'A2' },
  scopes: ['work:admin'],
  latency: 'L3',
  input: z.object({
    tracker_id: trackerId.optional().describe('Left out: a new one'),
    ...trackerFields,
    token: trackerToken
      .optional()
      .describe('Reads and writes issues and pull requests; Jira Cloud: address:token; left out: the one it has'),
  }),
  output: z.object({ tracker }),
  intents: [
    'import issues from github',
    'connect gitlab issues',
    'import tickets from jira or linear',
    'sync an issue tracker',
    'pause an issue tracker',
  ],
  aliases: [],
  async handler({ tracker_id, ...wanted }, { caller, services, callKey }) {
    const saved = await services.work.trackers.save(caller, tracker_id, wanted, callKey);
    const { labels, assignee } = saved.filter;
    // In a public repository, strangers would give work to agents.
    const open = labels.length === 0 && assignee === undefined;
    const warning = 'Every open issue becomes work for agents, whoever opens it. Filter by a label that only people you trust can set.';
    return { data: { tracker: saved }, warnings: open ? [warning] : [] };
  },
});
