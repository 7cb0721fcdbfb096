import type { MappedColumn } from './columns.ts';
import { kindOf } from './kinds.ts';
import { linkTables, type Linked } from './link.ts';
import { readTable, type ReadTable, type TableSource } from './read.ts';
import type { Reason } from './reasons.ts';
import { tableOf, type Table } from './table.ts';

/** From files to links and the stored result. Shared by the tool, the evaluation and the bench. */

/** A file, or cells that were parsed elsewhere. */
export type LinkSource = TableSource | { rows: string[][]; header: boolean | undefined };

export interface LinkRequest {
  left: LinkSource;
  /** Null: find duplicates within `left`. */
  right: LinkSource | null;
  /** Links with a lower probability are dropped. 0 to 1. */
  least: number;
  /** Minimum probability of a certain link. 0 to 1. */
  threshold: number;
  /** Number of links with an explanation by column. */
  explained: number;
}

export interface LinkFigures {
  /** Rows of both tables; one number for one table. */
  rows: number[];
  columns: MappedColumn[];
  shape: Linked['shape'];
  /** Number of compared pairs. */
  compared: number;
  links: number;
  /** Links at or above the threshold. */
  sure: number;
  /** The least probable links, which did not fit into the result. */
  cut: number;
  warnings: string[];
}

/** One line of the result. Rows count from 1, without the header. */
export interface LinkLine {
  left_row: number;
  right_row: number;
  /** The tables' own row ids, if a column has them. */
  left_id?: string;
  right_id?: string;
  probability: number;
  columns?: Reason[];
}

/** Maximum size of the artifact. */
const maxBytes = 45 * 1024 * 1024;

/** @throws AppError VALIDATION_ERROR when a table cannot be read */
export function linkSources(request: LinkRequest): { figures: LinkFigures; lines: Uint8Array } {
  const left = read(request.left);
  const right = request.right === null ? null : read(request.right);
  const { least, threshold, explained } = request;
  const linked = linkTables(left.table, right?.table ?? null, { least, threshold, explained });
  const idsLeft = idsOf(left.table);
  const idsRight = right === null ? idsLeft : idsOf(right.table);
  const parts: Buffer[] = [];
  let bytes = 0;
  let kept = 0;
  for (const link of linked.links) {
    const line: LinkLine = {
      left_row: link.left + 1,
      right_row: link.right + 1,
      ...(idsLeft ? { left_id: idsLeft(link.left) } : {}),
      ...(idsRight ? { right_id: idsRight(link.right) } : {}),
      probability: Math.round(link.probability * 10_000) / 10_000,
      ...(link.reasons ? { columns: link.reasons } : {}),
    };
    const part = Buffer.from(`${JSON.stringify(line)}\n`);
    if (bytes + part.length > maxBytes) break;
    parts.push(part);
    bytes += part.length;
    kept++;
  }
  const figures: LinkFigures = {
    rows: [left.table.rows, ...(right ? [right.table.rows] : [])],
    columns: linked.columns,
    shape: linked.shape,
    compared: linked.compared,
    links: linked.links.length,
    sure: linked.links.filter(({ probability }) => probability >= threshold).length,
    cut: linked.links.length - kept,
    warnings: [
      ...left.warnings,
      ...(right?.warnings ?? []),
      ...(linked.columns.length === 0 ? ['The tables have no columns that could be compared.'] : []),
    ],
  };
  return { figures, lines: Buffer.concat([Buffer.from(`${JSON.stringify(figures)}\n`), ...parts]) };
}

function read(source: LinkSource): ReadTable {
  return 'rows' in source ? { table: tableOf(source.rows, source.header), warnings: [] } : readTable(source);
}

/** The column with row ids: a counter, or the first one if it is named like an id. */
function idsOf(table: Table): ((row: number) => string) | null {
  const column =
    table.columns.find((each) => /(?:^|[^a-z])(?:id|key|uuid)$/i.test(each.name) && each.values.length - 1 === table.rows) ??
    table.columns.find((each) => kindOf(each) === 'counter');
  return column ? (row) => column.values[column.ids[row]!]!.slice(0, 200) : null;
}
