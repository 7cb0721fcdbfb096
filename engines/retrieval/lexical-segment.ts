import { TermTable } from './lexical-terms.ts';

/** Postings of some chunks, by term. Immutable, so that searches may read it while others are added. */
export interface Segment {
  readonly terms: Pick<TermTable, 'get' | 'size' | 'bytes' | 'terms'>;
  /** Start of each term's postings, by its number; one more than there are terms. */
  readonly starts: Uint32Array;
  /** Per posting: its chunk's number in the index, and the number of occurrences. */
  readonly chunks: Int32Array;
  readonly tfs: Tfs;
}

/** Bytes while all are small whole numbers, as nearly always. */
type Tfs = Uint8Array | Float32Array;

/** From so many postings on, a segment stays as it is: others are added beside it. */
export const largeSegment = 2 ** 24;

/** Work in steps, between which other requests may run. */
export type Steps<T> = Generator<void, T>;

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await new Promise((done) => setImmediate(done));
  }
}

/** Postings per step: some milliseconds of work. */
const perStep = 100_000;

export const bytesOf = ({ terms, starts, chunks, tfs }: Segment): number =>
  terms.bytes + starts.byteLength + chunks.byteLength + tfs.byteLength;

/** Never part of a term, because terms are words. */
export const between = '\x1f';

/** Collects postings chunk by chunk, and sorts them by term. */
export class SegmentBuilder {
  private readonly terms = new TermTable();
  private numbers = new Int32Array(1_024);
  private tfs: Tfs = new Uint8Array(1_024);
  /** Each chunk with the end of its postings. */
  private readonly owners: number[] = [];
  private readonly ends: number[] = [];
  /** Number of postings. */
  size = 0;

  /**
   * @param chunk greater than the previous ones
   * @param terms separated by `between`
   * @param tfs as many numbers, separated by commas
   */
  add(chunk: number, terms: string, tfs: string): void {
    let tf = 0;
    for (let from = 0; from <= terms.length;) {
      const end = terms.indexOf(between, from);
      const to = end === -1 ? terms.length : end;
      const comma = tfs.indexOf(',', tf);
      const next = comma === -1 ? tfs.length : comma;
      if (this.size === this.numbers.length) this.grow();
      this.numbers[this.size] = this.terms.intern(terms, from, to);
      // Nearly all have one digit.
      this.put(next - tf === 1 ? tfs.charCodeAt(tf) - 48 : Number(tfs.slice(tf, next)));
      this.size += 1;
      from = to + 1;
      tf = next + 1;
    }
    this.owners.push(chunk);
    this.ends.push(this.size);
  }

  *finish(): Steps<Segment> {
    const { terms, numbers, size } = this;
    const starts = new Uint32Array(terms.size + 1);
    for (let i = 0; i < size; i += 1) starts[numbers[i]! + 1]! += 1;
    for (let term = 0; term < terms.size; term += 1) starts[term + 1]! += starts[term]!;
    const free = starts.slice(0, -1);
    const chunks = new Int32Array(size);
    const tfs = sameKind(this.tfs, size);
    let posting = 0;
    let pause = perStep;
    for (const [i, chunk] of this.owners.entries()) {
      for (; posting < this.ends[i]!; posting += 1) {
        const at = free[numbers[posting]!]!++;
        chunks[at] = chunk;
        tfs[at] = this.tfs[posting]!;
      }
      if (posting > pause) {
        pause = posting + perStep;
        yield;
      }
    }
    return { terms, starts, chunks, tfs };
  }

  private put(tf: number): void {
    if (this.tfs instanceof Uint8Array && !(tf <= 255 && Number.isInteger(tf))) this.tfs = Float32Array.from(this.tfs);
    this.tfs[this.size] = tf;
  }

  private grow(): void {
    const [numbers, tfs] = [new Int32Array(this.numbers.length * 2), sameKind(this.tfs, this.numbers.length * 2)];
    numbers.set(this.numbers);
    tfs.set(this.tfs);
    this.numbers = numbers;
    this.tfs = tfs;
  }
}

const sameKind = (tfs: Tfs, length: number): Tfs => (tfs instanceof Uint8Array ? new Uint8Array(length) : new Float32Array(length));

/** One segment with the postings of all. */
export function* merged(parts: readonly Segment[]): Steps<Segment> {
  const terms = new TermTable();
  const counts: number[] = [];
  const numbers: Int32Array[] = [];
  for (const part of parts) {
    const own = new Int32Array(part.terms.size);
    for (let number = 0; number < own.length; number += 1) {
      const joint = terms.intern(part.terms.terms[number]!);
      own[number] = joint;
      counts[joint] = (counts[joint] ?? 0) + part.starts[number + 1]! - part.starts[number]!;
    }
    numbers.push(own);
    yield;
  }
  const starts = new Uint32Array(counts.length + 1);
  for (const [term, count] of counts.entries()) starts[term + 1] = starts[term]! + count;
  const free = starts.slice(0, -1);
  const chunks = new Int32Array(starts.at(-1)!);
  const tfs = sameKind(parts.find((part) => part.tfs instanceof Float32Array)?.tfs ?? new Uint8Array(0), chunks.length);
  let pause = perStep;
  for (const [p, part] of parts.entries()) {
    const own = numbers[p]!;
    for (let number = 0; number < own.length; number += 1) {
      const [from, to] = [part.starts[number]!, part.starts[number + 1]!];
      const joint = own[number]!;
      const at = free[joint]!;
      for (let i = from; i < to; i += 1) {
        chunks[at + i - from] = part.chunks[i]!;
        tfs[at + i - from] = part.tfs[i]!;
      }
      free[joint] = at + to - from;
      if ((pause -= to - from) < 0) {
        pause = perStep;
        yield;
      }
    }
  }
  return { terms, starts, chunks, tfs };
}
