import { z } from 'zod';
import { defineTool } from '../define.ts';

export default defineTool({
  name: 'system.ledger.verify',
  title: 'Verify the ledger',
  description:
    'Reads the whole ledger of your tenant and holds it against its chain: rows that were changed, taken out or put in show. Keep the head elsewhere to show that the chain itself was not made anew.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['ledger:read'],
  latency: 'L3',
  input: z.object({}),
  output: z.object({
    intact: z.boolean(),
    events: z.number(),
    links: z.number(),
    unlinked: z.number().describe('Written within the last seconds: their own signatures were checked, their order was not'),
    head: z.object({ link: z.string(), hash: z.string() }).nullable(),
    breaches: z.array(
      z.object({
        kind: z.enum(['edited', 'missing', 'inserted', 'unsigned', 'broken_link']),
        event_id: z.string().optional(),
        link: z.string().optional(),
        what: z.string(),
      }),
    ),
  }),
  intents: ['has anybody tampered with the ledger', 'check the audit trail', 'prove the log is intact'],
  aliases: [],
  handler: async (_input, { caller, services, signal }) => ({ data: await services.governance.chain.verify(caller.tenant, signal) }),
});
