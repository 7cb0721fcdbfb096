import { z } from 'zod';
import { briefSettings } from '../../contracts/feeds/briefs.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'authoring.brief.configure',
  title: 'Configure the daily brief',
  description:
    'What the daily brief is about, when it is made and who is told. Only what is given changes; without arguments it shows what holds. With enabled true it is made every day at its time, also for days on which everything was down for some hours.',
  effect: 'write',
  idempotent: true,
  external: false,
  // Messages to recipients are sent without further approval.
  approval: 'A1',
  asks: ({ recipients, enabled }) => (recipients !== undefined && recipients.length > 0) || enabled === true,
  scopes: ['authoring:write'],
  latency: 'L2',
  input: briefSettings.partial(),
  output: briefSettings.extend({
    recipients: z
      .array(z.object({ channel: z.string(), recipient: z.string() }))
      .describe('Addresses of webhooks as far as they give no access'),
    configured: z.boolean().describe('false: these are the defaults'),
  }),
  intents: [
    'schedule the daily brief',
    'send the news brief every morning at seven',
    'set the topics of the brief',
    'who gets the daily brief',
    'switch the daily brief off',
  ],
  aliases: [],
  async handler(given, { caller, services }) {
    const asked = Object.values(given).some((value) => value !== undefined);
    const { settings, saved } = asked
      ? { settings: await services.briefs.configure(caller, given), saved: true }
      : await services.briefs.settings(caller.tenant);
    // A webhook's address gives access to it.
    const recipients = settings.recipients.map(({ channel, recipient }) => ({
      channel,
      recipient: services.notifications.shown(channel, recipient),
    }));
    return { data: { ...settings, recipients, configured: saved } };
  },
});
