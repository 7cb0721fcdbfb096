import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { createLocalEmbedder } from '../../adapters/models/embedder.ts';
import { encoderFacts } from '../../adapters/models/encoder.ts';
import { featuresIn, labelsOf, scoresIn } from '../../engines/classifier/encoded.ts';
import { judge } from '../../engines/classifier/judge.ts';
import { shipped } from '../../engines/classifier/shipped.ts';
import { SignalClassifiers } from '../../services/signals/classifiers.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

const dir = inject('servers').modelDir ?? '';

describe.skipIf(dir === '')('the statement encoder', () => {
  const embedder = createLocalEmbedder({ dir });
  afterAll(() => embedder.close());
  const encoder = embedder.encoder!;
  const best = (scores: Float32Array): number => scores.indexOf(Math.max(...scores));

  it('belongs to the embedding model and to the shipped models', () => {
    expect(encoder.id).toBe(shipped().encoder);
    expect(encoderFacts().examples).toBe(shipped().examples);
  });

  it('gives the same for the same statement, in any order, beside vectors', async () => {
    const statements = [
      { text: 'The export crashes every morning.', context: '' },
      { text: 'Could you add a dark mode?', context: 'What is missing?' },
      { text: 'We love the new calendar.', context: '' },
    ];
    const [made, vectors] = await Promise.all([encoder.encode(statements), embedder.embed(['The export crashes every morning.'])]);
    expect(await encoder.encode([...statements].reverse())).toEqual(made.toReversed());
    expect(vectors[0]).toHaveLength(embedder.dimensions);
    expect(made.map((encoded) => labelsOf.class[best(scoresIn(encoded, 'class'))])).toEqual(['bug', 'request', 'praise']);
    expect(featuresIn(made[0]!)).toHaveLength(768);
  });

  it('reads a statement in its context', async () => {
    const text = 'Nothing at all.';
    const [alone, after] = await encoder.encode([
      { text, context: '' },
      { text, context: 'And what would you like us to change about the invoices?' },
    ]);
    expect(after).not.toEqual(alone);
  });

  it('gives shares of every aspect together with words and vector', async () => {
    const text = 'Since the update the till loses every third receipt.';
    const [[vector], [encoded]] = await Promise.all([embedder.embed([text]), encoder.encode([{ text, context: '' }])]);
    const told = judge(shipped().kinds.vector, { text, vector: vector!, encoded: encoded! });
    for (const shares of Object.values(told)) {
      expect(Object.values<number>(shares).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    }
    expect(told.class.bug).toBeGreaterThan(0.6);
    expect(told.tone.negative).toBeGreaterThan(0.6);
  });
});

describe('a classifier says in its id what it uses', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await testStack({ model: false });
  });
  afterAll(() => stack?.stop());

  it('the encoder, the vectors or words alone', async () => {
    const classifiers = new SignalClassifiers(stack);
    const { model, encoder } = shipped();
    const of = (...given: [string | null, string?]) =>
      asTenant('encoded', () => classifiers.of('encoded', given[0], { encoder: given[1] }));
    expect(await of(model, encoder)).toMatchObject({ id: expect.stringMatching(/\/encoder$/) as string, encodes: true });
    for (const [given, end] of [
      [[model, 'another'], /\/[0-9a-f]{12}$/],
      [[model], /\/[0-9a-f]{12}$/],
      [['another', encoder], /\/words$/],
      [[null], /\/words$/],
    ] as const) {
      const classifier = await of(...(given as unknown as [string | null, string?]));
      expect(classifier, String(given)).toMatchObject({ id: expect.stringMatching(end) as string, encodes: false });
      expect(classifier.judge({ text: 'The till crashes every morning.', vector: null }).class.bug).toBeGreaterThan(0.3);
    }
  });
});
