import type { Severity, SignalClass, StatementState, Tone } from '../../contracts/signals/signals.ts';
import { toldOf } from './learn.ts';
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
  const shares = (aspect: keyof Judgement): Record<string, number> => toldOf(models[aspect], row).shares;
  return {
    class: { ...shares('class') } as Judgement['class'],
    tone: { ...shares('tone') } as Judgement['tone'],
    severity: { ...shares('severity') } as Judgement['severity'],
    state: { ...shares('state') } as Judgement['state'],
  };
}
