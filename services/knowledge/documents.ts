import type { Parsed, Table } from '../../adapters/parsers/types.ts';
import type { Row } from '../../adapters/postgres/database.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import type { CitedPlace } from '../../contracts/knowledge/knowledge.ts';
import type { Columns } from '../../prisma/rows.ts';
import { classify, type Classified } from './classify.ts';
import { citedPlace } from './rules.ts';
import { Service } from '../kernel/service.ts';

interface DocumentRow extends Row, Columns<'documents', 'id' | 'source_id' | 'title' | 'format' | 'status' | 'parsed'> {
  metadata: Record<string, unknown>;
}

export interface Section {
  title: string;
  level: number;
  place: CitedPlace;
  /** Characters up to the next heading. */
  characters: number;
}

export interface DocumentOutline {
  document_id: string;
  source_id: string;
  title: string;
  format: string;
  page_count: number | null;
  table_count: number;
  sections: Section[];
  metadata: Record<string, unknown>;
}

export interface CitedTable {
  title: string | null;
  header_rows: number;
  rows: string[][];
  place: CitedPlace;
}

const shownSections = 500;
/** Characters that a classification reads. */
const classifiedCharacters = 8_000;

/** Details of documents beyond their passages: outline, text, tables, kind. */
export class Documents extends Service<'blobs' | 'embedder'> {
  /** @throws AppError NOT_FOUND, CONFLICT when its parsed form was not kept */
  async outline(tenant: string, id: string): Promise<{ outline: DocumentOutline; text: string }> {
    const row = await this.row(tenant, id);
    const parsed = await this.parsed(tenant, row);
    if (!parsed)
      throw new AppError('CONFLICT', 'Only the passages of this document were kept.', { hint: 'document.content.parse reads it whole.' });
    const outline: DocumentOutline = {
      document_id: row.id,
      source_id: row.source_id,
      title: row.title,
      format: row.format,
      page_count: parsed.pageCount ?? null,
      table_count: tablesOf(parsed).length,
      sections: sectionsOf(parsed).slice(0, shownSections),
      metadata: row.metadata,
    };
    return { outline, text: parsed.blocks.map((block) => block.text).join('\n\n') };
  }

  /** @param pages pages or slides, from 1; none: the whole document */
  async tables(tenant: string, id: string, pages: readonly number[] = []): Promise<CitedTable[]> {
    const parsed = await this.parsed(tenant, await this.row(tenant, id));
    const on = (table: Table): boolean => pages.length === 0 || pages.includes(table.place.page ?? table.place.slide ?? 1);
    return (parsed ? tablesOf(parsed) : []).filter(on).map(({ title, headerRows, rows, place }) => ({
      title: title ?? null,
      header_rows: headerRows,
      rows,
      place: citedPlace(place, place),
    }));
  }

  /** @throws AppError SERVICE_UNAVAILABLE without an embedding model, NOT_FOUND */
  async classify(tenant: string, id: string, labels?: readonly string[]): Promise<Classified> {
    const row = await this.row(tenant, id);
    const parsed = await this.parsed(tenant, row);
    const body = parsed ? parsed.blocks.map((block) => block.text).join('\n') : await this.passages(tenant, id);
    return await classify(this.deps.embedder, { title: row.title, format: row.format, text: body.slice(0, classifiedCharacters) }, labels);
  }

  private async passages(tenant: string, id: string): Promise<string> {
    const rows = await this.db.query<{ body: string }>(
      'select body from chunks where tenant_id = $1 and document_id = $2 order by ordinal limit 20',
      [tenant, id],
    );
    return rows.map((row) => row.body).join('\n');
  }

  private async row(tenant: string, id: string): Promise<DocumentRow> {
    const [row] = await this.db.query<DocumentRow>(
      `select id, source_id, title, format, metadata, status, parsed from documents
       where tenant_id = $1 and id = $2 and status in ('active', 'parsed')`,
      [tenant, id],
    );
    if (!row) throw notFound('document', id, 'Searches name the document of each hit; document.content.parse makes one.');
    return row;
  }

  private async parsed(tenant: string, { parsed }: DocumentRow): Promise<Parsed | null> {
    if (parsed === null) return null;
    return JSON.parse(Buffer.from(await this.deps.blobs.get(tenant, parsed)).toString('utf8')) as Parsed;
  }
}

/** Cells as the parser read them; for formats that only have written tables (Markdown), parsed from the text. */
const tablesOf = ({ tables, blocks }: Parsed): Table[] =>
  tables ?? blocks.filter((block) => block.kind === 'table').map(({ text, place }) => ({ ...writtenTable(text), place }));

function writtenTable(text: string): Pick<Table, 'rows' | 'headerRows'> {
  const lines = text.split('\n').filter((line) => line.includes('|'));
  const isRule = (line: string): boolean => /^[\s|:-]+$/.test(line) && line.includes('-');
  const cells = (line: string): string[] =>
    line
      .trim()
      .replace(/^\||(?<!\\)\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.replaceAll('\\|', '|').trim());
  return { rows: lines.filter((line) => !isRule(line)).map(cells), headerRows: Math.max(0, lines.findIndex(isRule)) };
}

function sectionsOf({ blocks }: Parsed): Section[] {
  const sections: Section[] = [];
  for (const block of blocks) {
    if (block.kind === 'heading') {
      sections.push({ title: block.text, level: block.level ?? 1, place: citedPlace(block.place, block.place), characters: 0 });
    } else if (sections.length > 0) sections.at(-1)!.characters += block.text.length;
  }
  return sections;
}
