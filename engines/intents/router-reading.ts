import type { MessageJson, PartJson } from '../../contracts/agents/a2a.ts';

/** A request as data instead of words. */
export interface Said {
  skill?: string | undefined;
  tool?: string | undefined;
  arguments: Record<string, unknown>;
}

export interface Reading {
  /** Null: only words. */
  said: Said | null;
  /** The words, without files. */
  text: string;
  files: PartJson[];
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const word = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined);

const isFile = (part: PartJson): boolean =>
  part.raw !== undefined || part.url !== undefined || (part.text !== undefined && (part.filename ?? '') !== '');

/** Separates a message's parts. Files are never read for instructions. */
export function read({ parts, metadata }: MessageJson): Reading {
  const files = parts.filter(isFile);
  const others = parts.filter((part) => !isFile(part));
  const text = others
    .flatMap((part) => part.text ?? [])
    .join('\n\n')
    .trim();
  const data = others
    .filter((part) => part.text === undefined)
    .map((part) => part.data)
    .filter(isObject);
  const said = data.map(sayingOf).find((each) => each !== null) ?? (isObject(metadata) ? sayingOf(metadata) : null);
  const loose = Object.assign({}, ...data.filter((each) => sayingOf(each) === null)) as Json;
  const nothing = said === null && Object.keys(loose).length === 0;
  return { said: nothing ? null : { ...said, arguments: { ...loose, ...said?.arguments } }, text, files };
}

/** Parses `{skill | capability, tool?, arguments | input | parameters}`; null: it names neither a skill nor a tool. */
function sayingOf(data: Json): Said | null {
  const skill = word(data['skill']) ?? word(data['skillId']) ?? word(data['skill_id']) ?? word(data['capability']);
  const tool = word(data['tool']);
  if (skill === undefined && tool === undefined) return null;
  const given = [data['arguments'], data['input'], data['parameters']].find(isObject);
  const { skill: _s, skillId: _i, skill_id: _d, capability: _c, tool: _t, arguments: _a, input: _in, parameters: _p, ...rest } = data;
  return { skill, tool, arguments: given ?? rest };
}

/** Replaces quoted words, because a quotation is content, not an instruction. */
export const quoteMark = '\u241f';

const quotes = [
  /"([^"\n]{1,2000})"/g,
  /“([^”]{1,2000})”/g,
  /«([^»]{1,2000})»/g,
  /`([^`\n]{1,2000})`/g,
  /(?<![\p{L}\p{N}])'([^'\n]{1,2000})'(?![\p{L}\p{N}])/gu,
];

/** Quoted texts, in order. */
export function quoted(text: string): string[] {
  const found: { at: number; words: string }[] = [];
  for (const pattern of quotes) for (const match of text.matchAll(pattern)) found.push({ at: match.index, words: match[1]!.trim() });
  return found
    .toSorted((a, b) => a.at - b.at)
    .map((each) => each.words)
    .filter(Boolean);
}

export const unquoted = (text: string): string => quotes.reduce((left, pattern) => left.replace(pattern, quoteMark), text);

const politeness =
  /^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening))\b[^.!?\n]{0,30}[,.!]\s*|please,?\s+|kindly\s+|ok(?:ay)?,?\s+|(?:can|could|would|will) (?:you|we|i)(?: please)?\s+|(?:i(?:'d| would)? ?(?:like|love)|i want|i need|we need|we want)(?: you)? to\s+|let's\s+|let us\s+|go ahead and\s+|help me\s+(?:to\s+)?)+/i;

/** Removes polite phrases. */
export const plainly = (text: string): string => text.trim().replace(politeness, '').trim();

/**
 * Splits an instruction from its content: a fenced block, or the text after a colon or a blank line. `rest` is empty when
 * everything may be the instruction.
 */
export function parted(text: string): { head: string; rest: string } {
  const said = plainly(text);
  const cut = /\n\s*```[^\n]*\n|:\s*\n+|\n\s*---+\s*\n|\n\s*\n|:\s+/.exec(said);
  if (!cut || cut.index === 0) return { head: said, rest: '' };
  return {
    head: said.slice(0, cut.index).trim(),
    rest: said
      .slice(cut.index + cut[0].length)
      .replace(/\n?```\s*$/, '')
      .trim(),
  };
}
