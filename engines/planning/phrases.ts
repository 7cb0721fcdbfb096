/** What the words of one item say beside its title: dependencies, priority, phase, tags, label. */
import type { Priority } from '../../contracts/work/work.ts';

export interface Phrases {
  title: string;
  /** What follows the title in its line. */
  rest: string;
  /** `T1` of `T1: Build`. */
  label: string | null;
  priority: Priority | null;
  phase: number | null;
  tags: string[];
  /** Names of tasks that come first, as written. `sure`: the words mean nothing else. */
  after: { names: string; sure: boolean }[];
}

const waits = 'after|depends on|depending on|blocked by|waits for|requires|once';
const inBrackets = new RegExp(`\\s*[(\\[](?:${waits})\\b:?\\s*([^()\\[\\]]{1,500})[)\\]]`, 'i');
const atEnd = new RegExp(`(?:\\s+[-–—]\\s*|[,;]\\s*|\\s+)(depends on|depending on|blocked by|waits for|after)\\b:?\\s+(\\S.{0,500})$`, 'i');
/** A line of its own. */
const ownLine = new RegExp(
  `^(?:[-*+]\\s+)?\\**(?:${waits}|dependencies)\\**:\\**\\s*(\\S.{0,500})$|^(?:[-*+]\\s+)?(?:depends on|blocked by|waits for)\\s+(\\S.{0,500})$`,
  'i',
);
const priorityMark = /\s*(?:[([](?:priority:?\s*)?(high|medium|low)(?:\s+priority)?[)\]]|!(high|medium|low)\b|[([](p[0-3])[)\]])/i;
const phaseMark = /\s*[([]phase\s+(\d{1,6})[)\]]/i;
const labelMark = /^(?:\[([A-Za-z]{1,10}-?\d{1,5})\]\s*|([A-Za-z]{1,10}-?\d{1,5})\s*[:.)]\s+)(?=\S)/;
const tagMark = /(?:^|\s)#([\p{L}][\p{L}\p{N}_-]{0,63})$/u;
const byNumber: Record<string, Priority> = { p0: 'high', p1: 'high', p2: 'medium', p3: 'low' };

/** Longer lines are text. */
const mostRead = 1_000;

/** The names of a line that says only what comes first; null: it says something else. */
export function waitsOf(line: string): string | null {
  const found = ownLine.exec(line.slice(0, mostRead).trim());
  return found ? (found[1] ?? found[2] ?? null) : null;
}

/** Without emphasis, code marks and links. */
export const plain = (text: string): string =>
  text
    .replaceAll(/!?\[([^\]]{0,300})\]\([^)\s]{0,2000}\)/g, '$1')
    .replaceAll(/\*\*|__|~~|`/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

export function phrasesOf(line: string): Phrases {
  let text = line.slice(0, mostRead).trim();
  const over = line.trim().slice(text.length);
  const after: Phrases['after'] = [];
  let priority: Priority | null = null;
  let phase: number | null = null;
  const take = (mark: RegExp): RegExpExecArray | null => {
    const found = mark.exec(text);
    if (found) text = `${text.slice(0, found.index)}${text.slice(found.index + found[0].length)}`.trim();
    return found;
  };
  for (let found = take(inBrackets); found; found = take(inBrackets)) after.push({ names: found[1]!, sure: true });
  const marked = take(priorityMark);
  if (marked) priority = ((marked[1] ?? marked[2])?.toLowerCase() as Priority | undefined) ?? byNumber[marked[3]!.toLowerCase()]!;
  const phased = take(phaseMark);
  if (phased) phase = Number(phased[1]);
  const tags: string[] = [];
  for (let tag = take(tagMark); tag; tag = take(tagMark)) tags.unshift(tag[1]!.toLowerCase());
  const labelled = take(labelMark);
  const end = atEnd.exec(text);
  if (end) {
    // "after" also means time: it counts if the tasks are known. After a comma or a dash it is taken out either way.
    after.push({ names: end[2]!, sure: end[1]!.toLowerCase() !== 'after' });
  }
  const bold = /^(?:\*\*|__)([^*_]{1,200})(?:\*\*|__)\s*[:–—-]?\s*(.*)$/s.exec(text);
  const [title, rest] = bold ? [bold[1]!, bold[2]!] : [text, ''];
  const name = plain(title).replace(/[:.]$/, '');
  return {
    title: name.slice(0, 200),
    rest: `${rest}${name.length > 200 ? `\n${name}` : ''}${over ? `\n${text}${over}` : ''}`.trim(),
    label: labelled ? (labelled[1] ?? labelled[2])! : null,
    priority,
    phase,
    tags: [...new Set(tags)].slice(0, 32),
    after,
  };
}

/** Of a title: the part before the words that `atEnd` found. */
export const withoutEnd = (title: string): string => title.replace(atEnd, '').trim() || title;
