const entities: Record<string, string> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': ' ',
};

/** Decodes character references, which texts from the web contain, sometimes twice. */
export function plain(text: string): string {
  let out = text.normalize('NFKC').replaceAll(/[’‘]/g, "'").replaceAll(/[“”]/g, '"');
  for (let round = 0; round < 2 && out.includes('&'); round += 1)
    out = out.replaceAll(/&(?:amp|quot|#34|#39|apos|lt|gt|nbsp);/g, (found) => entities[found]!);
  return out;
}

/** Lower case; apostrophes stay inside ("don't"), all numbers are one word. */
export const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{M}]+(?:'[\p{L}]+)*|\d+/gu) ?? []).map((word) => (/^\d/.test(word) ? '0' : word));
