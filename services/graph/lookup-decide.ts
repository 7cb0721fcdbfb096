import { AppError } from '../../contracts/errors.ts';

/** Pure: which of several entities a name means, or that it is ambiguous. */

/** A candidate for a name. */
export interface Candidate {
  entity_id: string;
  type: string;
  name: string;
  signal_count: number;
  /** Confidence from 0 to 1. */
  confidence: number;
}

export interface Rules {
  /** Minimum confidence to accept a candidate. */
  accept: number;
  /** A second candidate this close makes it ambiguous. */
  margin: number;
  /** A second candidate of another type with this confidence also does; null: types do not matter. */
  otherType: number | null;
}

/** A candidate of another type with this confidence: the caller must choose. */
export const otherTypeFrom = 0.6;

export type Verdict = { kind: 'one'; best: Candidate } | { kind: 'several'; candidates: Candidate[] } | { kind: 'none' };

/** @param candidates in any order, each entity once */
export function verdictOn(candidates: readonly Candidate[], { accept, margin, otherType }: Rules): Verdict {
  const [best, ...others] = ranked(candidates);
  if (!best || best.confidence < accept) return { kind: 'none' };
  const rivals = others.filter(
    // Compared in thousandths, because of floating-point errors: 0.95 − 0.85 is not exactly 0.1.
    ({ confidence, type }) =>
      Math.round((best.confidence - confidence) * 1000) <= Math.round(margin * 1000) ||
      (otherType !== null && type !== best.type && confidence >= otherType),
  );
  return rivals.length === 0 ? { kind: 'one', best } : { kind: 'several', candidates: [best, ...rivals] };
}

/** Most likely first; then by number of signals. */
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
