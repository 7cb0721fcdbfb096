/** Spreadsheets interpret text with these first characters, also in their wide forms, as a formula. */
const formula = /^[=+\-@\t\r＝＋－＠]/;

/**
 * One line per RFC 4180, with its line end. Null is an empty cell, empty text is `""`; numbers stay numbers. Text
 * that a spreadsheet would execute gets a leading apostrophe. Lists and objects are written as JSON.
 */
export const csvLine = (cells: readonly unknown[]): string => `${cells.map(cell).join(',')}\r\n`;

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return quoted(formula.test(value) ? `'${value}` : value);
  return typeof value === 'object' ? quoted(JSON.stringify(value)) : String(value);
}

const quoted = (text: string): string => (text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
