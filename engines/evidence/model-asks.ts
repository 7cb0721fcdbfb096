import type { AskedRecord, Batch } from './model-types.ts';
import { isEmptyAnswer, isElsewhere } from './statements-words.ts';
import type { Directory, EvidenceInput, Layout, Unit, Voiced } from './types.ts';

/** Which text of a document a language model is asked about, in which portions. Pure. */

/** Characters and units asked about together. */
const charactersAtOnce = 8_000;
const unitsAtOnce = 40;
/** Longer units are read by rules. */
const longestUnit = 6_000;
const longestContext = 400;
/** Records before the first unit of a batch. */
const contextBefore = 2;

/**
 * The units that may hold statements of customers, with what was said between them. The borders of batches depend on
 * the layout alone, so that a batch stays the same when names are known better.
 */
export function batchesOf(input: EvidenceInput, layout: Layout, voiced: readonly Voiced[]): Batch[] {
  const windowOf = windows(layout.units);
  const told = voiced.filter(({ omitted }) => omitted === null);
  const text = ({ passage, start, end }: Voiced): string => input.passages[passage]!.text.slice(start, end);
  const wanted = (unit: Voiced): boolean => mayState(unit, text(unit));
  const asContext = (unit: Voiced): AskedRecord => ({ id: 'context', who: whoOf(unit), text: text(unit).slice(0, longestContext) });
  const grouped = Map.groupBy(told, windowOf);
  return [...grouped.values()].flatMap((own): Batch[] => {
    if (!own.some(wanted)) return [];
    const first = told.indexOf(own[0]!);
    const last = own.findLastIndex(wanted);
    const units = new Map<string, Voiced>();
    const records = own.slice(0, last + 1).map((unit): AskedRecord => {
      if (!wanted(unit)) return asContext(unit);
      const id = `u${units.size + 1}`;
      units.set(id, unit);
      return { id, who: whoOf(unit), ...aboutOf(unit, layout), text: text(unit) };
    });
    return [{ records: [...told.slice(Math.max(0, first - contextBefore), first).map(asContext), ...records], units }];
  });
}

/** The two halves of a batch that cannot be answered as a whole; empty: it has one unit. */
export function halvesOf({ records, units }: Batch): Batch[] {
  const ids = [...units.keys()];
  if (ids.length < 2) return [];
  const middle = records.findIndex(({ id }) => id === ids[Math.ceil(ids.length / 2)]);
  return [records.slice(0, middle), records.slice(middle)].map((part) => ({
    records: part,
    units: new Map(part.flatMap(({ id }) => (units.has(id) ? [[id, units.get(id)!] as const] : []))),
  }));
}

const mostNames = 80;

/** The names that a model may use although a text does not contain them. */
export function knownNames({ organisations, features }: Omit<Directory, 'version' | 'unsure'>): Record<string, string> {
  const list = (names: readonly string[]): string => names.slice(0, mostNames).join('; ');
  const withOthers = ({ name, aliases }: { name: string; aliases: readonly string[] }): string =>
    aliases.length === 0 ? name : `${name} (also ${aliases.slice(0, 4).join(', ')})`;
  const role = (wanted: string): string => list(organisations.filter((each) => each.role === wanted).map(withOthers));
  return { vendor: role('vendor'), customers: role('customer'), competitors: role('competitor'), features: list(features.map(withOthers)) };
}

function mayState({ side, kind }: Voiced, text: string): boolean {
  if (side === 'vendor' || side === 'other') return false;
  if (text.length > longestUnit || !/\p{L}{2}/u.test(text)) return false;
  return !isEmptyAnswer(text) && !(kind === 'cell' && isElsewhere(text));
}

/** As written: who it is in the directory changes, and would have the batch asked again. */
const whoOf = ({ side, speaker }: Voiced): string => (speaker === null ? side : `${side}: ${speaker}`);

function aboutOf({ day, section, row }: Voiced, layout: Layout): Record<string, string> {
  return {
    ...(day !== null && day !== layout.saidAt.slice(0, 10) ? { day } : {}),
    ...(section === null ? {} : { under: section.slice(0, 200) }),
    ...(row?.subject == null ? {} : { subject: row.subject.slice(0, 200) }),
    ...(row?.status == null ? {} : { status: row.status.slice(0, 60) }),
  };
}

/** Number of the batch to which a piece of a unit belongs. */
function windows(units: readonly Unit[]): (piece: Voiced) => number {
  const starts = new Map<number, { start: number; window: number }[]>();
  let [window, characters, count] = [0, 0, 0];
  for (const { passage, start, end, omitted } of units) {
    const length = omitted === null ? end - start : 0;
    if (count > 0 && (characters + length > charactersAtOnce || count >= unitsAtOnce)) {
      [characters, count] = [0, 0];
      window += 1;
    }
    characters += length;
    count += omitted === null ? 1 : 0;
    starts.set(passage, [...(starts.get(passage) ?? []), { start, window }]);
  }
  return ({ passage, start }) => starts.get(passage)?.findLast((each) => each.start <= start)?.window ?? 0;
}
