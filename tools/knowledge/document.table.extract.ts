import { z } from 'zod';
import { place, words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  document_id: words(128),
  pages: z.array(z.number().int().min(1)).max(1000).optional().describe('Pages or slides, from 1; default: all'),
});
const output = z.object({
  tables: z.array(z.object({ title: z.string().nullable(), header_rows: z.number(), rows: z.array(z.array(z.string())), place })),
});

const extractTables: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'document.extract_tables',
  system: 'intelli-platform',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

/** Maximum cells per answer: a model cannot read a million cells. */
const maxCells = 20_000;

export default defineTool({
  name: 'document.table.extract',
  title: 'Tables of a document',
  description: 'The tables of a document that was parsed or ingested, cell by cell, with the page, slide or sheet each stands on.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['knowledge:read'],
  latency: 'L4',
  input,
  output,
  intents: ['extract the tables of a PDF', 'get the rows of a spreadsheet', 'numbers in a document'],
  aliases: [extractTables],
  async handler({ document_id, pages }, { caller, services }) {
    const all = await services.knowledge.documents.tables(caller.tenant, document_id, pages);
    let cells = 0;
    const tables = [];
    let cut = 0;
    for (const table of all) {
      const rows = [];
      for (const row of table.rows) {
        cells += row.length;
        if (cells > maxCells) cut += 1;
        else rows.push(row);
      }
      if (rows.length > 0 || table.rows.length === 0) tables.push({ ...table, rows });
    }
    return {
      data: { tables },
      metadata: { result_count: tables.length, total_count: all.length },
      warnings: cut > 0 ? [`${cut} rows were left out: at most ${maxCells} cells are answered. Narrow by pages.`] : [],
    };
  },
});
