/** A table by columns: each distinct value is stored once, so that each is processed once. */
export interface Column {
  name: string;
  /** Each value is a set of identifiers or words, separated by spaces (identifiers.ts, views.ts). */
  identifiers?: boolean;
  /** Distinct values; the first is '', for missing ones. */
  values: string[];
  /** Per row, index into `values`. */
  ids: Uint32Array;
}

export interface Table {
  /** Whether its first row has the column names. */
  headed: boolean;
  rows: number;
  columns: Column[];
}

/** Longer cells are cut, because comparisons read no further. */
const maxCell = 2_000;
export const maxColumns = 200;
const missing = /^(?:|[-–—?.*]+|n\/?a|n\.a\.|#n\/a|null|none|nil|nan|undefined|unknown|not available|\(null\)|\\n)$/i;

/** Accepts rows one by one; their lengths may differ. */
export class TableBuilder {
  private readonly known: Map<string, number>[] = [];
  private readonly values: string[][] = [];
  private ids: Uint32Array[] = [];
  private rows = 0;

  add(row: readonly string[]): void {
    const width = Math.min(row.length, maxColumns);
    while (this.values.length < width) {
      this.known.push(new Map([['', 0]]));
      this.values.push(['']);
      this.ids.push(new Uint32Array(Math.max(1024, this.rows * 2)));
    }
    for (let c = 0; c < this.values.length; c++) {
      if (this.rows >= this.ids[c]!.length) {
        const larger = new Uint32Array(this.ids[c]!.length * 2);
        larger.set(this.ids[c]!);
        this.ids[c] = larger;
      }
      if (c < width) this.ids[c]![this.rows] = this.idOf(c, row[c]!);
    }
    this.rows++;
  }

  private idOf(c: number, cell: string): number {
    const value = cell.length > maxCell ? cell.slice(0, maxCell).trim() : cell.trim();
    if (missing.test(value)) return 0;
    const known = this.known[c]!;
    let id = known.get(value);
    if (id === undefined) {
      id = this.values[c]!.length;
      known.set(value, id);
      this.values[c]!.push(value);
    }
    return id;
  }

  /** @param names of its columns; unnamed ones are named by position */
  build(names: readonly string[] | null): Table {
    const used = new Set<string>();
    const columns = this.values.map((values, c): Column => {
      let name = (names?.[c] ?? '').replace(/\s+/g, ' ').trim().slice(0, 100) || `column ${c + 1}`;
      while (used.has(name)) name += '_';
      used.add(name);
      return { name, values, ids: this.ids[c]!.slice(0, this.rows) };
    });
    return { headed: names !== null, rows: this.rows, columns };
  }
}

/**
 * Builds a table from rows. By default the first row is the header when its cells are distinct words and it differs
 * from the rows below.
 * @param header true: the first row is one; false: there is none; undefined: detect
 */
export function tableOf(rows: Iterable<readonly string[]>, header?: boolean): Table {
  const builder = new TableBuilder();
  const first: (readonly string[])[] = [];
  let names: readonly string[] | null | undefined;
  const decide = (): void => {
    names = (header ?? looksLikeHeader(first)) ? (first.shift() ?? null) : null;
    for (const row of first.splice(0)) builder.add(row);
  };
  for (const row of rows) {
    if (names !== undefined) builder.add(row);
    else if (first.push(row) >= 200) decide();
  }
  if (names === undefined) decide();
  return builder.build(names ?? null);
}

/**
 * Cells of the first row are distinct, short, and not data: no digits where the column has them, and not repeated
 * below.
 */
export function looksLikeHeader(rows: readonly (readonly string[])[]): boolean {
  const [head, ...body] = rows;
  if (!head || body.length === 0) return false;
  const cells = head.map((cell) => cell.trim());
  const filled = cells.filter((cell) => cell !== '');
  if (filled.length === 0 || new Set(filled).size < filled.length || filled.length < cells.length * 0.6) return false;
  if (filled.some((cell) => cell.length > 60 || /^[-+$€£]?[\d.,:/ -]+%?$/.test(cell) || cell.includes('@'))) return false;
  let unlike = 0;
  let like = 0;
  for (const [c, cell] of cells.entries()) {
    const below = body.map((row) => row[c]?.trim() ?? '').filter((value) => value !== '');
    if (cell === '' || below.length === 0) continue;
    if (below.includes(cell)) return false;
    const digits = below.filter((value) => /\d/.test(value)).length / below.length;
    const words = below.reduce((sum, value) => sum + value.split(/\s+/).length, 0) / below.length;
    const named =
      /^(?:(?:rec|row|record|company|first|last|given|middle|full|birth|post|zip|phone)[ _-]?)?(?:id\d?|uid|uuid|key|code|name|surname|title|type|date|time|year|address\d?|addr|street|city|town|suburb|state|region|country|postcode|zip|phone|tel|fax|mobile|email|e-mail|mail|url|website|price|amount|total|category|class|label|status|description|notes?|brand|artist|author|venue)$/i.test(
        cell.replace(/[_\s-]*\d*$/, ''),
      );
    if (named || (digits > 0.5 && !/\d/.test(cell))) unlike++;
    else if (Math.abs(cell.split(/[\s_]+/).length - words) < 1.5) like++;
  }
  return unlike > 0 && unlike >= like / 3;
}
