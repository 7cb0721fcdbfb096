import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type {
  FoundMemory,
  Memory,
  MemoryOrigin,
  MemoryScope,
  RememberedHistory,
  Saved,
  UpdatedMemory,
} from '../../contracts/knowledge/memory.ts';
import { memoryCategories } from '../../contracts/knowledge/memory.ts';
import { countedPage, type CountedPage, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import { MemoryExtraction } from './memories-extract.ts';
import { asOfEnd, checkMemory, expiryOf, keyFor, type ExpiryWish } from './memories-new.ts';
import { sweepMemories } from './memories-keep.ts';
import { MemoryIndexing } from './memories-indexing.ts';
import { MemoryMerging } from './memories-merge.ts';
import { ownerIn, ownersOf } from './memories-owner.ts';
import {
  amendMemory,
  assertNotExpired,
  eraseMemory,
  unknownMemory,
  writeMemory,
  type NewMemory,
  type Replaced,
} from './memories-records.ts';
import {
  formerVersions,
  latestVersion,
  memoryList,
  memoryRows,
  memoryView,
  standingMerges,
  versionView,
  type MemoryFilter,
  type MemoryRow,
} from './memories-rows.ts';
import { MemorySearch } from './memories-search.ts';
import type { DocumentReader } from './reader.ts';
import type { KnowledgeSearch } from './search.ts';

export interface NewMemoryRequest extends ExpiryWish {
  content: string;
  category: string;
  tags?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** Default: that of the memory it replaces, else team. */
  scope?: MemoryScope | undefined;
  /** Id of the memory that it replaces. */
  supersedes?: string | undefined;
  origin?: MemoryOrigin | undefined;
  /** Nothing is saved if one with these words of that turn was saved before. */
  oncePerOrigin?: boolean | undefined;
}

export interface MemoryChange extends Omit<NewMemoryRequest, 'content' | 'category' | 'scope' | 'supersedes' | 'origin' | 'oncePerOrigin'> {
  content?: string | undefined;
  category?: string | undefined;
}

/** Memories: short texts, found by words and meaning, of a tenant's team or of a user, an agent or a session. */
export class Memories extends Service<
  'embedder' | 'keep' | 'language' | 'languageReads',
  { finder: KnowledgeSearch; reader: DocumentReader }
> {
  private readonly finding = new MemorySearch(this.deps);
  readonly indexing = new MemoryIndexing(this.deps);
  readonly extraction = new MemoryExtraction({ ...this.deps, save: (caller, wanted) => this.save(caller, wanted) });
  readonly merging = new MemoryMerging({ ...this.deps, indexing: this.indexing });

  /**
   * Saves directly, without a workflow. The same content in the same category is one memory of its scope, whoever saves it.
   * @throws AppError VALIDATION_ERROR, and of the memory it replaces NOT_FOUND, CONFLICT, GONE
   */
  async save(caller: Caller, wanted: NewMemoryRequest): Promise<Saved & { warnings: string[] }> {
    const { tenant } = caller;
    const owners = await ownersOf(this.db.query, caller);
    const former = wanted.supersedes === undefined ? null : await this.row(caller, wanted.supersedes);
    const scope = wanted.scope ?? former?.scope ?? 'team';
    const warnings = (memoryCategories as readonly string[]).includes(wanted.category.trim())
      ? []
      : [`"${wanted.category.trim()}" is not one of the usual categories (${memoryCategories.join(', ')}); saved as it is.`];
    const made = await this.made(caller, { ...wanted, scope, owner: ownerIn(owners, scope) }, warnings);
    const written = await writeMemory(this.db, tenant, made, former ? { id: former.id, owners } : undefined);
    const { id: memory_id, status, superseded } = written;
    return { memory_id, status, ...(superseded === undefined ? {} : { superseded }), warnings };
  }

  /**
   * New content or another category makes a new version, which replaces this one. Otherwise the fields change in place.
   * @throws AppError NOT_FOUND, CONFLICT (another version has replaced it), GONE (it has expired), VALIDATION_ERROR
   */
  async update(caller: Caller, id: string, change: MemoryChange): Promise<UpdatedMemory & { warnings: string[] }> {
    const { tenant } = caller;
    if (Object.values(change).every((value) => value === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'There is nothing to change.', {
        hint: 'Give content, category, tags, metadata, expires_at or ttl_days.',
      });
    }
    const owners = await ownersOf(this.db.query, caller);
    const former = await this.row(caller, id);
    assertNotExpired(former);
    const content = change.content?.trim().toWellFormed() ?? former.content;
    const category = change.category?.trim() ?? former.category;
    const replaced: Replaced = { id, owners };
    const warnings: string[] = [];
    if (content === former.content && category === former.category) {
      const tags = change.tags && [...new Set(change.tags)];
      checkMemory(content, category, tags ?? []);
      await amendMemory(this.db, tenant, replaced, { tags, metadata: change.metadata, expiresAt: expiryOf(change) });
      return { memory_id: id, status: 'changed', warnings };
    }
    const given = expiryOf(change);
    const made = await this.made(
      caller,
      {
        content,
        category,
        tags: change.tags ?? former.tags,
        metadata: change.metadata ?? former.metadata,
        scope: former.scope,
        owner: former.owner,
        origin: former.origin ?? undefined,
        // Of a version that was replaced, the expiry may be over; it is refused as such below.
        expires_at: given === undefined && former.superseded_by === null ? (former.expires_at?.toISOString() ?? null) : (given ?? null),
      },
      warnings,
    );
    const { id: memory_id, superseded } = await writeMemory(this.db, tenant, made, replaced);
    return { memory_id, ...(superseded === undefined ? { status: 'exists' } : { status: 'updated', superseded }), warnings };
  }

  /** A memory with the versions that it replaced, also one that is no longer valid. @throws AppError NOT_FOUND */
  async get(caller: Caller, id: string): Promise<RememberedHistory> {
    const { query } = this.db;
    const row = await this.row(caller, id);
    return {
      memory: versionView(row),
      history: (await formerVersions(query, caller.tenant, id)).map(versionView),
      current_id: await latestVersion(query, caller.tenant, id),
      merges: await standingMerges(query, caller.tenant, id),
    };
  }

  /**
   * By words and meaning, best first; one hit per memory.
   * @throws AppError VALIDATION_ERROR (empty or over-long query)
   */
  async search(
    caller: Caller,
    query: string,
    { asOf, ...filter }: MemoryFilter & { limit: number },
  ): Promise<{ memories: FoundMemory[]; warnings: string[] }> {
    const owners = await ownersOf(this.db.query, caller);
    return await this.finding.find(caller.tenant, owners, { ...filter, asOf: asOfEnd(asOf), query });
  }

  /** Newest first. */
  async list(caller: Caller, { asOf, ...filter }: MemoryFilter & Paging): Promise<CountedPage<Memory>> {
    const owners = await ownersOf(this.db.query, caller);
    return await countedPage(this.db.query, memoryList(caller.tenant, owners, { ...filter, asOf: asOfEnd(asOf) }), filter, memoryView);
  }

  /**
   * Deletes the memory, the versions that it replaced, their passages and vectors.
   * @throws AppError NOT_FOUND, also for another tenant's or owner's id
   */
  async delete(caller: Caller, id: string): Promise<void> {
    const owners = await ownersOf(this.db.query, caller);
    const gone = await this.db.transaction((query) => eraseMemory(query, caller.tenant, owners, id));
    if (gone === 0) throw unknownMemory(id);
  }

  /** Ends expired memories, and deletes those that expired long ago. @returns how many were deleted */
  async sweep(tenant: string): Promise<number> {
    return await sweepMemories(this.db, tenant, this.deps.keep.memoriesDays);
  }

  /** @throws AppError NOT_FOUND */
  private async row(caller: Caller, id: string): Promise<MemoryRow> {
    const owners = await ownersOf(this.db.query, caller);
    const row = (await memoryRows(this.db.query, caller.tenant, owners, [id])).get(id);
    if (!row) throw unknownMemory(id);
    return row;
  }

  private async made(
    caller: Caller,
    wanted: Omit<NewMemoryRequest, 'supersedes'> & { scope: MemoryScope; owner: string },
    warnings: string[],
  ): Promise<NewMemory> {
    const content = wanted.content.trim().toWellFormed();
    const category = wanted.category.trim();
    const tags = [...new Set(wanted.tags ?? [])];
    checkMemory(content, category, tags);
    const { scope, owner } = wanted;
    const key = keyFor(caller.tenant, category, content, owner);
    return {
      ...(await this.indexing.prepared(caller.tenant, { key, content, category }, warnings)),
      key,
      content,
      tags,
      metadata: wanted.metadata ?? {},
      createdBy: caller.principal,
      scope,
      owner,
      expiresAt: expiryOf(wanted, scope) ?? null,
      origin: wanted.origin ?? null,
      oncePerOrigin: wanted.oncePerOrigin ?? false,
    };
  }
}
