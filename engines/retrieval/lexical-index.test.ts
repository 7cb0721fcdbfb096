import { describe, expect, it } from 'vitest';
import { ScopeIndex } from './lexical-index.ts';
import { atOnce, SegmentBuilder } from './lexical-segment.ts';
import type { DocumentVersion, Look } from './lexical-look.ts';

/** Every document has two chunks. */
const chunksEach = 2;
let lastChunk = 0;

const version = (id: string, changed: number, status = 'active'): DocumentVersion => ({
  id,
  source: `source of ${id}`,
  changed,
  status,
  chunks: chunksEach,
});

/** A snapshot's report: the number of active `documents`, and the recently changed ones. */
const look = (xmin: number, xmax: number, open: number[], documents: number, versions: DocumentVersion[]): Look => ({
  scope: 1,
  snapshot: { xmin, xmax, open: new Set(open) },
  rows: documents,
  documents,
  chunks: documents * chunksEach,
  terms: 0,
  hidden: [],
  versions,
});

/**
 * Catches up like a search.
 * @returns ids of the documents that had to be loaded
 */
function catchUp(index: ScopeIndex, seen: Look): string[] {
  const missing = index.note(seen);
  add(index, seen, missing);
  index.caughtUp(seen);
  return missing.map(({ id }) => id);
}

function add(index: ScopeIndex, seen: Look, versions: DocumentVersion[]): void {
  index.add(
    seen,
    versions.map((each) => ({
      version: each,
      chunks: Array.from({ length: chunksEach }, () => ({ id: String((lastChunk += 1)), hasCode: false, terms: 1 })),
    })),
    atOnce(new SegmentBuilder().finish()),
  );
}

/** An index that was loaded with `a` and `b`. */
function loaded(): ScopeIndex {
  const index = new ScopeIndex(1);
  const seen = look(100, 100, [], 2, []);
  add(index, seen, [version('a', 50), version('b', 60)]);
  index.caughtUp(seen);
  expect(index.hidden(seen)).toBeNull();
  return index;
}

describe('ScopeIndex', () => {
  it('hides a replaced document from who sees the replacement, and the replacement from who does not', () => {
    const index = loaded();
    const after = look(110, 110, [], 2, [version('a', 105, 'retired'), version('a2', 105)]);
    expect(catchUp(index, after)).toEqual(['a2']);
    expect(index.hidden(after)).toEqual(Uint8Array.of(1, 1, 0, 0, 0, 0));
    // An older snapshot: it needs all documents only because of an ending that it does not see.
    const before = look(105, 106, [105], 2, []);
    expect(catchUp(index, before)).toEqual([]);
    expect(index.hidden(before)).toBe('needsAll');
    expect(index.hiddenBut(before, [version('a', 50), version('b', 60)])).toEqual({ hidden: Uint8Array.of(0, 0, 0, 0, 1, 1), missing: [] });
    // Its report does not affect later searches.
    expect(index.hidden(look(120, 120, [], 2, []))).toEqual(Uint8Array.of(1, 1, 0, 0, 0, 0));
  });

  it('hides what is new from who does not see it, without asking', () => {
    const index = loaded();
    catchUp(index, look(110, 110, [], 3, [version('c', 105)]));
    expect(index.hidden(look(105, 108, [105], 2, []))).toEqual(Uint8Array.of(0, 0, 0, 0, 1, 1));
    expect(index.hidden(look(111, 111, [], 3, []))).toBeNull();
  });

  it('knows a retirement by a transaction that is older than the publication', () => {
    const index = loaded();
    // 104 is open; 105 publishes.
    const published = look(104, 106, [104], 3, [version('c', 105)]);
    expect(catchUp(index, published)).toEqual(['c']);
    expect(index.hidden(published)).toBeNull();
    const retired = look(106, 106, [], 2, [version('c', 104, 'retired')]);
    expect(catchUp(index, retired)).toEqual([]);
    expect(index.hidden(retired)).toEqual(Uint8Array.of(0, 0, 0, 0, 1, 1));
    expect(index.hidden(look(120, 120, [], 2, []))).toEqual(Uint8Array.of(0, 0, 0, 0, 1, 1));
  });

  it('notices rows that vanished, and which', () => {
    const index = loaded();
    const seen = look(110, 110, [], 1, []);
    catchUp(index, seen);
    expect(index.hidden(seen)).toBe('needsAll');
    expect(index.hiddenBut(seen, [version('b', 60)])).toEqual({ hidden: Uint8Array.of(1, 1, 0, 0), missing: [] });
    expect(index.hidden(look(120, 120, [], 1, []))).toEqual(Uint8Array.of(1, 1, 0, 0));
    expect(index.deadChunks).toBe(chunksEach);
  });

  it('is not misled when the number of documents agrees by chance', () => {
    const index = loaded();
    // `a` was changed in place twice; only the second change is seen.
    expect(catchUp(index, look(130, 130, [], 2, [version('a', 120)]))).toEqual(['a']);
    // This one sees the first change: the number of documents matches the index.
    const between = look(115, 125, [120], 2, []);
    expect(catchUp(index, between)).toEqual([]);
    expect(index.hidden(between)).toBe('needsAll');
    expect(index.hiddenBut(between, [version('a', 112), version('b', 60)]).missing).toEqual([version('a', 112)]);
    // After it is loaded for that snapshot, later ones do not see it.
    add(index, between, [version('a', 112)]);
    expect(index.hiddenBut(between, [version('a', 112), version('b', 60)])).toEqual({
      hidden: Uint8Array.of(1, 1, 0, 0, 1, 1, 0, 0),
      missing: [],
    });
    expect(index.hidden(look(140, 140, [], 2, []))).toEqual(Uint8Array.of(1, 1, 0, 0, 0, 0, 1, 1));
  });

  it('settles when all that it was told is older than every open transaction', () => {
    const index = loaded();
    expect(index.settled?.horizon).toBe(100);
    const busy = look(104, 106, [104], 3, [version('c', 105)]);
    catchUp(index, busy);
    index.hidden(busy);
    expect(index.settled).toBeNull();
    const quiet = look(110, 110, [], 3, [version('c', 105)]);
    catchUp(index, quiet);
    index.hidden(quiet);
    expect(index.settled).toMatchObject({ horizon: 110, look: { rows: 3 }, hidden: null });
  });

  it('forgets deaths of long ago, and then asks who might not see them', () => {
    const index = loaded();
    const many = Array.from({ length: 600 }, (_, i) => version(`r${i}`, 200 + i, 'retired'));
    catchUp(index, look(1_000, 1_000, [], 2, many));
    expect(index.hidden(look(1_000, 1_000, [], 2, []))).toBeNull();
    // Sees all except one long-past transaction.
    expect(index.hidden(look(210, 2_000, [210], 2, []))).toBe('needsAll');
  });
});
