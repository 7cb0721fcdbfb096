import { readFileSync } from 'node:fs';
import { AppError } from '../../contracts/errors.ts';
import { severities, signalClasses } from '../../contracts/signals/signals.ts';
import { hashOf } from '../../contracts/ids.ts';
import type { Learnt } from './learn.ts';
import { widthOf, type Scales } from './views.ts';

/** Aspects of a statement, trained separately. */
export const aspects = ['class', 'tone', 'severity'] as const;
export type Aspect = (typeof aspects)[number];

export interface ShippedExample {
  text: string;
  class: string;
  tone: string;
  severity: string;
}

const tones: Record<string, string> = { '+': 'positive', '0': 'neutral', '-': 'negative' };
const examplesFile = new URL('./examples.tsv', import.meta.url);
export const modelsFile = new URL('./models.json', import.meta.url);

/**
 * The project's own examples.
 * @throws AppError when a line is invalid
 */
export function readExamples(): ShippedExample[] {
  const lines = readFileSync(examplesFile, 'utf8').split('\n');
  return lines.flatMap((line, i) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [kind, tone, severity, text] = line.split('\t');
    const name = severities[Number(severity)];
    if (!signalClasses.some((each) => each === kind) || tones[tone ?? ''] === undefined || name === undefined || !text)
      throw new AppError('INTERNAL', `examples.tsv, line ${i + 1} is no example.`);
    return [{ text, class: kind!, tone: tones[tone!]!, severity: name }];
  });
}

/** Identifies the examples of a file of models. */
export const examplesHash = (): string => hashOf(readExamples()).slice(0, 12);

/** With the embedding of a statement and without, because there may be no embedding model. */
export type Kind = 'vector' | 'plain';
export const scalesOf: Record<Kind, Scales> = {
  vector: { words: 0.5, grams: 0, vector: 2, cues: 0.5 },
  plain: { words: 1, grams: 0, vector: 0, cues: 0.5 },
};

/** As JSON: words with their weights, then a row of weights per class. */
interface Packed {
  examples: string;
  /** Id of the embedding model. */
  model: string;
  kinds: Record<Kind, { words: [string, number][]; aspects: Record<Aspect, { labels: string[]; weights: string }> }>;
}

export type Models = Record<Aspect, Learnt>;

export interface Shipped {
  examples: string;
  /** Vectors of other models are not comparable. */
  model: string;
  kinds: Record<Kind, Models>;
}

export function pack(examples: string, model: string, kinds: Record<Kind, Models>): string {
  const packed = Object.fromEntries(
    Object.entries(kinds).map(([kind, models]) => [
      kind,
      {
        words: [...models.class.vocabulary.words].map(([word, { idf }]) => [word, Math.round(idf * 1000) / 1000]),
        aspects: Object.fromEntries(
          aspects.map((aspect) => [
            aspect,
            {
              labels: models[aspect].labels,
              weights: Buffer.from(Float32Array.from(models[aspect].model.weights).buffer).toString('base64'),
            },
          ]),
        ),
      },
    ]),
  );
  return `${JSON.stringify({ examples, model, kinds: packed })}\n`;
}

function unpack({ examples, model, kinds }: Packed): Shipped {
  const models = (kind: Kind): Models => {
    const { words, aspects: packed } = kinds[kind];
    const vocabulary = {
      words: new Map(words.map(([word, idf], at) => [word, { at, idf }])),
      grams: new Map<string, { at: number; idf: number }>(),
      width: widthOf(words.length),
      hints: 0,
    };
    const learnt = ({ labels, weights }: { labels: string[]; weights: string }): Learnt => {
      const bytes = Uint8Array.from(Buffer.from(weights, 'base64'));
      const numbers = Float64Array.from(new Float32Array(bytes.buffer));
      return { labels, vocabulary, scales: scalesOf[kind], model: { classes: labels.length, width: vocabulary.width, weights: numbers } };
    };
    return { class: learnt(packed.class), tone: learnt(packed.tone), severity: learnt(packed.severity) };
  };
  return { examples, model, kinds: { vector: models('vector'), plain: models('plain') } };
}

let read: Shipped | undefined;

/** The models trained on the project's examples by `scripts/train-signals.ts`; read once. */
export function shipped(): Shipped {
  return (read ??= unpack(JSON.parse(readFileSync(modelsFile, 'utf8')) as Packed));
}
