import { z } from 'zod';
import { listedExport } from '../../contracts/governance/exports.ts';
import { defineTool } from '../catalogue/define.ts';
import { countedPages } from '../catalogue/pages.ts';

export default defineTool({
  name: 'system.export.list',
  title: 'List past exports',
  description:
    'Exports of records and of the ledger, newest first: content, who requested it, outcome, and until when the file can be downloaded. People see all exports of the tenant, agents their own. system.export.get gives the link.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['system:export', 'ledger:read'],
  latency: 'L1',
  input: z.object({
    limit: z.number().int().min(1).max(100).default(20),
    cursor: z.string().max(512).optional().describe('metadata.next_cursor of the page before'),
  }),
  output: z.object({ exports: z.array(listedExport) }),
  intents: ['which exports were made', 'who exported our data', 'find the file of an earlier export'],
  aliases: [],
  async handler(paging, { caller, services }) {
    return countedPages('exports', await services.exports.list(caller, paging));
  },
});
