import { nameKey } from '../text/names.ts';
import type { Scanned } from './tokens.ts';

/** A rule's match in one passage, before overlaps are resolved. */
export interface Span {
  /** UTF-16 offsets in the passage's text. */
  start: number;
  end: number;
  type: string;
  certain: boolean;
  confidence: number;
  origin: 'rules' | 'known';
}

/** A passage with its words, and evidence from the whole document. */
export interface Reading {
  scanned: Scanned;
  evidence: Evidence;
}

/** Spellings of words elsewhere in the document: a capital at a sentence's start is no evidence. */
export interface Evidence {
  /** Words that also occur in lower case. */
  plain: Set<string>;
  /** Capitalized words inside sentences, with counts. */
  named: Map<string, number>;
}

export function evidenceOf(passages: readonly Scanned[]): Evidence {
  const plain = new Set<string>();
  const named = new Map<string, number>();
  for (const { tokens, sentences } of passages) {
    for (const sentence of sentences) {
      for (let i = sentence.from; i < sentence.to; i += 1) {
        const token = tokens[i]!;
        if (!token.cap) plain.add(token.lower);
        else if (!token.first && !sentence.titled) named.set(token.lower, (named.get(token.lower) ?? 0) + 1);
      }
    }
  }
  return { plain, named };
}

/** Known names first, then longer ones, then more certain ones; overlapping ones are dropped. In text order. */
export function settle(spans: readonly Span[]): Span[] {
  const ranked = [...spans].sort((a, b) => b.end - b.start - (a.end - a.start) || rank(b) - rank(a) || a.start - b.start);
  // Accepted spans, by start; few enough per passage for a sorted array.
  const taken: Span[] = [];
  for (const span of ranked) {
    let low = 0;
    let high = taken.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (taken[middle]!.start < span.start) low = middle + 1;
      else high = middle;
    }
    const before = taken[low - 1];
    const after = taken[low];
    if ((before && before.end > span.start) || (after && after.start < span.end)) continue;
    taken.splice(low, 0, span);
  }
  return taken;
}

const rank = (span: Span): number => (span.origin === 'known' ? 4 : 0) + (span.certain ? 2 : 0) + span.confidence;

/** Whether it has a key as a name. */
export const isName = (surface: string): boolean => surface.length <= 200 && /[\p{L}\p{N}]{2}/u.test(nameKey(surface));
