import type { Blobs } from '../../adapters/blobs/types.ts';
import type { Parsed, ParseInput } from '../../adapters/parsers/types.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { JobRef } from '../../contracts/activities/kernel/jobs.ts';
import type { TablesLinked } from '../../contracts/activities/graph/table-link.ts';
import { AppError } from '../../contracts/errors.ts';
import { Artifacts } from '../substrate/index.ts';
import { linkInChild } from '../../engines/linkage/child.ts';
import type { LinkFigures, LinkLine, LinkSource } from '../../engines/linkage/run.ts';

/** A table in a job. */
export interface TableRef {
  sha256: string;
  /** Shows the format. */
  filename: string | null;
}

/** Input of a `table_link` job. */
export interface TableLinkSpec extends Record<string, unknown> {
  left: TableRef;
  /** Null: find duplicates within one table. */
  right: TableRef | null;
  threshold: number;
}

/** Links with a lower probability are dropped. */
export const leastProbability = 0.6;
/** Maximum links with an explanation by column. */
const explained = 20_000;

export interface TableLinkDeps {
  db: Database;
  blobs: Blobs;
  parse(input: ParseInput): Promise<Parsed>;
}

/** Reads the tables of a job, links them in a child process, and stores the result as an artifact. */
export async function linkTablesOf(
  { db, blobs, parse }: TableLinkDeps,
  { tenant, id }: JobRef,
  signal: AbortSignal,
): Promise<TablesLinked> {
  const [job] = await db.query<{ spec: TableLinkSpec; created_by: string }>(
    'select spec, created_by from jobs where tenant_id = $1 and id = $2',
    [tenant, id],
  );
  if (!job) throw new Error(`job ${id} has no row`);
  const { left, right, threshold } = job.spec;
  const artifacts = new Artifacts({ db, blobs });
  const open = async (ref: TableRef): Promise<LinkSource> => sourceOf(parse, (await artifacts.get(tenant, ref.sha256)).bytes, ref.filename);
  const request = {
    left: await open(left),
    right: right === null ? null : await open(right),
    least: Math.min(leastProbability, threshold),
    threshold,
    explained,
  };
  const { figures, lines } = await linkInChild(request, { signal });
  const { sha256 } = await artifacts.upload({ tenant, principal: job.created_by }, lines, {
    mediaType: 'application/jsonl',
    filename: 'links.jsonl',
  });
  return {
    artifact: sha256,
    links: figures.links,
    sure: figures.sure,
    compared: figures.compared,
    rows: figures.rows.reduce((sum, rows) => sum + rows, 0),
  };
}

/** The parsers read spreadsheets; of several tables the largest counts. Text is parsed in the child process. */
async function sourceOf(parse: TableLinkDeps['parse'], bytes: Uint8Array, filename: string | null): Promise<LinkSource> {
  const packed = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (!packed && !/\.xls[xmb]?$/i.test(filename ?? '')) return { bytes, filename };
  const { tables = [] } = await parse({ bytes, ...(filename === null ? {} : { filename }) });
  const [table] = [...tables].sort((a, b) => b.rows.length - a.rows.length);
  if (!table) {
    throw new AppError('VALIDATION_ERROR', `There is no table in ${filename ?? 'the file'}.`, {
      hint: 'CSV, TSV, XLSX or JSON lines, with one record per row.',
    });
  }
  // Of several heading rows the last one has the column names.
  return { rows: table.rows.slice(Math.max(0, table.headerRows - 1)), header: table.headerRows > 0 ? true : undefined };
}

/** The figures and the first links of a result. */
export function readResult(bytes: Uint8Array, limit: number): { figures: LinkFigures; links: LinkLine[] } {
  const lines: string[] = [];
  let from = 0;
  while (lines.length <= limit && from < bytes.length) {
    const end = bytes.indexOf(0x0a, from);
    lines.push(Buffer.from(bytes.subarray(from, end === -1 ? bytes.length : end)).toString('utf8'));
    from = end === -1 ? bytes.length : end + 1;
  }
  const [first, ...rest] = lines;
  return { figures: JSON.parse(first!) as LinkFigures, links: rest.filter(Boolean).map((line) => JSON.parse(line) as LinkLine) };
}
