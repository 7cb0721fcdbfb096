import { feedbackTypes, talkOf } from '../extraction/talk.ts';
import { scan } from '../extraction/tokens.ts';
import { contextIn, joined, sentenceOf, shortened, type Sentence } from './statements-join.ts';
import { sceneOf, type Place, type Told } from './statements-scene.ts';
import { sentencesOf } from './statements-sentences.ts';
import { apart } from './statements-apart.ts';
import { strayWeight, weightOf, type Stray } from './statements-weight.ts';
import { contentOf, isEmptyAnswer, isElsewhere, opensMeeting, opensPoint } from './statements-words.ts';
import { aboutIn, capitalsIn, namedIn } from './topics.ts';
import type { Directory, DocumentKind, EvidenceInput, Judge, Layout, Left, Omission, Statement, Topics, Voiced } from './types.ts';

/** A possible statement, before the classifier. */
export interface Drafted extends Statement {
  /** Log odds, from structure alone, that it is a statement. */
  weight: number;
  /** A cell's subject or the place of a turn may say more than its text. */
  subject: string | null;
}

/** Turns in which a meeting is opened. */
const turnsOfOpening = 4;
const longestQuotation = 400;
const none: Topics = { features: [], competitors: [] };
const isTalk = (kind: DocumentKind): boolean => kind === 'call' || kind === 'chat';

/** Possible statements of a document in order, and the text that is none for reasons of layout and voice. */
export async function draftsOf(
  input: EvidenceInput,
  layout: Layout,
  voiced: readonly Voiced[],
  directory: Directory,
  judge: Judge,
): Promise<{ drafts: Drafted[]; left: Left[] }> {
  const left: Left[] = [];
  const drafts: Drafted[] = [];
  const capitals = capitalsIn(
    (layout.kind === 'chat' ? [] : voiced).map(({ passage, start, end }) => input.passages[passage]!.text.slice(start, end)),
    directory,
  );
  const told = voiced.map((unit, i) => toldOf(input, layout, unit, directory, capitals, i < turnsOfOpening));
  const places = isTalk(layout.kind) ? sceneOf(told) : null;
  const stray = layout.kind === 'other' ? strayOf(input) : null;
  const joint = told.map((each, i) => (omissionOf(each) ? [] : groupsOf(each, places?.[i] ?? null, told)));
  const contextOf = (groups: readonly Sentence[][], g: number, i: number): string =>
    g > 0 ? contextIn(groups[g - 1]!) : contextBefore(told, i, places?.[i] ?? null, layout.kind);
  const parted = await apart(joint, (i, g) => contextOf(joint[i]!, g, i), layout.kind, judge);
  let last: Drafted | null = null;
  for (const [i, each] of told.entries()) {
    const why = omissionOf(each);
    if (why) {
      left.push(leftOf(each.unit, why, each.text));
      continue;
    }
    const place = places?.[i] ?? null;
    const groups = parted[i]!;
    const before = drafts.length;
    let within: Topics | null = null;
    for (const [g, group] of groups.entries()) {
      const own = topicsIn(group);
      const topics: Topics = named(own) ? own : (within ?? carried(group, each, place, last, told));
      within = topics;
      const [start, end] = [group[0]!.start, group.at(-1)!.end];
      const drafted: Drafted = {
        unit: each.unit,
        start,
        end,
        text: input.passages[each.unit.passage]!.text.slice(start, end),
        context: contextOf(groups, g, i),
        day: each.unit.day ?? layout.saidAt.slice(0, 10),
        ...topics,
        subject: each.unit.row?.subject ?? null,
        weight: weightOf(group, own, each, place, layout.kind) + (stray ? strayWeight(group, own, each, stray) : 0),
      };
      drafts.push(drafted);
      last = drafted;
    }
    if (drafts.length === before) left.push(leftOf(each.unit, 'small_talk', each.text));
  }
  return { drafts, left };
}

function strayOf(input: EvidenceInput): Stray {
  const { work, product } = talkOf(
    input,
    input.passages.slice(0, 200).map(({ text }) => scan(text)),
  );
  return { feedback: feedbackTypes.test(input.sourceType), work: work || product };
}

