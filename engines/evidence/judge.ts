import { severities, signalClasses, type SignalClass, type StatementState, type Tone } from '../../contracts/signals/signals.ts';
import { conditional, delights, harmCues, leavingCues, namesLeaving, setsApart, unused, type LeavingCues } from './judge-cues.ts';
import { excellent, firstToneOf, leaningOf, poor, toneOf } from './judge-tone.ts';
import { isSettled, stateCue, type StateInput } from './state.ts';
import type { Drafted } from './statements.ts';
import { asksHow, asksWhy, isQuestion, lowerOf, wishes, wishesOutright } from './statements-words.ts';
import type { DocumentKind, Judged, Left, Shares } from './types.ts';

/** Below, text is no statement; up to the upper bound, it is uncertain. Log odds. */
const bounds = { none: -0.9, sure: 0 };
/** How far the classifier's share of "none" counts against the evidence from structure. */
const trust = 0.7;

/** Decides what is a statement, and what it says. */
export function judged(drafts: readonly Drafted[], shares: readonly Shares[], kind: DocumentKind): { statements: Judged[]; left: Left[] } {
  const statements: Judged[] = [];
  const left: Left[] = [];
  for (const [i, draft] of drafts.entries()) {
    const share = shares[i]!;
    const odds = draft.weight - trust * logit(share.class.none);
    if (odds >= bounds.sure) statements.push(statementOf(draft, share, kind, odds));
    else {
      const { unit, start, end, text } = draft;
      left.push({ passage: unit.passage, start, end, text, why: odds >= bounds.none ? 'unsure' : 'small_talk' });
    }
  }
  return { statements, left };
}

const logit = (share: number | undefined): number => {
  if (share === undefined || share === 0) return 0;
  const p = Math.min(0.97, Math.max(0.03, share));
  return Math.log(p / (1 - p));
};

function statementOf(
  { weight: _weight, subject: _subject, ...statement }: Drafted,
  shares: Shares,
  kind: DocumentKind,
  odds: number,
): Judged {
  const { text, context, unit } = statement;
  const rivals = statement.competitors.length > 0;
  const leaving = leavingCues(text, rivals);
  const before = leavingCues(context, false).strength > 0;
  const rating = unit.row?.rating ?? null;
  const lean = leaningOf(leaving.stays, rating);
  const scores = classScores(text, shares, leaving, kind);
  if (rating !== null && rating <= poor) {
    scores.praise -= 1.5;
    scores.complaint += 0.5;
    scores.bug += 0.5;
  } else if (rating !== null && rating >= excellent) scores.praise += 0.4;
  // A statement about another product alone says nothing about ours.
  if (rivals && statement.features.length === 0) for (const each of ofOurs) scores[each] -= 2;
  const told = likelyState(
    {
      text,
      context,
      tone: firstToneOf(best(scores), shares, lean),
      status: unit.row?.status ?? null,
      leaving: leaving.strength > 0 || leaving.stays || before || rivals,
    },
    shares,
  );
  const state = settled(told, statement, best(scores), kind);
  // A threat that is taken back is still about leaving; without a cue it must outweigh the doubt of `classScores`.
  const names = namesLeaving(text);
  const about = leaving.strength > 0 || leaving.stays || before || rivals || names || shares.class.churn_risk > likelyLeaving;
  if (state === 'withdrawn' && about) scores.churn_risk += leaving.stays || names ? 8 : leaving.strength === 0 ? 5.5 : 3;
  const label = best(scores);
  const tone = toneOf(label, state, shares, lean);
  const certain = Math.min(share(scores, label), 1 / (1 + Math.exp(-odds - 1)));
  return {
    ...statement,
    class: label,
    confidence: certain,
    tone,
    sentiment: sentimentOf(tone, shares),
    severity: severityOf(label, tone, state, text, shares, leaving),
    state,
  };
}

type Scores = Record<SignalClass, number>;
/** Share from which the classifier alone tells that what is taken back was a threat. */
const likelyLeaving = 0.4;
const ofOurs = ['bug', 'complaint', 'request', 'praise'] as const;

