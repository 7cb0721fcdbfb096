import { createHmac, randomBytes } from 'node:crypto';

/** A new shared secret: `whsec_` and 32 random bytes in base64. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** `whsec_` and 24 to 64 bytes in base64, as the Standard Webhooks specification requires. */
export const isWebhookSecret = (text: string): boolean =>
  /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(text) && keyOf(text).length >= 24 && keyOf(text).length <= 64;

/**
 * Headers that identify sender and message of a webhook (Standard Webhooks, `v1`).
 * @param secret from `newWebhookSecret`
 * @param id the same for every attempt of one message
 * @param timestamp of this attempt, in seconds
 * @param body exactly as it is sent
 */
export function sign(secret: string, id: string, timestamp: number, body: string): Record<string, string> {
  const mac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${mac}` };
}

/** For receivers that have only a token: signs time and body, so that they can detect a replayed or changed message. */
export function signWithToken(token: string, timestamp: number, body: string): Record<string, string> {
  const mac = createHmac('sha256', token).update(`${timestamp}.${body}`).digest('hex');
  return { 'x-signalbox-signature': `t=${timestamp},v1=${mac}` };
}

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice('whsec_'.length), 'base64');
