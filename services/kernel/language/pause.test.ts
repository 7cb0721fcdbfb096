import { describe, expect, it } from 'vitest';
import { modelFailure } from '../../../contracts/language.ts';
import { Pause } from './pause.ts';

const usage = { inputTokens: 9, outputTokens: 9, costUsd: 1 };
const away = modelFailure('unavailable', 'It is away.', usage, { hint: 'Wait.' });

describe('a pause of the provider', () => {
  it('begins at once where the provider asks for it, and lasts as long', () => {
    const pause = new Pause();
    pause.failed(modelFailure('rate_limited', 'Too much.', usage, { retryAfterSeconds: 90 }), 1_000);
    expect(pause.current(2_000)).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      retryAfterSeconds: 89,
      details: { reason: 'rate_limited', usage: { inputTokens: 0 } },
    });
    expect(pause.current(91_000)).toBeNull();
  });

  it('begins at the second failure running, and again at the first one after it', () => {
    const pause = new Pause();
    pause.failed(away, 0);
    expect(pause.current(1)).toBeNull();
    pause.answered();
    pause.failed(away, 2);
    expect(pause.current(3)).toBeNull();
    pause.failed(away, 4);
    expect(pause.current(5)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', hint: 'Wait.', message: 'It is away.' });
    expect(pause.current(30_004)).toBeNull();
    pause.failed(away, 40_000);
    expect(pause.current(40_001)).not.toBeNull();
    pause.answered();
    expect(pause.current(70_001)).toBeNull();
  });

  it('does not begin for what was about the question', () => {
    const pause = new Pause();
    for (const reason of ['refused', 'garbage', 'too_long', 'rejected'] as const) pause.failed(modelFailure(reason, 'No.', usage), 0);
    expect(pause.current(1)).toBeNull();
  });
});
