import type { Logger } from 'pino';
import type { Database } from '../../adapters/postgres/database.ts';
import { reasonOf } from '../../contracts/language.ts';
import { concerning } from '../../engines/evidence/concerning.ts';
import { batchesOf, halvesOf, knownNames } from '../../engines/evidence/model-asks.ts';
import { checked } from '../../engines/evidence/model-check.ts';
import type { Answer, Batch, Checked } from '../../engines/evidence/model-types.ts';
import type { Directory, EvidenceInput, Layout } from '../../engines/evidence/types.ts';
import { voicesOf } from '../../engines/evidence/voices.ts';
import type { LanguageService } from '../kernel/language/index.ts';
import { readPrompt, readUnits } from '../kernel/language/read.ts';
import { keepAnswer, keptAnswers, portionOf, type Asker } from './model-answers.ts';

export interface ModelDeps {
  db: Database;
  language: Pick<LanguageService, 'ask' | 'model'>;
  languageReads: boolean;
  log: Pick<Logger, 'warn'>;
}

export interface ModelOptions {
  beat(): void;
  signal: AbortSignal;
  /** Whether the model's time is over. */
  spent(): boolean;
}

/** What a language model found in a document, and how far it came. */
export interface ModelReading extends Checked {
  /** `prompt model`, for `signals.classifier`. */
  by: string;
  /** Units that it was to answer for. */
  units: number;
  /** Why it did not answer for all of them; null: it did, or left some out. */
  without: string | null;
}

export interface ModelDocument {
  id: string;
  input: EvidenceInput;
  layout: Layout;
}

/** Questions about one document at the same time. */
const atOnce = 2;

/**
 * Lets the language model read a document, portion by portion. Answers are kept, so that a killed or repeated reading
 * asks only for the portions that are missing. Never fails because of the model: what it does not answer, rules read.
 * @returns null: no model reads documents
 */
export async function readByModel(
  { db, language, languageReads, log }: ModelDeps,
  tenant: string,
  { id, input, layout }: ModelDocument,
  directory: Directory,
  options: ModelOptions,
): Promise<ModelReading | null> {
  if (!languageReads || language.model === null) return null;
  const asker: Asker = { prompt: readPrompt, model: language.model };
  const batches = batchesOf(input, layout, voicesOf(input, layout, directory));
  const about = { day: layout.saidAt.slice(0, 10), kind: layout.kind, known: knownNames(concerning(directory, input)) };
  const asking = new Asking(db, language, tenant, id, asker, about, options);
  // The model may take longer than the heartbeat timeout.
  const beating = setInterval(options.beat, 3_000);
  const answers = await asking.all(batches).finally(() => clearInterval(beating));
  if (asking.without !== null)
    log.warn({ tenant, document: id, model: asker.model }, 'a document was read in part without the language model');
  return {
    ...checked(input, layout, directory, answers),
    by: `${asker.prompt} ${asker.model}`,
    units: batches.reduce((sum, { units }) => sum + units.size, 0),
    without: asking.without,
  };
}

/** The questions about one document. */
class Asking {
  /** Why no further question is asked. */
  without: string | null = null;
  private kept = new Map<string, Answer>();
  private readonly ask: (batch: Batch) => ReturnType<typeof readUnits>;
  private readonly keep: (portion: string, answer: Answer) => Promise<Answer | null>;
  private readonly load: () => Promise<Map<string, Answer>>;
  private readonly portionOf: (batch: Batch) => string;
  private readonly options: ModelOptions;

  constructor(
    db: Database,
    language: ModelDeps['language'],
    tenant: string,
    documentId: string,
    asker: Asker,
    about: Parameters<typeof readUnits>[2],
    options: ModelOptions,
  ) {
    this.options = options;
    this.portionOf = (batch) => portionOf(batch, about.day);
    this.ask = ({ records }) => readUnits(language, records, about, { tenant, signal: options.signal });
    this.keep = (portion, answer) => keepAnswer(db.query, tenant, documentId, asker, portion, answer);
    this.load = () => keptAnswers(db.query, tenant, documentId, asker);
  }

  /** Answers in the order of the batches; those without an answer are missing. */
  async all(batches: readonly Batch[]): Promise<{ batch: Batch; answer: Answer }[]> {
    if (batches.length === 0) return [];
    this.kept = await this.load();
    const answers: (Answer | null)[] = batches.map(() => null);
    let next = 0;
    const work = async (): Promise<void> => {
      for (let i = next; i < batches.length; i = next) {
        next += 1;
        answers[i] = await this.of(batches[i]!);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return batches.flatMap((batch, i) => (answers[i] ? [{ batch, answer: answers[i] }] : []));
  }

  private async of(batch: Batch): Promise<Answer | null> {
    const portion = this.portionOf(batch);
    const kept = this.kept.get(portion);
    if (kept) return kept;
    this.options.signal.throwIfAborted();
    if (this.without === null && this.options.spent()) this.without = 'The time for the language model was over.';
    if (this.without !== null) return null;
    const reply = await this.ask(batch);
    if (reply.ok) return await this.keeping(portion, reply.value);
    const why = reply.error && reasonOf(reply.error);
    if (why === 'too_long' || why === 'refused' || why === 'garbage') return await this.inHalves(batch, portion);
    // No key, no budget or no answer: the next question would fail, too.
    this.without ??= reply.warning;
    return null;
  }

  private async keeping(portion: string, answer: Answer): Promise<Answer | null> {
    const standing = await this.keep(portion, answer);
    if (!standing) this.without ??= 'The document was replaced or deleted meanwhile.';
    return standing;
  }

  /** One failing unit must not fail the others; alone, it is not asked about again. */
  private async inHalves(batch: Batch, portion: string): Promise<Answer | null> {
    const answers: (Answer | null)[] = [];
    for (const half of halvesOf(batch)) answers.push(await this.of(half));
    const answer = { units: answers.flatMap((each) => each?.units ?? []) };
    return answers.includes(null) ? answer : await this.keeping(portion, answer);
  }
}
