/** Pure: a pasted conversation as turns. */

export interface Turn {
  speaker?: string;
  text: string;
}

const time = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?: ?[AaPp][Mm])?`;
/** `Ann: …`, `[10:02] Ann Lee: …`, `Ann (10:02): …`. */
const opens = new RegExp(
  String.raw`^\s*(?:[\[(]?${time}[\])]?[\s,–-]+)?(\p{L}[\p{L}\p{M}\p{N}.'’_-]*(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}.'’_-]*){0,3})(?:\s+[\[(]${time}[\])])?:\s+(\S.*)$`,
  'u',
);
/** Beginnings of sentences that are no names. */
const noName =
  /^(?:(?:the |final |house |team )*(?:decision|decided|agreed|conclusion|convention|note|notes|question|resolution|rule|summary|todo|action|actions|example|warning))$/i;

const mostTurns = 1_000;
const mostOfTurn = 20_000;
const mostOfAll = 200_000;

/** A line that begins with a name opens a turn; other lines go on with it. */
export function turnsOf(text: string): Turn[] {
  const turns: { speaker?: string; lines: string[] }[] = [];
  for (const line of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
    const [, speaker, said] = opens.exec(line) ?? [];
    if (speaker !== undefined && said !== undefined && !noName.test(speaker)) turns.push({ speaker, lines: [said] });
    else if (turns.length > 0) turns.at(-1)!.lines.push(line);
    else if (line.trim() !== '') turns.push({ lines: [line] });
  }
  return turns.flatMap(({ speaker, lines }) => {
    const said = lines.join('\n').replaceAll('\0', '').trim();
    return said === '' ? [] : [{ ...(speaker === undefined ? {} : { speaker }), text: said }];
  });
}

/** Who speaks, in the order of the first turn. */
export const speakersOf = (turns: readonly Turn[]): string[] => [
  ...new Set(turns.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker]))),
];

/** Why the server would refuse it; undefined: nothing is known. */
export function talkFault(turns: readonly Turn[]): string | undefined {
  const size = turns.reduce((sum, { text }) => sum + text.length, 0);
  if (size > mostOfAll)
    return `${size.toLocaleString('en')} characters; a call takes ${mostOfAll.toLocaleString('en')}. Ingest it as a transcript.`;
  if (turns.length > mostTurns) return `${turns.length.toLocaleString('en')} turns; a call takes ${mostTurns.toLocaleString('en')}.`;
  const long = turns.findIndex(({ text }) => text.length > mostOfTurn);
  return long < 0 ? undefined : `Turn ${long + 1} has more than ${mostOfTurn.toLocaleString('en')} characters.`;
}
