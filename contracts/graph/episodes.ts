import { z } from 'zod';
import { episodeKinds, episodeSources } from './graph.ts';
import { words } from '../knowledge/knowledge.ts';

/** Characters of an episode's body. */
export const maxEpisode = 200_000;

/** Ids of episodes are UUIDs; a caller may bring one. Not a pattern, so that it costs no tokens in tool lists. */
export const episodeId = z
  .string()
  .refine((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id), 'must be a UUID')
  .transform((id) => id.toLowerCase());

export const episodeName = words(512);
export const episodeSource = z.enum(episodeSources);
export const episodeStatuses = ['queued', 'done', 'failed'] as const;

export const episode = z.object({
  episode_id: z.string(),
  kind: z.enum(episodeKinds),
  name: z.string(),
  source: episodeSource,
  source_description: z.string(),
  /** When it was said; facts without a date of their own hold from then. */
  said_at: z.string(),
  status: z.enum(episodeStatuses),
  /** Of queued ones: 1 is taken in next. */
  position: z.number().nullable(),
  /** Of failed ones. */
  error: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
});
export type Episode = z.infer<typeof episode>;

/** What clearing a graph takes away. */
export const graphCounts = z.object({ episodes: z.number(), nodes: z.number(), facts: z.number(), relations: z.number() });
export type GraphCounts = z.infer<typeof graphCounts>;

/** The names of Graphiti's tools that are answered to, also with `graphiti_` before them. */
export const graphitiTools: readonly string[] = [
  'add_memory',
  'add_episode',
  'search_nodes',
  'search_facts',
  'delete_episode',
  'clear_graph',
];
