/** What a run takes in; stands in its job's row, so that it can be started again from there. */
export type RunOrigin =
  | { kind: 'folder'; path: string }
  | { kind: 'zip'; path: string; blob: string }
  | { kind: 'url'; url: string; depth: number; max_pages: number; profile: 'auto' | 'fast' | 'thorough' }
  | { kind: 'youtube'; url: string; languages: string[] }
  /** Given by the caller. `sealed`: all of them are enlisted. */
  | { kind: 'items'; sealed: boolean };

export interface RunSpec extends Record<string, unknown> {
  origin: RunOrigin;
  kb_id: string;
  /** Type of the sources it makes: `document`, `page`, `video`, … */
  type: string;
  chunk_size: number;
  tags: string[];
  metadata: Record<string, unknown>;
}

/** Files of one folder or archive. */
export const maxItems = 200_000;
