import { z } from 'zod';
import { exportAnswer } from '../../contracts/governance/exports.ts';
import { defineTool } from '../catalogue/define.ts';
import { stillAtIt } from './system.export.shared.ts';

export default defineTool({
  name: 'system.export.get',
  title: 'Get the link of an export',
  description:
    'How far an export is, and the link to its file once it is done. For people of the tenant, and for the key that asked for it. The file ends 24 hours after it was written.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['system:export', 'ledger:read'],
  latency: 'L1',
  input: z.object({ job_id: z.string().min(1).max(64).describe('Of system.data.export or system.ledger.export') }),
  output: exportAnswer,
  intents: ['is my export finished', 'download link of the export', 'get the exported file'],
  aliases: [],
  async handler({ job_id }, { caller, services }) {
    const { job, answer } = await services.exports.get(caller, job_id);
    return stillAtIt(answer, services.jobs.refs(job));
  },
});
