/** Scores of found statements and entities against a gold corpus. */
import { severities, type Severity } from '../contracts/signals/signals.ts';
import type { Gold, GoldEntity, GoldStatement } from './evidence-gold.ts';
import { match, type Matching, type Said, type Verdict } from './evidence-match.ts';

/** A statement as the product tells it. Null: the product does not tell. */
export interface Found extends Said {
  class: string;
  severity: string;
  sentiment: string;
  customer: string | null;
  features: string[];
  competitors: string[];
  state: string | null;
  side: string | null;
  /** ISO day. */
  date: string | null;
  id: string | null;
  /** Shared by statements that the product takes for one. */
  group: string | null;
  /** Id of the earlier statement that it repeats, resolves or withdraws. */
  refersTo: string | null;
  /** "repeats", "resolves" or "withdraws". */
  refersAs: string | null;
}

export interface FoundEntity {
  name: string;
  type: string;
  aliases: string[];
}

/** Shares are 0 to 1; null: nothing to divide by. */
export interface Scores {
  gold: number;
  found: number;
  matched: number;
  recall: number | null;
  /** A trap, or what is in no gold at all, is wrong. */
  precision: number | null;
  f1: number | null;
  /** Of recalled statements, as all labels below. */
  class: number | null;
  /** Without `also`. */
  class_strict: number | null;
  side: number | null;
  customer: number | null;
  feature_f1: number | null;
  competitor_f1: number | null;
  severity: number | null;
  severity_1: number | null;
  sentiment: number | null;
  date: number | null;
  /** Of those that have a state. */
  state: number | null;
  /** F1 of "resolved" and "withdrawn". */
  closed_f1: number | null;
  /** Found, and class, customer and features right; of all gold statements. */
  whole: number | null;
  churn_precision: number | null;
  churn_recall: number | null;
  /** Pairs of gold statements with the same content that are both found, and the share of them that the product put together. */
  same: number;
  merged: number | null;
  /** Links "repeats" between two gold statements that have the same content, of all such links. */
  repeats_precision: number | null;
  /** Groups of the product that hold statements of different content. */
  mixed_groups: number;
  traps: number;
  of_traps: number;
  nothing: number;
  /** Found statements that are the vendor's sentences, and their share. */
  vendor: number;
  vendor_share: number | null;
  injections: number;
}

/** Of one type of entity. */
export interface EntityScore {
  type: string;
  gold: number;
  listed: number;
  right: number;
  f1: number | null;
  missed: string[];
  /** Unknown in the gold, or a second entity for one thing. */
  wrong: string[];
}

export const entityTypes = ['customer', 'feature', 'competitor'] as const;

const ratio = (a: number, b: number): number | null => (b === 0 ? null : a / b);
const plain = (value: string | null): string => (value ?? 'none').trim().toLowerCase();
const has = <T>(set: readonly T[], value: unknown): boolean => set.includes(value as T);

/** What a trap is, by its reason. */
export const isVendors = (why: string): boolean => /\bvendor/i.test(why);
export const isInjection = (why: string): boolean => /\binject|\binstruct/i.test(why);

/** Whether each label is right. */
export function labelsOf(gold: Gold, statement: GoldStatement, found: Found) {
  const named = (type: string, names: readonly string[]): string[] => [...namesOf(gold, type, names)];
  const equal = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((each) => b.includes(each));
  const step = severities.indexOf(plain(found.severity) as Severity) - severities.indexOf(statement.severity);
  return {
    class: has([statement.class, ...statement.also], plain(found.class)),
    side: plain(found.side) === plain(statement.side),
    customer: gold.nameOf('customer', found.customer) === statement.customer,
    features: equal(statement.features, named('feature', found.features)),
    competitors: equal(statement.competitors, named('competitor', found.competitors)),
    severity: step === 0,
    severity_1: has(severities, plain(found.severity)) && Math.abs(step) <= 1,
    sentiment: plain(found.sentiment) === statement.sentiment,
    date: found.date === statement.date,
    state: plain(found.state) === statement.state,
  };
}

const namesOf = (gold: Gold, type: string, names: readonly string[]): Set<string> =>
  new Set(names.flatMap((name) => gold.nameOf(type, name) ?? []));

