import type { Turn } from '../../contracts/knowledge/knowledge.ts';

/** The speakers in a document's passages. */
export interface Voice {
  conversation: boolean;
  /** All speakers, as written. */
  names: ReadonlySet<string>;
  /** Some of them are known to be customers: only these count. */
  theirs: boolean;
  /** The speaker at the start of each passage. */
  openings: readonly (string | null)[];
  /** By passage and offset, if the parser knows the speakers: then labels in the text are ignored. */
  turns?: readonly ReadonlyMap<number, Turn>[];
}

export interface Spoken {
  text: string;
  speaker?: string | undefined;
  turns?: readonly Turn[] | undefined;
}

const customers =
  /\b(?:customer|client|user|caller|buyer|guest|subscriber|member|patient|reviewer|participant|interviewee|shopper|prospect)s?\b/i;
const staff =
  /\b(?:agent|support|representative|rep|assistant|bot|host|csm|interviewer|moderator|operator|advisor|adviser|sales|account manager|success|helpdesk|help desk|system|action)s?\b/i;
const label = /^([^\s:][^:\n]{0,59}): /;

/** The speakers from the parser; for formats without speakers, from labels in the text. */
export function voicesOf(passages: readonly Spoken[]): Voice {
  if (passages.some(({ turns }) => turns !== undefined && turns.length > 0)) return parsedVoices(passages);
  const known = new Set(passages.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker.slice(0, 60)])));
  const labels = new Map<string, number>();
  let lines = 0;
  for (const { text } of passages) {
    for (const line of text.split('\n')) {
      if (line.trim() === '') continue;
      lines += 1;
      const name = label.exec(line)?.[1];
      if (name !== undefined && name.split(/\s+/).length <= 6) labels.set(name, (labels.get(name) ?? 0) + 1);
    }
  }
  const labelled = [...labels.values()].reduce((sum, n) => sum + n, 0);
  const inRoles = [...labels].reduce((sum, [name, n]) => sum + (customers.test(name) || staff.test(name) ? n : 0), 0);
  // If the format has speakers, other labels are speakers, too; otherwise most lines must have one.
  const conversation =
    known.size > 0 || inRoles * 2 >= Math.max(1, lines) || (labels.size >= 2 && labelled * 2 >= lines && labelled >= 2 * labels.size);
  // Among customers, a single occurrence before a colon that is not a role is text, not a name: "One thing: it
  // fails".
  const sides = [...labels.keys()].some(isCustomer);
  const spoken = [...labels].filter(([name, n]) => !sides || n > 1 || customers.test(name) || staff.test(name)).map(([name]) => name);
  const names = conversation ? new Set([...known, ...spoken]) : known;
  const openings: (string | null)[] = [];
  let speaking: string | null = null;
  for (const passage of passages) {
    openings.push(passage.speaker?.slice(0, 60) ?? speaking);
    for (const line of passage.text.split('\n')) {
      const name = label.exec(line)?.[1];
      if (conversation && name !== undefined && names.has(name)) speaking = name;
    }
  }
  return { conversation, names, theirs: conversation && [...names].some(isCustomer), openings };
}

function parsedVoices(passages: readonly Spoken[]): Voice {
  const turns = passages.map((passage) => new Map((passage.turns ?? []).map((turn) => [turn[0], turn])));
  const names = new Set(passages.flatMap((passage) => (passage.turns ?? []).flatMap(([, , speaker]) => speaker ?? [])));
  return { conversation: true, names, theirs: [...names].some(isCustomer), openings: passages.map(() => null), turns };
}

const isCustomer = (name: string): boolean => customers.test(name) && !staff.test(name);

/** Text without a speaker counts as the customers'. */
export const isTheirs = (speaker: string | null, { theirs }: Pick<Voice, 'theirs'>): boolean =>
  !theirs || speaker === null || isCustomer(speaker);

export const isOurs = (speaker: string | null): boolean => speaker !== null && staff.test(speaker) && !customers.test(speaker);
