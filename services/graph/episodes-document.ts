import type { Block } from '../../adapters/parsers/types.ts';
import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import { episodeBase } from '../../contracts/graph/graph.ts';
import { hashOf } from '../../contracts/ids.ts';
import { chunk, type Chunk } from '../../engines/retrieval/chunking.ts';
import { writePassages } from '../knowledge/index.ts';
import { noteDocument } from '../kernel/outbox.ts';
import { ensureBase } from '../knowledge/index.ts';
import { termFrequencies, termsVersion } from '../../engines/retrieval/terms.ts';
import { linesOfJson } from './episode-json.ts';
import type { QueuedEpisode } from './episodes-queue.ts';
import { forgetDocuments } from './forget.ts';
import { lockGraph } from './lock.ts';

type Query = Database['query'];

/** How long to wait for vectors, in ms; without them an episode's passages are found by their words. */
const embedWithin = 60_000;
/** Maximum speakers. */
const maxSpeakers = 50;

/** The source type of an episode for extraction. */
const sourceTypes = { text: 'episode', json: 'episode_json', message: 'transcript' } as const;

/**
 * Writes an episode's text as an active document with the same id, in one transaction; replaces a former text. A
 * repeat changes nothing.
 * @returns false: the episode was deleted or replaced meanwhile
 */
export async function writeEpisode(db: Database, embedder: Embedder | null, tenant: string, episode: QueuedEpisode): Promise<boolean> {
  const { id, name, said_at: saidAt } = episode;
  const { blocks, speakers } = blocksOf(episode);
  const chunks = chunk({ format: 'episode', title: name, metadata: {}, blocks });
  const vectors = await vectorsOf(embedder, chunks);
  const passages = chunks.map((passage, i) => ({
    chunk: passage,
    frequencies: termFrequencies(passage.text),
    vector: vectors?.[i] ?? null,
  }));
  const lengths = passages.map(({ frequencies }) => [...frequencies.values()].reduce((a, b) => a + b, 0));
  const { kind, body, source, source_description: description } = episode;
  const contentHash = hashOf({ kind, name, body, source, description, said_at: saidAt.toISOString() });
  return await db.transaction(async (query) => {
    await lockGraph(query, tenant);
    const standing = await query(
      `select 1 from graph_episodes where tenant_id = $1 and id = $2 and seq = $3 and status = 'queued' for update`,
      [tenant, id, episode.seq],
    );
    if (standing.length === 0) return false;
    const [former] = await query<{ content_hash: string }>('select content_hash from documents where tenant_id = $1 and id = $2', [
      tenant,
      id,
    ]);
    if (former?.content_hash === contentHash) return true;
    if (former) await eraseEpisodeDocuments(query, tenant, [id]);
    await ensureBase(query, tenant, episodeBase);
    const about = { date: saidAt.toISOString(), ...(speakers.length > 0 ? { participants: speakers } : {}) };
    const [document] = await query<{ scope: number }>(
      `with base as (select scope from knowledge_bases where tenant_id = $1 and id = $3), source as (
         insert into knowledge_sources (tenant_id, id, kb_id, identity, title, description, type, metadata, status, document_id, chunk_count)
         values ($1, $2, $3, $2, $4, nullif($5, ''), $6, $7, 'active', $2, $8))
       insert into documents (tenant_id, id, source_id, scope, content_hash, blob, format, title, status, revision, chunk_count, terms, said_at, terms_version)
       select $1, $2, $2, scope, $9, '', 'episode', $4, 'active', 1, $8, $10, $11, ${termsVersion} from base returning scope`,
      [
        tenant,
        id,
        episodeBase,
        name,
        description,
        sourceTypes[source],
        JSON.stringify(about),
        chunks.length,
        contentHash,
        lengths.reduce((a, b) => a + b, 0),
        saidAt,
      ],
    );
    await writePassages(query, tenant, document!.scope, { id, passages, model: vectors ? embedder!.id : null }, lengths);
    await noteDocument(query, tenant, 'document.published', id, { scope: document!.scope, source_id: id });
    return true;
  });
}

