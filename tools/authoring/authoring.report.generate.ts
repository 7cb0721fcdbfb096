import { z } from 'zod';
import { reportFormats, reportTypes } from '../../contracts/authoring/authoring.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { moment } from '../../contracts/times.ts';
import { defineTool } from '../catalogue/define.ts';
import { audience, besides, reportAnswer, reportData } from './authoring.shared.ts';

const input = z.object({
  report_type: z.enum(reportTypes),
  as_of: moment.optional().describe('Written as of this day (UTC, its end) or instant: nothing said later is known. Default: now'),
  time_window_days: z
    .number()
    .int()
    .min(1)
    .max(3_650)
    .optional()
    .describe('How far back the period goes; compared with as many days before. Default: 90'),
  from: moment.optional().describe('Instead of time_window_days: when the period begins'),
  to: moment.optional().describe('When the period ends, by default as_of. What came after it, until as_of, changes only what is open'),
  format: z.enum(reportFormats).default('executive_summary'),
  audience: audience.default('general'),
  filter_area: words(128).optional().describe('Product area; left out: the whole portfolio'),
  filter_customer: words(512).optional().describe('One customer; not for roadmap_summary'),
  for_team: words(128)
    .optional()
    .describe('Made within what this stakeholder team may see, so that it finds it with authoring.report.get_latest'),
});

export default defineTool({
  name: 'authoring.report.generate',
  title: 'Generate a report to share',
  description:
    'Writes a self-contained report as Markdown and plain text: customer health, roadmap, customer impact, digest, competition, product area. Conclusion, what changed, what is open, what to decide, details: quoted and counted from customer evidence, every statement with its sources, as of any day. Nothing is sent.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['authoring:write'],
  latency: 'L4',
  scoped: true,
  input,
  output: reportAnswer,
  intents: [
    'weekly digest for leadership',
    'report as of the end of last quarter',
    'report on customer health',
    'summary of the roadmap to share',
    'what do customers say about competitors',
    'brief on how many customers are affected',
    'overview of a product area',
  ],
  aliases: [{ name: 'generate_shareable_report', system: 'pm-intelligence', input, toInput: (args) => args as z.input<typeof input> }],
  async handler(wanted, { caller, services, callKey, progress }) {
    const { id, job, draft } = await services.authoring.report(
      caller,
      {
        type: wanted.report_type,
        format: wanted.format,
        audience: wanted.audience,
        asOf: wanted.as_of,
        from: wanted.from,
        to: wanted.to,
        windowDays: wanted.time_window_days,
        area: wanted.filter_area,
        customer: wanted.filter_customer,
        forTeam: wanted.for_team,
      },
      { callKey, onProgress: progress },
    );
    const data = draft ? reportData(draft) : { report_id: id, job_id: job.job_id, status: job.status };
    return { data, ...besides(services, job, draft) };
  },
});