/** @param keep which files to count */
export function scoresOf(found: readonly Found[], gold: Gold, { verdicts, pairs }: Matching, keep: (file: string) => boolean): Scores {
  const fileOf = (path: string): string => path.split('/').at(-1)!;
  const wanted = gold.statements.flatMap((statement, at) => (keep(statement.file) ? [{ statement, at }] : []));
  const own = found.flatMap((said, i) => (keep(fileOf(said.file)) ? [{ said, verdict: verdicts[i]! }] : []));
  const matched = wanted.flatMap(({ statement, at }) => {
    const i = pairs.get(at);
    return i === undefined ? [] : [{ statement, at, i, said: found[i]!, right: labelsOf(gold, statement, found[i]!) }];
  });
  const n = matched.length;
  const share = (label: keyof (typeof matched)[number]['right']): number | null =>
    ratio(matched.filter(({ right }) => right[label]).length, n);
  const right = own.filter(({ verdict }) => verdict.is === 'right').length;
  const trapped = own.flatMap(({ verdict }) => (verdict.is === 'trap' ? [verdict.trap] : []));
  const recall = ratio(n, wanted.length);
  const precision = ratio(right, own.length);
  const stated = matched.filter(({ said }) => said.state !== null);
  const leaving = own.filter(({ said }) => plain(said.class) === 'churn_risk');
  const leavers = wanted.filter(({ statement }) => statement.class === 'churn_risk');
  const churn = ({ class: cls, also }: GoldStatement): boolean => cls === 'churn_risk' || also.includes('churn_risk');
  const vendor = trapped.filter((trap) => isVendors(gold.traps[trap]!.why)).length;
  return {
    gold: wanted.length,
    found: own.length,
    matched: n,
    recall,
    precision,
    f1: recall && precision ? (2 * recall * precision) / (recall + precision) : null,
    class: share('class'),
    class_strict: ratio(matched.filter(({ statement, said }) => plain(said.class) === statement.class).length, n),
    side: matched.some(({ said }) => said.side !== null) ? share('side') : null,
    customer: share('customer'),
    feature_f1: f1(matched.map(({ statement, said }) => [new Set(statement.features), namesOf(gold, 'feature', said.features)])),
    competitor_f1: f1(
      matched.map(({ statement, said }) => [new Set(statement.competitors), namesOf(gold, 'competitor', said.competitors)]),
    ),
    severity: share('severity'),
    severity_1: share('severity_1'),
    sentiment: share('sentiment'),
    date: share('date'),
    state: ratio(stated.filter((each) => each.right.state).length, stated.length),
    closed_f1: stated.length === 0 ? null : f1(matched.map(({ statement, said }) => [closed(statement.state), closed(plain(said.state))])),
    whole: ratio(matched.filter((each) => each.right.class && each.right.customer && each.right.features).length, wanted.length),
    churn_precision: ratio(
      leaving.filter(({ verdict }) => verdict.is === 'right' && verdict.gold.some((at) => churn(gold.statements[at]!))).length,
      leaving.length,
    ),
    churn_recall: ratio(
      leavers.filter(({ at }) => pairs.has(at) && plain(found[pairs.get(at)!]!.class) === 'churn_risk').length,
      leavers.length,
    ),
    ...duplicatesOf(matched),
    repeats_precision: repeatsPrecision(gold, own, found, verdicts),
    traps: new Set(trapped).size,
    of_traps: gold.traps.filter(({ file }) => keep(file)).length,
    nothing: own.filter(({ verdict }) => verdict.is === 'nothing').length,
    vendor,
    vendor_share: ratio(vendor, own.length),
    injections: trapped.filter((trap) => isInjection(gold.traps[trap]!.why)).length,
  };
}

const closed = (state: string): Set<string> => new Set(state === 'resolved' || state === 'withdrawn' ? [state] : []);

function f1(pairs: readonly (readonly [ReadonlySet<string>, ReadonlySet<string>])[]): number | null {
  const hits = pairs.reduce((sum, [a, b]) => sum + shared(a, b), 0);
  return ratio(
    2 * hits,
    pairs.reduce((sum, [a, b]) => sum + a.size + b.size, 0),
  );
}

const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => [...a].filter((each) => b.has(each)).length;