/** @param opens among the first of its document */
function toldOf(
  input: EvidenceInput,
  { kind }: Layout,
  unit: Voiced,
  directory: Directory,
  capitals: ReadonlySet<string>,
  opens: boolean,
): Told {
  const whole = input.passages[unit.passage]!.text;
  const text = whole.slice(unit.start, unit.end);
  const silent = unit.omitted !== null && unit.omitted !== 'marketing';
  const sentences = silent
    ? []
    : sentencesOf(whole, unit, kind).map((span) => {
        const sentence = sentenceOf(whole, span, namedIn(whole.slice(span.start, span.end), directory, capitals));
        return opens && isTalk(kind) && opensMeeting(sentence.lower) ? { ...sentence, filler: true } : sentence;
      });
  const topics = topicsIn(sentences);
  return {
    unit,
    text,
    lower: text.toLowerCase(),
    sentences,
    topics: named(topics) || silent ? topics : { ...topics, features: aboutIn(text, directory) },
  };
}

function omissionOf({ unit, text, sentences }: Told): Omission | null {
  if (unit.omitted) return unit.omitted;
  if (unit.side === 'vendor') return 'vendor';
  if (unit.side === 'other') return 'hearsay';
  if (isEmptyAnswer(text)) return 'empty';
  if (unit.kind === 'cell' && isElsewhere(text)) return 'elsewhere';
  return sentences.every(({ filler }) => filler) ? 'small_talk' : null;
}

/** Of a turn that another one goes on with, the end goes with that one. */
function groupsOf({ sentences }: Told, place: Place | null, told: readonly Told[]): Sentence[][] {
  if (place?.continuedBy != null && told[place.continuedBy]!.sentences.some(({ filler }) => !filler)) return joined(sentences.slice(0, -1));
  return joined(sentences);
}

function topicsIn(sentences: readonly Sentence[]): Topics {
  const union = (of: (topics: Topics) => string[]): string[] => [...new Set(sentences.flatMap(({ topics }) => of(topics)))].sort();
  return { features: union(({ features }) => features), competitors: union(({ competitors }) => competitors) };
}

const named = ({ features, competitors }: Topics): boolean => features.length + competitors.length > 0;

/** Topics of a group that names none: of the turn it goes on with, of the conversation, of the subject or paragraph. */
function carried(group: readonly Sentence[], { unit }: Told, place: Place | null, last: Drafted | null, told: readonly Told[]): Topics {
  if (place) {
    if (place.continues !== null) return told[place.continues]!.topics;
    return begins(group[0]!) ? none : { features: place.thread.features, competitors: [] };
  }
  const near = last !== null && last.unit.passage === unit.passage && last.unit.row === unit.row && last.unit.section === unit.section;
  return near && !begins(group[0]!) && unit.kind === 'paragraph' ? { features: last.features, competitors: [] } : none;
}

const begins = ({ lower, labelled }: Sentence): boolean => labelled || opensPoint(lower);

/** What stands before the first statement of a unit. */
function contextBefore(told: readonly Told[], i: number, place: Place | null, kind: DocumentKind): string {
  const { unit, text } = told[i]!;
  if (unit.row?.subject) return shortened(unit.row.subject);
  if (place?.continues != null) return shortened(told[place.continues]!.text);
  const before = told[i - 1];
  if (place && before) {
    // A short turn needs the one before it as well: "Both of you?" – "Same berth."
    const further = contentOf(before.lower).length < 3 ? `${told[i - 2]?.text ?? ''} ` : '';
    return shortened(`${further}${before.text}`);
  }
  if (unit.section && kind === 'notes') return shortened(unit.section);
  // An answer below the question that it quotes: "> Do you use it?", "We don't."
  if (before?.unit.omitted === 'quoted' && before.text.length < longestQuotation)
    return shortened(before.text.replaceAll(/^\s*(?:>\s*)+/gm, ''));
  return before && before.unit.kind !== 'cell' && text !== '' && before.unit.omitted === null ? shortened(before.text) : '';
}

const leftOf = ({ passage, start, end }: Voiced, why: Omission, text: string): Left => ({ passage, start, end, text, why });
