import { describe, expect, it } from 'vitest';
import type { ReviewItem } from '../../../../contracts/graph/graph.ts';
import { agreement, consequenceOf, lastOf, queueOf, signed, waterfall, type Decision } from './model.ts';

const item = (feedback_id: string): ReviewItem => {
  const ref = { entity_id: 'e', name: 'n', type: 'customer', signal_count: 1 };
  return { feedback_id, action: 'merge', entity_a: ref, entity_b: ref, type: 'customer', confidence: 0.7, evidence: [], created_at: '' };
};
const decision = (feedback_id: string, more: Partial<Decision> = {}): Decision => ({
  feedback_id,
  names: ['a', 'b'],
  answer: 'same',
  probability: 0.7,
  state: 'done',
  ...more,
});

describe('reviews', () => {
  it('leave out what was answered here, take back what failed or was undone, and put off to the end', () => {
    const items = ['1', '2', '3', '4', '5'].map(item);
    const decisions = [decision('2'), decision('3', { state: 'failed' }), decision('4', { state: 'sending' })];
    expect(queueOf(items, decisions, ['3', '1']).map(({ feedback_id }) => feedback_id)).toEqual(['5', '3', '1']);
  });

  it('count how often the matcher agrees', () => {
    const decisions = [
      decision('1'),
      decision('2', { answer: 'different' }),
      decision('3', { probability: 0.2, answer: 'different' }),
      decision('4', { state: 'undone' }),
      decision('5', { probability: null }),
    ];
    expect(agreement(decisions)).toEqual({ agreed: 2, of: 3 });
    expect(lastOf(decisions)?.feedback_id).toBe('5');
    expect(lastOf([decision('1', { state: 'failed' })])).toBeUndefined();
  });

  it('add the weights up from the prior to the whole', () => {
    const { bars, from, to } = waterfall({
      prior: { probability: 0.08, weight: -3.5 },
      features: [
        { name: 'type', level: 2, levels: 3, label: 'equal', weight: 0.8 },
        { name: 'name', level: 6, levels: 8, label: 'typos', weight: 6.6 },
      ],
      weight: 3.9,
      probability: 0.937,
      compared: true,
    });
    expect(bars.map(({ name }) => name)).toEqual(['before comparing', 'name', 'type', 'total']);
    expect(bars[2]!.to).toBeCloseTo(3.9);
    expect([from, to]).toEqual([-3.5, expect.closeTo(3.9)]);
    expect([signed(3.21), signed(-0.5), signed(0)]).toEqual(['+3.2', '−0.5', '0.0']);
  });

  it('say what a yes does', () => {
    const all = { keeps: 'A', moves: 'B', names: ['B'], mentions: 14, facts: 3, links: 0 };
    expect(consequenceOf({ ...all, does: 'merge' })).toBe('becomes a part of; 14 mentions, 3 facts move');
    expect(consequenceOf({ ...all, does: 'merge', mentions: 1, facts: 0 })).toBe('becomes a part of; 1 mention moves');
    expect(consequenceOf({ ...all, does: 'alias', mentions: 0, facts: 0 })).toBe('becomes a name of');
  });
});
