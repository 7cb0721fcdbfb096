import { describe, expect, it } from 'vitest';
import { isWebhookSecret, newWebhookSecret, sign } from './webhook-signing.ts';

describe('signing webhooks', () => {
  it('gives the signature that the Standard Webhooks specification shows', () => {
    const headers = sign('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}');
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('makes secrets that it takes, each another', () => {
    const [one, two] = [newWebhookSecret(), newWebhookSecret()];
    expect(one).not.toBe(two);
    for (const secret of [one, two, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']) expect(isWebhookSecret(secret)).toBe(true);
    for (const secret of [
      '',
      'whsec_',
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2La',
      `whsec_${'A'.repeat(200)}`,
      'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    ]) {
      expect(isWebhookSecret(secret)).toBe(false);
    }
  });
});
