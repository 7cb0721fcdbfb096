import { readdirSync, readFileSync } from 'node:fs';
import { AppError } from '../../contracts/errors.ts';
import type { statementStates, tones } from '../../contracts/signals/signals.ts';
import { severities, signalClasses } from '../../contracts/signals/signals.ts';
import { hashOf } from '../../contracts/ids.ts';
import { aspects, type Aspect } from './encoded.ts';
import type { Blend, Learnt } from './learn.ts';
import { widthOf, type Scales, type Vocabulary } from './views.ts';

export interface ShippedExample {
  /** Group of the example: one trade or kind of text. */
  file: string;
  text: string;
  /** The turn or sentence before; empty: none. */
  context: string;
  /** `none`: no statement of a customer. */
  class: string;
  tone: string;
  severity: string;
  state: string;
}

const toneMarks: Record<string, (typeof tones)[number]> = { '+': 'positive', '0': 'neutral', '-': 'negative', '~': 'mixed' };
const stateMarks: Record<string, (typeof statementStates)[number]> = { o: 'open', r: 'resolved', w: 'withdrawn', h: 'hypothetical' };
const classes: ReadonlySet<string> = new Set([...signalClasses, 'none']);
const examplesFolder = new URL('./examples/', import.meta.url);
export const modelsFile = new URL('./models.json', import.meta.url);

/**
 * The project's own examples, in the order of the files.
 * @throws AppError when a line is invalid
 */
export function readExamples(): ShippedExample[] {
  const files = readdirSync(examplesFolder).filter((name) => name.endsWith('.tsv'));
  return files.toSorted().flatMap((file) => {
    const lines = readFileSync(new URL(file, examplesFolder), 'utf8').split('\n');
    return lines.flatMap((line, i) => {
      if (line.trim() === '' || line.startsWith('#')) return [];
      const [kind, tone, severity, state, context, text] = line.split('\t');
      const [toned, level, stated] = [toneMarks[tone ?? ''], severities[Number(severity)], stateMarks[state ?? '']];
      if (!kind || !classes.has(kind) || !toned || level === undefined || !stated || !text)
        throw new AppError('INTERNAL', `${file}, line ${i + 1} is no example.`);
      return [{ file, text, context: context === '-' ? '' : (context ?? ''), class: kind, tone: toned, severity: level, state: stated }];
    });
  });
}

/** Identifies the examples of a file of models. */
export const examplesHash = (): string => hashOf(readExamples()).slice(0, 12);

/** With the embedding of a statement and without, because there may be no embedding model. */
export type Kind = 'vector' | 'plain';
export const scalesOf: Record<Kind, Scales> = {
  vector: { words: 1, grams: 1, vector: 2, cues: 0.5, context: 0.5, leastGram: 6 },
  plain: { words: 1, grams: 1, vector: 0, cues: 1, context: 0.5, leastGram: 6 },
};

/** As JSON: words and n-grams with their weights, then per class a row of weights in 8 bits and their scale. */
interface Packed {
  examples: string;
  /** Id of the embedding model. */
  model: string;
  /** Id of the statement encoder. */
  encoder: string;
  kinds: Record<Kind, PackedKind>;
}

interface PackedKind {
  words: [string, number][];
  grams: [string, number][];
  aspects: Record<Aspect, PackedAspect>;
}

interface PackedAspect {
  labels: string[];
  l2: number;
  blend: Blend;
  /** The largest weight of each label. */
  scales: number[];
  weights: string;
}

export type Models = Record<Aspect, Learnt>;

export interface Shipped {
  examples: string;
  /** Vectors of other models are not comparable. */
  model: string;
  /** Scores of other encoders were not calibrated. */
  encoder: string;
  kinds: Record<Kind, Models>;
}

export function pack({ examples, model, encoder, kinds }: Shipped): string {
  const terms = (known: Map<string, { idf: number }>): [string, number][] =>
    [...known].map(([term, { idf }]) => [term, Math.round(idf * 1000) / 1000]);
  const packed = Object.entries(kinds).map(([kind, models]) => {
    const { words, grams } = models.class.vocabulary;
    return [
      kind,
      { words: terms(words), grams: terms(grams), aspects: Object.fromEntries(aspects.map((name) => [name, packedOf(models[name])])) },
    ];
  });
  return `${JSON.stringify({ examples, model, encoder, kinds: Object.fromEntries(packed) })}\n`;
}

const steps = 127;

function packedOf({ labels, l2, blend, model: { width, weights } }: Learnt): PackedAspect {
  const bytes = new Int8Array(weights.length);
  const scales = labels.map((_, c) => {
    const row = weights.subarray(c * (width + 1), (c + 1) * (width + 1));
    const scale = row.reduce((most, weight) => Math.max(most, Math.abs(weight)), 1e-9);
    row.forEach((weight, k) => (bytes[c * (width + 1) + k] = Math.round((weight / scale) * steps)));
    return scale;
  });
  if (!blend || l2 === undefined) throw new AppError('INTERNAL', 'A model without calibration cannot be shipped.');
  return { labels, l2, blend, scales, weights: Buffer.from(bytes.buffer).toString('base64') };
}

function unpack({ examples, model, encoder, kinds }: Packed): Shipped {
  const models = (kind: Kind): Models => {
    const { words, grams, aspects: packed } = kinds[kind];
    const terms = (known: [string, number][], from: number): Vocabulary['words'] =>
      new Map(known.map(([term, idf], i) => [term, { at: from + i, idf }]));
    const vocabulary = {
      words: terms(words, 0),
      grams: terms(grams, words.length),
      width: widthOf(words.length + grams.length),
      hints: 0,
    };
    const learnt = ({ labels, l2, blend, scales, weights }: PackedAspect): Learnt => {
      const bytes = new Int8Array(Uint8Array.from(Buffer.from(weights, 'base64')).buffer);
      const numbers = Float64Array.from(bytes, (byte, k) => (byte / steps) * scales[Math.floor(k / (vocabulary.width + 1))]!);
      return {
        labels,
        l2,
        blend,
        vocabulary,
        scales: scalesOf[kind],
        model: { classes: labels.length, width: vocabulary.width, weights: numbers },
      };
    };
    return { class: learnt(packed.class), tone: learnt(packed.tone), severity: learnt(packed.severity), state: learnt(packed.state) };
  };
  return { examples, model, encoder, kinds: { vector: models('vector'), plain: models('plain') } };
}

let read: Shipped | undefined;

/** The models trained on the project's examples by `scripts/train-signals.ts`; read once. */
export function shipped(): Shipped {
  return (read ??= unpack(JSON.parse(readFileSync(modelsFile, 'utf8')) as Packed));
}
