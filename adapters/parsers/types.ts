/** Location of a text in its source, for citations. Only fields that the format has are set. */
export interface Place {
  /** 1-based first line of the text; in a sheet, its row. */
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
  /** The headings above, outermost first; a heading's own location includes itself. */
  headings?: string[];
}

export type BlockKind = 'heading' | 'paragraph' | 'list' | 'table' | 'code' | 'turn';

export interface Block {
  kind: BlockKind;
  /** As in the source: a Markdown table keeps its pipes, code has no fences, a turn has no speaker label. */
  text: string;
  /** Headings: 1 is the outermost. */
  level?: number;
  /** Code: lower case, as in the source. */
  language?: string;
  place: Place;
}

/** A table as rows of cells. Merged cells: each covered cell has the value. */
export interface Table {
  rows: string[][];
  /** Number of heading rows; 0 when unknown. */
  headerRows: number;
  /** Caption, or the sheet's name. */
  title?: string;
  place: Place;
}

export interface Parsed {
  /** Short name of the parsed format: `txt`, `md`, `pdf`, `xlsx`, … */
  format: string;
  title?: string;
  /** Further metadata of the file; `warnings: string[]` when parts were skipped or guessed. */
  metadata: Record<string, unknown>;
  blocks: Block[];
  /** The tables among the blocks, cell by cell. */
  tables?: Table[];
  /** Pages, slides or sheets, if the format has them. */
  pageCount?: number;
}

export interface ParseInput {
  bytes: Uint8Array;
  filename?: string;
  mediaType?: string;
  /** A web page as an article with its meta tags (web/readable.ts). Default: as a document. */
  as?: 'article';
}

/**
 * How a content would be parsed, without parsing it. `text`: its bytes are text, so it is not compressed.
 * @throws {AppError} VALIDATION_ERROR with `details.reason` (refusals.ts) when it would be refused
 */
export type Recognise = (input: ParseInput) => { format: string; text: boolean };

/** Limits for one file. Too many pages or bytes are refused, too many rows are cut with a warning. */
export interface ParseLimits {
  /** Pages, slides or sheets. */
  maxPages: number;
  /** Unpacked bytes of a compressed file. */
  maxUnpackedBytes: number;
}

/** Maximum characters of one file's text, which must be passed between processes and cut into passages. */
export const maxCharacters = 64_000_000;

export const defaultLimits: ParseLimits = { maxPages: 5000, maxUnpackedBytes: 512 * 1024 * 1024 };

/** One file format. To add one, create a file and list it in index.ts. */
export interface ParserAdapter {
  format: string;
  /** Without dot, lower case. */
  extensions: readonly string[];
  mediaTypes: readonly string[];
  /** Whether bytes of unknown (or merely "text") type certainly have this format. Must be cheap. */
  recognises?(bytes: Uint8Array): boolean;
  /**
   * @throws {AppError} VALIDATION_ERROR or PAYLOAD_TOO_LARGE when the bytes cannot be parsed as this format
   * (refusals.ts).
   */
  parse(input: ParseInput, limits: ParseLimits): Parsed | Promise<Parsed>;
}
