import type { Span } from './spans.ts';
import type { Talk } from './talk.ts';
import type { Scanned } from './tokens.ts';
import { stopWords } from './words.ts';

const quotes = /"([^"\n]{2,90})"|“([^“”\n]{2,90})”|„([^„“”\n]{2,90})[“”]|«([^«»\n]{2,90})»/g;
const workBefore =
  /\b(?:films?|movies?|albums?|songs?|singles?|novels?|novella|books?|series|shows?|sitcom|episodes?|plays?|poems?|games?|magazine|newspaper|opera|musical|documentary|story|stories|article|paper|essay|soundtrack|ep|titled|entitled|called|track|hit|starred in|wrote|directed|published|released)\b[^.!?"“”]{0,25}$/i;
const workAfter =
  /^,?\s*(?:\([^)]{0,30}\)\s*)?(?:is|was)\s+(?:an?|the)\s[^.]{0,60}?\b(?:film|movie|album|song|single|novel|book|series|show|sitcom|episode|play|poem|game|magazine|newspaper|opera|musical)\b/i;
const controlBefore =
  /\b(?:click(?:ed|ing|s)?|press(?:ed|ing)?|tap(?:ped|ping)?|select(?:ed|ing)?|choose|open(?:ed|ing)?|called|named|labell?ed|says|the)\s+(?:on\s+)?(?:the\s+)?$/i;
const controlAfter = /^\s+(?:button|tab|page|menu|option|feature|screen|field|dialog|toggle|setting|view|panel|link|section|checkbox)\b/i;

/** Titles and labels in quotation marks, without quoted speech. */
export function quoted({ seen: text, english }: Scanned, talk: Talk): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(quotes)) {
    const inside = (match[1] ?? match[2] ?? match[3] ?? match[4] ?? '').replace(/[.,;:!?]+$/, '');
    const start = match.index + 1;
    const end = start + inside.length;
    const before = text.slice(Math.max(0, match.index - 60), match.index);
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 90);
    const control = talk.product && (controlAfter.test(after) || controlBefore.test(before));
    if (inside.trim() !== inside || !(control ? isLabel(inside) : isTitle(inside))) continue;
    const work = workBefore.test(before) || workAfter.test(after);
    const type = control && controlAfter.test(after) ? 'feature' : work ? 'work' : control ? 'feature' : 'thing';
    spans.push({
      start,
      end,
      type,
      certain: english && (type === 'work' ? workBefore.test(before) : type === 'feature'),
      confidence: english ? 0.75 : 0.45,
      origin: 'rules',
    });
  }
  return spans;
}

const isLabel = (inside: string): boolean => inside.length <= 40 && inside.split(/\s+/).length <= 5 && /^\p{L}/u.test(inside);

/** Capitals on all except small words, including the first word. */
function isTitle(inside: string): boolean {
  const words = inside.split(/\s+/);
  if (words.length > 10 || !/^[\p{Lu}\p{N}]/u.test(inside) || /[.!?…]\s/.test(inside) || /^\d+$/.test(inside)) return false;
  const small = words.filter((word) => /^\p{Ll}/u.test(word));
  if (words.length === 1) return /^\p{Lu}/u.test(inside) && !stopWords.has(inside.toLowerCase());
  return small.every((word) => word.length <= 5) && small.length <= words.length / 2;
}
