import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import {
  maxConversation,
  maxExtracted,
  type ChosenMemory,
  type ExtractedMemory,
  type Extraction,
  type MemoryOrigin,
  type MemoryScope,
  type Saved,
} from '../../contracts/knowledge/memory.ts';
import { ordersMachine, rememberedIn, type Turn } from '../../engines/memory/remember.ts';
import { Service } from '../kernel/service.ts';
import type { NewMemoryRequest } from './memories.ts';
import { rememberedByModel, statedIn } from './memories-model.ts';
import type { DocumentReader } from './reader.ts';
import { citationOf } from './rules.ts';

export interface ExtractionWish {
  turns?: { speaker?: string | undefined; role?: string | undefined; text: string }[] | undefined;
  /** An ingested conversation, instead of turns. */
  documentId?: string | undefined;
  scope: MemoryScope;
  save: boolean;
  /** Proposals of an earlier call: these are taken, and nothing is looked for. */
  chosen?: ChosenMemory[] | undefined;
  tags?: string[] | undefined;
  signal?: AbortSignal | undefined;
}

/** A turn with where it stands, if it is of a document. */
type ReadTurn = Turn & { citation?: string };

/** A sentence that is worth remembering, with its category. */
interface Quoted {
  turn: number;
  quote: string;
  kind: string;
}

interface Conversation {
  id: string;
  turns: ReadTurn[];
  /** Passages of the document that were not read. */
  left: number;
}

const longestName = 80;

/** Takes what is worth remembering from conversations. */
export class MemoryExtraction extends Service<
  'language' | 'languageReads',
  {
    reader: DocumentReader;
    save(caller: Caller, wanted: NewMemoryRequest & { oncePerOrigin: boolean }): Promise<Saved & { warnings: string[] }>;
  }
