import { bytesOf, largeSegment, type Segment } from './lexical-segment.ts';
import { sees, type DocumentVersion, type Look } from './lexical-look.ts';

/** A document to add: its chunks by id, in the order of the segment's numbers. */
export interface LoadedDocument {
  version: DocumentVersion;
  chunks: { id: string; hasCode: boolean; terms: number; turns?: boolean }[];
}

/** State that is valid while nothing changes. */
interface Settled {
  /** The lowest open transaction. */
  horizon: number;
  look: Look;
  hidden: Uint8Array | null;
}

interface Version {
  id: string;
  source: number;
  /** Transaction that created it. */
  born: number;
  /** Replaced, retired or deleted. `endings` handles snapshots that do not see this. */
  ended: boolean;
  /** Numbers of its first chunk, and of the one after its last. */
  from: number;
  to: number;
  /** Slot of another version of the same document, or -1. */
  other: number;
}

interface Ending {
  id: string;
  transaction: number;
  /** The row is missing: the deleting transaction is unknown, but not higher. */
  gone: boolean;
}

const maxSmall = 6;
/** Maximum separate endings; of older ones the highest transaction is kept. */
const maxEndings = 500;

/**
 * The words of one knowledge base in memory: versions of documents, each created by a transaction and possibly ended
 * by another. Searches with different snapshots read it in any order, and each sees the state of its snapshot:
 *
 * - Every version that was active at the latest catch-up is included, if its transaction was below `horizon`, the
 *   lowest one open then.
 * - A snapshot reports each document that changed in a transaction at or above the horizon, or above its own lowest
 *   open one if that is lower. For these documents the snapshot counts, for all others the index.
 * - Deleted rows are not reported, so the number of documents is compared. If it differs, or if the index has an
 *   ending that the snapshot does not see (an earlier version may never have been loaded), `hidden` requests all its
 *   documents.
 */
export class ScopeIndex {
  readonly scope: number;
  horizon = 0;
  segments: Segment[] = [];
  /** Per chunk, by its number. */
  chunks = 0;
  ids = new Float64Array(256);
  lengths = new Int32Array(256);
  deadChunks = 0;
  /** Some chunk, possibly of an ended version, is of a conversation. */
  conversations = false;
  settled: Settled | null = null;
  private versionOf = new Int32Array(256);
  private code = new Uint8Array(256);
  private readonly versions: Version[] = [];
  private readonly slots = new Map<string, number>();
  private readonly sources = new Map<string, number>();
  private endings: Ending[] = [];
  private forgotten = 0;

  constructor(scope: number) {
    this.scope = scope;
  }

  get bytes(): number {
    const chunks = this.ids.byteLength + this.lengths.byteLength + this.versionOf.byteLength + this.code.byteLength;
    return chunks + this.versions.length * 240 + this.sources.size * 80 + this.segments.reduce((sum, segment) => sum + bytesOf(segment), 0);
  }

  has({ id, changed }: DocumentVersion): boolean {
    return this.slot(id, changed) !== undefined;
  }

  /**
   * Adds versions from the snapshot that are missing.
   * @param segments their postings, with chunks numbered from `this.chunks` on in the given order
   */
  add({ snapshot }: Look, documents: readonly LoadedDocument[], ...segments: readonly Segment[]): void {
    this.settled = null;
    for (const { version, chunks } of documents) {
      this.makeRoom(chunks.length);
      const slot = this.versions.length;
      const from = this.chunks;
      for (const chunk of chunks) {
        this.ids[this.chunks] = Number(chunk.id);
        this.lengths[this.chunks] = chunk.terms;
        this.versionOf[this.chunks] = slot;
        this.code[this.chunks] = chunk.hasCode ? 1 : 0;
        this.conversations ||= chunk.turns ?? false;
        this.chunks += 1;
      }
      const source = this.sources.get(version.source) ?? this.sources.size;
      this.sources.set(version.source, source);
      // The snapshot may be older: changes that it does not see came later.
      const later =
        this.others(version.id).some(({ born }) => !sees(snapshot, born)) ||
        this.endings.some((ending) => ending.id === version.id && !sees(snapshot, ending.transaction));
      if (later) this.deadChunks += chunks.length;
      this.versions.push({
        id: version.id,
        source,
        born: version.changed,
        ended: later,
        from,
        to: this.chunks,
        other: this.slots.get(version.id) ?? -1,
      });
      this.slots.set(version.id, slot);
    }
    this.segments.push(...segments.filter((segment) => segment.chunks.length > 0));
  }

  /**
   * Reads from a snapshot which versions have ended.
   * @returns the active versions that are missing here
   */
  note(seen: Look): DocumentVersion[] {
    const missing: DocumentVersion[] = [];
    for (const version of seen.versions) {
      if (version.status === 'active' && !this.has(version)) missing.push(version);
      const ended = this.others(version.id).filter(
        ({ born, ended: known }) => born !== version.changed && !known && sees(seen.snapshot, born),
      );
      for (const other of ended) this.end(other);
      // A new version has no predecessor; a retired one may have one that was never loaded.
      if (ended.length > 0 || version.status === 'retired') this.remember({ id: version.id, transaction: version.changed, gone: false });
    }
    return missing;
  }

  /** Call it when everything in the snapshot was added. */
  caughtUp({ snapshot }: Look): void {
    this.horizon = Math.max(this.horizon, snapshot.xmin);
  }

