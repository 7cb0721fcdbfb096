/** Pure: numbers and names as people read them. */

/** `1 job`, `1,204 jobs`. */
export const counted = (n: number, one: string, several = `${one}s`): string => `${n.toLocaleString('en')} ${n === 1 ? one : several}`;

/** Servers count to ten thousand. */
export const capped = (n: number): string => (n > 10_000 ? '10,000+' : n.toLocaleString('en'));

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** A name of the contracts: `in_progress`. */
export const worded = (name: string): string => name.replaceAll('_', ' ');

/** The host of an address that may be opened; null: it is none. */
export function hostOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, host } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? host : null;
}
