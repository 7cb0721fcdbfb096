import { labelOf } from './layout-labels.ts';
import { linesOf } from './layout-blocks.ts';
import type { EvidenceInput, EvidencePassage, Side } from './types.ts';

/** Turns by labels in the text, for documents whose parser has found none: one answer, or a format without speakers. */

const roles: readonly (readonly [RegExp, Side])[] = [
  [
    /^(?:agent|support|representative|rep|csm|interviewer|moderator|operator|advis[eo]r|sales|marketing|account manager|(?:project|product|programme|program|delivery|success) (?:manager|owner|lead)|(?:industrial|product|graphic|visual|interaction|ux|ui) designer|user interface|ux research(?:er)?|user researcher|facilitator|help ?desk|service|berater(?:in)?|agente|conseill(?:er|ère))\b/iu,
    'vendor',
  ],
  [
    /^(?:customer|client|caller|user|guest|interviewee|participant|respondent|buyer|kund(?:e|in)|anrufer(?:in)?|cliente|llamante|clients?)\b/iu,
    'customer',
  ],
];
const talks = /call|meeting|transcript|interview|conversation|chat|slack|teams|stand_?up/i;
/** "Customer: The export fails.", and not "Customer: Bank of the West". */
const sentence = /(?:^|\s)\p{Ll}{3,}.*(?:[.!?…]["')»”]*$|\s\p{Ll}{4,})/u;

/** The side that a speaker's label names. */
export const sideOfRole = (speaker: string): Side | null => roles.find(([pattern]) => pattern.test(speaker))?.[1] ?? null;

/** The passages, with turns if half of the lines are labelled with speakers. */
export function withTurns({ passages, sourceType }: Pick<EvidenceInput, 'passages' | 'sourceType'>): readonly EvidencePassage[] {
  if (passages.some(({ turns }) => turns !== undefined && turns.length > 0)) return passages;
  const talk = talks.test(sourceType);
  let lines = 0;
  let labelled = 0;
  const found = passages.map((passage): EvidencePassage => {
    const turns: [number, number, string][] = [];
    for (const { start, end, text } of linesOf(passage.text)) {
      if (text.trim() === '') continue;
      lines += 1;
      const label = labelOf(text);
      if (label === null || !(sideOfRole(label.label) !== null || (talk && label.kind === null))) continue;
      if (!sentence.test(text.slice(label.at).trim()) && turns.length === 0) continue;
      labelled += 1;
      turns.push([start, Math.min(end, start + label.at), label.label]);
    }
    return turns.length === 0 ? passage : { ...passage, turns };
  });
  return labelled > 0 && labelled * 2 >= lines ? found : passages;
}
