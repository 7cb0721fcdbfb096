import type { Database, Row } from '../../adapters/postgres/database.ts';
import { severities } from '../../contracts/signals/signals.ts';
import { classify, classifyPrompt } from '../kernel/language/classify.ts';
import type { LanguageService } from '../kernel/language/index.ts';
import type { Columns } from '../../prisma/rows.ts';
import type { Classified } from './classifiers.ts';

type Language = Pick<LanguageService, 'ask' | 'model'>;

export interface Judging {
  beat(): void;
  signal: AbortSignal;
  /** Whether the model's time is over. */
  spent(): boolean;
  /** Called with the number of statements that the model did not judge. */
  missed(statements: number): void;
}

interface KnownRow extends Row, Columns<'signals', 'id' | 'sentiment' | 'severity' | 'classifier'> {
  class: Classified['class'];
  confidence: number;
}

/**
 * The language model's judgements of statements, by signal id; empty without a model. Earlier judgements are reused,
 * and the offline classifier handles missing ones.
 */
export async function judged(
  { db, language }: { db: Database; language: Language },
  tenant: string,
  statements: readonly { id: string; statement: string }[],
  { beat, signal, spent, missed }: Judging,
): Promise<Map<string, Classified>> {
  if (language.model === null || statements.length === 0) return new Map();
  const ids = statements.map(({ id }) => id);
  const known = await db.query<KnownRow>(
    `select id, class, class_confidence as confidence, sentiment, severity, classifier from signals
     where tenant_id = $1 and id = any($2) and starts_with(classifier, $3)`,
    [tenant, ids, `${classifyPrompt} `],
  );
  const found = new Map<string, Classified>(known.map(({ id, ...told }) => [id, told]));
  const missing = statements.filter(({ id }) => !found.has(id));
  // The model may take longer than the heartbeat timeout.
  const beating = setInterval(beat, 3_000);
  const texts = missing.map(({ statement }) => statement);
  const { labels, classifier, model } = await classify(language, texts, { tenant, signal, spent }).finally(() => clearInterval(beating));
  missed(labels.filter((label) => label === null).length);
  for (const [i, label] of labels.entries()) {
    if (label) found.set(missing[i]!.id, { ...label, severity: severities.indexOf(label.severity), classifier: `${classifier} ${model}` });
  }
  return found;
}
