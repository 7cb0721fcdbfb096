import { z } from 'zod';
import { reportFormats, reportTypes } from '../../contracts/authoring/authoring.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';
import { audience, besides, reportAnswer, reportData } from './authoring.shared.ts';

const input = z.object({
  report_type: z.enum(reportTypes),
  time_window_days: z.number().int().min(1).max(3_650).default(30).describe('How far back; compared with as many days before'),
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
    'Writes a self-contained report for people outside the system, as Markdown and plain text: customer health, roadmap, customer impact, digest, competition, product area. Counted and quoted from customer evidence, every statement with its sources, with freshness. Nothing is sent.',
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
