/**
 * What the search of tools has learned of each tool: tools/catalogue/search/learnt.json, written by `npm run gen` with the
 * shipped embedding model when a tool's texts or phrases have changed.
 */
import { readFileSync } from 'node:fs';
import { createLocalEmbedder } from '../adapters/models/embedder.ts';
import { cacheFolder, acquireEmbeddingModel } from '../platform/embedded/parts.ts';
import { readConfig } from '../platform/config.ts';
import type { AnyTool } from '../tools/catalogue/define.ts';
import { learntFile, learnWeights, packWeights, readLearnt, textsOf, unpackWeights } from '../tools/catalogue/search/learnt.ts';

/**
 * The present text as long as it was learned from the present texts: another processor would learn slightly other numbers.
 * @param mayLearn false: null when it must be learned
 */
export async function learntText(tools: readonly AnyTool[], mayLearn: boolean): Promise<string | null> {
  const learnt = readLearnt();
  if (learnt && Object.keys(learnt.tools).length === tools.length && unpackWeights(learnt, tools, learnt.model))
    return readFileSync(learntFile, 'utf8').trimEnd();
  if (!mayLearn) return null;
  const { dir, reason } = await acquireEmbeddingModel({ cacheDir: cacheFolder(readConfig(process.env)) });
  if (dir === null) throw new Error(`The texts of the tools have changed; to learn them, the embedding model is needed: ${reason}`);
  const texts = tools.reduce((sum, tool) => sum + textsOf(tool).length, 0);
  console.log(`Learning ${texts} texts of ${tools.length} tools, which takes a minute or two`);
  const embedder = createLocalEmbedder({ dir, processes: 2 });
  try {
    return JSON.stringify(packWeights(tools, await learnWeights(tools, embedder), embedder.id), null, 2);
  } finally {
    await embedder.close();
  }
}
