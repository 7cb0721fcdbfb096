import { hashOf } from './ids.ts';

/** How names of tools are spelled for a client: model APIs often refuse dots; some clients show underscores for anything else. */
export const nameStyles = ['dotted', 'hyphen', 'underscore'] as const;
export type NameStyle = (typeof nameStyles)[number];

/**
 * Clients put `mcp__signalbox__` before a name, and model APIs take 64 characters in all. Our own names are shorter; longer
 * ones of other servers' tools are listed under a short form.
 */
export const longestListed = 48;

const between = { dotted: '.', hyphen: '-', underscore: '_' } as const;

/** A name's dots in this spelling. */
export const spelled = (name: string, style: NameStyle): string => (style === 'dotted' ? name : name.replaceAll('.', between[style]));

/**
 * The form in which a name is listed: itself, or its beginning and a piece of its hash. The same name always gets the same form.
 * @param salt tells apart two names that would get the same one
 */
export function listedForm(name: string, salt = ''): string {
  if (name.length <= longestListed) return name;
  const hash = hashOf(name + salt).slice(0, 8);
  return `${name.slice(0, longestListed - hash.length - 1).replace(/[._]+$/, '')}_${hash}`;
}
