import { briefSettings } from '../../contracts/feeds/briefs.ts';
import { defineTool } from '../catalogue/define.ts';
import { settingsAnswer, shownSettings } from './authoring.brief.shared.ts';

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
  output: settingsAnswer,
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
    const held = asked
      ? { settings: await services.briefs.configure(caller, given), saved: true }
      : await services.briefs.settings(caller.tenant);
    return { data: shownSettings(services, held) };
  },
});
