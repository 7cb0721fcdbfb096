import { hashOf } from './ids.ts';

/** Spellings of tool names: model APIs often refuse dots, and some clients replace other characters by underscores. */
export const nameStyles = ['dotted', 'hyphen', 'underscore'] as const;
export type NameStyle = (typeof nameStyles)[number];

/**
 * Clients prefix names with `mcp__signalbox__`, and model APIs accept 64 characters in total. Our own names are
 * shorter; longer names of other servers' tools are listed in a short form.
 */
export const longestListed = 48;

const between = { dotted: '.', hyphen: '-', underscore: '_' } as const;

/** The name in this spelling. */
export const spelled = (name: string, style: NameStyle): string => (style === 'dotted' ? name : name.replaceAll('.', between[style]));

/**
 * The form in which a name is listed: the name itself, or its beginning and a part of its hash. Deterministic.
 * @param salt distinguishes two names that would get the same form
 */
export function listedForm(name: string, salt = ''): string {
  if (name.length <= longestListed) return name;
  const hash = hashOf(name + salt).slice(0, 8);
  return `${name.slice(0, longestListed - hash.length - 1).replace(/[._]+$/, '')}_${hash}`;
}
