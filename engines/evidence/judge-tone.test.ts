import { expect, it } from 'vitest';
import { signalClasses, statementStates } from '../../contracts/signals/signals.ts';
import { readExamples } from '../classifier/shipped.ts';
import { usual } from './judge-tone.ts';

const order = ['positive', 'neutral', 'negative', 'mixed'];
/** Examples of the class in any state that are added, and a share for tones that a class never has. */
const [added, little] = [5, 0.02];

it('the usual tones of each state and class are those of the examples', () => {
  const counts = new Map<string, number>();
  for (const example of readExamples()) {
    const key = `${example.state} ${example.class} ${example.tone}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const count = (state: string, kind: string, tone: string): number => counts.get(`${state} ${kind} ${tone}`) ?? 0;
  const sum = (values: number[]): number => values.reduce((total, each) => total + each, 0);
  for (const state of statementStates)
    for (const kind of signalClasses) {
      const ofClass = order.map((tone) => sum(statementStates.map((each) => count(each, kind, tone))));
      const own = order.map((tone) => count(state, kind, tone));
      const shares = order.map((_, i) => {
        const usually = (ofClass[i]! + little) / (sum(ofClass) + order.length * little);
        return Math.log((own[i]! + added * usually) / (sum(own) + added));
      });
      shares.forEach((share, i) => expect(usual[state][kind][i], `${state} ${kind} ${order[i]}`).toBeCloseTo(share, 1.9));
    }
});