/** Log shares of the classifier, with what grammar says for certain. */
function classScores(text: string, shares: Shares, leaving: LeavingCues, kind: DocumentKind): Scores {
  const scores = Object.fromEntries(signalClasses.map((each) => [each, Math.log((shares.class[each] ?? 0) + 0.01)])) as Scores;
  const lower = lowerOf(text);
  // Class and tone are judged apart: what is told in anger is no praise.
  if (shares.tone.negative > shares.tone.positive) scores.praise -= 1;
  const threatens = !leaving.others && !leaving.stays && leaving.strength > 0;
  // What sounds like leaving and is no threat is a fact rather than the next best class.
  if (!threatens) scores.information = Math.log(shares.class.information + 0.01 + 0.3 * shares.class.churn_risk);
  // Nobody files a ticket to tell how things are.
  if (kind === 'tickets') scores.information -= 1;
  if (isQuestion(text)) {
    if (asksHow(lower)) scores.question += 1;
    else if (asksWhy(lower)) scores.complaint += 0.5;
    else if (wishes(lower)) scores.request += 0.75;
    else scores.question += 0.5;
    scores.information -= 0.5;
    scores.praise -= 0.5;
  } else if (wishes(lower)) scores.request += wishesOutright(lower) ? 1.6 : 0.7;
  else {
    scores.question -= 0.75;
    // Half of the example requests express their wish without such a word; in documents a quarter do.
    scores.request -= 0.6;
  }
  // Whoever says that nobody leaves tells a fact.
  if (leaving.stays) {
    scores.complaint -= 0.7;
    scores.information += 0.7;
  }
  if (unused(text)) scores.information += 1.25;
  if (setsApart(text)) scores.praise += 3;
  if (delights(text)) scores.praise += 3;
  // Anger alone is no sign of leaving, and documents hold fewer signs than the examples.
  scores.churn_risk += leaving.others || leaving.stays ? -5 : leaving.strength === 0 ? -2.5 : leaving.strength === 2 ? 3 : -0.5;
  return scores;
}

const best = (scores: Scores): SignalClass => signalClasses.reduce((a, b) => (scores[b] > scores[a] ? b : a));

function share(scores: Scores, label: SignalClass): number {
  const sum = signalClasses.reduce((total, each) => total + Math.exp(scores[each] - scores[label]), 0);
  return 1 / sum;
}

/** Only grammar tells what is taken back or supposed: a guess would hide an open trouble. */
function likelyState(input: StateInput, { state }: Shares): StatementState {
  return stateCue(input) ?? ((state.resolved ?? 0) > 0.6 && input.tone === 'positive' ? 'resolved' : 'open');
}

/** The row of a ticket tells the state, unless the text says that something is open. */
function settled(state: StatementState, { unit }: Pick<Drafted, 'unit'>, label: SignalClass, kind: DocumentKind): StatementState {
  if (kind !== 'tickets' || state !== 'open' || !isSettled(unit.row?.status ?? null)) return state;
  // A notice that somebody filed away is still a notice.
  return label === 'churn_risk' ? 'open' : 'resolved';
}

export function sentimentOf(tone: Tone, { tone: shares }: Shares): number {
  const lean = (shares.positive ?? 0) - (shares.negative ?? 0);
  if (tone === 'positive') return round(Math.max(0.3, lean));
  if (tone === 'negative') return round(Math.min(-0.3, lean));
  return round(Math.max(-0.2, Math.min(0.2, lean)));
}

const round = (value: number): number => Math.round(value * 100) / 100;

function severityOf(
  label: SignalClass,
  tone: Tone,
  state: StatementState,
  text: string,
  { severity }: Shares,
  leaving: LeavingCues,
): number {
  if (label === 'praise' && tone === 'positive') return 0;
  const likely = severities.reduce((sum, each, i) => sum + i * (severity[each] ?? 0), 0);
  const harm = harmCues(text);
  const more = (harm.grave ? 1 : 0) + (harm.money ? 0.5 : 0) + (harm.blocked ? 0.5 : 0) + (harm.often ? 0.3 : 0) - (harm.slight ? 1 : 0);
  const clamp = (from: number, to: number): number => Math.max(from, Math.min(to, Math.round(likely + more)));
  switch (label) {
    case 'churn_risk':
      if (state === 'withdrawn') return 1;
      return state === 'hypothetical' ? clamp(1, 2) : leaving.strength === 2 ? clamp(3, 4) : clamp(2, 3);
    case 'bug':
      return clamp(1, 4);
    case 'complaint':
      return clamp(1, 4);
    case 'request':
      return state === 'hypothetical' ? clamp(0, 1) : clamp(1, 3);
    case 'question':
      return clamp(1, 2);
    case 'information':
      return tone === 'negative' ? clamp(1, 3) : tone === 'mixed' ? clamp(0, 2) : conditional(text) ? clamp(0, 1) : 0;
    case 'praise':
      return tone === 'mixed' ? 1 : 0;
  }
}
