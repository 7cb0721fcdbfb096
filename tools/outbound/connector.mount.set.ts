import { z } from 'zod';
import { mount, provider } from '../../contracts/outbound/connectors.ts';
import { headerText } from '../../contracts/headers.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'connector.mount.set',
  title: 'Mount Slack or HubSpot',
  description:
    'Lets agents write to Slack or HubSpot with this token, which is kept sealed and never shown. A new mount is in dry run: nothing leaves until dry_run is false.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: { people: 'A0', agents: 'A2' },
  scopes: ['connector:admin'],
  latency: 'L1',
  input: z.object({
    provider,
    token: headerText(8, 4_096).optional().describe('Bot or app token; absent: the one it has'),
    dry_run: z.boolean().optional().describe('Answer what would be sent, and send nothing; default for a new mount'),
  }),
  output: z.object({ mount }),
  intents: ['connect slack', 'connect hubspot', 'set the token of a connector', 'switch a connector out of dry run'],
  aliases: [],
  async handler(input, { caller, services }) {
    return { data: { mount: await services.connectors.mounts.set(caller, input) } };
  },
});
