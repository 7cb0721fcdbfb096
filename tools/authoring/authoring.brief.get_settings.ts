import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { settingsAnswer, shownSettings } from './authoring.brief.shared.ts';

export default defineTool({
  name: 'authoring.brief.get_settings',
  title: 'Show the settings of the daily brief',
  description:
    'When the daily brief is made, what it is about, which feeds it reads and who is told. Changes nothing; authoring.brief.configure changes it.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['authoring:read'],
  latency: 'L1',
  input: z.object({}),
  output: settingsAnswer,
  intents: ['when is the brief made', 'who gets the daily brief', 'which topics does the brief have'],
  aliases: [],
  async handler(_input, { caller, services }) {
    return { data: shownSettings(services, await services.briefs.settings(caller.tenant)) };
  },
});
