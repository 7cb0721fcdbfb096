import { nameKey } from '../text/names.ts';
import { layoutOf } from './layout.ts';
import { cluesOf } from './clues.ts';
import type { Clue, CountedClue, EvidenceInput } from './types.ts';

/** Documents for tests as the parsers would hand them over. */

const label = /^(?:\[[\d:]+\] )?(\p{Lu}[\p{L}.'’ -]{1,40}): (?=\S)/gmu;

/** A transcript or chat: every line that begins with a label is a turn. */
export function talk(origin: string, text: string): EvidenceInput {
  const turns = [...text.matchAll(label)].map((match): [number, number, string] => [match.index, match.index + match[0].length, match[1]!]);
  return { ...plain(origin, text), passages: [{ text, title: null, turns }] };
}

export function mail(
  origin: string,
  head: { from: string; to: string; cc?: string; date: string; subject: string },
  text: string,
): EvidenceInput {
  const found = { from: head.from, to: [head.to], ...(head.cc ? { cc: [head.cc] } : {}), date: head.date };
  return { ...plain(origin, text), title: head.subject, found, passages: [{ text, title: head.subject }] };
}

/** A table as parsers give it: Markdown rows. */
export function sheet(origin: string, rows: readonly (readonly string[])[]): EvidenceInput {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const [header, ...others] = rows;
  return plain(origin, [line(header!), line(header!.map(() => '---')), ...others.map(line)].join('\n'));
}

/** Prose with Markdown headings: each heading begins a passage. */
export function prose(origin: string, text: string): EvidenceInput {
  const title = /^#+ (.+)$/m.exec(text)?.[1] ?? origin.replace(/\.[a-z]+$/, '');
  const passages = text.split(/\n(?=#{2,} )/).map((part) => {
    const heading = /^#{2,} (.+)$/m.exec(part)?.[1];
    return { text: part, title: heading === undefined || heading === title ? title : `${title} › ${heading}` };
  });
  return { ...plain(origin, text), title, passages };
}

function plain(origin: string, text: string): EvidenceInput {
  const title = origin.replace(/\.[a-z]+$/, '');
  return { title, origin, sourceType: 'document', given: {}, found: {}, arrivedAt: '2026-06-30T09:00:00Z', passages: [{ text, title }] };
}

export const cluesIn = (input: EvidenceInput): Clue[] => cluesOf(input, layoutOf(input));

/** Clues of a corpus, counted as the store counts them: each at its highest weight, with its number of documents. */
export function counted(inputs: readonly EvidenceInput[]): CountedClue[] {
  const all = new Map<string, CountedClue>();
  for (const clue of inputs.flatMap(cluesIn)) {
    const key = JSON.stringify([clue.kind, nameKey(clue.subject), clue.object && nameKey(clue.object), clue.day]);
    const known = all.get(key);
    all.set(
      key,
      known ? { ...known, weight: Math.max(known.weight, clue.weight), documents: known.documents + 1 } : { ...clue, documents: 1 },
    );
  }
  return [...all.values()];
}
