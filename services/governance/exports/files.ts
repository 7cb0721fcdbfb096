import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { csvLine } from './csv.ts';
import type { Table } from './snapshot.ts';

/** Metadata in the file. */
export type About = Record<string, unknown>;

type Count = (rows: number) => void;

/**
 * One JSON document; in memory: a slice of rows.
 * @param count called for each slice
 */
export async function* jsonFile(about: About, tables: readonly Table[], count: Count): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`{"export":${JSON.stringify(about)},\n"tables":{`);
  for (const [i, table] of tables.entries()) {
    yield Buffer.from(`${i === 0 ? '' : ','}\n${JSON.stringify(table.name)}:[`);
    let first = true;
    for await (const lines of table.slices()) {
      yield Buffer.from(`${first ? '\n' : ',\n'}${lines.join(',\n')}`);
      first = false;
      count(lines.length);
    }
    yield Buffer.from('\n]');
  }
  yield Buffer.from(`\n},\n"row_counts":${JSON.stringify(countsOf(tables))}}\n`);
}

/** A zip with one CSV per table, and `export.json` with the metadata. */
export function csvFiles(about: About & { exported_at: string }, tables: readonly Table[], count: Count): AsyncIterable<Uint8Array> {
  const zip = new ZipFile();
  const mtime = new Date(about.exported_at);
  const out = zip.outputStream as Readable;
  zip.on('error', (error: Error) => out.destroy(error));
  for (const table of tables) {
    // Lazily: each table is opened after the previous one was written.
    zip.addReadStreamLazy(`${table.name}.csv`, { mtime }, (done) => {
      const lines = Readable.from(csvFile(table, count), { objectMode: false });
      lines.on('error', (error) => out.destroy(error));
      done(null, lines);
    });
  }
  zip.addBuffer(Buffer.from(`${JSON.stringify({ export: about, row_counts: countsOf(tables) }, null, 2)}\n`), 'export.json', { mtime });
  zip.end();
  return out as AsyncIterable<Uint8Array>;
}

async function* csvFile({ columns, slices }: Table, count: Count): AsyncGenerator<Uint8Array> {
  yield Buffer.from(csvLine(columns));
  for await (const lines of slices()) {
    const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    yield Buffer.from(rows.map((row) => csvLine(columns.map((column) => row[column]))).join(''));
    count(lines.length);
  }
}

export const countsOf = (tables: readonly Table[]): Record<string, number> =>
  Object.fromEntries(tables.map(({ name, rows }) => [name, rows]));
