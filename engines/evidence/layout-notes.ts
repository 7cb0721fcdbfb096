import { nameKey } from '../text/names.ts';
import { linesOf, type Block } from './layout-blocks.ts';
import { isAuthorLabel, labelKind, labelOf, type LabelKind } from './layout-labels.ts';
import { bareName, isPersonName, peopleIn } from './layout-people.ts';
import { trimmed } from './layout-spans.ts';
import type { Omission, Participant, Unit } from './types.ts';
import { datesIn } from './when-dates.ts';

/** Prose with sections: notes of a call or visit, overviews, papers about competitors. */

export interface Prose {
  units: Unit[];
  participants: Participant[];
  author: string | null;
  /** Lines above the text, for dates and names. */
  head: string[];
  /** What the labels and headings announce. */
  kinds: Set<LabelKind>;
  /** Names by their abbreviation. */
  legend: Map<string, string>;
}

const omissionOf: Record<LabelKind, Omission> = {
  attendance: 'header',
  agenda: 'header',
  about: 'header',
  steps: 'internal',
  ideas: 'internal',
};

/** Head lines are looked for in the first blocks only. */
const headBlocks = 8;

export function proseOf(blocks: readonly Block[]): Prose {
  const prose: Prose = { units: [], participants: [], author: null, head: [], kinds: new Set(), legend: new Map() };
  let section: { title: string; kind: LabelKind | null; level: number } | null = null;
  let inHead: boolean = true;
  for (const [i, block] of blocks.entries()) {
    const add = (start: number, end: number, omitted: Omission | null): void => {
      const span = trimmed(block.text, { start, end });
      if (span.start >= span.end) return;
      prose.units.push({
        passage: block.passage,
        start: block.start + span.start,
        end: block.start + span.end,
        kind: block.kind === 'item' ? 'item' : block.kind === 'row' ? 'cell' : 'paragraph',
        speaker: null,
        day: null,
        section: section?.title ?? null,
        row: null,
        omitted,
      });
    };
    if (block.kind === 'comment') {
      add(0, block.text.length, 'instruction');
      continue;
    }
    const title = titleOf(block, blocks[i + 1], i);
    if (title !== null) {
      const kind = labelKind(title);
      const level = block.kind === 'heading' ? block.level : 7;
      // A line without mark inside a known section does not end it, unless it is known itself.
      if (i === 0) {
        prose.head.push(title);
        readAuthor(title, prose, true);
      }
      if (kind !== null) prose.kinds.add(kind);
      if (i > 0 || kind !== null) section = { title, kind, level };
      if (i > 0) inHead = false;
      add(0, block.text.length, 'header');
      continue;
    }
    if (section?.kind === 'attendance') prose.participants.push(...peopleIn(block.text));
    const inherited = section?.kind == null ? null : omissionOf[section.kind];
    inHead = inHead && i < headBlocks && block.kind !== 'item';
    let isHead: boolean = inHead;
    let open: { start: number; end: number } | null = null;
    const close = (): void => {
      if (open !== null) add(open.start, open.end, inherited);
      open = null;
    };
    for (const line of linesOf(block.text)) {
      const label = labelOf(line.text);
      const known = label?.kind ?? null;
      if (known !== null) prose.kinds.add(known);
      const value = label === null ? line.text : line.text.slice(label.at);
      if (known === 'attendance') prose.participants.push(...peopleIn(value));
      readAuthor(line.text, prose, isHead);
      const present = isHead && known === null ? attendanceIn(line.text) : [];
      prose.participants.push(...present);
      if (present.length > 0) prose.kinds.add('attendance');
      const explained = isHead ? legendOf(line.text) : [];
      const head = isHead && (present.length > 0 || explained.length > 1 || legend.test(line.text) || isHeadLine(line.text, i));
      if (head) {
        prose.head.push(line.text);
        for (const [short, name] of explained) prose.legend.set(short, name);
      }
      if (!head && known === null) isHead = false;
      if (head || (known !== null && (known !== 'about' || isHead || isShort(value)))) {
        close();
        add(line.start, line.end, head ? 'header' : omissionOf[known!]);
        // "To do" above its list.
        if (known !== null && value.trim() === '') section = { title: label!.label, kind: known, level: 7 };
      } else if (open === null) open = { start: line.start, end: line.end };
      else open.end = line.end;
    }
    close();
    inHead = isHead;
  }
  return prose;
}

