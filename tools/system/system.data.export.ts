import { z } from 'zod';
import { exportAnswer, exportFormats, exportTypes } from '../../contracts/governance/exports.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { stillAtIt } from './system.export.shared.ts';

const when = z.string().min(10).max(40);

const input = z.object({
  export_type: z
    .enum(exportTypes)
    .describe(
      'feedback_log: what people decided; knowledge_graph: entities, relations, facts and where they are from; full_backup: all records',
    ),
  format: z.enum(exportFormats).default('json').describe('json: one file, exact; csv: a zip with one CSV per table, safe for spreadsheets'),
  date_from: when
    .optional()
    .describe('By when it happened or was recorded; a date alone is its whole day, UTC')
    .meta({ examples: ['2026-01-01'] }),
  date_to: when
    .optional()
    .describe('Included')
    .meta({ examples: ['2026-03-31'] }),
});

const exportData: Alias<z.input<typeof input>, z.infer<typeof exportAnswer>> = {
  name: 'export_data',
  system: 'pm-intelligence',
  description: 'Exports data for backup, reporting or compliance; answers with a link that expires.',
  input: z.object({
    export_type: z.enum(exportTypes),
    format: z.enum(exportFormats).optional(),
    date_from: when.optional(),
    date_to: when.optional(),
  }),
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'system.data.export',
  title: 'Export data',
  description:
    "Writes your tenant's records into one file and answers with a link to it that needs no key and ends after 24 hours. Everything in the file is of one moment. system.export.get gives the link of one that took longer.",
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A1',
  scopes: ['system:export'],
  latency: 'L5',
  input,
  output: exportAnswer,
  intents: [
    'export data',
    'back up everything',
    'download all signals as CSV',
    'get the knowledge graph as a file',
    'take our data out',
    'export for compliance',
  ],
  aliases: [exportData],
  async handler({ export_type, format, date_from, date_to }, { caller, services, callKey, progress }) {
    const { job, answer, warnings } = await services.exports.export(
      caller,
      { type: export_type, format, from: date_from, to: date_to },
      callKey,
      { onProgress: progress },
    );
    return stillAtIt(answer, services.jobs.refs(job), warnings);
  },
});
