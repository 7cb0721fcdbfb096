import type { Severity, SignalClass, StatementState, Tone } from '../../contracts/signals/signals.ts';
import { scoresIn, type Aspect } from './encoded.ts';
import type { Learnt } from './learn.ts';
import { scoresOf, softmax, type Sparse } from './logistic.ts';
import type { Models } from './shipped.ts';
import { seen, type Statement } from './views.ts';

/** Calibrated shares, each 0 to 1; those of one aspect sum to 1. */
export interface Judgement {
  /** `none`: no customer statement (chatter, process, agenda). */
  class: Record<SignalClass | 'none', number>;
  tone: Record<Tone, number>;
  severity: Record<Severity, number>;
  state: Record<StatementState, number>;
}

/** What the models say of a statement. The caller decides which shares are enough. */
export function judge(models: Models, statement: Statement): Judgement {
  const row = seen(statement, models.class.vocabulary, models.class.scales);
  const shares = (aspect: Aspect): Record<string, number> => sharesOf(models[aspect], aspect, row, statement.encoded ?? null);
  return {
    class: { ...shares('class') } as Judgement['class'],
    tone: { ...shares('tone') } as Judgement['tone'],
    severity: { ...shares('severity') } as Judgement['severity'],
    state: { ...shares('state') } as Judgement['state'],
  };
}

/** Share of every label, by words and vector and, if there is one, by the encoder. */
export function sharesOf(learnt: Learnt, aspect: Aspect, row: Sparse, encoded: Float32Array | null): Record<string, number> {
  const { labels, model, before, blend } = learnt;
  const { alone, own, encoder } = blend ?? plainly;
  const scores = scoresOf(model, row);
  // What the tenant's corrections change counts in full, also beside the encoder.
  const shipped = before ? scoresOf(before, row) : scores;
  const told = encoded ? scoresIn(encoded, aspect) : null;
  const mixed = scores.map((score, c) => score - shipped[c]! + shipped[c]! * (told ? own : alone) + (told ? told[c]! * encoder : 0));
  const shares = softmax(mixed);
  return Object.fromEntries(labels.map((label, c) => [label, shares[c]!]));
}

const plainly = { alone: 1, own: 1, encoder: 0 };
