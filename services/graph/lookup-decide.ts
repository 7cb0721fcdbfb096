import { AppError } from '../../contracts/errors.ts';

/** Pure: which of several entities a name means, or that nobody can tell. */

/** An entity that a name may mean. */
export interface Candidate {
  entity_id: string;
  type: string;
  name: string;
  signal_count: number;
  /** 0 to 1: that it is meant. */
  confidence: number;
}

export interface Rules {
  /** Confidence from which a name is taken for an entity. */
  accept: number;
  /** A runner-up this near makes it ambiguous. */
  margin: number;
  /** A runner-up of another type from here on does, too; null: types do not matter. */
  otherType: number | null;
}

/** Of another type, and this likely: the caller has to say which. */
export const otherTypeFrom = 0.6;

export type Verdict = { kind: 'one'; best: Candidate } | { kind: 'several'; candidates: Candidate[] } | { kind: 'none' };

/** @param candidates in any order, each entity once */
export function verdictOn(candidates: readonly Candidate[], { accept, margin, otherType }: Rules): Verdict {
  const [best, ...others] = ranked(candidates);
  if (!best || best.confidence < accept) return { kind: 'none' };
  const rivals = others.filter(
    // Counted in thousandths: 0.95 − 0.85 is not 0.1 to a computer.
    ({ confidence, type }) =>
      Math.round((best.confidence - confidence) * 1000) <= Math.round(margin * 1000) ||
      (otherType !== null && type !== best.type && confidence >= otherType),
  );
  return rivals.length === 0 ? { kind: 'one', best } : { kind: 'several', candidates: [best, ...rivals] };
}

/** Likeliest first; among equals the one more is said of. */
export const ranked = <C extends Candidate>(candidates: readonly C[]): C[] =>
  candidates.toSorted((a, b) => b.confidence - a.confidence || b.signal_count - a.signal_count || (a.entity_id < b.entity_id ? -1 : 1));

const shown = 10;

export function ambiguous(name: string, candidates: readonly Candidate[], others: readonly Candidate[] = []): AppError {
  const listed = ranked(candidates).slice(0, shown);
  const sameType = new Set(listed.map(({ type }) => type)).size === 1;
  return new AppError('AMBIGUOUS_ENTITY', `Found ${candidates.length} entities matching "${name}".`, {
    hint: `Did you mean ${orList(listed.map(told))}? Ask again with ${sameType ? 'the full name' : 'entity_type or the full name'}.`,
    candidates: listed.map(({ type, name: full, signal_count, confidence, entity_id }) => ({
      type,
      name: full,
      signal_count,
      confidence,
      entity_id,
    })),
    ...alternativesOf(others),
  });
}

export function unknownName(name: string, types: readonly string[] | undefined, near: readonly Candidate[]): AppError {
  const close = ranked(near).filter(({ confidence }) => confidence >= 0.5);
  return new AppError('NOT_FOUND', `No ${types?.length ? orList(types) : 'entity'} is known as "${name}".`, {
    hint:
      close.length > 0
        ? `Did you mean ${orList(close.slice(0, 3).map(told))}?`
        : 'entity.record.list shows what is known; entity.alias.add teaches a further name.',
    ...alternativesOf(near),
  });
}

const alternativesOf = (others: readonly Candidate[]): { alternatives?: string[] } =>
  others.length > 0 ? { alternatives: [...new Set(ranked(others).map(({ name }) => name))].slice(0, 5) } : {};

export const signals = (count: number): string => `${count} ${count === 1 ? 'signal' : 'signals'}`;

const told = ({ type, name, signal_count }: Candidate): string => `${type} "${name}" (${signals(signal_count)})`;

const orList = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