  /**
   * 1 for each chunk that the snapshot does not see; null when it sees all; `needsAll` when all its documents are
   * required.
   */
  hidden(seen: Look): Uint8Array | null | 'needsAll' {
    const { snapshot } = seen;
    const told = new Map(seen.versions.map((version) => [version.id, version]));
    const unsure = ({ id, transaction, gone }: Ending): boolean =>
      !told.has(id) && (gone ? transaction >= snapshot.xmin : !sees(snapshot, transaction));
    if (this.forgotten >= snapshot.xmin || this.endings.some(unsure)) return 'needsAll';
    const visible = new Uint8Array(this.versions.length);
    let count = 0;
    for (let slot = 0; slot < visible.length; slot += 1) {
      const { born, ended } = this.versions[slot]!;
      if (sees(snapshot, born) && !ended) count += visible[slot] = 1;
    }
    for (const version of told.values()) {
      for (let slot = this.slots.get(version.id) ?? -1; slot !== -1; slot = this.versions[slot]!.other) {
        const now = version.status === 'active' && this.versions[slot]!.born === version.changed ? 1 : 0;
        count += now - visible[slot]!;
        visible[slot] = now;
      }
    }
    if (count !== seen.documents) return 'needsAll';
    const hidden = this.mask(visible, count);
    if (seen.versions.every(({ changed }) => changed < snapshot.xmin)) this.settled = { horizon: snapshot.xmin, look: seen, hidden };
    return hidden;
  }

  /** The same, from all documents of the snapshot, with the missing versions. */
  hiddenBut(seen: Look, all: readonly DocumentVersion[]): { hidden: Uint8Array | null; missing: DocumentVersion[] } {
    const { snapshot } = seen;
    const visible = new Uint8Array(this.versions.length);
    const missing: DocumentVersion[] = [];
    let count = 0;
    for (const version of all) {
      const slot = this.slot(version.id, version.changed);
      if (slot === undefined) missing.push(version);
      else count += visible[slot] = 1;
    }
    for (const [slot, version] of this.versions.entries()) {
      if (visible[slot] === 1 || version.ended || !sees(snapshot, version.born)) continue;
      this.end(version);
      this.remember({ id: version.id, transaction: snapshot.xmax - 1, gone: true });
    }
    return { hidden: this.mask(visible, count), missing };
  }

  /** @returns null when nothing is filtered */
  filter(sources: string[] | undefined, hasCode: boolean | undefined): ((chunk: number) => boolean) | null {
    if (sources === undefined && hasCode === undefined) return null;
    const allowed = new Uint8Array(this.sources.size).fill(sources === undefined ? 1 : 0);
    for (const source of sources ?? []) {
      const number = this.sources.get(source);
      if (number !== undefined) allowed[number] = 1;
    }
    const code = hasCode === undefined ? -1 : Number(hasCode);
    return (chunk) => allowed[this.versions[this.versionOf[chunk]!]!.source] === 1 && (code === -1 || this.code[chunk] === code);
  }

  /** Segments to merge: the first is small compared with those after it, and there are many. */
  small(): Segment[] {
    const open = this.segments.filter((segment) => segment.chunks.length < largeSegment);
    const sizes = open.map((segment) => segment.chunks.length);
    let after = sizes.reduce((sum, size) => sum + size, 0);
    const first = sizes.findIndex((size) => size <= 2 * (after -= size));
    return first !== -1 && sizes.length - first > maxSmall ? open.slice(first) : [];
  }

  replace(parts: readonly Segment[], segment: Segment): void {
    this.segments = this.segments.flatMap((each) => (each === parts[0] ? [segment] : parts.includes(each) ? [] : [each]));
  }

  private slot(id: string, changed: number): number | undefined {
    for (let slot = this.slots.get(id) ?? -1; slot !== -1; slot = this.versions[slot]!.other) {
      if (this.versions[slot]!.born === changed) return slot;
    }
    return undefined;
  }

  private others(id: string): Version[] {
    const found: Version[] = [];
    for (let slot = this.slots.get(id) ?? -1; slot !== -1; slot = this.versions[slot]!.other) found.push(this.versions[slot]!);
    return found;
  }

  private end(version: Version): void {
    version.ended = true;
    this.deadChunks += version.to - version.from;
    this.settled = null;
  }

  private remember(ending: Ending): void {
    if (this.endings.some(({ id, transaction }) => id === ending.id && transaction === ending.transaction)) return;
    this.endings.push(ending);
    if (this.endings.length <= maxEndings) return;
    const old = this.endings.splice(0, maxEndings / 2);
    this.forgotten = Math.max(this.forgotten, ...old.map(({ transaction }) => transaction));
  }

  private mask(visible: Uint8Array, count: number): Uint8Array | null {
    if (count === visible.length) return null;
    const hidden = new Uint8Array(this.chunks);
    for (let slot = 0; slot < visible.length; slot += 1) {
      if (visible[slot] === 0) hidden.fill(1, this.versions[slot]!.from, this.versions[slot]!.to);
    }
    return hidden;
  }

  private makeRoom(more: number): void {
    if (this.chunks + more <= this.ids.length) return;
    const length = Math.max(this.chunks + more, this.ids.length * 2);
    const [ids, lengths, versionOf, code] = [
      new Float64Array(length),
      new Int32Array(length),
      new Int32Array(length),
      new Uint8Array(length),
    ];
    ids.set(this.ids);
    lengths.set(this.lengths);
    versionOf.set(this.versionOf);
    code.set(this.code);
    Object.assign(this, { ids, lengths, versionOf, code });
  }
}