> {
  /**
   * Proposes memories, and saves them if asked to. What is saved names its turn, and a repeat saves nothing twice.
   * @throws AppError VALIDATION_ERROR, of the document NOT_FOUND, GONE
   */
  async extract(caller: Caller, wish: ExtractionWish): Promise<Extraction & { warnings: string[] }> {
    const { id, turns, left } = await this.conversation(caller.tenant, wish);
    const { language, languageReads } = this.deps;
    const model =
      wish.chosen === undefined && languageReads && language.model !== null
        ? await rememberedByModel(language, turns, { tenant: caller.tenant, signal: wish.signal })
        : null;
    const found = distinct(
      wish.chosen
        ? quoted(turns, wish.chosen)
        : [...(model?.found ?? []), ...rememberedIn(turns).filter(({ turn }) => !model?.read.has(turn))],
    );
    const warnings = [...(model?.warnings ?? [])];
    if (left > 0) warnings.push(`The document is long: ${left} of its passages were not read.`);
    if (found.length > maxExtracted)
      warnings.push(`${found.length - maxExtracted} further ones were left out: a call takes ${maxExtracted}.`);
    const memories: ExtractedMemory[] = [];
    for (const { turn, quote, kind } of found.slice(0, maxExtracted)) {
      const { speaker, citation } = turns[turn]!;
      const content = speaker === null ? quote : `${speaker}: ${quote}`;
      const origin: MemoryOrigin = { conversation: id, turn, speaker, quote, ...(citation === undefined ? {} : { citation }) };
      const saved = wish.save
        ? await this.deps.save(caller, { content, category: kind, tags: wish.tags, scope: wish.scope, origin, oncePerOrigin: true })
        : null;
      const how = saved ? { memory_id: saved.memory_id, status: saved.status } : { status: 'proposed' as const };
      warnings.push(...(saved?.warnings.filter((warning) => /by its words|not by meaning/.test(warning)) ?? []));
      memories.push({ ...how, content, category: kind, origin });
    }
    return {
      memories,
      conversation: id,
      turns: turns.length,
      read_by: model === null || model.read.size === 0 ? 'rules' : model.read.size === turns.length ? 'model' : 'both',
      left: left + Math.max(0, found.length - maxExtracted),
      warnings: [...new Set(warnings)],
    };
  }

  private async conversation(tenant: string, { turns, documentId }: ExtractionWish): Promise<Conversation> {
    if ((turns === undefined) === (documentId === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'Give turns or document_id, and not both.', {
        hint: 'turns: [{"speaker": "Ann", "text": "We decided …"}]; document_id: of an ingested transcript.',
      });
    }
    if (documentId !== undefined) return await this.ofDocument(tenant, documentId);
    const read = (turns ?? []).map(({ speaker, role, text }): ReadTurn => ({
      speaker: nameOf(speaker),
      role: role?.trim() || null,
      text: text.toWellFormed(),
    }));
    const size = read.reduce((sum, { text }) => sum + text.length, 0);
    if (size > maxConversation) {
      throw new AppError('VALIDATION_ERROR', `The conversation has ${size} characters; at most ${maxConversation} are taken.`, {
        hint: 'Pass it in parts, or ingest it with ingest.transcript.submit and give its document_id.',
      });
    }
    return { id: `turns_${hashOf(read.map(({ speaker, role, text }) => [speaker, role, text])).slice(0, 32)}`, turns: read, left: 0 };
  }

  /** @throws AppError NOT_FOUND, GONE */
  private async ofDocument(tenant: string, documentId: string): Promise<Conversation> {
    const head = await this.deps.reader.head(tenant, documentId);
    const rows = await this.db.query<{
      ordinal: number;
      body: string;
      speaker: string | null;
      turns: [number, number, string | null][] | null;
    }>(
      `select ordinal, body, speaker, turns from (
         select ordinal, body, place->>'speaker' as speaker, turns, sum(length(body)) over (order by ordinal) as upto
         from chunks where tenant_id = $1 and document_id = $2) c where upto <= $3 order by ordinal`,
      [tenant, documentId, maxConversation],
    );
    const turns = rows.flatMap(({ ordinal, body, speaker, turns: marks }): ReadTurn[] => {
      const citation = citationOf(documentId, ordinal);
      if (!marks || marks.length === 0) return [{ speaker: nameOf(speaker), role: null, text: body, citation }];
      const before = body.slice(0, marks[0]![0]);
      return [
        // The end of a turn that began in the passage before.
        ...(before.trim() === '' ? [] : [{ speaker: null, role: null, text: before, citation }]),
        ...marks.map(([, said, by], i): ReadTurn => ({
          speaker: nameOf(by),
          role: null,
          text: body.slice(said, marks[i + 1]?.[0]),
          citation,
        })),
      ];
    });
    return { id: documentId, turns, left: head.passage_count - rows.length };
  }
}

/** A name is one short line; it comes from the conversation like everything else. */
function nameOf(speaker: string | null | undefined): string | null {
  const name = (speaker ?? '').toWellFormed().replaceAll(/\s+/g, ' ').trim().slice(0, longestName);
  return name === '' || ordersMachine(name) ? null : name;
}

/**
 * Chosen proposals. They are judged as they were when they were proposed, because a caller may name any words.
 * @throws AppError VALIDATION_ERROR
 */
function quoted(turns: readonly ReadTurn[], chosen: readonly ChosenMemory[]): Quoted[] {
  return chosen.map(({ turn, quote, category }) => {
    const said = turns[turn];
    const whole = said && rememberedIn([said]).some((each) => each.quote === quote);
    const words = whole ? quote : said ? statedIn(said, quote) : null;
    if (words === null) {
      throw new AppError('VALIDATION_ERROR', `Nobody states these words in turn ${turn}: "${quote.slice(0, 80)}".`, {
        hint: 'Give turn, quote and category as memory.record.extract proposed them for the same conversation.',
      });
    }
    return { turn, quote: words, kind: category };
  });
}

/** Each sentence once, in the order of the turns; of one that is a part of another, the whole. */
function distinct(all: readonly Quoted[]): Quoted[] {
  const kept: Quoted[] = [];
  for (const each of all.toSorted((a, b) => a.turn - b.turn || b.quote.length - a.quote.length)) {
    if (!kept.some(({ turn, quote }) => turn === each.turn && quote.includes(each.quote))) kept.push(each);
  }
  return kept;
}
