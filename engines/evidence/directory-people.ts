import { keyWords } from '../text/names.ts';
import { withoutTitles } from './clues-people.ts';
import { personKey, type Organisations } from './directory-organisations.ts';
import type { CountedClue, Person, Unsure } from './types.ts';

/** People of a tenant with their employers over time. */

interface Known {
  key: string;
  spellings: Map<string, number>;
  /** Day and organisation, where it is written beside the name or known from the address. */
  seen: { day: string | null; organisation: string; weight: number }[];
  /** Organisations of the documents in which the person takes part. */
  met: Map<string, { documents: number; day: string | null }>;
  moved: { organisation: string | null; day: string | null }[];
  left: { organisation: string | null; day: string | null }[];
  staff: number;
  /** A person said that he or she is of the vendor's side. */
  ours: boolean;
}

export function peopleOf(clues: readonly CountedClue[], organisations: Organisations): { people: Person[]; unsure: Unsure[] } {
  const all = new Map<string, Known>();
  const at = (name: string): Known => {
    const key = personKey(name);
    const known = all.get(key) ?? { key, spellings: new Map(), seen: [], met: new Map(), moved: [], left: [], staff: 0, ours: false };
    all.set(key, known);
    return known;
  };
  const moves = new Set(['moved', 'left']);
  for (const { kind, subject, object, day, weight, documents } of clues) {
    if (kind !== 'person' && kind !== 'staff' && !moves.has(kind)) continue;
    if (personKey(subject) === '' || organisations.of(subject) !== null) continue;
    const known = at(subject);
    if (!moves.has(kind)) known.spellings.set(subject, (known.spellings.get(subject) ?? 0) + weight * documents);
    const organisation = object === null ? null : organisations.of(object);
    if (kind === 'staff' && weight > 1) known.ours = true;
    if (kind === 'staff') known.staff += weight * documents;
    else if (kind === 'moved') known.moved.push({ organisation, day });
    else if (kind === 'left') known.left.push({ organisation, day });
    else if (organisation !== null && weight >= 0.5) known.seen.push({ day, organisation, weight });
    else if (organisation !== null) meet(known, organisation, documents, day);
  }
  const { whole, unsure } = joined([...all.values()].sort((a, b) => (a.key < b.key ? -1 : 1)));
  const people = whole.map((known) => personOf(known, organisations));
  return { people: people.sort((a, b) => (a.name < b.name ? -1 : 1)), unsure };
}

/** "Ann", "Dr Lee" and "A. Lee" join "Ann Lee" if nobody else fits. */
function joined(all: readonly Known[]): { whole: Known[]; unsure: Unsure[] } {
  const unsure: Unsure[] = [];
  const full = all.filter(({ key, spellings }) => keyWords(key).length > 1 && !/^\p{L}\s/u.test(key) && spellings.size > 0);
  const whole = [...full];
  for (const each of all) {
    if (full.includes(each)) continue;
    const fitting = full.filter((other) => isPartOf(each.key, other.key));
    if (fitting.length === 1) absorb(fitting[0]!, each);
    else if (each.spellings.size > 0) {
      whole.push(each);
      for (const other of fitting) unsure.push({ name: spelling(each), of: spelling(other), kind: 'person' });
    }
  }
  return { whole, unsure };
}

/** Its first or last word, or initial and last word. */
export function isPartOf(part: string, full: string): boolean {
  const [some, all] = [keyWords(part), keyWords(full)];
  if (some.length === 1) return some[0]!.length > 1 && (some[0] === all[0] || some[0] === all.at(-1));
  return some.length >= 2 && some.at(-1) === all.at(-1) && some.slice(0, -1).every((word, i) => all[i]?.startsWith(word));
}

function meet({ met }: Known, organisation: string, documents: number, day: string | null): void {
  const known = met.get(organisation);
  const first = known?.day != null && (day === null || known.day < day) ? known.day : day;
  met.set(organisation, { documents: (known?.documents ?? 0) + documents, day: first });
}

function absorb(into: Known, other: Known): void {
  for (const [name, weight] of other.spellings) into.spellings.set(name, (into.spellings.get(name) ?? 0) + weight * 0.01);
  for (const [name, { documents, day }] of other.met) meet(into, name, documents, day);
  into.seen.push(...other.seen);
  into.moved.push(...other.moved);
  into.left.push(...other.left);
  into.staff += other.staff;
  into.ours ||= other.ours;
}

const spelling = ({ spellings, key }: Known): string =>
  [...spellings].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([name]) => withoutTitles(name))[0] ?? key;

