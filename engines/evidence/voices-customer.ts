import { nameKey } from '../text/names.ts';
import type { EvidenceInput, Layout } from './types.ts';
import type { Cast } from './voices-cast.ts';
import type { Names } from './voices-names.ts';

/** For which customer a document speaks. */

/** Cells that name nobody. */
const nobody =
  /^(?:\W*|[([<].*[)\]>]|n\/?a|none|null|nil|unknown\b.*|anonym\w*|web ?form|guest|other|misc|various|test|internal|unbekannt\w*|keine?r?|sonstige|gast|intern|desconocid[oa].*|anónim[oa]|ninguno|otros?|inconnue?|anonyme|aucun|autres?|sconosciut[oa]|anonim[oa]|altro|onbekend|anoniem|okänd|ukendt|ukjent)$/iu;

export const rowCustomer = (written: string | null, names: Names): string | null => {
  if (written === null || nobody.test(written.trim())) return null;
  const found = names.organisation(written);
  if (found !== null) return found.role === 'vendor' || found.role === 'competitor' ? null : found.name;
  return written.trim();
};

export function givenCustomer({ given }: EvidenceInput, names: Names): string | null {
  const { customer } = given;
  return typeof customer === 'string' && customer.trim() !== '' ? (names.organisation(customer)?.name ?? customer.trim()) : null;
}

/** By the participants, then by names in title, head and signature, then by the name that the text repeats. */
export function customerOf(input: EvidenceInput, layout: Layout, cast: Cast, names: Names): string | null {
  const scores = new Map<string, number>();
  const add = (customer: string, points: number): void => void scores.set(customer, (scores.get(customer) ?? 0) + points);
  for (const { side, customer } of cast.members) if (side === 'customer' && customer !== null) add(customer, 3);
  const heads = new Set(
    [...layout.organisations, input.title, input.origin.replace(/[_\-./\\]+/g, ' ')].flatMap((line) => named(line, names)),
  );
  for (const customer of heads) add(customer, 4);
  // Rows without a customer among rows with one are of nobody known.
  const rows = layout.units.some(({ row }) => row !== null);
  if (scores.size === 0 && !rows) for (const { text } of input.passages) for (const customer of named(text, names)) add(customer, 1);
  const [first, second] = [...scores].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  if (first === undefined) return lone(layout, names);
  // Two customers with the same claim: the document is about both.
  return second !== undefined && second[1] === first[1] ? null : first[0];
}

/** Customers of the directory in a line; file names write them in lower case. */
function named(line: string, names: Names): string[] {
  const found = names.inText(line).filter(({ organisation }) => organisation.role === 'customer');
  if (found.length > 0) return found.map(({ organisation }) => organisation.name);
  if (line.length > 120) return [];
  const capitals = line.replace(/(?<![\p{L}\p{N}])\p{Ll}/gu, (letter) => letter.toUpperCase());
  return names
    .inText(capitals)
    .filter(({ organisation, start, end }) => organisation.role === 'customer' && nameKey(capitals.slice(start, end)).length >= 4)
    .map(({ organisation }) => organisation.name);
}

/** Without a directory: the only organisation beside the names of participants who are not known as the vendor's. */
function lone(layout: Layout, names: Names): string | null {
  const written = new Map<string, string>();
  for (const { organisation, side } of layout.participants) {
    if (organisation !== null && side !== 'vendor' && names.organisation(organisation) === null)
      written.set(nameKey(organisation), organisation);
  }
  return written.size === 1 ? [...written.values()][0]! : null;
}
