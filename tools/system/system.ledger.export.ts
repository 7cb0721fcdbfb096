import { z } from 'zod';
import { exportAnswer } from '../../contracts/governance/exports.ts';
import { ledgerTypes } from '../../contracts/governance/ledger.ts';
import { instant } from '../../contracts/times.ts';
import { defineTool } from '../catalogue/define.ts';
import { stillAtIt } from './system.export.shared.ts';

export default defineTool({
  name: 'system.ledger.export',
  title: 'Export the ledger',
  description:
    'Writes the ledger of your tenant, or a part of it, as JSON lines with the links of its chain, and answers with a link that ends after 24 hours. By time alone the part is widened to whole links, so that signalbox ledger verify --file can hold it against them without the database.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A1',
  scopes: ['ledger:read'],
  latency: 'L5',
  input: z.object({
    since: instant.optional(),
    until: instant.optional(),
    tool: z.string().max(128).optional().describe('Canonical name or the spelling used; with any filter but time, links are left out'),
    tool_call_id: z.string().max(64).optional(),
    type: z.enum(ledgerTypes).optional(),
    principal: z.string().max(128).optional(),
    error_code: z.string().max(64).optional(),
  }),
  output: exportAnswer,
  intents: ['export the audit trail', 'download the ledger', 'hand the log to an auditor', 'archive the ledger'],
  aliases: [],
  async handler({ since, until, tool, tool_call_id, type, principal, error_code }, { caller, services, callKey, progress }) {
    const { job, answer } = await services.exports.exportLedger(
      caller,
      { since, until, tool, toolCallId: tool_call_id, type, principal, errorCode: error_code },
      callKey,
      { onProgress: progress },
    );
    return stillAtIt(answer, services.jobs.refs(job));
  },
});
