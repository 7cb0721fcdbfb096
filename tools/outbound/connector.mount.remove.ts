import { z } from 'zod';
import { provider } from '../../contracts/outbound/connectors.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'connector.mount.remove',
  title: 'Unmount a connector',
  description: 'Forgets the credentials for Slack or HubSpot: nothing is written there any more. What was sent stays there.',
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: 'A1',
  scopes: ['connector:admin'],
  latency: 'L1',
  input: z.object({ provider }),
  output: z.object({ removed: z.boolean() }),
  intents: ['disconnect slack', 'disconnect hubspot', 'forget the token of a connector'],
  aliases: [],
  async handler({ provider: name }, { caller, services }) {
    return { data: { removed: await services.connectors.mounts.remove(caller.tenant, name) } };
  },
});