/** A heading, or a line of its own that reads like one. */
function titleOf(block: Block, next: Block | undefined, at: number): string | null {
  if (block.kind === 'heading') return block.text;
  if (block.kind !== 'paragraph' || block.text.includes('\n') || next === undefined) return null;
  // "**Exports** (he says Dumps)"
  const bold = /^(?:\*\*|__)([^*_\n]{2,80})(?:\*\*|__)(?: \([^()\n]{1,60}\))?:?$/.exec(block.text);
  if (bold !== null && at > 0) return bold[1]!;
  const bare = block.text.replace(/[:\s]+$/, '');
  const closed = /[.!?…,;"”»)]$/.test(bare);
  if (bare.length > 60 || bare.split(/\s+/).length > 7) return null;
  if (labelKind(bare) !== null) return bare;
  return at > 0 && !closed && (next.kind === 'item' || block.text.endsWith(':')) ? bare : null;
}

/** "M = Mary, J = John; quotes are literal" */
const legend = /^[\s(*_]*\p{Lu}\p{L}{0,3}\s*[=:]\s*\p{Lu}\p{L}+[,;]\s*\p{Lu}\p{L}{0,3}\s*[=:]\s*\p{Lu}/u;

const equation = /(?<![\p{L}\p{N}])(\p{Lu}\p{L}{0,3})\s*=\s*(\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2})/gu;
/** "AL Ann Lee, BC: Bo Chan": initials beside the name that they abbreviate. */
export const initials = /(?<![\p{L}\p{N}])(\p{Lu}{2,3})\s*[=:]?\s+(\p{Lu}\p{L}+(?: (?:\p{Ll}{1,4} )?\p{Lu}[\p{L}'’-]+){1,2})/gu;
/** "AL (Ann Lee, manager)" */
const before = /(?<![\p{L}\p{N}])(\p{Lu}{2,3}) \((\p{Lu}\p{L}+(?: (?:\p{Ll}{1,4} )?\p{Lu}[\p{L}'’-]+){1,2})/gu;
/** "Ann Lee (AL), Bo Chan (BC)" */
const behind = /(\p{Lu}\p{L}+(?: (?:\p{Ll}{1,4} )?\p{Lu}[\p{L}'’-]+){0,2}) \((\p{Lu}{1,3})\)/gu;

/** Abbreviations with the names that the line gives to them. */
function legendOf(line: string): (readonly [short: string, name: string])[] {
  const text = line.slice(0, 1000);
  const pairs = [
    ...[initials, before].flatMap((form) => [...text.matchAll(form)].map(([, short, name]) => [short!, name!] as const)),
    ...[...text.matchAll(behind)].map(([, name, short]) => [short!, name!] as const),
  ];
  return [
    ...[...text.matchAll(equation)].map(([, short, name]) => [short!, name!] as const),
    ...pairs.filter(([short, name]) => name.replace(/\p{Ll}|[^\p{L}]/gu, '').startsWith(short)),
  ];
}

/** People of a line that lists nobody but them: "Ann Lee (manager), Bo Chan (Acme), Cy". */
function attendanceIn(line: string): Participant[] {
  if (!/\p{L}\)\s*(?:,|;|and |und |y |et )/u.test(line) || line.length > 300 || /[.!?]\s+\p{Lu}/u.test(line)) return [];
  const parts = line.replace(/\([^()\n]{0,120}\)/g, '').split(/[,;]| and | und | y | et /);
  return parts.length >= 2 && parts.every((part) => isPersonName(bareName(part))) ? peopleIn(line) : [];
}

const isShort = (text: string): boolean => text.length <= 60 && !/[.!?]\s+\p{Lu}/u.test(text);

/** A line with a date, a label, or neither verb nor full stop. */
function isHeadLine(line: string, block: number): boolean {
  const words = line.trim().split(/\s+/).length;
  if (labelOf(line)?.kind != null) return true;
  if (
    words <= 24 &&
    datesIn(line.replace(/\s+/g, ' ')).some(({ year, weekday }) => year !== null || weekday !== null) &&
    !/[.!?]\s+\p{Lu}\p{Ll}+ \p{Ll}+ed\b/u.test(line)
  )
    return true;
  return block <= 2 && words <= 14 && !/[.!?…]["'”’)*_]*\s*$/.test(line);
}

const byAuthor =
  /(?:^|[\s(*_|,·–—-])(?:written (?:up )?(?:[^.,;\n]{1,40} )?by|notes? (?:taken )?by|taken by|by|edited by|author:?|von|verfasst von|notiert von|por|redactado por|escrito por|par|rédigé par|a cura di|door|av|af)\s+(\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’-]*){0,2})/u;
/** "(Ruben, 2 October 2026)", "*Ruben Asante, October*", "(for the team, Ruben Asante, 2 May)" */
const signed = /\(([^()\n]{4,120})\)\s*$|^\s*[*_]([^*_\n]{4,120})[*_]\s*$/u;
const me = /\b(?:and |und |y |et |e )?(?:me|myself|ich|yo|moi|io)(?:\s*[,:(]\s*|\s+\()(\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2})/u;

function readAuthor(line: string, prose: Prose, isHead: boolean): void {
  if (prose.author !== null) return;
  const found = me.exec(line)?.[1];
  if (found !== undefined && isHead) {
    prose.author = found;
    return;
  }
  // "By phone. Notes: A B."
  for (const part of line.split(/(?<=[.;|])\s+/)) {
    const label = labelOf(part);
    if (label === null || !isAuthorLabel(label.label)) continue;
    const name = bareName(part.slice(label.at).split(/[,;(|]/)[0]!);
    if (isPersonName(name)) {
      prose.author = name;
      return;
    }
  }
  if (!isHead) return;
  const by = byAuthor.exec(line)?.[1];
  const inside = signed.exec(line);
  const parts =
    by === undefined && inside !== null && datesIn(line.replace(/\s+/g, ' ')).length > 0
      ? (inside[1] ?? inside[2]!).split(/,|\||·|\s[-–—]\s/)
      : [by ?? ''];
  prose.author = parts.map(bareName).find((name) => isPersonName(name) && datesIn(name).length === 0) ?? null;
}

/** People once, with what any of their mentions tells. */
export function together(people: readonly Participant[]): Participant[] {
  const byKey = new Map<string, Participant>();
  for (const person of people) {
    const key = nameKey(person.name);
    if (key === '') continue;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { ...person });
    else {
      known.email ??= person.email;
      known.organisation ??= person.organisation;
      if (known.side === 'unknown') known.side = person.side;
    }
  }
  return [...byKey.values()];
}
