import { z } from 'zod';
import { entityId } from '../../contracts/graph/graph.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'entity.link.create',
  title: 'Link an entity to another system',
  description:
    'Notes where the same thing stands elsewhere, e.g. an issue in JIRA. One external id belongs to one entity; a repeat changes its URL at most.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['graph:write'],
  latency: 'L1',
  input: z.object({
    entity_id: entityId,
    external_system: words(64).describe('E.g. jira'),
    external_id: words(256).describe('E.g. PAY-101'),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .optional(),
  }),
  output: z.object({
    entity_id: z.string(),
    external_system: z.string(),
    external_id: z.string(),
    url: z.string().nullable(),
    /** False: it was already linked. */
    created: z.boolean(),
  }),
  intents: ['link an issue to a JIRA ticket', 'connect a customer with the CRM', 'this ticket is about that issue'],
  aliases: [],
  async handler({ entity_id, external_system, external_id, url }, { caller, services }) {
    const link = await services.graph.commands.link(caller, entity_id, { system: external_system, externalId: external_id, url });
    return { data: link, refs: [{ type: 'entity', id: link.entity_id }] };
  },
});
