/** A document as some snapshot sees it: `changed` tells its versions apart. */
export interface DocumentVersion {
  id: string;
  source: string;
  /** Transaction that made this version. */
  changed: number;
  status: string;
  chunks: number;
}

/** Which transactions' changes a statement sees, as `pg_current_snapshot()` tells it. */
export interface Snapshot {
  /** Every transaction below it has ended and is seen. */
  xmin: number;
  /** No transaction at or above it is seen. */
  xmax: number;
  /** Those between that are not seen. */
  open: ReadonlySet<number>;
}

export const sees = ({ xmin, xmax, open }: Snapshot, transaction: number): boolean =>
  transaction < xmin || (transaction < xmax && !open.has(transaction));

/** What a snapshot says about one scope. */
export interface Look {
  scope: number;
  snapshot: Snapshot;
  /** All documents of any status; those that searches find. */
  rows: number;
  documents: number;
  chunks: number;
  terms: number;
  /** Documents that have passages in the tables which must not be found. */
  hidden: string[];
  /** All documents that changed in a transaction that the index may not know, or that the snapshot may see before others. */
  versions: DocumentVersion[];
}
