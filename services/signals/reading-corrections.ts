import type { Database } from '../../adapters/postgres/database.ts';
import type { EvidenceInput } from '../../engines/evidence/types.ts';

/** What people said about the documents of a source. */
export interface ReadingCorrections {
  customer: string | null;
  /** ISO day. */
  date: string | null;
}

export async function correctionsOfSource(query: Database['query'], tenant: string, sourceId: string): Promise<ReadingCorrections> {
  const rows = await query<{ field: string; value: unknown }>(
    'select field, value from reading_corrections where tenant_id = $1 and source_id = $2 order by field, key',
    [tenant, sourceId],
  );
  const of = (field: string): string | null => {
    const value = rows.find((row) => row.field === field)?.value;
    return typeof value === 'string' ? value : null;
  };
  return { customer: of('customer'), date: of('date') };
}

/** Corrections count as if they had been submitted with the document. */
export const correctInput = (input: EvidenceInput, { customer, date }: ReadingCorrections): EvidenceInput => ({
  ...input,
  given: { ...input.given, ...(customer === null ? {} : { customer }), ...(date === null ? {} : { date }) },
});
