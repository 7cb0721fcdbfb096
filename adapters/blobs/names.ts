import { randomUUID } from 'node:crypto';
import { notFound } from '../../contracts/errors.ts';

/** The same names in a folder and in a bucket, so that one can be copied to the other by any tool. */

export const unfinishedFolder = '.unfinished';

const isTenant = (name: string): boolean => /^[a-z0-9][a-z0-9_-]*$/.test(name);

/** @throws AppError NOT_FOUND for what cannot be a tenant: it must not lead out of the place */
export function tenantName(tenant: string): string {
  if (!isTenant(tenant)) throw notFound('tenant', tenant.slice(0, 64));
  return tenant;
}

/** @throws AppError NOT_FOUND for what cannot be a blob */
export function blobName(tenant: string, sha256: string): string {
  if (!isTenant(tenant) || !/^[0-9a-f]{64}$/.test(sha256)) throw notFound('blob', sha256.slice(0, 64));
  return `${tenant}/${sha256.slice(0, 2)}/${sha256}`;
}

/** A unique name per deletion, so that no other deletion deletes this file; with the time at which it was moved. */
export const asideName = (blob: string): string => `${blob}.${Date.now()}-${randomUUID()}.aside`;

/** A unique name per attempt: another attempt of the same owner must not write into it. */
export function unfinishedName(tenant: string, owner: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(owner)) throw new Error(`not the name of an owner: ${owner.slice(0, 64)}`);
  return `${tenantName(tenant)}/${unfinishedFolder}/${owner}.${randomUUID()}`;
}

/** What a name says; null when it is not that of a blob. */
export function readName(name: string): { tenant: string; sha256: string; aside: { since: Date | null; name: string } | null } | null {
  const [, tenant, sha256, rest, since] =
    /^([a-z0-9][a-z0-9_-]*)\/[0-9a-f]{2}\/([0-9a-f]{64})(\.(?:(\d{13})-)?[0-9a-f-]{36}\.aside)?$/.exec(name) ?? [];
  if (tenant === undefined || sha256 === undefined) return null;
  return { tenant, sha256, aside: rest === undefined ? null : { since: since === undefined ? null : new Date(Number(since)), name } };
}