/** Found statements with the same content should share a group, or refer to each other; with another content, share no group. */
function duplicatesOf(
  matched: readonly { statement: GoldStatement; i: number; said: Found }[],
): Pick<Scores, 'same' | 'merged' | 'mixed_groups'> {
  const byId = new Map(matched.map((each) => [each.statement.id, each]));
  const pairs = matched.flatMap((each) => {
    const first = byId.get(each.statement.same_as ?? '');
    return first ? [[first, each] as const] : [];
  });
  const together = pairs.filter(
    ([a, b]) =>
      a.i === b.i ||
      (a.said.group !== null && a.said.group === b.said.group) ||
      (a.said.id !== null && b.said.refersTo === a.said.id) ||
      (b.said.id !== null && a.said.refersTo === b.said.id),
  );
  const groups = Map.groupBy(
    matched.filter(({ said }) => said.group !== null),
    ({ said }) => said.group,
  );
  const contents = (each: (typeof matched)[number]): string => each.statement.same_as ?? each.statement.id;
  const mixed = [...groups.values()].filter((own) => {
    // One statement may cover several gold statements.
    const said = [...Map.groupBy(own, ({ i }) => i).values()].map((some) => new Set(some.map(contents)));
    return said.some((one) => said.some((other) => shared(one, other) === 0));
  });
  return { same: pairs.length, merged: ratio(together.length, pairs.length), mixed_groups: mixed.length };
}

function repeatsPrecision(
  { statements }: Gold,
  own: readonly { said: Found; verdict: Verdict }[],
  found: readonly Found[],
  verdicts: readonly Verdict[],
): number | null {
  // The first of an id, as everywhere.
  const at = new Map(found.map(({ id }, i) => [id, i] as const).toReversed());
  const contents = (verdict: Verdict | undefined): Set<string> =>
    new Set(verdict?.is === 'right' ? verdict.gold.map((i) => statements[i]!.same_as ?? statements[i]!.id) : []);
  const links = own
    .filter(({ said }) => said.refersAs === 'repeats')
    .map(({ said, verdict }) => [contents(verdict), contents(verdicts[at.get(said.refersTo) ?? -1])] as const)
    .filter(([a, b]) => a.size > 0 && b.size > 0);
  return ratio(links.filter(([a, b]) => shared(a, b) > 0).length, links.length);
}

/** Entities of one type. Names and aliases count alike; one gold entity makes one listed entity right, further ones wrong. */
export function entityScoreOf(type: string, listed: readonly FoundEntity[], gold: Gold): EntityScore {
  const wanted = gold.entities.filter((each: GoldEntity) => each.type === type);
  const seen = new Set<string>();
  const wrong: string[] = [];
  const own = listed.filter((each) => each.type === type);
  for (const { name, aliases } of own) {
    const known = [name, ...aliases].find((each) => gold.knows(type, each));
    const meant = known === undefined ? null : gold.nameOf(type, known);
    if (meant === null || seen.has(meant)) wrong.push(name);
    else seen.add(meant);
  }
  return {
    type,
    gold: wanted.length,
    listed: own.length,
    right: seen.size,
    f1: ratio(2 * seen.size, wanted.length + own.length),
    missed: wanted.map(({ name }) => name).filter((name) => !seen.has(name)),
    wrong,
  };
}

export interface EvidenceScores {
  overall: Scores;
  /** By kind of document. */
  kinds: Record<string, Scores>;
  /** Recall by class. */
  classes: Record<string, number>;
  entities: EntityScore[];
}

/** @param only this file */
export function scoreEvidence(found: readonly Found[], entities: readonly FoundEntity[], gold: Gold, only?: string): EvidenceScores {
  const matching = match(found, gold);
  const counted = (file: string): boolean => only === undefined || file === only;
  const kinds = [...new Set(gold.kinds.values())].sort();
  const classes = Map.groupBy(
    gold.statements.flatMap((statement, at) => (counted(statement.file) ? [{ statement, at }] : [])),
    ({ statement }) => statement.class,
  );
  return {
    overall: scoresOf(found, gold, matching, counted),
    kinds: Object.fromEntries(
      kinds.map((kind) => [kind, scoresOf(found, gold, matching, (file) => counted(file) && gold.kinds.get(file) === kind)]),
    ),
    classes: Object.fromEntries(
      [...classes]
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([cls, own]) => [cls, own.filter(({ at }) => matching.pairs.has(at)).length / own.length]),
    ),
    entities: entityTypes.map((type) => entityScoreOf(type, entities, gold)),
  };
}
