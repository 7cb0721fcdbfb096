import { z } from 'zod';
import { brief, briefDate, briefSource } from '../../contracts/feeds/briefs.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'authoring.brief.get',
  title: 'Read a brief',
  description:
    'A brief as it was made: the newest, the one of a day, or one by its id. With the articles that each highlight rests on, how the sources of its run did, and a link under which people read it without a key.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['authoring:read'],
  latency: 'L1',
  input: z.object({
    date: briefDate.optional().describe('Default: the newest'),
    brief_id: z.string().min(1).max(64).optional().describe('Instead of the date'),
    version: z.number().int().min(1).max(1_000_000).optional().describe('Default: the newest'),
  }),
  output: brief.extend({
    content: z.string().describe('The whole as Markdown'),
    link: z.string().describe('For whoever has it, for 30 days'),
    sources: z.array(briefSource).describe('How the sources of its run did; empty for a brief of given articles, and after 30 days'),
  }),
  intents: [
    'show the brief of today',
    'read the latest news brief',
    'what was in the brief yesterday',
    'which sources failed in the last run',
  ],
  aliases: [],
  async handler({ date, brief_id, version }, { caller, services }) {
    const { brief: found, link, sources, markdown } = await services.briefs.get(caller.tenant, { date, briefId: brief_id, version });
    return {
      data: { ...found, content: markdown, link, sources },
      // Without its link: refs are written to the ledger, and anybody with the link can read the brief.
      refs: [{ type: 'brief', id: found.brief_id }],
      warnings: found.warnings,
      metadata: { result_count: found.highlights.length },
    };
  },
});
