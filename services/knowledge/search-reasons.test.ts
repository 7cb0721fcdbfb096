import { describe, expect, it } from 'vitest';
import { Reasons } from './search-reasons.ts';

describe('Reasons', () => {
  it('tell when the model overlooks what has the whole query', () => {
    const weights = { lexical: 0.7, dense: 0.3, coverage: 0.5, overlooked: true, spread: 0.1 };
    const told = (overlooked: boolean): string => {
      const reasons = new Reasons();
      reasons.fused({ ...weights, overlooked }, 12);
      return reasons.steps[0]!.thought;
    };
    expect(told(true)).toMatch(/overlook the passages that have the whole query: words count 70 %, meaning 30 %/);
    expect(told(false)).not.toMatch(/overlook/);
  });
});
