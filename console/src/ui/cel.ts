/** Parts of an expression in CEL, for colours: the editor and the list of rules show the same. */
const part =
  /("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|\b(\d+(?:\.\d+)?)\b|\b(tool|caller|session)\b|\b(true|false|null|in)\b|\b([a-zA-Z_]\w*)(?=\()/;

/** Classes of texts, numbers, what a rule sees, words of the language, functions. */
const classes = ['text-proceed', 'text-token', 'text-route', 'font-semibold text-token', 'text-caution'];

export const celParts = (): RegExp => new RegExp(part, 'g');
/** @param match of `celParts` */
export const celClass = (match: RegExpMatchArray): string => classes[match.slice(1).findIndex((group) => group !== undefined)] ?? '';

export function celPieces(text: string): { text: string; className: string }[] {
  const pieces: { text: string; className: string }[] = [];
  let at = 0;
  for (const match of text.matchAll(celParts())) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), className: '' });
    pieces.push({ text: match[0], className: celClass(match) });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), className: '' });
  return pieces;
}
