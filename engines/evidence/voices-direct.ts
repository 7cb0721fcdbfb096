import type { EvidenceInput, Layout } from './types.ts';
import { asks, firstPerson, heard, heOrHis, saysNext, sheOrHer } from './voices-words.ts';

/** Possible subjects of "says": customers, and names. */
const subjects =
  /(?<!\p{L})(?:\p{Lu}\p{Ll}+|customers?|clients?|users?|accounts?|prospects?|kund(?:e|en|in|innen)|nutzer(?:in)?|clientes?|usuari[oa]s?|utilisat(?:eur|rice)s?)(?=[\s,(])/gu;

/** Words that open a sentence of one's own: "Please add …" */
const openings = /^(?:please|bitte|we|you|i|it|this|that|they|wir|das|es|nous|vous)$/iu;

/**
 * Whether a text without author and participants speaks for itself, as an answer to a survey or a pasted sentence does.
 * Otherwise "we" in it are the people who report what a customer said.
 */
export function isDirect(input: EvidenceInput, { kind, author, participants, units }: Layout): boolean {
  if (kind !== 'other' || author !== null) return false;
  if (participants.length > 0 && typeof input.given.speaker !== 'string') return false;
  return !units.some((unit) => unit.omitted === null && reports(input.passages[unit.passage]!.text.slice(unit.start, unit.end)));
}

function reports(text: string): boolean {
  if (heard.test(text) || heOrHis.test(text) || sheOrHer.test(text)) return true;
  const me = firstPerson.exec(text);
  // "We met them on Monday", "I called Anna"
  if (me !== null && asks.test(text.slice(me.index, me.index + 30))) return true;
  return [...text.matchAll(subjects)].some(({ 0: name, index }) => !openings.test(name) && saysNext.test(text.slice(index + name.length)));
}
