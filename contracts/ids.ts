import { createHash, randomUUID } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

function base32(value: bigint, length: number): string {
  let out = '';
  for (let rest = value, i = 0; i < length; i += 1, rest >>= 5n) out = alphabet[Number(rest & 31n)] + out;
  return out;
}

/** A new id such as `task_01jd3f8k2m9x4v7qn5ra`: 45 bits of time (sortable) and 55 random bits, short enough for a prompt. */
export function newId(prefix: string): string {
  // Node draws random bytes for many UUIDs at once; `randomBytes` asks the system each time.
  const uuid = randomUUID();
  const random = BigInt(`0x${uuid.slice(0, 8)}${uuid.slice(-8)}`);
  return `${prefix}_${base32(BigInt(Date.now()), 9)}${base32(random, 11)}`;
}

/** The id of a call: a UUID of version 7 (RFC 9562), 48 bits of time and 74 random ones. Older calls have `call_…`. */
export function newCallId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  // Behind its version, a random UUID has the layout of version 7.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** The same id for the same parts: a repeated create finds the first one's row. */
export function derivedId(prefix: string, ...parts: string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${prefix}_${base32(BigInt(`0x${digest}`), 20)}`;
}

/** SHA-256 (hex) of canonical JSON: keys sorted, so that equal values hash equally. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}
