import type { EvidenceInput, PersonSaid } from '../../engines/evidence/types.ts';

/** What people said about the documents of a source. */
export interface ReadingCorrections {
  customer: string | null;
  /** ISO day. */
  date: string | null;
  people: PersonCorrection[];
}

export interface PersonCorrection extends PersonSaid {
  /** Holds for all documents, through the directory. */
  everywhere: boolean;
}

/** A row of reading_corrections. */
export interface CorrectionRow {
  field: string;
  value: unknown;
}

export function correctionsIn(rows: readonly CorrectionRow[]): ReadingCorrections {
  const of = (field: string): string | null => {
    const value = rows.find((row) => row.field === field)?.value;
    return typeof value === 'string' ? value : null;
  };
  return {
    customer: of('customer'),
    date: of('date'),
    people: rows.flatMap(({ field, value }) => (field === 'person' ? [value as PersonCorrection] : [])),
  };
}

/** Metadata with the corrections, which count as if they had been submitted with the document. */
export const correctGiven = (given: Record<string, unknown>, { customer, date }: ReadingCorrections): EvidenceInput['given'] => ({
  ...given,
  ...(customer === null ? {} : { customer }),
  ...(date === null ? {} : { date }),
});
