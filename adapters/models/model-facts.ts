import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Pooling = 'cls' | 'mean' | 'last';

/** How a model makes vectors of texts. */
export interface ModelFacts {
  /** Length of the vectors. */
  dimensions: number;
  /** Which of the vectors per token count; without meaning for a model that gives one vector per text. */
  pooling: Pooling;
  /** Put before queries, and before texts that are searched. */
  queryPrefix: string;
  passagePrefix: string;
  /** Tokens that are read of a text. */
  maxTokens: number;
}

/** What the operator says instead. */
export type GivenFacts = { [Name in keyof Omit<ModelFacts, 'maxTokens'>]?: ModelFacts[Name] | undefined };

/** Length of the vectors of small models, taken when nothing says otherwise. */
const usualDimensions = 384;
/** More tokens would cost time and memory for passages that have fewer. */
const mostTokens = 512;

/**
 * Facts from the files that models are published with, as Sentence Transformers writes them: `config.json`,
 * `1_Pooling/config.json`, `sentence_bert_config.json` and `config_sentence_transformers.json`.
 * @param given of the settings; takes precedence
 * @throws Error when a file is no JSON
 */
export function readModelFacts(dir: string, given: GivenFacts = {}): ModelFacts {
  const config = json(dir, 'config.json');
  const pool = json(dir, '1_Pooling/config.json');
  const { prompts } = json(dir, 'config_sentence_transformers.json');
  const prompt = (...names: string[]): string | undefined =>
    names.map((name) => (prompts as Record<string, unknown> | undefined)?.[name]).find((found) => typeof found === 'string');
  const window = Number(json(dir, 'sentence_bert_config.json')['max_seq_length'] ?? mostTokens);
  return {
    dimensions: given.dimensions ?? Number(pool['word_embedding_dimension'] ?? config['hidden_size'] ?? usualDimensions),
    pooling: given.pooling ?? poolingOf(pool),
    queryPrefix: given.queryPrefix ?? prompt('query', 's2p_query') ?? '',
    passagePrefix: given.passagePrefix ?? prompt('passage', 'document') ?? '',
    maxTokens: window > 2 ? Math.min(window, mostTokens) : mostTokens,
  };
}

function poolingOf(pool: Record<string, unknown>): Pooling {
  const named = pool['pooling_mode'];
  if (pool['pooling_mode_mean_tokens'] === true || named === 'mean') return 'mean';
  if (pool['pooling_mode_lasttoken'] === true || named === 'lasttoken') return 'last';
  return 'cls';
}

function json(dir: string, name: string): Record<string, unknown> {
  const path = join(dir, name);
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`${name} is no JSON`, { cause: error });
  }
}
