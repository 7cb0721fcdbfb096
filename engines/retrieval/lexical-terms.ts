/**
 * Numbers for terms, in order of first occurrence. Terms are looked up inside a longer text, without creating a
 * string for each: a large index reads millions, most of which it already has.
 */
export class TermTable {
  readonly terms: string[] = [];
  private hashes = new Int32Array(64);
  /** By hash with linear probing: the term's number, or -1. At most half full. */
  private places = new Int32Array(128).fill(-1);

  get size(): number {
    return this.terms.length;
  }

  /** Approximate memory: a term's string takes about 40 bytes. */
  get bytes(): number {
    return this.terms.length * 48 + this.hashes.byteLength + this.places.byteLength;
  }

  get(term: string): number | undefined {
    const number = this.places[this.find(term, 0, term.length, hashOf(term, 0, term.length))]!;
    return number === -1 ? undefined : number;
  }

  /** The number of the term at `from` to `to` of a text; new terms get the next number. */
  intern(text: string, from = 0, to = text.length): number {
    const hash = hashOf(text, from, to);
    let place = this.find(text, from, to, hash);
    if (this.places[place] !== -1) return this.places[place]!;
    const number = this.terms.length;
    if (number === this.hashes.length) {
      this.grow();
      place = this.find(text, from, to, hash);
    }
    // A slice of a longer text would keep that text in memory.
    this.terms.push(to - from < 13 ? text.slice(from, to) : Buffer.from(text.slice(from, to)).toString());
    this.hashes[number] = hash;
    this.places[place] = number;
    return number;
  }

  private find(text: string, from: number, to: number, hash: number): number {
    const mask = this.places.length - 1;
    let place = hash & mask;
    for (let number = this.places[place]!; number !== -1; number = this.places[place]!) {
      if (this.hashes[number] === hash && same(this.terms[number]!, text, from, to)) return place;
      place = (place + 1) & mask;
    }
    return place;
  }

  private grow(): void {
    const hashes = new Int32Array(this.hashes.length * 2);
    hashes.set(this.hashes);
    const places = new Int32Array(hashes.length * 2).fill(-1);
    const mask = places.length - 1;
    for (let number = 0; number < this.hashes.length; number += 1) {
      let place = hashes[number]! & mask;
      while (places[place] !== -1) place = (place + 1) & mask;
      places[place] = number;
    }
    this.hashes = hashes;
    this.places = places;
  }
}

/** FNV-1a over UTF-16 units, mixed, because the low bits select the slot. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}

function same(term: string, text: string, from: number, to: number): boolean {
  if (term.length !== to - from) return false;
  for (let i = from; i < to; i += 1) if (term.charCodeAt(i - from) !== text.charCodeAt(i)) return false;
  return true;
}
