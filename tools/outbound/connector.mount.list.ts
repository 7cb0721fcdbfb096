import { z } from 'zod';
import { mount } from '../../contracts/outbound/connectors.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'connector.mount.list',
  title: 'List mounted connectors',
  description: 'Which other systems may be written to from here, and which of them are in dry run. Never shows credentials.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['connector:read'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({ mounts: z.array(mount) }),
  intents: ['which connectors are there', 'is slack connected', 'is hubspot in dry run'],
  aliases: [],
  async handler(_input, { caller, services }) {
    return { data: { mounts: await services.connectors.mounts.list(caller.tenant) } };
  },
});