/**
 * Deletes the documents of episodes and everything derived from them in the graph. The caller holds the tenant's
 * graph lock.
 */
export async function eraseEpisodeDocuments(query: Query, tenant: string, ids: readonly string[]): Promise<void> {
  await query('select 1 from knowledge_sources where tenant_id = $1 and id = any($2) and kb_id = $3 order by id for update', [
    tenant,
    ids,
    episodeBase,
  ]);
  // Waits for a running extraction; its results are deleted, too.
  const documents = await query<{ id: string; scope: number }>(
    `select d.id, d.scope from documents d join knowledge_sources s on s.tenant_id = d.tenant_id and s.id = d.source_id
     where d.tenant_id = $1 and d.id = any($2) and s.kb_id = $3 order by d.id for update of d`,
    [tenant, ids, episodeBase],
  );
  const known = documents.map((document) => document.id);
  if (known.length === 0) return;
  await forgetDocuments(query, tenant, known);
  // Deleting the documents also deletes their chunks and postings.
  await query('delete from documents where tenant_id = $1 and id = any($2)', [tenant, known]);
  await query('delete from knowledge_sources where tenant_id = $1 and id = any($2) and kb_id = $3', [tenant, known, episodeBase]);
  for (const { id, scope } of documents) await noteDocument(query, tenant, 'document.deleted', id, { scope, source_id: id });
}

async function vectorsOf(embedder: Embedder | null, chunks: readonly Chunk[]): Promise<Float32Array[] | null> {
  if (!embedder || chunks.length === 0) return null;
  try {
    return await embedder.embed(
      chunks.map((passage) => passage.text),
      { priority: 'batch', signal: AbortSignal.timeout(embedWithin) },
    );
  } catch (error) {
    // Found by its words until `ingest.pipeline.run` adds the missing vectors.
    if (error instanceof AppError || (error instanceof Error && error.name === 'TimeoutError')) return null;
    throw error;
  }
}

/** The content of an episode, in order. */
export function blocksOf({ body, source }: Pick<QueuedEpisode, 'body' | 'source'>): { blocks: Block[]; speakers: string[] } {
  if (source === 'json') {
    const groups = linesOfJson(JSON.parse(body));
    return { blocks: groups.map((lines) => ({ kind: 'list' as const, text: lines.join('\n'), place: {} })), speakers: [] };
  }
  const turns = source === 'message' ? turnsOf(body) : null;
  if (turns) {
    const named = turns.flatMap(({ place: { speaker } }) => (speaker !== undefined && !roles.has(speaker.toLowerCase()) ? [speaker] : []));
    return { blocks: turns, speakers: [...new Set(named)].slice(0, maxSpeakers) };
  }
  let line = 1;
  const blocks = body.split(/(\n\s*\n)/).flatMap((text) => {
    const place = { line };
    line += text.split('\n').length - 1;
    return text.trim() === '' ? [] : [{ kind: 'paragraph' as const, text, place }];
  });
  return { blocks, speakers: [] };
}

/** Roles that are not persons. */
const roles = new Set(['user', 'assistant', 'system', 'human', 'ai', 'agent', 'bot', 'tool', 'unknown', 'speaker']);
const turn = /^\s*(\p{L}[^:\n]{0,63}?)(?:\s*\([^()]*\))?\s*:\s+(\S.*)$/u;

/**
 * Lines `speaker: text`, also `speaker (role): text`; lines without a speaker continue the turn. Null: there are
 * none.
 */
function turnsOf(body: string): Block[] | null {
  const turns: Block[] = [];
  for (const [i, line] of body.split('\n').entries()) {
    const [, speaker, text] = turn.exec(line) ?? [];
    const last = turns.at(-1);
    if (speaker !== undefined && text !== undefined) turns.push({ kind: 'turn', text, place: { line: i + 1, speaker } });
    else if (line.trim() !== '' && last) last.text += `\n${line}`;
    else if (line.trim() !== '') turns.push({ kind: 'turn', text: line, place: { line: i + 1 } });
  }
  return turns.some(({ place }) => place.speaker !== undefined) ? turns : null;
}
