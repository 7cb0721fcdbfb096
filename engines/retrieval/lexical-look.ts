/** A document in a snapshot: `changed` distinguishes its versions. */
export interface DocumentVersion {
  id: string;
  source: string;
  /** Transaction that created this version. */
  changed: number;
  status: string;
  chunks: number;
}

/** The transactions visible to a statement, from `pg_current_snapshot()`, by their moments. */
export interface Snapshot {
  /** Every lower transaction has ended and is visible. */
  xmin: number;
  /** No transaction from here on is visible. */
  xmax: number;
  /** Invisible transactions in between. */
  open: ReadonlySet<number>;
}

export const sees = ({ xmin, xmax, open }: Snapshot, transaction: number): boolean =>
  transaction < xmin || (transaction < xmax && !open.has(transaction));

/** A scope in a snapshot. */
export interface Look {
  scope: number;
  snapshot: Snapshot;
  /** Documents of any status, and searchable ones. */
  rows: number;
  documents: number;
  chunks: number;
  terms: number;
  /** Documents with passages in the tables that must not be found. */
  hidden: string[];
  /** Documents changed in a transaction that the index may not have, or that the snapshot may see before others. */
  versions: DocumentVersion[];
}
