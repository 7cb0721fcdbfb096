import type { SecretBox } from '../../../adapters/secrets/box.ts';
import { AppError } from '../../../contracts/errors.ts';

/** How long a reader may open the page of a brief, in ms. */
export const readableFor = 30 * 24 * 3_600_000;

/** The signed token of a link, for the briefs of one day, with an expiry. */
export function writeToken(secrets: SecretBox, tenant: string, date: string, until: number): string {
  return `${tenant}.${until}.${secrets.mac(signedText(tenant, date, until)).toString('base64url')}`;
}

/**
 * @returns the tenant.
 * @throws AppError UNAUTHORIZED for an invalid token or another day's, GONE when it has expired
 */
export function readToken(secrets: SecretBox, date: string, token: string): string {
  const [, tenant, until, given] = /^([a-z0-9][a-z0-9_-]{0,62})\.(\d{1,11})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? [];
  if (tenant === undefined) throw refused();
  if (!secrets.verifies(signedText(tenant, date, Number(until)), Buffer.from(given!, 'base64url'))) throw refused();
  if (Number(until) * 1_000 <= Date.now()) {
    throw new AppError('GONE', 'This link has expired: a brief can be opened for 30 days.', {
      hint: 'authoring.brief.get shows it, with a fresh link.',
    });
  }
  return tenant;
}

const refused = (): AppError =>
  new AppError('UNAUTHORIZED', 'This link does not lead to a brief.', {
    hint: 'Take the link as the notification or authoring.brief.get gave it, with its token.',
  });

const signedText = (tenant: string, date: string, until: number): string => `brief-link:${JSON.stringify([tenant, date, until])}`;
