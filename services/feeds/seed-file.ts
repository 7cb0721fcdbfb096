import { z } from 'zod';
import { AppError } from '../../contracts/errors.ts';
import { feedId, feedKinds } from '../../contracts/feeds/feeds.ts';
import type { GivenSource } from './sources.ts';

const source = z
  .object({
    feed_id: feedId,
    kind: z.enum(feedKinds).optional(),
    title: z.string().optional(),
    url: z.string(),
    enabled: z.boolean().optional(),
    categories: z.array(z.string()).optional(),
    language: z.string().nullable().optional(),
    settings: z.record(z.string(), z.unknown()).optional(),
    credentials: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/), z.string()).optional(),
  })
  .strict();

const seedFile = z.object({ tenant: z.string().default('default'), sources: z.array(source).max(2_000) }).strict();

export interface SeedFile {
  tenant: string;
  sources: (GivenSource & { url: string })[];
}

const variable = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;

/**
 * Parses `{"tenant": "default", "sources": [{"feed_id": …, "url": …}]}`, or only the list of sources. `${env:NAME}` in a
 * credential is read from `env`.
 * @throws AppError VALIDATION_ERROR naming invalid parts, and every variable without a value
 */
export function readSeedFile(content: string, env: Readonly<Record<string, string | undefined>>): SeedFile {
  let value: unknown;
  try {
    value = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch {
    throw bad('The file of feed sources is not JSON.');
  }
  const { data: file, error } = seedFile.safeParse(Array.isArray(value) ? { sources: value } : value);
  if (!file) throw bad(`The file of feed sources cannot be imported: ${z.prettifyError(error)}`);
  const twice = file.sources.find(({ feed_id: id }, index) => file.sources.findIndex((other) => other.feed_id === id) < index);
  if (twice) throw bad(`The file names "${twice.feed_id}" twice.`);
  const missing = new Set<string>();
  const filledIn = (text: string): string =>
    text.replace(variable, (_, name: string) => {
      if (env[name] === undefined) missing.add(name);
      return env[name] ?? '';
    });
  const sources = file.sources.map(({ credentials, ...each }) => ({
    ...each,
    ...(credentials ? { credentials: Object.fromEntries(Object.entries(credentials).map(([name, text]) => [name, filledIn(text)])) } : {}),
  }));
  if (missing.size > 0) throw bad(`No value for ${[...missing].sort().join(', ')}.`, 'Set them in the environment.');
  return { tenant: file.tenant, sources };
}

const bad = (message: string, hint = 'It should look like {"tenant": "default", "sources": [{"feed_id": "…", "url": "…"}]}.'): AppError =>
  new AppError('VALIDATION_ERROR', message, { hint });
