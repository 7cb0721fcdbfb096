import type { SecretBox } from '../../../adapters/secrets/box.ts';
import { AppError } from '../../../contracts/errors.ts';

/** The file that a link gives access to, and its expiry. */
export interface Leave {
  tenant: string;
  id: string;
  /** Unix time in seconds. */
  until: number;
}

/** The signed token of a link, valid for one file. */
export const writeToken = (secrets: SecretBox, leave: Leave): string =>
  `${leave.tenant}.${leave.until}.${secrets.mac(signedText(leave)).toString('base64url')}`;

/**
 * Verifies a token.
 * @returns its tenant
 * @throws AppError UNAUTHORIZED when it was not issued for this file, GONE when it has expired
 */
export function readToken(secrets: SecretBox, id: string, token: string): Leave {
  const [, tenant, until, given] = /^([a-z0-9][a-z0-9_-]{0,62})\.(\d{1,11})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? [];
  if (tenant === undefined) throw refused();
  const leave = { tenant, id, until: Number(until) };
  if (!secrets.verifies(signedText(leave), Buffer.from(given!, 'base64url'))) throw refused();
  if (leave.until * 1_000 <= Date.now()) throw expired();
  return leave;
}

export const expired = (): AppError =>
  new AppError('GONE', 'The export has expired: files are kept for 24 hours.', {
    hint: 'Export again: system.data.export, or system.ledger.export.',
  });

const refused = (): AppError =>
  new AppError('UNAUTHORIZED', 'This link does not lead to an export.', {
    hint: 'Take the link as system.data.export or system.export.get gave it, with its token.',
  });

const signedText = ({ tenant, id, until }: Leave): string => `export-link:${JSON.stringify([tenant, id, until])}`;
