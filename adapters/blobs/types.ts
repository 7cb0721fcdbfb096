import type { Readable } from 'node:stream';

/** A blob as a listing shows it. */
export interface BlobEntry {
  tenant: string;
  sha256: string;
  size: number;
  /** When the bytes were last stored. */
  modified: Date;
  /** Set aside by a deletion that has not decided yet: since when, and its name in the store. */
  aside: { since: Date; name: string } | null;
}

/** Content-addressed bytes, per tenant. Histories and rows contain the hash, never the bytes. */
export interface Blobs {
  /** The place, for messages: a folder, or s3://bucket/prefix. */
  readonly place: string;
  /** @returns the SHA-256 (hex) of the bytes; storing the same bytes again makes them young again */
  put(tenant: string, bytes: Uint8Array): Promise<string>;
  /** @throws AppError NOT_FOUND */
  get(tenant: string, sha256: string): Promise<Uint8Array>;
  /**
   * As `put`, for data that may not fit into memory.
   * @param owner the writer: `dropUnfinished` deletes its partial files after a crash
   * @param note called after all is written and before the blob exists: a caller that commits a reference there
   * leaves no orphaned blob, and checks with `has` afterwards
   * @returns SHA-256 and size in bytes
   */
  putStream(
    tenant: string,
    owner: string,
    source: AsyncIterable<Uint8Array>,
    note: (blob: { sha256: string; size: number }) => Promise<void>,
  ): Promise<{ sha256: string; size: number }>;
  /**
   * As `get`, for data that may not fit into memory.
   * @throws AppError NOT_FOUND
   */
  openStream(tenant: string, sha256: string): Promise<{ stream: Readable; size: number }>;
  /** Deletes partial files: of one owner, or older than a time. */
  dropUnfinished(tenant: string, of: { owner: string } | { before: Date }): Promise<void>;
  /**
   * Whether the bytes exist. After storing bytes and committing a row that names them, check this, and store them
   * again if necessary: a deletion may have checked references just before the commit.
   */
  has(tenant: string, sha256: string): Promise<boolean>;
  /**
   * Deletes unreferenced blobs. Bytes are moved aside before references are checked, so that a concurrent commit of a
   * reference is either seen or finds the bytes missing. After a kill, a repeat finishes it.
   * @param referenced which of these hashes rows name
   * @returns how many were deleted
   */
  delete(tenant: string, hashes: readonly string[], referenced: (hashes: string[]) => Promise<ReadonlySet<string>>): Promise<number>;
  /**
   * All blobs, of one tenant or of all, those set aside included, in the order of `<tenant>/<hash>`. In memory is a
   * page or a folder of them.
   * @param from of one tenant: the first two digits of the hash to begin with
   */
  list(tenant?: string, from?: string): AsyncIterable<BlobEntry>;
  /** Moves blobs aside without a decision: they can still be read, `has` says no, and `settle` decides later. */
  setAside(tenant: string, hashes: readonly string[]): Promise<void>;
  /** Ends what was set aside: its bytes are put back, or deleted. Bytes that were stored again meanwhile stay. */
  settle(entry: BlobEntry, keep: boolean): Promise<void>;
  /**
   * Writes, reads and deletes a probe.
   * @throws AppError SERVICE_UNAVAILABLE with what to do
   */
  check(): Promise<void>;
  close(): Promise<void>;
}
