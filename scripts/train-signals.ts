/**
 * Trains engines/classifier/models.json from the examples beside it, with the configured embedding model:
 *   node scripts/train-signals.ts
 * Run it when the examples, the cues or the sentiment words change, and commit the result.
 */
import { writeFileSync } from 'node:fs';
import { createEmbedder } from '../adapters/models/embedder.ts';
import { readConfig } from '../platform/config.ts';
import { acquireEmbeddingModel, cacheFolder } from '../platform/embedded/parts.ts';
import { learn } from '../engines/classifier/learn.ts';
import {
  aspects,
  examplesHash,
  modelsFile,
  pack,
  readExamples,
  scalesOf,
  shippedL2,
  type Kind,
  type Models,
} from '../engines/classifier/shipped.ts';

const config = readConfig(process.env);
const { dir } = await acquireEmbeddingModel({ cacheDir: cacheFolder(config) });
const embedder = createEmbedder({ ...config, EMBEDDING_MODEL_DIR: config.EMBEDDING_MODEL_DIR ?? dir ?? undefined });
if (!embedder) throw new Error('An embedding model is needed (EMBEDDING_MODEL_DIR).');
const examples = readExamples();
const vectors = await embedder.embed(
  examples.map(({ text }) => text),
  { priority: 'batch' },
);

async function modelsOf(kind: Kind): Promise<Models> {
  const learnt = aspects.map((aspect) =>
    learn(
      examples.map((example, i) => ({ text: example.text, context: example.context, vector: vectors[i]!, label: example[aspect] })),
      { scales: scalesOf[kind], l2: shippedL2 },
    ),
  );
  const [kinds, tone, severity, state] = await Promise.all(learnt);
  return { class: kinds!, tone: tone!, severity: severity!, state: state! };
}

writeFileSync(modelsFile, pack(examplesHash(), embedder.id, { vector: await modelsOf('vector'), plain: await modelsOf('plain') }));
console.log(`${examples.length} examples, ${embedder.id}`);
await embedder.close();
