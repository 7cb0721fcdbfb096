import { nameKey } from '../text/names.ts';
import { linesOf, type Block } from './layout-blocks.ts';
import { labelKind } from './layout-labels.ts';
import { isPersonName } from './layout-people.ts';
import { datesIn } from './when-dates.ts';

/**
 * Turns in text whose parser knows none: pages, papers and notes in which people speak one after the other, and threads
 * of posts.
 */

/** How a line opens what somebody says. */
interface Opening {
  speaker: string;
  /** Offset of what is said. */
  at: number;
  /** Day and time behind the name, as a thread writes them. */
  stamp: string | null;
}

const clock = String.raw`\d{1,2}[:.h]\d\d(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?`;
/** `Ann Lee:`, `**Ann Lee:**`, `[09:12] Ann Lee:`, `09:12 Ann Lee —` */
const labelled = new RegExp(
  String.raw`^[ \t]*(?:[[(]?${clock}[\])]?[ \t]*[-–—|]?[ \t]*)?[*_]{0,3}(?<name>\p{L}[\p{L}\p{M}\p{N}.'’@_ -]{0,40}?)[ \t]*(?:\((?<beside>[^()\n]{1,40})\))?[*_]{0,3}[ \t]*:[*_]{0,3}[ \t]+(?=\S)`,
  'iu',
);
const bracketed = new RegExp(String.raw`^[ \t]*(?:[[(]?${clock}[\])]?[ \t]+)?<(?<name>[\p{L}\p{N}@+][^<>\n]{0,40})>[ \t]+(?=\S)`, 'iu');
/** `#3 **nick** 09:58`, `**Ann Lee** · 3 May 2026`, `Posted by u/nick 3 days ago`, `nick wrote:`; the text is below. */
const posted = new RegExp(
  String.raw`^[ \t]*(?<number>#?\d{1,4}[.):]?[ \t]+)?(?:(?<by>posted|answer(?:ed)?|repl(?:y|ied)|comment(?:ed)?|review(?:ed)?|geschrieben|antwort|beitrag|respuesta|escrito|réponse|publié|von|by|por|par)(?: (?:by|from|von|de|par|por))?:?[ \t]+)?(?<mark>[*_]{0,3}(?:@|u\/)|[*_]{1,3})?(?<name>[\p{L}\p{N}][\p{L}\p{M}\p{N}.'’_-]{0,30}(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}.'’_-]{0,20}){0,2})[*_]{0,3}(?<rest>[ \t]*(?:[·•|,–—(-]|said|wrote|writes|schrieb|escribió|a écrit|on|am|el|le)?[^\n]{0,60})$`,
  'iu',
);
const ago =
  /\b\d{1,3} ?(?:s|m|min|h|d|w|mo|y|minutes?|hours?|days?|weeks?|months?|years?) ago\b|\bvor \d{1,3} \p{L}{3,8}|\bhace \d{1,3} \p{L}{3,8}|\bil y a \d{1,3} \p{L}{3,8}/iu;
const time = new RegExp(`(?<![\\d:])${clock}(?![\\d:])`, 'iu');

/** Words of the line that are neither a date nor a time nor a known mark. */
const chatter = (text: string): number =>
  text
    .replace(ago, ' ')
    .replace(time, ' ')
    .replace(
      /\b(?:said|says|wrote|writes|replied|answered|asked|posted|commented|schrieb|schreibt|antwortete|escribió|respondió|a écrit|a répondu|on|at|am|um|el|le|à|likes?|points?|votes?|edited|op|author|member|posts?|stars?|helpful)\b/giu,
      ' ',
    )
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 2).length;

function postOf(line: string): Opening | null {
  if (line.length > 140) return null;
  const match = posted.exec(line);
  if (match === null) return null;
  const { number, by, mark, name, rest } = match.groups as Record<string, string>;
  // "ann.f (Acme) wrote on 3 May 2026:": who it is stands beside the name.
  const beside = /^[ \t]*\((?<of>[^()\n]{2,50})\)(?=[ \t])/u.exec(rest!)?.groups!.of;
  const told = beside === undefined || datesIn(beside).length > 0 || time.test(beside) || ago.test(beside) ? null : beside;
  const stamp = (told === null ? rest! : rest!.slice(rest!.indexOf(')') + 1)).trim();
  const [date] = datesIn(stamp.replace(/\s+/g, ' '));
  const timed = date?.day != null || time.test(stamp) || ago.test(stamp);
  const wrote =
    /^(?:said|says|wrote|writes|replied|answered|asked|posted|commented|schrieb|schreibt|antwortete|escribió|respondió|a écrit|a répondu)\b[^\n]*:$/iu.test(
      stamp,
    );
  const bare = date === undefined ? stamp : stamp.slice(0, date.start) + stamp.slice(date.end);
  if (!(timed || wrote || (number !== undefined && mark !== undefined)) || chatter(bare) > 1) return null;
  // A name in the midst of prose has no mark: only numbers, marks and full dates make a post of it.
  if (number === undefined && mark === undefined && by === undefined && !wrote && !isPersonName(name!)) return null;
  if (datesIn(name!).length > 0 || labelKind(name!) !== null || /^\d+$/.test(name!)) return null;
  return { speaker: told === null ? name!.trim() : `${name!.trim()} (${told})`, at: line.length, stamp: stamp === '' ? null : stamp };
}

