import { z } from 'zod';
import { briefDate } from '../../contracts/feeds/briefs.ts';
import { defineTool } from '../catalogue/define.ts';
import { briefAnswer, briefResult } from './authoring.brief.shared.ts';

export default defineTool({
  name: 'authoring.brief.run',
  title: 'Run the daily brief',
  description:
    'Reads the feeds, judges their articles by the configured topics, groups those that tell the same, stores them and makes the brief of a day. The clock does it, too (authoring.brief.configure). Run again for a day it brings that brief up to date and doubles nothing. A job: authoring.brief.get shows the brief.',
  effect: 'write',
  idempotent: true,
  external: true,
  approval: 'A0',
  scopes: ['authoring:write'],
  latency: 'L5',
  input: z.object({
    date: briefDate.optional().describe('Default: today, in the configured time zone'),
    notify: z
      .boolean()
      .optional()
      .describe('true: tell the configured recipients again, false: tell nobody; default: once a day, when there is something to tell'),
  }),
  output: briefAnswer,
  intents: ['make the daily brief now', 'harvest the news and write a brief', 'run the brief for yesterday', 'refresh the brief of today'],
  aliases: [],
  async handler(wanted, { caller, services, callKey, progress }) {
    return briefResult(services, await services.briefs.run(caller, wanted, { callKey, onProgress: progress }));
  },
});
