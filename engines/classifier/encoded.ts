import { severities, signalClasses, statementStates, tones } from '../../contracts/signals/signals.ts';

/** Aspects of a statement, trained separately. */
export const aspects = ['class', 'tone', 'severity', 'state'] as const;
export type Aspect = (typeof aspects)[number];

/** Labels of each aspect, in the order of the encoder's scores. */
export const labelsOf: Record<Aspect, readonly string[]> = {
  class: [...signalClasses, 'none'].sort(),
  tone: [...tones].sort(),
  severity: [...severities].sort(),
  state: [...statementStates].sort(),
};

const scores = aspects.reduce((sum, aspect) => sum + labelsOf[aspect].length, 0);

/** The encoder's score of each label of an aspect: log odds, not yet calibrated. */
export function scoresIn(encoded: Float32Array, aspect: Aspect): Float32Array {
  let from = 0;
  for (const each of aspects) {
    if (each === aspect) break;
    from += labelsOf[each].length;
  }
  return encoded.subarray(from, from + labelsOf[aspect].length);
}

/** What the encoder knows of a statement beside the scores, for training other tasks. */
export const featuresIn = (encoded: Float32Array): Float32Array => encoded.subarray(scores);
