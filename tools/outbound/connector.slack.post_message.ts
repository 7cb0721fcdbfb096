import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { answered, unsent } from './connector.shared.ts';

const input = z.object({
  channel: z
    .string()
    .min(1)
    .max(80)
    .describe('Id of the channel, or its name')
    .meta({ examples: ['C0123456789'] }),
  text: words(40_000).describe("In Slack's mrkdwn"),
  thread_ts: z
    .string()
    .regex(/^\d{1,12}\.\d{1,9}$/, 'a timestamp such as 1700000001.123456')
    .optional()
    .describe('Answer in this thread: ts of its first message'),
});

const output = z.object({
  ts: z.string().nullable().describe('Names the message; null: not sent (yet)'),
  channel: z.string(),
  permalink: z.string().nullable(),
  ...unsent,
});

/** The name is the same; the alias adds it to the list of that system. */
const listed: Alias<z.input<typeof input>, z.input<typeof output>> = {
  name: 'connector.slack.post_message',
  system: 'intelli-platform',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'connector.slack.post_message',
  title: 'Post to Slack',
  description:
    'Posts a message to a Slack channel or thread, once. In dry run it answers what would be sent. Not answered in ten seconds, it goes on as a job.',
  effect: 'write',
  idempotent: false,
  external: true,
  provider: 'slack',
  approval: 'A1',
  scopes: ['connector:write'],
  latency: 'L3',
  input,
  output,
  intents: ['send a slack message', 'tell the channel', 'post an update to slack', 'answer in a slack thread'],
  aliases: [listed],
  async handler(request, { caller, services, callKey }) {
    const called = await services.connectors.call<{ ts: string; channel: string; permalink: string | null }>(
      caller,
      { provider: 'slack', operation: 'post_message', request, title: 'Message to Slack' },
      callKey,
    );
    const { ts = null, channel = request.channel, permalink = null } = called.response ?? {};
    return answered(called, request, { ts, channel, permalink });
  },
});
