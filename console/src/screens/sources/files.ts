/** Pure: how a file of this machine is handed over. */

/** A request has at most 8 MB, and base64 is a third longer than the bytes. */
export const mostBytes = 5 * 1024 * 1024;

const texts = /\.(txt|md|markdown|vtt|srt|csv|tsv|json|jsonl|log)$/i;

/** By its name, and without a byte that no text has. */
export function isText(name: string, bytes: Uint8Array): boolean {
  if (!texts.test(name) || bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export const typeOf = ({ type }: { type: string }): string => (/^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream');

/** In portions: `String.fromCharCode` takes its bytes as arguments. */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 8_192) text += String.fromCharCode(...bytes.subarray(i, i + 8_192));
  return btoa(text);
}
