import { draftsOf } from './statements.ts';
import { judged, sentimentOf } from './judge.ts';
import { statedByModel, unstated } from './model-stated.ts';
import { placeOf, type Checked } from './model-types.ts';
import { cluesOf } from './clues.ts';
import { layoutOf } from './layout.ts';
import { topicsOf } from './topics.ts';
import { voicesOf } from './voices.ts';
import type { Clue, Directory, EvidenceInput, Judge, Layout, Present, Reading, Voiced } from './types.ts';

export { likelyFeatures } from './likely.ts';
export { linksOf } from './links.ts';
export { directoryOf } from './directory.ts';
export type * from './types.ts';

/** What a document tells before the names of other documents are known. */
export interface Prepared {
  layout: Layout;
  clues: Clue[];
}

export function prepare(input: EvidenceInput): Prepared {
  const layout = layoutOf(input);
  // What somebody said about people of one document holds for that one alone; a customer is one everywhere.
  const participants = layout.participants.filter(({ told }) => !told);
  const customers = (input.people ?? []).flatMap(({ customer }) => customer ?? []);
  const said = customers.map((subject): Clue => ({ kind: 'customer', subject, object: null, day: null, weight: 0.95 }));
  return { layout, clues: [...cluesOf(input, { ...layout, participants }), ...said] };
}

/**
 * Customer statements of one document, and what was left out. Deterministic for a deterministic judge.
 * @param model what a language model found: it counts for the units that it answered for, rules for the others
 */
export async function readDocument(
  input: EvidenceInput,
  layout: Layout,
  directory: Directory,
  judge: Judge,
  model: Pick<Checked, 'answered' | 'statements'> | null = null,
): Promise<Reading> {
  const voiced = voicesOf(input, layout, directory);
  const { drafts: named, left } = await draftsOf(input, layout, voiced, directory, judge);
  const topics = topicsOf(input, voiced, named, directory);
  const byRules = (unit: Pick<Voiced, 'passage' | 'start' | 'end'>): boolean => !model?.answered.has(placeOf(unit));
  const drafts = named.map((draft, i) => ({ ...draft, ...topics[i]! })).filter(({ unit }) => byRules(unit));
  const told = statedByModel(input, layout, voiced, model?.statements ?? []);
  const shares = await judge([...drafts, ...told].map(({ text, context }) => ({ text, context, kind: layout.kind })));
  const { statements, left: further } = judged(drafts, shares, layout.kind);
  const others = told.map((each, i) => ({ ...each, sentiment: sentimentOf(each.tone, shares[drafts.length + i]!) }));
  return {
    kind: layout.kind,
    saidAt: layout.saidAt,
    saidBy: layout.saidBy,
    participants: presentOf(layout, voiced),
    statements: [...statements, ...others].toSorted((a, b) => a.unit.passage - b.unit.passage || a.start - b.start),
    left: [...left.filter(byRules), ...further, ...unstated(input, voiced, model)].toSorted(
      (a, b) => a.passage - b.passage || a.start - b.start,
    ),
  };
}

/** Participants from the layout with the sides from the directory. */
function presentOf(layout: Layout, voiced: readonly Voiced[]): Present[] {
  return layout.participants.map((participant) => {
    const said = voiced.find(({ speaker, person }) => speaker === participant.name || person === participant.name);
    return { ...participant, side: said?.side ?? participant.side, customer: said?.customer ?? null };
  });
}
