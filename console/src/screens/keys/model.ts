import type { AspectName } from '../../ui/Aspect.tsx';
import type { KeyView } from '../../../../contracts/governance/keys.ts';

/** A key as its creator gets it; the secret is shown once. */
export type MadeKey = Omit<KeyView, 'rate'> & { api_key: string | null };

export interface Preset {
  name: string;
  title: string;
  role: string;
  scopes: string[];
}

/** What is asked for when a key is made. */
export interface Wish {
  name: string;
  role: string;
  scopes: readonly string[];
  /** Days; 0: it does not end. */
  days: number;
  rpm: string;
}

/** Lives that are offered, in days. */
export const lives = [
  ['7', 'in 7 days'],
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in a year'],
  ['0', 'never'],
] as const;

/** How long a replaced key still works, in hours. */
export const graces = [
  ['0', 'at once'],
  ['1', 'after an hour'],
  ['24', 'after a day'],
  ['168', 'after a week'],
] as const;

export const wishArgs = ({ name, role, scopes, days, rpm }: Wish, profile: string): Record<string, unknown> => ({
  name: name.trim(),
  role,
  scopes,
  ...(days > 0 ? { expires_in_days: days } : {}),
  ...(rpm.trim() === '' ? {} : { rpm: Number(rpm) }),
  ...(profile === '' ? {} : { profile }),
});

/** Why the server would refuse; absent: nothing is known. */
export function faultOf({ name, rpm }: Wish): string | undefined {
  if (name.trim() === '') return 'Enter a name: the ledger records its calls under it.';
  if (!/^[A-Za-z0-9][A-Za-z0-9._:@/ -]{0,127}$/.test(name.trim())) return 'Letters, digits and . _ : @ / - and spaces, at most 128.';
  if (rpm.trim() !== '' && !/^[1-9]\d{0,6}$/.test(rpm.trim())) return 'Calls per minute: a whole number from 1.';
  return undefined;
}

/** The preset that role and scopes are; absent: none. */
export const presetOf = (presets: readonly Preset[], { role, scopes }: Pick<Wish, 'role' | 'scopes'>): Preset | undefined =>
  presets.find((preset) => preset.role === role && preset.scopes.toSorted().join() === [...scopes].sort().join());

const soonMs = 7 * 24 * 3_600_000;

/** The state of a key, with what will soon need somebody. */
export function aspectOf({ state, expires_at }: Pick<KeyView, 'state' | 'expires_at'>, now: number): { is: AspectName; word: string } {
  if (state === 'revoked') return { is: 'stop', word: 'revoked' };
  if (state === 'ended') return { is: 'out', word: 'ended' };
  return expires_at !== null && Date.parse(expires_at) - now < soonMs
    ? { is: 'caution', word: 'expires soon' }
    : { is: 'clear', word: 'valid' };
}

/** @param most how many are named; the others are counted */
export function scopesText({ scopes }: Pick<KeyView, 'scopes'>, most = Infinity): string {
  if (scopes.length === 0) return 'all scopes of the role';
  const named = scopes.slice(0, most).join(', ');
  return scopes.length > most ? `${named} and ${scopes.length - most} more` : named;
}

const collectMs = 24 * 3_600_000;
/** The maker can still have a secret for it. */
export const isCollectable = (key: Pick<KeyView, 'state' | 'last_used_at' | 'made_by' | 'created_at'>, me: string, now: number): boolean =>
  key.state === 'valid' && key.last_used_at === null && key.made_by === me && now - Date.parse(key.created_at) < collectMs;
