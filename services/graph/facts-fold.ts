import { derivedId } from '../../contracts/ids.ts';

/**
 * Pure: folds the statements of passages into facts with intervals. Repeated whenever a statement is added or
 * removed.
 */

/** A statement of one passage. Ids are row ids, in order of insertion. */
export interface SaidFact {
  id: string;
  subjectId: string;
  predicate: string;
  /** Either another entity or a value. */
  objectId: string | null;
  objectText: string | null;
  /** Objects are compared by it: equal keys are one object. */
  objectKey: string;
  statement: string;
  /** Only one object at a time: a newer one ends the older. */
  exclusive: boolean;
  /** When it began and ended, as far as it was stated. */
  validFrom: Date | null;
  validTo: Date | null;
  saidAt: Date;
  recordedAt: Date;
  confidence: number;
}

export interface FoldedFact {
  id: string;
  subjectId: string;
  predicate: string;
  objectId: string | null;
  objectText: string | null;
  objectKey: string;
  statement: string;
  exclusive: boolean;
  /** The earliest time at which it is known to hold; null: only its end is known. */
  validFrom: Date | null;
  /** Null: it still holds, as far as known. */
  validTo: Date | null;
  recordedFrom: Date;
  /** When its end was recorded. */
  recordedTo: Date | null;
  /** The fact that ended it; null with an end: the end itself was stated. */
  closedBy: string | null;
  confidence: number;
  /** Ids of the statements, earliest first. */
  evidence: string[];
}

/** An interval in which one object held. */
interface Run {
  key: string;
  at: number;
  /** Only its end was stated. */
  startless: boolean;
  said: SaidFact[];
  /** The statement with its end: the last one that states it. */
  ending: SaidFact | null;
}

/**
 * Facts of one subject and predicate. For exclusive ones, the objects follow each other on one timeline: the start of
 * the next ends the previous one, whichever was recorded first. Others have a timeline per object. A repeated object
 * is the same fact until its end was stated or another took over. The order of `said` does not matter. Ids stay when
 * evidence of other facts is added or removed.
 */
export function foldAssertions(tenant: string, said: readonly SaidFact[]): FoldedFact[] {
  const lines = new Map<string, SaidFact[]>();
  for (const one of said) {
    const line = one.exclusive ? '' : `=${one.objectKey}`;
    lines.set(line, [...(lines.get(line) ?? []), one]);
  }
  return [...lines.values()].flatMap((line) => factsOf(tenant, runsOf(line)));
}

function runsOf(line: SaidFact[]): Run[] {
  const runs: Run[] = [];
  for (const one of ordered(line)) {
    const at = startOf(one);
    const current = runs.at(-1);
    if (endOnly(one)) {
      // It is about the past: about the interval that was current then, not a new one.
      const own = runs.findLast((run) => run.key === one.objectKey);
      if (own) take(own, one);
      else runs.push({ key: one.objectKey, at, startless: true, said: [one], ending: one });
    } else if (current?.key === one.objectKey && !over(current, at)) take(current, one);
    else runs.push({ key: one.objectKey, at, startless: false, said: [one], ending: endOf(one) === null ? null : one });
  }
  return runs;
}

const over = ({ at, ending }: Run, when: number): boolean => ending !== null && when >= ending.validTo!.getTime() && when > at;

function take(run: Run, one: SaidFact): void {
  run.said.push(one);
  if (endOf(one) !== null && (!run.ending || bySaid(run.ending, one) < 0)) run.ending = one;
}

function factsOf(tenant: string, runs: Run[]): FoldedFact[] {
  const ids = runs.map((run, i) => {
    const { subjectId, predicate, exclusive } = run.said[0]!;
    const first = !exclusive && i === 0;
    const start = first ? '' : `${run.startless ? 'until ' : ''}${new Date(run.at).toISOString()}`;
    return derivedId('fact', tenant, subjectId, predicate, run.key, exclusive ? 'one' : 'any', start);
  });
  const learnt = runs.map((run) => Math.min(...run.said.map((one) => one.recordedAt.getTime())));
  return runs.map((run, i) => {
    const next = runs[i + 1];
    const stated = run.ending ? run.ending.validTo!.getTime() : null;
    const overtaken = next !== undefined && (stated === null || next.at < stated);
    const end = overtaken ? next.at : stated;
    const endLearnt = overtaken ? learnt[i + 1]! : run.ending ? run.ending.recordedAt.getTime() : null;
    // The most certain statement determines the fact's text.
    const best = run.said.reduce((a, b) => (b.confidence > a.confidence ? b : a));
    return {
      id: ids[i]!,
      subjectId: best.subjectId,
      predicate: best.predicate,
      objectId: best.objectId,
      objectText: best.objectText,
      objectKey: run.key,
      statement: best.statement,
      exclusive: best.exclusive,
      validFrom: run.startless ? null : new Date(run.at),
      validTo: end === null ? null : new Date(end),
      recordedFrom: new Date(learnt[i]!),
      recordedTo: endLearnt === null ? null : new Date(Math.max(learnt[i]!, endLearnt)),
      closedBy: overtaken && next.key !== run.key ? ids[i + 1]! : null,
      confidence: best.confidence,
      evidence: run.said.map((one) => one.id),
    };
  });
}

/** Null also for an end before the start, which is an error of the text. */
const endOf = (one: SaidFact): number | null =>
  one.validTo && (!one.validFrom || one.validTo >= one.validFrom) ? one.validTo.getTime() : null;

/** "Until March", said in April: the start is unknown. */
const endOnly = (one: SaidFact): boolean => one.validFrom === null && one.validTo !== null && one.validTo <= one.saidAt;

const startOf = (one: SaidFact): number => (one.validFrom ?? (endOnly(one) ? one.validTo! : one.saidAt)).getTime();

const bySaid = (a: SaidFact, b: SaidFact): number =>
  a.saidAt.getTime() - b.saidAt.getTime() || a.recordedAt.getTime() - b.recordedAt.getTime() || Number(a.id) - Number(b.id);

/** Ordered by time. Of several objects at one time the one stated last wins; ends come before starts. */
function ordered(line: SaidFact[]): SaidFact[] {
  const placeOf = (one: SaidFact): string => `${startOf(one)} ${endOnly(one)} ${one.objectKey}`;
  const last = new Map<string, SaidFact>();
  for (const one of line) {
    const other = last.get(placeOf(one));
    if (!other || bySaid(other, one) < 0) last.set(placeOf(one), one);
  }
  return line.toSorted((a, b) => {
    const [lastA, lastB] = [last.get(placeOf(a))!, last.get(placeOf(b))!];
    return startOf(a) - startOf(b) || Number(endOnly(b)) - Number(endOnly(a)) || (lastA === lastB ? bySaid(a, b) : bySaid(lastA, lastB));
  });
}
