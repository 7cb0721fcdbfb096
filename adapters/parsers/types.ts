/** Where a piece of text stands in its source, for citation. Only what the format knows is set. */
export interface Place {
  /** 1-based line of the first line of the text; in a sheet, its row. */
  line?: number;
  /** 1-based. */
  page?: number;
  /** 1-based. */
  slide?: number;
  sheet?: string;
  /** Milliseconds from the start of the recording. */
  startMs?: number;
  endMs?: number;
  speaker?: string;
  /** The headings above, outermost first; a heading's own place includes itself. */
  headings?: string[];
}

export type BlockKind = 'heading' | 'paragraph' | 'list' | 'table' | 'code' | 'turn';

export interface Block {
  kind: BlockKind;
  /** As in the source: a Markdown table keeps its pipes, code is without its fences, a turn without its speaker. */
  text: string;
  /** Headings: 1 is the outermost. */
  level?: number;
  /** Code: lower case, as the source names it. */
  language?: string;
  place: Place;
}

/** A table as rows of cells. Merged cells: the value stands in each cell that it covers. */
export interface Table {
  rows: string[][];
  /** How many of the first rows are headings; 0 when unknown. */
  headerRows: number;
  /** Caption, or the sheet's name. */
  title?: string;
  place: Place;
}

export interface Parsed {
  /** Short name of the format that was read: `txt`, `md`, `pdf`, `xlsx`, … */
  format: string;
  title?: string;
  /** What else the file told; `warnings: string[]` when something in it had to be skipped or guessed. */
  metadata: Record<string, unknown>;
  blocks: Block[];
  /** The tables that stand among the blocks, once more cell by cell. */
  tables?: Table[];
  /** Pages, slides or sheets, where the format has them. */
  pageCount?: number;
}

export interface ParseInput {
  bytes: Uint8Array;
  filename?: string;
  mediaType?: string;
  /** A web page as an article with what its meta tags say of it (web/readable.ts). Default: as a document. */
  as?: 'article';
}

/**
 * How a content would be read; nothing is parsed. `text`: its bytes are text, so that it holds no more than they show.
 * @throws {AppError} VALIDATION_ERROR with `details.reason` (refusals.ts) when it would be refused for what it is
 */
export type Recognise = (input: ParseInput) => { format: string; text: boolean };

/** What one file may cost. What exceeds it is refused (pages, sizes) or cut with a warning (rows). */
export interface ParseLimits {
  /** Pages, slides or sheets. */
  maxPages: number;
  /** Bytes of all that is unpacked from a packed file. */
  maxUnpackedBytes: number;
}

/** Characters of one file's text. More is no document any more; it has to pass between processes and to be cut into passages. */
export const maxCharacters = 64_000_000;

export const defaultLimits: ParseLimits = { maxPages: 5000, maxUnpackedBytes: 512 * 1024 * 1024 };

/** One file format. Adding a format is one file, named in the list of index.ts. */
export interface ParserAdapter {
  format: string;
  /** Without dot, lower case. */
  extensions: readonly string[];
  mediaTypes: readonly string[];
  /** Whether bytes of unknown (or merely "text") origin are surely this format. Must be cheap. */
  recognises?(bytes: Uint8Array): boolean;
  /** @throws {AppError} VALIDATION_ERROR or PAYLOAD_TOO_LARGE when the bytes cannot be read as this format (refusals.ts). */
  parse(input: ParseInput, limits: ParseLimits): Parsed | Promise<Parsed>;
}
