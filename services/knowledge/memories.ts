import type { Block } from '../../adapters/parsers/types.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { derivedId, hashOf } from '../../contracts/ids.ts';
import { memoryBase } from '../../contracts/knowledge/knowledge.ts';
import { maxMemory, memoryCategories, type FoundMemory, type Memory, type Saved } from '../../contracts/knowledge/memory.ts';
import { count, countedPage, type CountedPage, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import { chunk, type Chunk } from '../../engines/retrieval/chunking.ts';
import {
  categoryTag,
  eraseMemory,
  internalTag,
  memoriesById,
  memoryList,
  memoryView,
  writeMemory,
  type MemoryFilter,
} from './memories-records.ts';
import { ensureBase } from './records.ts';
import type { KnowledgeSearch } from './search.ts';
import { termFrequencies } from '../../engines/retrieval/terms.ts';

/** How long a save waits for its vectors, in ms: the words are saved in any case. */
const embedWithin = 5_000;
/** Passages requested by a search, so that a long memory with many matches does not hide the others. */
const passages = 100;

export interface NewMemoryRequest {
  content: string;
  category: string;
  tags?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/** Memories of a tenant's agents: short texts, found by words and meaning, shared among them. */
export class Memories extends Service<'embedder', { finder: KnowledgeSearch }> {
  /**
   * Saves directly, without a workflow. The same content in the same category is one memory, whoever saves it.
   * @throws AppError VALIDATION_ERROR
   */
  async save(caller: Caller, wanted: NewMemoryRequest): Promise<Saved & { warnings: string[] }> {
    const { tenant } = caller;
    const content = wanted.content.trim().toWellFormed();
    const category = wanted.category.trim();
    const tags = [...new Set(wanted.tags ?? [])];
    check(content, category, tags);
    const id = derivedId('memory', tenant, category, content);
    const warnings = (memoryCategories as readonly string[]).includes(category)
      ? []
      : [`"${category}" is not one of the usual categories (${memoryCategories.join(', ')}); saved as it is.`];

    const known = await memoriesById(this.db.query, tenant, [id]);
    const chunks = chunk({ format: 'memory', metadata: {}, blocks: blocksOf(content) });
    const vectors = known.size > 0 ? null : await this.vectorsOf(chunks, warnings);
    await ensureBase(this.db.query, tenant, memoryBase);
    const status = await writeMemory(this.db, tenant, {
      id,
      content,
      category,
      tags,
      metadata: wanted.metadata ?? {},
      createdBy: caller.principal,
      title: titleOf(content),
      contentHash: hashOf(content),
      passages: chunks.map((passage, i) => ({
        chunk: passage,
        frequencies: termFrequencies(passage.text),
        vector: vectors?.made[i] ?? null,
      })),
      model: vectors?.model ?? null,
    });
    return { memory_id: id, status, warnings };
  }

  /**
   * By words and meaning, best first; one hit per memory.
   * @throws AppError VALIDATION_ERROR (empty or over-long query)
   */
  async search(
    tenant: string,
    query: string,
    filter: MemoryFilter & { limit: number },
  ): Promise<{ memories: FoundMemory[]; warnings: string[] }> {
    if ((await count(this.db.query, memoryList(tenant, filter))) === 0) {
      const any = (await count(this.db.query, memoryList(tenant), 1)) > 0;
      return {
        memories: [],
        warnings: [any ? 'No memory has this category and these tags.' : 'Nothing has been saved yet: memory.record.save does that.'],
      };
    }
    const labels = [...(filter.tags ?? []), ...(filter.category === undefined ? [] : [categoryTag(filter.category)])];
    const { hits, warnings } = await this.deps.finder.chunks(tenant, {
      query,
      mode: 'hybrid',
      limit: passages,
      filters: { kb_id: memoryBase, ...(labels.length > 0 ? { tags: labels } : {}) },
    });
    const scores = new Map<string, number>();
    for (const { source_id, score } of hits) scores.set(source_id, Math.max(score, scores.get(source_id) ?? 0));
    const found = await memoriesById(this.db.query, tenant, [...scores.keys()]);
    const memories = [...scores].flatMap(([id, score]) => {
      const memory = found.get(id);
      return memory ? [{ ...memory, score }] : [];
    });
    return { memories: memories.sort((a, b) => b.score - a.score).slice(0, filter.limit), warnings };
  }

  /** Newest first. */
  async list(tenant: string, filter: MemoryFilter & Paging): Promise<CountedPage<Memory>> {
    return await countedPage(this.db.query, memoryList(tenant, filter), filter, memoryView);
  }

  /** Deletes the memory, its passages and their vectors. @throws AppError NOT_FOUND, also for another tenant's id */
  async delete(tenant: string, id: string): Promise<void> {
    if (!(await eraseMemory(this.db, tenant, id))) throw notFound('memory', id, 'memory.record.search and memory.record.list show ids.');
  }

  private async vectorsOf(chunks: readonly Chunk[], warnings: string[]): Promise<{ made: Float32Array[]; model: string } | null> {
    if (!this.deps.embedder) {
      warnings.push('No embedding model is available: this memory is found by its words, not by meaning.');
      return null;
    }
    try {
      const texts = chunks.map((passage) => passage.text);
      const made = await this.deps.embedder.embed(texts, { priority: 'query', signal: AbortSignal.timeout(embedWithin) });
      return { made, model: this.deps.embedder.id };
    } catch (error) {
      const why = error instanceof AppError ? error.message : 'the embedding model did not answer in time.';
      warnings.push(`Saved, but for now found by its words only: ${why}`);
      return null;
    }
  }
}

function check(content: string, category: string, tags: string[]): void {
  if (content.includes('\0')) throw new AppError('VALIDATION_ERROR', 'The memory must not contain NUL.');
  if (content === '') throw new AppError('VALIDATION_ERROR', 'The memory is empty.', { hint: 'Put the text to remember into content.' });
  if (content.length > maxMemory) {
    throw new AppError('VALIDATION_ERROR', `The memory has ${content.length} characters; at most ${maxMemory} are taken.`, {
      hint: 'Save the gist of it; ingest.document.submit takes whole documents.',
    });
  }
  if (category === '') {
    throw new AppError('VALIDATION_ERROR', 'The category is empty.', { hint: `Usual ones: ${memoryCategories.join(', ')}.` });
  }
  const reserved = tags.find((tag) => tag.startsWith(internalTag));
  if (reserved !== undefined) {
    throw new AppError('VALIDATION_ERROR', `Tags must not begin with "${internalTag}": "${reserved}" does.`, {
      hint: 'Use the field category instead.',
    });
  }
}

/** Splits into paragraphs, so that a long memory is cut between them. */
function blocksOf(content: string): Block[] {
  let line = 1;
  return content.split(/(\n\s*\n)/).flatMap((text) => {
    const place = { line };
    line += text.split('\n').length - 1;
    return text.trim() === '' ? [] : [{ kind: 'paragraph' as const, text, place }];
  });
}

function titleOf(content: string): string {
  const [first = ''] = content.split('\n', 1);
  return first.length <= 80 ? first : `${first.slice(0, 79).toWellFormed()}…`;
}