function labelOf(line: string): Opening | null {
  const match = bracketed.exec(line) ?? labelled.exec(line);
  if (match === null) return null;
  const name = match.groups!.name!.trim();
  const beside = match.groups!.beside;
  const known = labelKind(name);
  // Questions and answers of a page that sells.
  if (/^[qaf]$/i.test(name) || name.split(/\s+/).length > 4 || (known !== null && known !== 'about') || !/^[\p{Lu}\p{Lo}]/u.test(name))
    return null;
  return { speaker: beside === undefined ? name : `${name} (${beside})`, at: match[0].length, stamp: null };
}

/** `Ann Lee`, `ANN LEE`, `Ann (Acme)` on a line of its own, above what is said. */
function aloneOf(line: string, below: boolean): Opening | null {
  const match =
    /^[ \t]*(?:[[(](?<stamp>\d[\d ./,:apmAPM-]{3,24})[\])][ \t]*)?[*_]{0,3}(?<name>\p{Lu}[\p{L}\p{M}.'’-]*(?: \p{L}[\p{L}\p{M}.'’-]*){0,3})(?: \((?<beside>[^()\n]{1,40})\))?[*_]{0,3}:?[ \t]*$/u.exec(
      line,
    );
  const name = match?.groups!.name;
  if (!below || name === undefined || !isPersonName(name) || labelKind(name) !== null) return null;
  const beside = match!.groups!.beside;
  return { speaker: beside === undefined ? name : `${name} (${beside})`, at: line.length, stamp: match!.groups!.stamp ?? null };
}

/** Fewer turns are no talk. */
const leastTurns = 4;
const leastPosts = 3;

/** The blocks with their turns, if most of them are; else the blocks as they are. */
export function speechIn(blocks: readonly Block[]): { blocks: readonly Block[]; thread: boolean } {
  const plain = { blocks, thread: false };
  if (blocks.some(({ kind }) => kind === 'turn' || kind === 'row')) return plain;
  const posts = countOf(blocks, postOf);
  if (posts.openings.length >= leastPosts && posts.covered * 3 >= posts.size * 2) return { blocks: cut(blocks, postOf), thread: true };
  for (const open of [labelOf, aloneOf]) {
    const found = countOf(blocks, open);
    if (isTalk(found)) return { blocks: cut(blocks, amongSpeakers(open, found.openings)), thread: false };
  }
  return plain;
}

/** Labels above the talk are none of its speakers: "Date:", "Interview:". */
function amongSpeakers(open: Open, openings: readonly Opening[]): Open {
  const counts = new Map<string, number>();
  for (const { speaker } of openings) counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
  let begun = false;
  return (line, below) => {
    const found = open(line, below);
    if (found === null) return null;
    begun ||= counts.get(found.speaker)! > 1;
    return begun && (counts.get(found.speaker)! > 1 || (isPersonName(found.speaker) && labelKind(found.speaker) === null)) ? found : null;
  };
}

/** Two or more speak again and again, and what they say is most of the text. */
function isTalk({ openings, covered, size }: ReturnType<typeof countOf>): boolean {
  const counts = new Map<string, number>();
  for (const { speaker } of openings) counts.set(nameKey(speaker), (counts.get(nameKey(speaker)) ?? 0) + 1);
  const recurring = [...counts.values()].filter((count) => count > 1).length;
  // With a day and time on each, a few are enough.
  const stamped = openings.length >= 3 && recurring >= 1 && openings.every(({ stamp }) => stamp !== null);
  return (
    (stamped || (openings.length >= leastTurns && recurring >= 2)) && counts.size * 2 <= openings.length + 1 && covered * 3 >= size * 2
  );
}

/** `below`: text follows the line, without a gap. */
type Open = (line: string, below: boolean) => Opening | null;

/** Openings of lines, and how much of the text below the first one begins in a paragraph with one. */
function countOf(blocks: readonly Block[], open: Open): { openings: Opening[]; covered: number; size: number } {
  const openings: Opening[] = [];
  let covered = 0;
  let size = 0;
  let within = false;
  for (const { kind, text } of blocks) {
    const found = kind === 'comment' ? [] : linesOf(text).flatMap((line) => open(line.text, line.end < text.length) ?? []);
    openings.push(...found);
    if (openings.length === 0) continue;
    size += text.length;
    // A line of its own opens the paragraph below it.
    if (found.length > 0 || within) covered += text.length;
    within = found.length > 0 && found.at(-1)!.at >= text.length;
  }
  return { openings, covered, size };
}

/** Each opening begins a turn; text without one goes on with the turn before, and lines above the first stay. */
function cut(blocks: readonly Block[], open: Open): Block[] {
  const found: Block[] = [];
  let speaker: string | null = null;
  for (const block of blocks) {
    if (block.kind === 'comment') {
      found.push(block);
      continue;
    }
    let from = 0;
    const push = (to: number): void => {
      const part = block.text.slice(from, to);
      const lead = part.length - part.trimStart().length;
      const text = part.trim();
      if (text === '') return;
      const start = block.start + from + lead;
      found.push({ ...block, kind: speaker === null ? block.kind : 'turn', start, end: start + text.length, text, speaker });
    };
    for (const line of linesOf(block.text)) {
      const opening = open(line.text, line.end < block.text.length);
      if (opening === null) continue;
      push(line.start);
      if (opening.stamp !== null) {
        // A heading tells the day of the post.
        const at = line.text.lastIndexOf(opening.stamp);
        if (at >= 0)
          found.push({
            ...block,
            kind: 'heading',
            start: block.start + line.start + at,
            end: block.start + line.start + at + opening.stamp.length,
            text: opening.stamp,
            speaker: null,
          });
      }
      speaker = opening.speaker;
      from = line.start + opening.at;
    }
    push(block.text.length);
  }
  return found;
}
