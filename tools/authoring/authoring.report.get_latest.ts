import { z } from 'zod';
import { reportTypes } from '../../contracts/authoring/authoring.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';
import { reportAnswer, reportData } from './authoring.shared.ts';

export default defineTool({
  name: 'authoring.report.get_latest',
  title: 'Get the latest report',
  description:
    'The newest report of a type as it was generated, without generating one: about everything, or about an area or a customer. Stakeholder teams find those made within what they may see.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['authoring:read'],
  latency: 'L1',
  scoped: true,
  input: z.object({
    report_type: z.enum(reportTypes),
    filter_area: words(128).optional().describe('As it was generated for; left out: the whole portfolio'),
    filter_customer: words(512).optional(),
  }),
  output: reportAnswer,
  intents: ['show the latest weekly digest', 'read the last report', 'newest customer health summary'],
  aliases: [],
  async handler({ report_type, filter_area, filter_customer }, { caller, services }) {
    const { authoring } = services;
    const customerId = filter_customer === undefined ? undefined : await authoring.customer(caller.tenant, filter_customer);
    const draft = await authoring.queries.latest(caller.tenant, { type: report_type, area: filter_area, customerId });
    return { data: reportData(draft), warnings: draft.warnings, metadata: { result_count: draft.statements } };
  },
});
