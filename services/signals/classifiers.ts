import { severities, type SignalClass } from '../../contracts/signals/signals.ts';
import { hashOf } from '../../contracts/ids.ts';
import { adapt, type Example } from '../../engines/classifier/learn.ts';
import { judge, type Judgement } from '../../engines/classifier/judge.ts';
import { aspects, featuresIn, type Aspect } from '../../engines/classifier/encoded.ts';
import { shipped, type Kind, type Models } from '../../engines/classifier/shipped.ts';
import type { Statement } from '../../engines/classifier/views.ts';
import type { Columns } from '../../prisma/rows.ts';
import { Service } from '../kernel/service.ts';

/** The classification of a statement. */
export interface Classified {
  class: SignalClass;
  /** 0 to 1 */
  confidence: number;
  /** -1 (bad) to 1 (good) */
  sentiment: number;
  /** 0 none to 4 critical */
  severity: number;
  /** Names the models and the corrections that were used. */
  classifier: string;
}

export interface StatementClassifier {
  id: string;
  /** Uses `encoded` of statements. */
  encodes: boolean;
  /** Shares of all labels, also that it is no statement. */
  judge(statement: Statement): Judgement;
}

/** A person's correction; fields that it does not change are null. */
interface CorrectionRow
  extends
    Record<string, unknown>,
    Columns<'signal_corrections', 'statement' | 'class' | 'sentiment' | 'severity' | 'tone' | 'state' | 'model' | 'embedding'> {}

/** Maximum corrections that are used: the latest. */
const correctionsKept = 2_000;
/** Change it when these rules change. */
const rulesId = 'signals-3';

/**
 * Classifies statements with the shipped models and the tenant's corrections. Caches the corrected models of some
 * tenants; each batch checks whether they are current.
 */
export class SignalClassifiers extends Service {
  private readonly kept = new Map<string, { version: string; classifiers: Record<Kind | 'encoder', StatementClassifier> }>();

  /**
   * @param model id of the current embedding model; null: classified by words only
   * @param options.encoder id of the model's statement encoder, if it has one
   */
  async of(
    tenant: string,
    model: string | null,
    { encoder, pause }: { encoder?: string | undefined; pause?: () => Promise<void> } = {},
  ): Promise<StatementClassifier> {
    const kind = kindOf(model) === 'vector' && encoder === shipped().encoder ? 'encoder' : kindOf(model);
    const [seen] = await this.db.query<{ version: string }>(
      `select count(*) || '/' || coalesce(max(updated_at)::text, '') as version from signal_corrections where tenant_id = $1`,
      [tenant],
    );
    const version = `${seen!.version}`;
    const known = this.kept.get(tenant);
    if (known?.version === version) return known.classifiers[kind];
    const rows = await this.db.query<CorrectionRow>(
      `select statement, class, sentiment, severity, tone, state, model, embedding::text from signal_corrections where tenant_id = $1 order by updated_at desc, signal_id limit ${correctionsKept}`,
      [tenant],
    );
    const id = rows.length === 0 ? rulesId : `${rulesId}+${hashOf(version).slice(0, 8)}`;
    const byVector = await corrected(shipped().kinds.vector, rows, 'vector', pause);
    const classifiers = {
      encoder: { ...classifierOf(byVector, `${id}/${shipped().examples}/encoder`), encodes: true },
      vector: classifierOf(byVector, `${id}/${shipped().examples}`),
      plain: classifierOf(await corrected(shipped().kinds.plain, rows, 'plain', pause), `${id}/${shipped().examples}/words`),
    };
    if (this.kept.size >= 100) this.kept.clear();
    this.kept.set(tenant, { version, classifiers });
    return classifiers[kind];
  }
}

async function corrected(models: Models, rows: readonly CorrectionRow[], kind: Kind, pause?: () => Promise<void>): Promise<Models> {
  if (rows.length === 0) return models;
  const learnt = { ...models };
  for (const aspect of aspects) learnt[aspect] = await adapt(models[aspect], examplesOf(rows, aspect, kind), pause);
  return learnt;
}

function examplesOf(rows: readonly CorrectionRow[], aspect: Aspect, kind: Kind): Example[] {
  return rows.flatMap((row) => {
    const label = labelOf(row, aspect);
    if (label === null) return [];
    const usable = kind === 'vector' && row.model === shipped().model && row.embedding !== null;
    return [{ text: row.statement, vector: usable ? Float32Array.from(JSON.parse(row.embedding!) as number[]) : null, label }];
  });
}

function labelOf(row: CorrectionRow, aspect: Aspect): string | null {
  if (aspect === 'class') return row.class;
  if (aspect === 'tone') return row.tone ?? toneOf(row.sentiment);
  if (aspect === 'state') return row.state;
  return severities[row.severity ?? -1] ?? null;
}

const toneOf = (sentiment: number | null): string | null =>
  sentiment === null ? null : sentiment > 0.25 ? 'positive' : sentiment < -0.25 ? 'negative' : 'neutral';

/**
 * What the shipped models know of a statement, as features for training another task: the shares of all labels, and what
 * the encoder tells.
 * @param model id of the embedding model of its vector and encoder
 */
export function hintsOf(statement: Statement, model: string | null): number[] {
  const told = judge(shipped().kinds[kindOf(model)], statement);
  const shares = aspects.flatMap((aspect) => Object.values<number>(told[aspect]));
  const features = statement.encoded ? featuresIn(statement.encoded) : new Float32Array();
  const length = Math.sqrt(features.reduce((sum, value) => sum + value * value, 0)) || 1;
  return [...shares, ...Array.from(features, (value) => (featuresWeight * value) / length)];
}

/** Set by hand: twice the shares' weight. */
const featuresWeight = 2;

/** The shipped model works only with vectors of its own embedding model. */
export const kindOf = (model: string | null): Kind => (model !== null && model === shipped().model ? 'vector' : 'plain');

function classifierOf(models: Models, id: string): StatementClassifier {
  return {
    id,
    encodes: false,
    judge: (statement) => judge(models, statement),
  };
}