function personOf(known: Known, organisations: Organisations): Person {
  const name = spelling(known);
  const aliases = [...new Set([...known.spellings.keys()].filter((each) => each !== name))].sort();
  const vendor = organisations.vendor;
  if (known.ours)
    return { name, aliases, side: 'vendor', posts: vendor === null ? [] : [{ organisation: vendor, from: null, until: null }] };
  const posts = postsOf(known, organisations);
  const last = posts.at(-1)?.organisation ?? null;
  const side = last === null ? (known.staff > 0.5 ? 'vendor' : 'unknown') : last === vendor ? 'vendor' : sideOf(last, organisations);
  return { name, aliases, side, posts };
}

const sideOf = (name: string, organisations: Organisations): Person['side'] =>
  organisations.list.some((each) => each.name === name && each.role === 'customer') ? 'customer' : 'other';

type Post = Person['posts'][number];

function postsOf(known: Known, organisations: Organisations): Post[] {
  const told = known.seen.filter(({ weight }) => weight > 1);
  if (told.length > 0) known = { ...known, seen: told, met: new Map() };
  const mobile = known.moved.length + known.left.length > 0;
  const sure = new Set(known.seen.map(({ organisation }) => organisation));
  if (sure.size === 0 && !mobile) {
    const only = byCompany(known, organisations);
    return only ? [{ organisation: only, from: null, until: null }] : [];
  }
  if (sure.size === 1 && !mobile) return [{ organisation: [...sure][0]!, from: null, until: null }];
  return sequence(known, organisations);
}

/** Somebody without a written employer: of the vendor after meeting several customers, else of the customer met. */
function byCompany(known: Known, { vendor, list }: Organisations): string | null {
  const customers = [...known.met].filter(([name]) => list.some((each) => each.name === name && each.role === 'customer'));
  const total = customers.reduce((sum, [, { documents }]) => sum + documents, 0);
  const [best] = customers.sort(([a, x], [b, y]) => y.documents - x.documents || (a < b ? -1 : 1));
  if (known.staff > 0.5 || !best) return known.staff > 0.5 ? vendor : null;
  return best[1].documents >= 0.7 * total ? best[0] : vendor;
}

/** Employers in order of time; the day of a move bounds the posts before and after it. */
function sequence(known: Known, organisations: Organisations): Post[] {
  const first = new Map<string, string>();
  const note = (organisation: string, day: string | null): void => {
    const other = first.get(organisation);
    first.set(organisation, other === undefined || (day !== null && day < other) ? (day ?? '9') : other);
  };
  for (const { organisation, day } of known.seen) note(organisation, day);
  // Without a written employer, the customers of the documents are the employers.
  if (first.size < 2) {
    for (const [organisation, { day }] of known.met) {
      if (organisation !== organisations.vendor && [...known.moved, ...known.left].some((move) => move.organisation === organisation))
        note(organisation, day);
    }
  }
  for (const { organisation } of known.left) if (organisation !== null && !first.has(organisation)) first.set(organisation, '');
  for (const { organisation, day } of known.moved)
    if (organisation !== null && !first.has(organisation)) first.set(organisation, day ?? '9');
  const left = new Set(known.left.flatMap(({ organisation }) => organisation ?? []));
  const arrived = new Set(known.moved.flatMap(({ organisation }) => organisation ?? []));
  const order = [...first].sort(
    ([a, x], [b, y]) =>
      Number(left.has(b) && !arrived.has(b)) - Number(left.has(a) && !arrived.has(a)) ||
      Number(arrived.has(a) && !left.has(a)) - Number(arrived.has(b) && !left.has(b)) ||
      (x < y ? -1 : x > y ? 1 : a < b ? -1 : 1),
  );
  const posts: Post[] = order.map(([organisation]) => ({ organisation, from: null, until: null }));
  posts.forEach((post, i) => {
    if (i === 0) return;
    const before = posts[i - 1]!;
    const arrival = earliest(
      known.moved.filter((each) => each.organisation === post.organisation || (each.organisation === null && i === posts.length - 1)),
    );
    const departure = earliest(
      known.left.filter((each) => each.organisation === before.organisation || (each.organisation === null && i === posts.length - 1)),
    );
    const seen = /^\d{4}/.test(first.get(post.organisation)!) ? first.get(post.organisation)! : null;
    post.from = arrival ?? dayAfter(departure) ?? seen;
    before.until = departure !== null && (post.from === null || departure < post.from) ? departure : dayBefore(post.from);
  });
  // Somebody who leaves without a known successor.
  if (posts.length === 1) posts[0]!.until = earliest(known.left);
  return posts;
}

const earliest = (moves: readonly { day: string | null }[]): string | null => moves.flatMap(({ day }) => day ?? []).sort()[0] ?? null;

const shifted = (day: string | null, by: number): string | null =>
  day === null ? null : new Date(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10);
const dayAfter = (day: string | null): string | null => shifted(day, 1);
const dayBefore = (day: string | null): string | null => shifted(day, -1);
